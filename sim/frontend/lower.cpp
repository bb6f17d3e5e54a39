// SPDX-License-Identifier: MIT
#include "sim/frontend/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sim/frontend/decode.h"
#include "sim/frontend/fragment.h"
#include "sim/frontend/packed.h"
#include "sim/frontend/symbols.h"
#include "sim/ir/matrix.h"
#include "sim/ir/operand_types.h"
#include "sim/ir/operands.h"
#include "sim/support/error.h"

namespace paws::frontend {
namespace {

using ir::immediate;
using ir::Op;
using ir::register_operand;
using ir::Type;

constexpr std::uint64_t kMaxParamBytes = 32764;  // PTX ISA, "Kernel Function Parameters"
constexpr std::uint64_t kMaxLocalBytes = std::uint64_t{512} * 1024;    // per thread
constexpr std::uint64_t kMaxSharedBytes = std::uint64_t{1024} * 1024;  // beyond any GPU's
constexpr std::size_t kMaxInstructions = std::size_t{1} << 17;
constexpr unsigned kDynamicSharedAlign = 16;
/// What cooperative groups keep in shared memory, at %reserved_smem_offset_1, on GPUs of compute
/// capability 8.0 and later (CUDA C Programming Guide, "Shared Memory").
constexpr std::uint64_t kReservedSharedBytes = 1024;
constexpr std::string_view kReservedShared = "%reserved_smem_offset_1";
constexpr std::uint64_t kGridWorkspaceBytes = 64;

/// What a name stands for.
struct Entity {
  enum class Kind : std::uint8_t { reg, label, table, address, slot, external };
  Kind kind = Kind::reg;
  ir::RegId reg = ir::kNoReg;
  ir::Space space = ir::Space::none;  // address
  std::uint64_t value = 0;            // address: offset or address; label, slot: index
  const ptx::BranchTargets* targets = nullptr;
};

struct RegisterRange {
  std::string_view prefix;
  std::uint64_t count = 0;
  Type type = Type::none;
};

struct Scope {
  std::unordered_map<std::string_view, Entity> names;
  std::vector<RegisterRange> ranges;
};

/// One activation of an inlined function, or the kernel itself.
struct Frame {
  const ptx::Function* function = nullptr;
  unsigned instance = 0;  // 0 for the kernel
  std::uint32_t return_label = kNone;
  ir::RegId carry = ir::kNoReg;
  std::vector<Scope> scopes;
};

struct SpecialName {
  std::string_view name;
  ir::Special special;
};
constexpr auto kSpecials = std::to_array<SpecialName>({
    {"%tid.x", ir::Special::tid_x},
    {"%tid.y", ir::Special::tid_y},
    {"%tid.z", ir::Special::tid_z},
    {"%ntid.x", ir::Special::ntid_x},
    {"%ntid.y", ir::Special::ntid_y},
    {"%ntid.z", ir::Special::ntid_z},
    {"%ctaid.x", ir::Special::ctaid_x},
    {"%ctaid.y", ir::Special::ctaid_y},
    {"%ctaid.z", ir::Special::ctaid_z},
    {"%nctaid.x", ir::Special::nctaid_x},
    {"%nctaid.y", ir::Special::nctaid_y},
    {"%nctaid.z", ir::Special::nctaid_z},
    {"%laneid", ir::Special::laneid},
    {"%warpid", ir::Special::warpid},
    {"%nwarpid", ir::Special::nwarpid},
    {"%smid", ir::Special::smid},
    {"%nsmid", ir::Special::nsmid},
    {"%gridid", ir::Special::gridid},
    {"%lanemask_eq", ir::Special::lanemask_eq},
    {"%lanemask_le", ir::Special::lanemask_le},
    {"%lanemask_lt", ir::Special::lanemask_lt},
    {"%lanemask_ge", ir::Special::lanemask_ge},
    {"%lanemask_gt", ir::Special::lanemask_gt},
    {"%clock", ir::Special::clock},
    {"%clock_hi", ir::Special::clock_hi},
    {"%clock64", ir::Special::clock64},
    {"%globaltimer", ir::Special::globaltimer},
    {"%globaltimer_lo", ir::Special::globaltimer},
    {"%dynamic_smem_size", ir::Special::dynamic_smem_size},
    {"%total_smem_size", ir::Special::total_smem_size},
    {"%clusterid.x", ir::Special::ctaid_x},
    {"%clusterid.y", ir::Special::ctaid_y},
    {"%clusterid.z", ir::Special::ctaid_z},
    {"%nclusterid.x", ir::Special::nctaid_x},
    {"%nclusterid.y", ir::Special::nctaid_y},
    {"%nclusterid.z", ir::Special::nctaid_z},
});
struct ConstantName {
  std::string_view name;
  std::uint64_t value;
};
// A cluster is one block.
constexpr auto kConstants = std::to_array<ConstantName>({
    {"%is_explicit_cluster", 0},
    {"%cluster_ctaid.x", 0},
    {"%cluster_ctaid.y", 0},
    {"%cluster_ctaid.z", 0},
    {"%cluster_nctaid.x", 1},
    {"%cluster_nctaid.y", 1},
    {"%cluster_nctaid.z", 1},
    {"%cluster_ctarank", 0},
    {"%cluster_nctarank", 1},
});
// Special registers that PTX has and the simulator has not.
constexpr auto kMissingSpecials =
    std::to_array<std::string_view>({"%envreg", "%pm", "%aggr_smem_size", "%reserved_smem_offset",
                                     "%current_graph_exec", "%globaltimer_hi"});

const char* to_string(ir::Space space) {
  switch (space) {
    case ir::Space::global:
      return ".global";
    case ir::Space::shared:
      return ".shared";
    case ir::Space::local:
      return ".local";
    case ir::Space::constant:
      return ".const";
    case ir::Space::param:
      return ".param";
    default:
      return "generic";
  }
}

/// Operations whose PTX operands are data and [address].
bool is_memory(Op op) {
  return op == Op::ld || op == Op::st || op == Op::atom || op == Op::red || op == Op::prefetch;
}

/// A function that a pointer may point to.
struct Candidate {
  const ptx::Function* function = nullptr;
  std::uint64_t address = 0;
};

/// Functions by name, definitions before declarations.
class FunctionTable {
 public:
  FunctionTable(const ptx::Module& source, const SymbolTable& symbols) {
    for (const ptx::Function& function : source.functions) {
      const auto [hit, fresh] = functions_.try_emplace(function.name, &function);
      if (fresh || !function.has_body) continue;
      if (hit->second->has_body) {
        throw InputError(source.file, function.line,
                         "'" + std::string(function.name) + "' is defined twice");
      }
      hit->second = &function;
    }
    for (const ptx::Alias& alias : source.aliases) {
      const auto hit = functions_.find(alias.target);
      if (hit == functions_.end()) {
        throw InputError(source.file, alias.line,
                         ".alias of '" + std::string(alias.target) + "', which is not a function");
      }
      functions_[alias.name] = hit->second;
    }
    find_candidates(source, symbols);
  }

  /// Functions of the file whose address is taken, in their order.
  [[nodiscard]] const std::vector<Candidate>& candidates() const { return candidates_; }

  [[nodiscard]] const ptx::Function* find(std::string_view name) const {
    const auto hit = functions_.find(name);
    return hit == functions_.end() ? nullptr : hit->second;
  }

 private:
  static void collect(const ptx::Operand& operand, std::set<std::string_view>& names) {
    if (!operand.name.empty()) names.insert(operand.name);
    for (const ptx::Operand& element : operand.elements) collect(element, names);
  }
  static void collect(const ptx::Initialiser& value, std::set<std::string_view>& names) {
    if (value.kind == ptx::Initialiser::Kind::symbol) names.insert(value.symbol);
    for (const ptx::Initialiser& element : value.elements) collect(element, names);
  }

  void find_candidates(const ptx::Module& source, const SymbolTable& symbols) {
    std::set<std::string_view> names;
    for (const ptx::Variable& variable : source.variables) {
      if (variable.initial) collect(*variable.initial, names);
    }
    for (const ptx::Function& function : source.functions) {
      for (const ptx::Statement& statement : function.body) {
        const auto* instruction = std::get_if<ptx::Instruction>(&statement);
        if (instruction == nullptr) continue;
        for (const ptx::Operand& operand : instruction->operands) {
          // The function that a call names is called, no more.
          const bool called =
              instruction->root == "call" && operand.kind == ptx::Operand::Kind::name;
          if (!called) collect(operand, names);
        }
      }
    }
    for (const ptx::Function& function : source.functions) {
      if (function.entry || !function.has_body || !names.contains(function.name)) continue;
      candidates_.push_back({&function, symbols.at(function.name).address});
    }
  }

  std::unordered_map<std::string_view, const ptx::Function*> functions_;
  std::vector<Candidate> candidates_;
};

class KernelLowerer {
 public:
  /// `grid_workspace` says where the blocks of a cooperative launch meet.
  KernelLowerer(const ptx::Module& source, const SymbolTable& symbols,
                const FunctionTable& functions, const ptx::Function& entry,
                std::uint64_t grid_workspace)
      : source_(source),
        symbols_(symbols),
        functions_(functions),
        entry_(entry),
        grid_workspace_(grid_workspace) {}

  Draft run() {
    ir::Kernel& kernel = draft_.kernel;
    kernel.name = std::string(entry_.name);
    kernel.file = source_.file;
    kernel.source_lines = source_.source_lines;
    kernel.line = entry_.line;
    kernel.required_block = entry_.required_block;
    kernel.max_threads = entry_.max_block[0] * entry_.max_block[1] * entry_.max_block[2];
    draft_.max_registers = entry_.max_registers;
    draft_.min_blocks = entry_.min_blocks;
    lay_out_shared();
    frames_.emplace_back();
    frame().function = &entry_;
    frame().scopes.emplace_back();
    lay_out_params();
    lower_body(entry_);
    // Falling off the end is an exit.
    ir::Instruction end;
    end.op = Op::exit;
    end.line = last_line_;
    emit(end);
    return std::move(draft_);
  }

 private:
  [[noreturn]] void fail(std::uint32_t line, const std::string& cause) const {
    throw InputError(source_.file, line, cause);
  }

  static std::string quoted(std::string_view name) { return fmt::format("'{}'", name); }

  Frame& frame() { return frames_.back(); }

  DraftItem& emit(ir::Instruction instruction, std::uint32_t slot = kNone) {
    if (draft_.items.size() >= kMaxInstructions) {
      fail(entry_.line, "kernel " + quoted(entry_.name) + " has more than " +
                            std::to_string(kMaxInstructions) + " instructions after inlining");
    }
    return draft_.items.emplace_back(DraftItem{std::move(instruction), kNone, slot});
  }

  std::uint32_t new_label() { return draft_.labels++; }

  void place_label(std::uint32_t label) { draft_.items.push_back({{}, label, kNone}); }

  ir::RegId new_register(std::uint32_t line, Type type, std::string name) {
    std::vector<ir::Register>& registers = draft_.kernel.registers;
    if (registers.size() >= ir::kNoReg) {
      fail(line, "kernel " + quoted(entry_.name) + " uses more than " + std::to_string(ir::kNoReg) +
                     " registers after inlining");
    }
    registers.push_back({type, std::move(name)});
    return static_cast<ir::RegId>(registers.size() - 1);
  }

  /// Registers of inlined functions carry the number of the activation.
  std::string register_name(std::string_view name) {
    std::string text(name);
    if (frame().instance != 0) text += "@" + std::to_string(frame().instance);
    return text;
  }

  // ---- layout of shared memory and parameters --------------------------------------------------

  static void collect_names(const ptx::Operand& operand, std::set<std::string_view>& names) {
    if (!operand.name.empty()) names.insert(operand.name);
    for (const ptx::Operand& element : operand.elements) collect_names(element, names);
  }

  /// Shared variables that the kernel or a function it calls uses, in order of declaration.
  void lay_out_shared() {
    std::vector<const ptx::Function*> reached{&entry_};
    std::set<const ptx::Function*> seen{&entry_};
    std::set<std::string_view> names;
    const auto reach = [&](const ptx::Function* callee) {
      if (callee != nullptr && seen.insert(callee).second) reached.push_back(callee);
    };
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const ptx::Statement& statement : reached[i]->body) {
        const auto* instruction = std::get_if<ptx::Instruction>(&statement);
        if (instruction == nullptr) continue;
        std::set<std::string_view> here;
        for (const ptx::Operand& operand : instruction->operands) collect_names(operand, here);
        bool direct = false;
        for (const std::string_view name : here) {
          const ptx::Function* callee = functions_.find(name);
          direct = direct || callee != nullptr;
          reach(callee);
        }
        if (instruction->root == "call" && !direct) {
          for (const Candidate& candidate : functions_.candidates()) reach(candidate.function);
        }
        names.merge(here);
      }
    }
    std::uint64_t offset = 0;
    std::uint64_t dynamic_align = 1;
    std::vector<const ptx::Variable*> dynamic;
    const auto place = [&](const ptx::Variable& variable) {
      if (variable.space != "shared") return;
      const Extent extent = extent_of(variable, source_.file);
      if (variable.initial) fail(variable.line, "shared memory cannot have initial values");
      if (variable.external || extent.unsized) {
        dynamic.push_back(&variable);
        dynamic_align = std::max({dynamic_align, extent.align, std::uint64_t{kDynamicSharedAlign}});
        return;
      }
      offset = align_up(offset, extent.align);
      shared_[&variable] = offset;
      offset += extent.bytes;
      if (offset > kMaxSharedBytes) {
        fail(variable.line,
             "kernel " + quoted(entry_.name) + " has more than 1 MiB of shared memory");
      }
    };
    for (const ptx::Variable& variable : source_.variables) {
      if (names.contains(variable.name)) place(variable);
    }
    for (const ptx::Function* function : reached) {
      for (const ptx::Statement& statement : function->body) {
        if (const auto* variable = std::get_if<ptx::Variable>(&statement)) place(*variable);
      }
    }
    if (names.contains(kReservedShared)) {
      offset = align_up(offset, kDynamicSharedAlign);
      reserved_shared_ = offset;
      offset += kReservedSharedBytes;
    }
    offset = align_up(offset, dynamic_align);
    for (const ptx::Variable* variable : dynamic) shared_[variable] = offset;
    draft_.kernel.shared_bytes = static_cast<std::uint32_t>(offset);
    for (const ptx::Variable& variable : source_.variables) {
      const auto hit = shared_.find(&variable);
      if (hit == shared_.end()) continue;
      module_shared_[variable.name] = {Entity::Kind::address, ir::kNoReg, ir::Space::shared,
                                       hit->second, nullptr};
    }
  }

  void lay_out_params() {
    std::uint64_t offset = 0;
    for (const ptx::Variable& variable : entry_.params) {
      const Extent extent = extent_of(variable, source_.file);
      if (extent.unsized)
        fail(variable.line, "parameter " + quoted(variable.name) + " has no size");
      offset = align_up(offset, extent.align);
      ir::Param param;
      param.name = std::string(variable.name);
      param.type = extent.element;
      param.offset = static_cast<std::uint32_t>(offset);
      param.bytes = static_cast<std::uint32_t>(extent.bytes);
      param.align = static_cast<std::uint32_t>(extent.align);
      declare(variable.line, variable.name,
              {Entity::Kind::address, ir::kNoReg, ir::Space::param, offset, nullptr});
      offset += extent.bytes;
      if (offset > kMaxParamBytes) fail(variable.line, "more than 32764 bytes of parameters");
      draft_.kernel.params.push_back(std::move(param));
    }
    draft_.kernel.param_bytes = static_cast<std::uint32_t>(offset);
  }

  // ---- names ------------------------------------------------------------------------------------

  void declare(std::uint32_t line, std::string_view name, const Entity& entity) {
    if (!frame().scopes.back().names.try_emplace(name, entity).second) {
      fail(line, quoted(name) + " is declared twice");
    }
  }

  const Entity* find(std::uint32_t line, std::string_view name) {
    std::vector<Scope>& scopes = frame().scopes;
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
      const auto hit = scope->names.find(name);
      if (hit != scope->names.end()) return &hit->second;
      if (const Entity* fresh = find_in_ranges(line, *scope, name)) return fresh;
    }
    if (const auto hit = module_shared_.find(name); hit != module_shared_.end())
      return &hit->second;
    if (const auto hit = symbols_.find(name); hit != symbols_.end()) {
      const Symbol& symbol = hit->second;
      module_entity_ = {symbol.external ? Entity::Kind::external : Entity::Kind::address,
                        ir::kNoReg, symbol.space, symbol.address, nullptr};
      return &module_entity_;
    }
    return nullptr;
  }

  /// %r7 of `.reg .b32 %r<10>` comes into being when it is first used.
  const Entity* find_in_ranges(std::uint32_t line, Scope& scope, std::string_view name) {
    for (const RegisterRange& range : scope.ranges) {
      if (!name.starts_with(range.prefix)) continue;
      const std::string_view digits = name.substr(range.prefix.size());
      if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) continue;
      std::uint64_t number = 0;
      const char* end = digits.data() + digits.size();
      const auto [stop, error] = std::from_chars(digits.data(), end, number);
      if (error != std::errc() || stop != end || number >= range.count) continue;
      const ir::RegId reg = new_register(line, range.type, register_name(name));
      return &scope.names.try_emplace(name, Entity{Entity::Kind::reg, reg, {}, 0, nullptr})
                  .first->second;
    }
    return nullptr;
  }

  const Entity& resolve(std::uint32_t line, std::string_view name) {
    const Entity* entity = find(line, name);
    if (entity == nullptr) {
      if (functions_.find(name) != nullptr) {
        fail(line, "the address of function " + quoted(name) + ", which has no body in this file");
      }
      for (const ptx::Variable& variable : source_.variables) {
        if (variable.name == name && variable.type.ends_with("ref")) {
          fail(line, quoted(name) + " is a ." + std::string(variable.type) +
                         ": texture and surface references are not modelled, objects are");
        }
      }
      fail(line, quoted(name) + " is not declared");
    }
    if (entity->kind == Entity::Kind::external) {
      fail(line, quoted(name) + " is .extern and not defined in this file");
    }
    return *entity;
  }

  ir::RegId register_of(std::uint32_t line, std::string_view name) {
    const Entity& entity = resolve(line, name);
    if (entity.kind != Entity::Kind::reg) fail(line, quoted(name) + " is not a register");
    return entity.reg;
  }

  Type type_of(ir::RegId reg) const { return draft_.kernel.registers[reg].type; }

  /// The carry bit of this activation.
  ir::RegId carry(std::uint32_t line) {
    if (frame().carry == ir::kNoReg) {
      frame().carry = new_register(line, Type::pred, register_name("%cc"));
    }
    return frame().carry;
  }

  // ---- statements -------------------------------------------------------------------------------

  /// Names of the labels of the scope that starts at `first`; a goto may precede its label.
  void declare_labels(const std::vector<ptx::Statement>& body, std::size_t first) {
    unsigned depth = 0;
    for (std::size_t i = first; i < body.size(); ++i) {
      if (std::holds_alternative<ptx::ScopeBegin>(body[i])) ++depth;
      if (std::holds_alternative<ptx::ScopeEnd>(body[i]) && depth-- == 0) return;
      const auto* label = std::get_if<ptx::Label>(&body[i]);
      if (label == nullptr || depth != 0) continue;
      Entity entity;
      entity.kind = Entity::Kind::label;
      if (i + 1 < body.size()) {
        if (const auto* targets = std::get_if<ptx::BranchTargets>(&body[i + 1])) {
          entity.kind = Entity::Kind::table;
          entity.targets = targets;
        }
      }
      if (entity.kind == Entity::Kind::label) entity.value = new_label();
      declare(label->line, label->name, entity);
    }
  }

  void lower_body(const ptx::Function& function) {
    const std::vector<ptx::Statement>& body = function.body;
    last_line_ = function.line;
    declare_labels(body, 0);
    for (std::size_t i = 0; i < body.size(); ++i) {
      const ptx::Statement& statement = body[i];
      if (const auto* instruction = std::get_if<ptx::Instruction>(&statement)) {
        last_line_ = instruction->line;
        lower_instruction(*instruction);
      } else if (const auto* variable = std::get_if<ptx::Variable>(&statement)) {
        declare_variable(*variable);
      } else if (const auto* label = std::get_if<ptx::Label>(&statement)) {
        const Entity& entity = resolve(label->line, label->name);
        if (entity.kind == Entity::Kind::label) {
          place_label(static_cast<std::uint32_t>(entity.value));
        }
      } else if (std::holds_alternative<ptx::ScopeBegin>(statement)) {
        frame().scopes.emplace_back();
        declare_labels(body, i + 1);
      } else if (std::holds_alternative<ptx::ScopeEnd>(statement)) {
        frame().scopes.pop_back();
      }
    }
  }

  void declare_variable(const ptx::Variable& variable) {
    if (variable.space == "reg") {
      declare_registers(variable);
      return;
    }
    Entity entity;
    entity.kind = Entity::Kind::address;
    const Extent extent = extent_of(variable, source_.file);
    if (variable.space == "shared") {
      entity.space = ir::Space::shared;
      entity.value = shared_.at(&variable);
    } else if (extent.unsized) {
      fail(variable.line, quoted(variable.name) + " has no size");
    } else if (variable.space == "local") {
      entity.space = ir::Space::local;
      entity.value = allocate_local(variable.line, extent.bytes, extent.align);
    } else if (variable.space == "param") {
      entity = new_slot(extent);
    } else {
      fail(variable.line,
           "." + std::string(variable.space) + " variables inside functions are not modelled");
    }
    declare(variable.line, variable.name, entity);
  }

  std::uint64_t allocate_local(std::uint32_t line, std::uint64_t bytes, std::uint64_t align) {
    const std::uint64_t offset = align_up(draft_.kernel.local_bytes, align);
    if (offset + bytes > kMaxLocalBytes) {
      fail(line, "kernel " + quoted(entry_.name) + " needs more than 512 KiB of local memory");
    }
    draft_.kernel.local_bytes = static_cast<std::uint32_t>(offset + bytes);
    return offset;
  }

  Entity new_slot(const Extent& extent) {
    Entity entity;
    entity.kind = Entity::Kind::slot;
    entity.value = draft_.slots.size();
    draft_.slots.push_back({extent.bytes, extent.align, false});
    return entity;
  }

  void declare_registers(const ptx::Variable& variable) {
    const Type type = type_named(variable.type);
    if (type == Type::none || variable.vector != 1 || !variable.dimensions.empty()) {
      fail(variable.line, "registers of type ." + std::string(variable.type) +
                              (variable.vector != 1 ? " (vector)" : "") + " are not modelled");
    }
    if (variable.range) {
      frame().scopes.back().ranges.push_back({variable.name, *variable.range, type});
      return;
    }
    const ir::RegId reg = new_register(variable.line, type, register_name(variable.name));
    declare(variable.line, variable.name, {Entity::Kind::reg, reg, {}, 0, nullptr});
  }

  // ---- instructions -----------------------------------------------------------------------------

  void lower_instruction(const ptx::Instruction& source) {
    Decoded decoded = decode(source, source_.file);
    ir::Instruction& instruction = decoded.instruction;
    if (!source.guard.empty()) {
      instruction.guard = register_of(source.line, source.guard);
      instruction.guard_negated = source.guard_negated;
      if (type_of(instruction.guard) != Type::pred) {
        fail(source.line, "guard " + quoted(source.guard) + " is not a predicate");
      }
    }
    switch (decoded.pseudo) {
      case Decoded::Pseudo::call:
        lower_call(source, instruction);
        return;
      case Decoded::Pseudo::ret:
        expect_operands(source, 0, 0);
        if (frame().instance != 0) {
          instruction.op = Op::bra;
          instruction.target = frame().return_label;
        }
        emit(std::move(instruction));
        return;
      case Decoded::Pseudo::elect:
        lower_elect(source, instruction);
        return;
      case Decoded::Pseudo::cvt_pair:
        lower_pair(source, instruction);
        return;
      case Decoded::Pseudo::policy:
        if (source.operands.empty()) expect_operands(source, 1, 4);
        instruction.dst[0] = lower_destination(source, source.operands[0], Type::b64);
        instruction.src[0] = immediate(0);
        emit(std::move(instruction));
        return;
      case Decoded::Pseudo::mma:
      case Decoded::Pseudo::wmma_mma:
        lower_mma(source, instruction, decoded.pseudo == Decoded::Pseudo::wmma_mma);
        return;
      case Decoded::Pseudo::wmma_load:
      case Decoded::Pseudo::wmma_store:
        lower_fragment(source, decoded);
        return;
      case Decoded::Pseudo::matrix_rows:
        lower_matrix_rows(source, std::move(instruction));
        return;
      case Decoded::Pseudo::copy_async:
        lower_copy(source, std::move(decoded));
        return;
      case Decoded::Pseudo::copy_bulk:
        lower_bulk(source, decoded);
        return;
      case Decoded::Pseudo::copy_wait:
        lower_copy_wait(source, std::move(instruction));
        return;
      case Decoded::Pseudo::copy_wait_all:
        expect_operands(source, 0, 0);
        emit_wait_all(instruction);
        return;
      case Decoded::Pseudo::copy_arrive:
        lower_copy_arrive(source, decoded);
        return;
      case Decoded::Pseudo::mbarrier:
        lower_mbarrier(source, decoded);
        return;
      case Decoded::Pseudo::image:
        lower_image(source, std::move(instruction));
        return;
      case Decoded::Pseudo::packed:
        lower_packed(source, decoded);
        return;
      case Decoded::Pseudo::none:
        break;
    }
    switch (instruction.op) {
      case Op::bra:
        expect_operands(source, 1, 1);
        instruction.target = label_of(source.line, source.operands[0]);
        emit(std::move(instruction));
        return;
      case Op::brx:
        lower_brx(source, std::move(instruction));
        return;
      case Op::mov:
        if (lower_vector_mov(source, instruction)) return;
        break;
      case Op::exit:
      case Op::trap:
      case Op::nop:
      case Op::prefetch:
        emit_without_operands(source, std::move(decoded));
        return;
      default:
        break;
    }
    lower_operands(source, std::move(decoded));
  }

  void expect_operands(const ptx::Instruction& source, std::size_t least, std::size_t most) const {
    const std::size_t found = source.operands.size();
    if (found >= least && found <= most) return;
    std::string wanted = std::to_string(least);
    if (most != least) wanted += " to " + std::to_string(most);
    fail(source.line, quoted(source.text) + " takes " + wanted +
                          (wanted == "1" ? " operand, found " : " operands, found ") +
                          std::to_string(found));
  }

  std::uint32_t label_of(std::uint32_t line, const ptx::Operand& operand) {
    if (operand.kind != ptx::Operand::Kind::name) fail(line, "expected a label");
    const Entity& entity = resolve(line, operand.name);
    if (entity.kind != Entity::Kind::label) {
      fail(line, quoted(operand.name) + " is not a label of this function");
    }
    return static_cast<std::uint32_t>(entity.value);
  }

  void lower_brx(const ptx::Instruction& source, ir::Instruction instruction) {
    expect_operands(source, 2, 2);
    instruction.src[0] = lower_source(source, source.operands[0], Type::u32);
    const ptx::Operand& table = source.operands[1];
    if (table.kind != ptx::Operand::Kind::name)
      fail(source.line, "expected a list of branch targets");
    const Entity& entity = resolve(source.line, table.name);
    if (entity.kind != Entity::Kind::table) {
      fail(source.line, quoted(table.name) + " is not a list of branch targets");
    }
    for (const std::string_view name : entity.targets->names) {
      ptx::Operand label;
      label.name = name;
      instruction.table.push_back(label_of(source.line, label));
    }
    emit(std::move(instruction));
  }

  /// prefetch, nanosleep and the like have operands that nothing reads.
  void emit_without_operands(const ptx::Instruction& source, Decoded decoded) {
    if (decoded.instruction.op == Op::prefetch) {
      expect_operands(source, 1, 1);
      lower_address(source, source.operands[0], decoded.instruction);
    } else {
      expect_operands(source, decoded.min_sources, decoded.max_sources);
    }
    emit(std::move(decoded.instruction));
  }

  /// mov with a vector operand is pack or unpack.
  bool lower_vector_mov(const ptx::Instruction& source, ir::Instruction& instruction) {
    if (source.operands.size() != 2) return false;
    const ptx::Operand& to = source.operands[0];
    const ptx::Operand& from = source.operands[1];
    const bool unpack = to.kind == ptx::Operand::Kind::vector;
    const bool pack = from.kind == ptx::Operand::Kind::vector;
    if (unpack == pack) return false;
    const std::vector<ptx::Operand>& elements = unpack ? to.elements : from.elements;
    const unsigned bytes = ir::size_of(instruction.type);
    if ((elements.size() != 2 && elements.size() != 4) || bytes % elements.size() != 0) {
      fail(source.line,
           quoted(source.text) + " cannot take " + std::to_string(elements.size()) + " elements");
    }
    instruction.vector = static_cast<std::uint8_t>(elements.size());
    instruction.op = unpack ? Op::unpack : Op::pack;
    const Type part = ir::bits_type(bytes / instruction.vector);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (unpack) {
        instruction.dst[i] = lower_destination(source, elements[i], part);
      } else {
        instruction.src[i] = lower_source(source, elements[i], part);
      }
    }
    if (unpack) {
      instruction.src[0] = lower_source(source, from, instruction.type);
    } else {
      instruction.dst[0] = lower_destination(source, to, instruction.type);
    }
    emit(std::move(instruction));
    return true;
  }

  /// elect.sync d|p, mask: the lowest lane of the mask leads.
  void lower_elect(const ptx::Instruction& source, const ir::Instruction& fields) {
    expect_operands(source, 2, 2);
    const ptx::Operand& to = source.operands[0];
    if (to.kind != ptx::Operand::Kind::name || to.second.empty()) fail(source.line, "expected d|p");
    const ir::Operand mask = lower_source(source, source.operands[1], Type::b32);
    ir::RegId leader = lower_destination(source, to, Type::b32);
    if (leader == ir::kNoReg)
      leader = new_register(source.line, Type::b32, register_name("%elect"));
    ptx::Operand predicate;
    predicate.name = to.second;
    ir::Instruction step = fields;
    step.op = Op::brev;
    step.type = Type::b32;
    step.src[0] = mask;
    step.dst[0] = leader;
    emit(step);
    step.op = Op::clz;
    step.src[0] = register_operand(leader);
    emit(step);
    step.op = Op::setp;
    step.type = Type::u32;
    step.cmp = ir::Cmp::eq;
    step.src[1].kind = ir::Operand::Kind::special;
    step.src[1].special = ir::Special::laneid;
    step.dst[0] = lower_destination(source, predicate, Type::pred);
    emit(step);
  }

  /// cvt.f16x2.f32 d, a, b, and to bf16x2: a becomes the high half of d, b the low one.
  void lower_pair(const ptx::Instruction& source, const ir::Instruction& fields) {
    expect_operands(source, 3, 3);
    ir::Instruction pack = fields;
    pack.op = Op::pack;
    pack.type = Type::b32;
    pack.src_type = Type::none;
    pack.round = ir::Round::none;
    pack.vector = 2;
    for (unsigned half = 2; half-- > 0;) {
      ir::Instruction convert = fields;
      convert.src[0] = lower_source(source, source.operands[2 - half], fields.src_type);
      convert.dst[0] = new_register(source.line, Type::b16, register_name("%half"));
      pack.src[half] = register_operand(convert.dst[0]);
      emit(std::move(convert));
    }
    pack.dst[0] = lower_destination(source, source.operands[0], Type::b32);
    emit(std::move(pack));
  }

  /// vadd4 d, a, b, c and its kin.
  void lower_packed(const ptx::Instruction& source, const Decoded& decoded) {
    expect_operands(source, 4, 4);
    Packed packed;
    packed.fields = decoded.instruction;
    packed.op = decoded.packed.op;
    packed.elements = decoded.packed.elements;
    packed.accumulate = decoded.packed.accumulate;
    packed.a = lower_source(source, source.operands[1], decoded.instruction.src_type);
    packed.b = lower_source(source, source.operands[2], decoded.instruction.other_type);
    packed.c = lower_source(source, source.operands[3], decoded.instruction.type);
    packed.d = lower_destination(source, source.operands[0], decoded.instruction.type);
    const auto fresh = [&](Type type) {
      return new_register(source.line, type, register_name("%element"));
    };
    for (ir::Instruction& step : expand_packed(packed, fresh)) emit(std::move(step));
  }

  // ---- matrices --------------------------------------------------------------------------------

  /// The elements of a vector operand, or the operand itself.
  static std::vector<ptx::Operand> elements_of(const ptx::Operand& operand) {
    if (operand.kind == ptx::Operand::Kind::vector) return operand.elements;
    return {operand};
  }

  std::vector<ir::Operand> fragment_sources(const ptx::Instruction& source,
                                            const ptx::Operand& operand, unsigned count,
                                            Type type) {
    const std::vector<ptx::Operand> elements = elements_of(operand);
    check_fragment(source, elements.size(), count);
    std::vector<ir::Operand> lowered;
    lowered.reserve(count);
    for (const ptx::Operand& element : elements) {
      lowered.push_back(lower_source(source, element, type));
    }
    return lowered;
  }

  std::vector<ir::RegId> fragment_destinations(const ptx::Instruction& source,
                                               const ptx::Operand& operand, unsigned count,
                                               Type type) {
    const std::vector<ptx::Operand> elements = elements_of(operand);
    check_fragment(source, elements.size(), count);
    std::vector<ir::RegId> lowered;
    lowered.reserve(count);
    for (const ptx::Operand& element : elements) {
      lowered.push_back(lower_destination(source, element, type));
    }
    return lowered;
  }

  void check_fragment(const ptx::Instruction& source, std::size_t found, unsigned wanted) const {
    if (found == wanted) return;
    fail(source.line, quoted(source.text) + " takes " + std::to_string(wanted) +
                          " registers for this operand, found " + std::to_string(found));
  }

  void lower_mma(const ptx::Instruction& source, const ir::Instruction& fields, bool fragments) {
    expect_operands(source, 4, 4);
    using MatrixRole = Decoded::MatrixRole;
    const ir::MatrixRegisters plain = fragments ? ir::MatrixRegisters{} : ir::registers_of(fields);
    const auto count = [&](MatrixRole role, unsigned of_mma, Type type) {
      return fragments ? fragment_registers(fields.shape, role, type) : of_mma;
    };
    const Type result = ir::register_type(fields.type);
    const unsigned c_count = count(MatrixRole::c, plain.c, fields.type);
    std::vector<ir::RegId> d = fragment_destinations(source, source.operands[0], c_count, result);
    const std::vector<ir::Operand> a =
        fragment_sources(source, source.operands[1], count(MatrixRole::a, plain.a, fields.src_type),
                         ir::register_type(fields.src_type));
    const std::vector<ir::Operand> b = fragment_sources(
        source, source.operands[2], count(MatrixRole::b, plain.b, fields.other_type),
        ir::register_type(fields.other_type));
    const std::vector<ir::Operand> c =
        fragment_sources(source, source.operands[3], c_count, result);
    if (!fragments) {
      ir::Instruction mma = fields;
      std::copy(d.begin(), d.end(), mma.dst.begin());
      auto next = std::copy(a.begin(), a.end(), mma.src.begin());
      next = std::copy(b.begin(), b.end(), next);
      std::copy(c.begin(), c.end(), next);
      emit(std::move(mma));
      return;
    }
    // The first of two products must not overwrite what the second one reads.
    std::vector<std::pair<ir::RegId, ir::RegId>> moves;
    for (std::size_t i = 0; i < d.size() / 2; ++i) {
      const auto reads = [&](const std::vector<ir::Operand>& operands) {
        return std::any_of(operands.begin(), operands.end(), [&](const ir::Operand& operand) {
          return operand.kind == ir::Operand::Kind::reg && operand.reg == d[i];
        });
      };
      const bool own = c[i].kind == ir::Operand::Kind::reg && c[i].reg == d[i];
      if (!reads(a) && !reads(b) && (own || !reads(c))) continue;
      moves.emplace_back(d[i], new_register(source.line, result, register_name("%fragment")));
      d[i] = moves.back().second;
    }
    for (ir::Instruction& part : multiply_fragments(fields, d, a, b, c)) emit(std::move(part));
    for (const auto& [to, from] : moves) emit_guarded_move(fields, to, register_operand(from));
  }

  void emit_guarded_move(const ir::Instruction& fields, ir::RegId to, const ir::Operand& from) {
    ir::Instruction move;
    move.op = Op::mov;
    move.line = fields.line;
    move.guard = fields.guard;
    move.guard_negated = fields.guard_negated;
    move.type = ir::bits_type(ir::size_of(type_of(to)));
    move.dst[0] = to;
    move.src[0] = from;
    emit(std::move(move));
  }

  /// wmma.load r, [a], stride; wmma.store [a], r, stride. Without a stride the matrix is dense.
  void lower_fragment(const ptx::Instruction& source, const Decoded& decoded) {
    expect_operands(source, 2, 3);
    const bool loads = decoded.pseudo == Decoded::Pseudo::wmma_load;
    FragmentAccess access;
    access.fields = decoded.instruction;
    access.role = decoded.matrix;
    access.by_rows = decoded.by_rows;
    const ptx::Operand& registers = source.operands[loads ? 0 : 1];
    const unsigned count =
        fragment_registers(access.fields.shape, decoded.matrix, access.fields.type);
    const Type type = ir::register_type(access.fields.type);
    if (loads) {
      access.registers = fragment_destinations(source, registers, count, type);
    } else {
      for (const ir::Operand& operand : fragment_sources(source, registers, count, type)) {
        access.registers.push_back(in_register(source.line, type, operand));
      }
    }
    if (lower_address(source, source.operands[loads ? 1 : 0], access.fields) != kNone) {
      fail(source.line, "a fragment in the parameters of a call is not modelled");
    }
    access.base = register_operand(wide_address(source.line, access.fields));
    access.stride = source.operands.size() == 3
                        ? lower_source(source, source.operands[2], Type::u32)
                        : immediate(dense_stride(decoded));
    access.fields.src[0] = {};
    const auto fresh = [&](Type of) {
      return new_register(source.line, of, register_name("%fragment"));
    };
    for (ir::Instruction& part : access_fragment(access, fresh)) emit(std::move(part));
  }

  static unsigned dense_stride(const Decoded& decoded) {
    const ir::Instruction::Shape& shape = decoded.instruction.shape;
    switch (decoded.matrix) {
      case Decoded::MatrixRole::a:
        return decoded.by_rows ? shape.k : shape.m;
      case Decoded::MatrixRole::b:
        return decoded.by_rows ? shape.n : shape.k;
      default:
        return decoded.by_rows ? shape.n : shape.m;
    }
  }

  ir::RegId in_register(std::uint32_t line, Type type, const ir::Operand& operand) {
    if (operand.kind == ir::Operand::Kind::reg) return operand.reg;
    const ir::RegId reg = new_register(line, type, register_name("%value"));
    emit_move(line, reg, operand);
    return reg;
  }

  /// A 64-bit register with the base address of `instruction`, whose offset stays.
  ir::RegId wide_address(std::uint32_t line, const ir::Instruction& instruction) {
    const ir::Operand& base = instruction.src[0];
    if (base.kind == ir::Operand::Kind::reg && ir::size_of(type_of(base.reg)) == 8) return base.reg;
    const ir::RegId wide = new_register(line, Type::b64, register_name("%address"));
    if (base.kind != ir::Operand::Kind::reg) {
      emit_move(line, wide, base);
      return wide;
    }
    ir::Instruction extend;
    extend.op = Op::cvt;
    extend.line = line;
    extend.type = Type::u64;
    extend.src_type = Type::u32;
    extend.dst[0] = wide;
    extend.src[0] = base;
    emit(std::move(extend));
    return wide;
  }

  /// ldmatrix r, [a]; stmatrix [a], r.
  void lower_matrix_rows(const ptx::Instruction& source, ir::Instruction instruction) {
    expect_operands(source, 2, 2);
    const bool loads = instruction.op == Op::ldmatrix;
    const ptx::Operand& registers = source.operands[loads ? 0 : 1];
    if (loads) {
      const auto to = fragment_destinations(source, registers, instruction.vector, Type::b32);
      std::copy(to.begin(), to.end(), instruction.dst.begin());
    } else {
      const auto from = fragment_sources(source, registers, instruction.vector, Type::b32);
      std::copy(from.begin(), from.end(), instruction.src.begin() + 1);
    }
    lower_shared_address(source, source.operands[loads ? 1 : 0], instruction);
    emit(std::move(instruction));
  }

  void lower_shared_address(const ptx::Instruction& source, const ptx::Operand& operand,
                            ir::Instruction& instruction) {
    const std::uint32_t slot = lower_address(source, operand, instruction);
    if (slot != kNone ||
        (instruction.space != ir::Space::shared && instruction.space != ir::Space::generic)) {
      fail(source.line, quoted(source.text) + " needs an address in shared memory");
    }
  }

  // ---- asynchronous copies and barrier objects -------------------------------------------------

  /// cp.async [shared], [global], bytes{, bytes to read}
  void lower_copy(const ptx::Instruction& source, Decoded decoded) {
    ir::Instruction& instruction = decoded.instruction;
    std::size_t count = source.operands.size();
    if (decoded.cache_hint && count > 0) --count;
    if (count < 3 || count > 4) expect_operands(source, 3, 4);
    const ptx::Operand& size = source.operands[2];
    const std::uint64_t bytes = is_integer(size) ? size.literal.bits : std::uint64_t{0};
    const bool fits = bytes == 16 || (!instruction.cache_global && (bytes == 4 || bytes == 8));
    if (!fits) {
      fail(source.line,
           quoted(source.text) +
               (instruction.cache_global ? " copies 16 bytes" : " copies 4, 8 or 16 bytes"));
    }
    instruction.vector = static_cast<std::uint8_t>(bytes / 4);
    // The place in shared memory is the second source.
    ir::Instruction target;
    target.space = ir::Space::shared;
    lower_shared_address(source, source.operands[0], target);
    instruction.src[1] = target.src[0];
    instruction.other_offset = static_cast<std::int32_t>(target.offset);
    const std::uint32_t slot = lower_address(source, source.operands[1], instruction);
    if (slot != kNone) fail(source.line, "an asynchronous copy of a call's parameter");
    if (count == 4) lower_copy_limit(source, source.operands[3], bytes, instruction);
    emit(std::move(instruction));
  }

  /// cp.async.bulk [shared], [global], bytes, [barrier object], or [global], [shared], bytes. The
  /// object hears of the bytes when they are there.
  void lower_bulk(const ptx::Instruction& source, const Decoded& decoded) {
    const bool loads = decoded.instruction.copies == ir::CopyKind::bulk_load;
    const bool prefetches = decoded.instruction.op == Op::prefetch;
    const std::size_t wanted = (prefetches ? 2 : loads ? 4 : 3) + (decoded.cache_hint ? 1U : 0U);
    expect_operands(source, wanted, wanted);
    ir::Instruction copy = decoded.instruction;
    if (prefetches) {
      lower_address(source, source.operands[0], copy);
      lower_source(source, source.operands[1], Type::u32);  // what is no size is refused
      emit(std::move(copy));
      return;
    }
    ir::Instruction place;
    place.space = ir::Space::shared;
    lower_shared_address(source, source.operands[loads ? 0 : 1], place);
    copy.src[1] = place.src[0];
    copy.other_offset = static_cast<std::int32_t>(place.offset);
    const std::uint32_t slot = lower_address(source, source.operands[loads ? 1 : 0], copy);
    if (slot != kNone) fail(source.line, "an asynchronous copy of a call's parameter");
    copy.src[2] = lower_source(source, source.operands[2], Type::u32);
    emit(std::move(copy));
    if (!loads) return;
    ir::Instruction complete = decoded.instruction;
    complete.op = Op::mbarrier;
    complete.mbarrier = ir::MbarrierMode::complete_tx;
    complete.after_copies = true;
    complete.space = ir::Space::shared;
    lower_shared_address(source, source.operands[3], complete);
    complete.src[1] = lower_source(source, source.operands[2], Type::u32);
    emit(std::move(complete));
  }

  /// The bytes that are read, or a predicate that says that none is.
  void lower_copy_limit(const ptx::Instruction& source, const ptx::Operand& operand,
                        std::uint64_t bytes, ir::Instruction& instruction) {
    const Entity* entity =
        operand.kind == ptx::Operand::Kind::name ? find(source.line, operand.name) : nullptr;
    const bool predicate = entity != nullptr && entity->kind == Entity::Kind::reg &&
                           type_of(entity->reg) == Type::pred;
    if (!predicate) {
      instruction.src[2] = lower_source(source, operand, Type::u32);
      return;
    }
    ir::Instruction select;
    select.op = Op::selp;
    select.line = source.line;
    select.type = Type::b32;
    select.dst[0] = new_register(source.line, Type::b32, register_name("%bytes"));
    select.src[0] = immediate(0);
    select.src[1] = immediate(bytes);
    select.src[2] = lower_source(source, operand, Type::pred);
    instruction.src[2] = register_operand(select.dst[0]);
    emit(std::move(select));
  }

  void lower_copy_wait(const ptx::Instruction& source, ir::Instruction instruction) {
    expect_operands(source, 1, 1);
    const ptx::Operand& groups = source.operands[0];
    if (!is_integer(groups) || groups.literal.bits > 0xff) {
      fail(source.line, quoted(source.text) + " takes a constant from 0 to 255");
    }
    instruction.groups = static_cast<std::uint8_t>(groups.literal.bits);
    emit(std::move(instruction));
  }

  void emit_wait_all(const ir::Instruction& fields) {
    ir::Instruction step = fields;
    step.dst[0] = ir::kNoReg;
    step.src = {};
    step.offset = 0;
    step.type = Type::none;
    step.space = ir::Space::none;
    step.op = Op::copy_commit;
    emit(step);
    step.op = Op::copy_wait;
    step.groups = 0;
    emit(std::move(step));
  }

  /// cp.async.mbarrier.arrive: an arrival when the copies so far are there. Without .noinc it is
  /// one that the phase did not expect until now.
  void lower_copy_arrive(const ptx::Instruction& source, const Decoded& decoded) {
    expect_operands(source, 1, 1);
    ir::Instruction arrive = decoded.instruction;
    lower_shared_address(source, source.operands[0], arrive);
    if (!decoded.no_increment) {
      ir::Instruction expect = arrive;
      expect.mbarrier = ir::MbarrierMode::expect_arrival;
      emit(std::move(expect));
    }
    arrive.after_copies = true;
    emit(std::move(arrive));
  }

  void lower_mbarrier(const ptx::Instruction& source, const Decoded& decoded) {
    ir::Instruction instruction = decoded.instruction;
    std::size_t next = decoded.destinations;
    // arrive on another block's object has no result; a hint of try_wait has no effect.
    const bool no_result = next == 1 && !source.operands.empty() &&
                           source.operands[0].kind == ptx::Operand::Kind::address;
    if (no_result) next = 0;
    expect_operands(source, next + decoded.min_sources, next + decoded.max_sources);
    if (next == 1) {
      instruction.dst[0] =
          lower_destination(source, source.operands[0], ir::dest_type(instruction, 0));
    }
    if (instruction.mbarrier == ir::MbarrierMode::pending_count) {
      instruction.src[0] = lower_source(source, source.operands[next], Type::b64);
      emit(std::move(instruction));
      return;
    }
    lower_shared_address(source, source.operands[next++], instruction);
    if (next < source.operands.size()) {
      instruction.src[1] =
          lower_source(source, source.operands[next], ir::source_type(instruction, 1));
    }
    emit(std::move(instruction));
  }

  // ---- textures and surfaces ------------------------------------------------------------------

  /// tex d, [handle, {place}]{, level}; suld d, [handle, {place}]; sust [handle, {place}], d;
  /// txq d, [handle].
  void lower_image(const ptx::Instruction& source, ir::Instruction instruction) {
    const ir::ImageAccess& image = instruction.image;
    const bool writes = instruction.op == Op::sust;
    const bool asks = instruction.op == Op::image_query;
    const std::size_t count = source.operands.size();
    const std::size_t levels = image.mode == ir::TexMode::grad    ? 2
                               : image.mode == ir::TexMode::level ? 1
                                                                  : 0;
    expect_operands(source, 2 + levels, 2 + levels);
    const ptx::Operand& target = source.operands[writes ? 0 : 1];
    if (target.kind != ptx::Operand::Kind::address || target.literal.bits != 0 ||
        target.elements.size() != (asks ? 1U : 2U)) {
      const bool sampler = target.elements.size() == 3;
      fail(source.line, quoted(source.text) +
                            (sampler ? ": separate samplers are not modelled, a texture object "
                                       "has its own"
                             : asks  ? " takes [handle]"
                                     : " takes [handle, coordinates]"));
    }
    ptx::Operand handle;
    handle.name = target.elements[0].name;
    unsigned next = 0;
    const auto add = [&](const ptx::Operand& operand) {
      instruction.src[next] = lower_source(source, operand, ir::source_type(instruction, next));
      ++next;
    };
    add(handle);
    if (instruction.src[0].kind == ir::Operand::Kind::imm) {
      fail(source.line, quoted(handle.name) +
                            ": texture and surface references are not modelled, the handle of an "
                            "object stands in a register");
    }
    if (!asks) add_elements(source, target.elements[1], ir::place_operands(image.shape), add);
    for (std::size_t i = 2; i < count; ++i) {
      const unsigned wanted = image.mode == ir::TexMode::grad ? ir::coordinates_of(image.shape) : 1;
      add_elements(source, source.operands[i], wanted, add);
    }
    if (writes) {
      add_elements(source, source.operands[1], instruction.vector, add);
    } else {
      const auto to = fragment_destinations(source, source.operands[0], instruction.vector,
                                            ir::dest_type(instruction, 0));
      std::copy(to.begin(), to.end(), instruction.dst.begin());
    }
    emit(std::move(instruction));
  }

  /// The first `wanted` elements of an operand. Vectors may be filled up to four.
  template <typename Add>
  void add_elements(const ptx::Instruction& source, const ptx::Operand& operand, unsigned wanted,
                    const Add& add) {
    const std::vector<ptx::Operand> elements = elements_of(operand);
    const bool filled = wanted == 3 && elements.size() == 4;
    if (!filled) check_fragment(source, elements.size(), wanted);
    for (unsigned i = 0; i < wanted; ++i) add(elements[i]);
  }

  void lower_operands(const ptx::Instruction& source, Decoded decoded) {
    ir::Instruction& instruction = decoded.instruction;
    std::size_t count = source.operands.size();
    if (decoded.cache_hint && count > 0) --count;
    const std::size_t least = decoded.destinations + decoded.min_sources;
    const std::size_t most = decoded.destinations + decoded.max_sources;
    if (count < least || count > most) expect_operands(source, least, most);
    std::size_t next = 0;
    if (decoded.destinations == 1) lower_destinations(source, source.operands[next++], instruction);

    if (decoded.combines) {
      if ((instruction.bool_op != ir::BoolOp::none) != (count - next == decoded.max_sources)) {
        fail(source.line, quoted(source.text) +
                              " takes a predicate to combine with exactly when "
                              "it has .and, .or or .xor");
      }
    }
    if (instruction.op == Op::bar && instruction.bar >= ir::BarMode::red_popc) {
      lower_reduction(source, instruction, count);
      return;
    }
    const bool memory = is_memory(instruction.op);
    std::uint32_t slot = kNone;
    unsigned index = 0;
    if (memory) {
      slot = lower_address(source, source.operands[next++], instruction);
      index = 1;
    }
    for (; next < count; ++next) {
      const ptx::Operand& operand = source.operands[next];
      if (instruction.op == Op::st) {
        lower_vector_sources(source, operand, instruction);
        continue;
      }
      if (instruction.op == Op::lop3 && next == decoded.destinations + 3) {
        instruction.lut = constant_byte(source, operand);
        continue;
      }
      if (instruction.op == Op::mov && slot_address(source, operand, instruction)) return;
      instruction.src[index] = lower_source(source, operand, ir::source_type(instruction, index));
      ++index;
    }
    if (instruction.carry_in) instruction.src[index] = register_operand(carry(source.line));
    if (instruction.carry_out) instruction.dst[1] = carry(source.line);
    convert_space(instruction);
    emit(std::move(instruction), slot);
  }

  /// bar.red d, a, {b,} p: the count in the middle may be missing.
  void lower_reduction(const ptx::Instruction& source, ir::Instruction& instruction,
                       std::size_t count) {
    instruction.src[0] = lower_source(source, source.operands[1], Type::u32);
    if (count == 4) instruction.src[1] = lower_source(source, source.operands[2], Type::u32);
    instruction.src[2] = lower_source(source, source.operands[count - 1], Type::pred);
    emit(std::move(instruction));
  }

  /// mov of the address of a call's parameter: known only once it is clear where that lives.
  bool slot_address(const ptx::Instruction& source, const ptx::Operand& operand,
                    ir::Instruction& instruction) {
    if (operand.kind != ptx::Operand::Kind::name) return false;
    const Entity* entity = find(source.line, operand.name);
    if (entity == nullptr || entity->kind != Entity::Kind::slot) return false;
    const auto slot = static_cast<std::uint32_t>(entity->value);
    draft_.slots[slot].address_taken = true;
    instruction.src[0] = immediate(operand.literal.bits);
    emit(std::move(instruction), slot);
    return true;
  }

  /// Parameters of inlined functions whose address is taken live in local memory.
  void convert_space(ir::Instruction& instruction) {
    if (instruction.space != ir::Space::param || frame().instance == 0) return;
    const bool by_register =
        is_memory(instruction.op) && instruction.src[0].kind == ir::Operand::Kind::reg;
    if (by_register || instruction.op == Op::cvta || instruction.op == Op::isspacep) {
      instruction.space = ir::Space::local;
    }
  }

  std::uint8_t constant_byte(const ptx::Instruction& source, const ptx::Operand& operand) const {
    if (!is_integer(operand) || operand.literal.bits > 0xff) {
      fail(source.line, "the table of lop3 must be a constant from 0 to 255");
    }
    return static_cast<std::uint8_t>(operand.literal.bits);
  }

  void lower_destinations(const ptx::Instruction& source, const ptx::Operand& operand,
                          ir::Instruction& instruction) {
    if (operand.kind == ptx::Operand::Kind::vector) {
      if (instruction.op != Op::ld || operand.elements.size() != instruction.vector) {
        fail(source.line, quoted(source.text) + " cannot have " +
                              std::to_string(operand.elements.size()) + " results");
      }
      for (unsigned i = 0; i < instruction.vector; ++i) {
        instruction.dst[i] = lower_destination(source, operand.elements[i], instruction.type);
      }
      return;
    }
    if (instruction.op == Op::ld && instruction.vector != 1) {
      fail(source.line, quoted(source.text) + " takes a vector operand");
    }
    instruction.dst[0] = lower_destination(source, operand, ir::dest_type(instruction, 0));
    if (operand.second.empty()) return;
    const bool pairs = ir::dest_type(instruction, 1) == Type::pred && !instruction.carry_out;
    if (!pairs) fail(source.line, quoted(source.text) + " has one result");
    ptx::Operand second;
    second.name = operand.second;
    instruction.dst[1] = lower_destination(source, second, Type::pred);
  }

  ir::RegId lower_destination(const ptx::Instruction& source, const ptx::Operand& operand,
                              Type type) {
    if (operand.kind != ptx::Operand::Kind::name || operand.negated || operand.literal.bits != 0) {
      fail(source.line, "the result of " + quoted(source.text) + " must be a register");
    }
    if (operand.name == "_") return ir::kNoReg;
    const ir::RegId reg = register_of(source.line, operand.name);
    check_width(source, operand.name, reg, type, true);
    return reg;
  }

  /// Registers hold what the operand needs; loads, stores and conversions take wider ones.
  void check_width(const ptx::Instruction& source, std::string_view name, ir::RegId reg, Type type,
                   bool result) const {
    const Type declared = type_of(reg);
    const bool is_pred = declared == Type::pred;
    bool good = is_pred == (type == Type::pred);
    if (good && !is_pred) {
      const unsigned have = ir::size_of(declared);
      const unsigned need = ir::size_of(type);
      const bool loads = source.root == "ld" || source.root == "suld";
      const bool stores = source.root == "st" || source.root == "sust";
      const bool widens =
          source.root == "cvt" || source.root == "ldu" || (result && loads) || (!result && stores);
      good = have == need || (widens && have > need);
    }
    if (!good) {
      fail(source.line, quoted(name) + " is a ." + ir::to_string(declared) + " register, " +
                            quoted(source.text) + " needs ." + ir::to_string(type));
    }
  }

  void lower_vector_sources(const ptx::Instruction& source, const ptx::Operand& operand,
                            ir::Instruction& instruction) {
    if (operand.kind != ptx::Operand::Kind::vector) {
      if (instruction.vector != 1)
        fail(source.line, quoted(source.text) + " takes a vector operand");
      instruction.src[1] = lower_source(source, operand, instruction.type);
      return;
    }
    if (operand.elements.size() != instruction.vector) {
      fail(source.line, quoted(source.text) + " cannot store " +
                            std::to_string(operand.elements.size()) + " values");
    }
    for (unsigned i = 0; i < instruction.vector; ++i) {
      instruction.src[1 + i] = lower_source(source, operand.elements[i], instruction.type);
    }
  }

  static bool is_integer(const ptx::Operand& operand) {
    return operand.kind == ptx::Operand::Kind::literal &&
           operand.literal.kind == ptx::Literal::Kind::integer;
  }

  ir::Operand lower_source(const ptx::Instruction& source, const ptx::Operand& operand, Type type) {
    if (operand.kind == ptx::Operand::Kind::literal) {
      if (const std::string why = literal_mismatch(operand.literal, type); !why.empty()) {
        fail(source.line, quoted(source.text) + ": " + why);
      }
      return immediate(literal_bits(operand.literal, type));
    }
    if (operand.kind != ptx::Operand::Kind::name || !operand.second.empty()) {
      fail(source.line, "wrong kind of operand for " + quoted(source.text));
    }
    if (const auto value = constant_special(operand.name)) return immediate(*value);
    if (const auto special = special_named(source.line, operand.name)) {
      ir::Operand lowered;
      lowered.kind = ir::Operand::Kind::special;
      lowered.special = *special;
      return lowered;
    }
    const Entity& entity = resolve(source.line, operand.name);
    switch (entity.kind) {
      case Entity::Kind::reg: {
        if (operand.literal.bits != 0) fail(source.line, "a register has no offset here");
        check_width(source, operand.name, entity.reg, type, false);
        if (operand.negated && type != Type::pred)
          fail(source.line, "only predicates can be negated");
        ir::Operand lowered = register_operand(entity.reg);
        lowered.negated = operand.negated;
        return lowered;
      }
      case Entity::Kind::address: {
        ptx::Literal value{ptx::Literal::Kind::integer, entity.value + operand.literal.bits};
        return immediate(literal_bits(value, type));
      }
      default:
        fail(source.line, quoted(operand.name) + " is no operand for " + quoted(source.text));
    }
  }

  /// Special registers that have one value in all threads.
  std::optional<std::uint64_t> constant_special(std::string_view name) {
    if (name[0] != '%') return std::nullopt;
    for (const ConstantName& row : kConstants) {
      if (row.name == name) return row.value;
    }
    if (name == kReservedShared) return reserved_shared_;
    // The halves of an address (CUDA's cooperative_groups/details/driver_abi.h).
    const bool high = name == "%envreg1";
    if (!high && name != "%envreg2") return std::nullopt;
    draft_.kernel.cooperative = true;
    const std::uint64_t address = grid_workspace_;
    return high ? address >> 32 : address & 0xffff'ffffU;
  }

  std::optional<ir::Special> special_named(std::uint32_t line, std::string_view name) {
    if (name[0] != '%') return std::nullopt;
    for (const SpecialName& row : kSpecials) {
      // A declared register of the same name hides nothing: PTX reserves these names.
      if (row.name == name) return row.special;
    }
    for (const std::string_view prefix : kMissingSpecials) {
      if (name.starts_with(prefix) && find(line, name) == nullptr) {
        fail(line, "special register " + quoted(name) + " is not modelled");
      }
    }
    return std::nullopt;
  }

  /// Fills base and offset; returns the slot when the address is a call's parameter.
  std::uint32_t lower_address(const ptx::Instruction& source, const ptx::Operand& operand,
                              ir::Instruction& instruction) {
    if (operand.kind != ptx::Operand::Kind::address || operand.elements.size() != 1 ||
        operand.elements[0].kind == ptx::Operand::Kind::vector ||
        operand.elements[0].kind == ptx::Operand::Kind::address ||
        operand.literal.kind != ptx::Literal::Kind::integer) {
      fail(source.line, quoted(source.text) + " takes an address [base+offset]");
    }
    instruction.offset = static_cast<std::int64_t>(operand.literal.bits);
    instruction.src[0] = immediate(0);
    if (operand.name.empty()) return kNone;
    const Entity& entity = resolve(source.line, operand.name);
    switch (entity.kind) {
      case Entity::Kind::reg: {
        const unsigned bytes = ir::size_of(type_of(entity.reg));
        if (bytes != 4 && bytes != 8)
          fail(source.line, quoted(operand.name) + " cannot hold an address");
        instruction.src[0] = register_operand(entity.reg);
        return kNone;
      }
      case Entity::Kind::address:
        // A variable named in a generic access says which space it is in.
        if (instruction.space == ir::Space::generic) instruction.space = entity.space;
        if (instruction.space != entity.space) {
          fail(source.line, quoted(operand.name) + " is a " + to_string(entity.space) +
                                " variable, " + quoted(source.text) + " accesses " +
                                to_string(instruction.space) + " memory");
        }
        if (entity.space == ir::Space::param)
          check_param_access(source, operand, instruction, entity);
        instruction.offset += static_cast<std::int64_t>(entity.value);
        return kNone;
      case Entity::Kind::slot: {
        const auto slot = static_cast<std::uint32_t>(entity.value);
        if (instruction.space != ir::Space::param) {
          fail(source.line, quoted(operand.name) + " is a .param variable");
        }
        check_extent(source, operand, instruction, draft_.slots[slot].bytes);
        return slot;
      }
      default:
        fail(source.line, quoted(operand.name) + " is not an address");
    }
  }

  void check_param_access(const ptx::Instruction& source, const ptx::Operand& operand,
                          const ir::Instruction& instruction, const Entity& entity) const {
    for (const ir::Param& param : draft_.kernel.params) {
      if (param.offset == entity.value && param.bytes != 0) {
        check_extent(source, operand, instruction, param.bytes);
      }
    }
  }

  /// The access at a constant offset stays inside the `limit` bytes of its variable.
  void check_extent(const ptx::Instruction& source, const ptx::Operand& operand,
                    const ir::Instruction& instruction, std::uint64_t limit) const {
    const std::uint64_t bytes = std::uint64_t{instruction.vector} * ir::size_of(instruction.type);
    const std::uint64_t offset = operand.literal.bits;
    if (offset > limit || bytes > limit - offset) {
      fail(source.line,
           quoted(source.text) + " accesses beyond the end of " + quoted(operand.name));
    }
  }

  // ---- calls ------------------------------------------------------------------------------------

  void lower_call(const ptx::Instruction& source, const ir::Instruction& fields) {
    std::size_t next = 0;
    const std::vector<ptx::Operand>& operands = source.operands;
    static const std::vector<ptx::Operand> none;
    const auto list = [&]() -> const std::vector<ptx::Operand>& {
      if (next < operands.size() && operands[next].kind == ptx::Operand::Kind::list) {
        return operands[next++].elements;
      }
      return none;
    };
    const std::vector<ptx::Operand>& returns = list();
    if (next >= operands.size() || operands[next].kind != ptx::Operand::Kind::name) {
      fail(source.line, "call: expected a function name");
    }
    const std::string_view name = operands[next++].name;
    const std::vector<ptx::Operand>& arguments = list();
    const ptx::Function* callee = functions_.find(name);
    if (callee == nullptr) {
      if (find(source.line, name) != nullptr) {
        lower_indirect_call(source, fields, name, arguments, returns);
        return;
      }
      fail(source.line, "call of " + quoted(name) + ", which is not declared");
    }
    if (callee->entry)
      fail(source.line, "call of kernel " + quoted(name) + ": dynamic parallelism is not modelled");
    if (!callee->has_body) {
      if (lower_builtin(source, fields, name, arguments, returns)) return;
      fail(source.line, "call of " + quoted(name) + ", which has no body in this file");
    }
    for (const Frame& active : frames_) {
      if (active.function == callee) {
        fail(source.line, "recursive call of " + quoted(name) + ": recursion is not modelled");
      }
    }
    if (arguments.size() != callee->params.size() || returns.size() != callee->returns.size()) {
      fail(source.line, "call of " + quoted(name) + " with " + std::to_string(arguments.size()) +
                            " arguments and " + std::to_string(returns.size()) +
                            " results, it has " + std::to_string(callee->params.size()) + " and " +
                            std::to_string(callee->returns.size()));
    }
    inline_call(source, fields, *callee, arguments, returns);
  }

  /// The value that an argument of a function without a body has.
  ir::Operand value_of(const ptx::Instruction& source, const ir::Instruction& fields,
                       const ptx::Operand& argument, Type type) {
    const Entity* entity =
        argument.kind == ptx::Operand::Kind::name ? find(source.line, argument.name) : nullptr;
    if (entity == nullptr || entity->kind != Entity::Kind::slot) {
      return lower_source(source, argument, type);
    }
    const auto slot = static_cast<std::uint32_t>(entity->value);
    ir::Instruction load = fields;
    load.op = Op::ld;
    load.type = type;
    load.space = ir::Space::param;
    load.src[0] = immediate(0);
    load.dst[0] = new_register(source.line, type, register_name("%argument"));
    const ir::Operand value = register_operand(load.dst[0]);
    emit(std::move(load), slot);
    return value;
  }

  void set_result(const ptx::Instruction& source, const ir::Instruction& fields,
                  const ptx::Operand& result, ir::RegId value) {
    if (result.kind != ptx::Operand::Kind::name || result.name == "_") return;
    const Entity& entity = resolve(source.line, result.name);
    if (entity.kind != Entity::Kind::slot) {
      emit_guarded_move(fields, lower_destination(source, result, Type::b32),
                        register_operand(value));
      return;
    }
    ir::Instruction store = fields;
    store.op = Op::st;
    store.type = Type::b32;
    store.space = ir::Space::param;
    store.src[0] = immediate(0);
    store.src[1] = register_operand(value);
    emit(std::move(store), static_cast<std::uint32_t>(entity.value));
  }

  /// Functions that the driver provides. Refuses those that are not modelled with their reason;
  /// false for others.
  bool lower_builtin(const ptx::Instruction& source, const ir::Instruction& fields,
                     std::string_view name, const std::vector<ptx::Operand>& arguments,
                     const std::vector<ptx::Operand>& returns) {
    const auto expect_arguments = [&](std::size_t wanted) {
      if (arguments.size() == wanted) return;
      fail(source.line, "call of " + quoted(name) + " with " + std::to_string(arguments.size()) +
                            " arguments, it has " + std::to_string(wanted));
    };
    if (name == "vprintf") {
      expect_arguments(2);
      ir::Instruction print = fields;
      print.op = Op::print;
      for (unsigned i = 0; i < 2; ++i) {
        print.src[i] = value_of(source, fields, arguments[i], Type::b64);
      }
      const ir::RegId count = new_register(source.line, Type::b32, register_name("%printed"));
      print.dst[0] = count;
      emit(std::move(print));
      if (!returns.empty()) set_result(source, fields, returns[0], count);
      return true;
    }
    if (name == "__assertfail") {
      // A failed assertion of the program ends the run.
      expect_arguments(5);
      ir::Instruction trap = fields;
      trap.op = Op::trap;
      trap.trap = ir::TrapCause::assertion;
      for (unsigned i = 0; i < 4; ++i) {
        trap.src[i] = value_of(source, fields, arguments[i], i == 2 ? Type::b32 : Type::b64);
      }
      emit(std::move(trap));
      return true;
    }
    if (name == "malloc" || name == "free") {
      fail(source.line, "call of " + quoted(name) + ": the heap of the device is not modelled");
    }
    if (name.starts_with("cudaLaunchDevice") || name.starts_with("cudaGetParameterBuffer") ||
        name.starts_with("cudaCDP") || name.starts_with("__cudaCDP") ||
        name == "cudaDeviceSynchronize" || name == "cudaStreamCreateWithFlags") {
      fail(source.line, "call of " + quoted(name) + ": dynamic parallelism is not modelled");
    }
    return false;
  }

  [[nodiscard]] bool may_be_called(const ptx::Function& function,
                                   const std::vector<ptx::Operand>& arguments,
                                   const std::vector<ptx::Operand>& returns) {
    if (arguments.size() != function.params.size() || returns.size() != function.returns.size()) {
      return false;
    }
    const auto fits = [&](const ptx::Operand& actual, const ptx::Variable& formal) {
      const Entity* entity = find(formal.line, actual.name);
      if (entity == nullptr || entity->kind != Entity::Kind::slot) return true;
      return formal.space == "param" &&
             draft_.slots[entity->value].bytes == extent_of(formal, source_.file).bytes;
    };
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!fits(arguments[i], function.params[i])) return false;
    }
    for (std::size_t i = 0; i < returns.size(); ++i) {
      if (!fits(returns[i], function.returns[i])) return false;
    }
    // A function that is active would be recursive.
    return std::none_of(frames_.begin(), frames_.end(),
                        [&](const Frame& active) { return active.function == &function; });
  }

  /// A call through a pointer: each function that it may point to, under the condition that it
  /// does.
  void lower_indirect_call(const ptx::Instruction& source, const ir::Instruction& fields,
                           std::string_view pointer, const std::vector<ptx::Operand>& arguments,
                           const std::vector<ptx::Operand>& returns) {
    ptx::Operand named;
    named.name = pointer;
    // A copy: the result may overwrite the pointer.
    const ir::RegId target = new_register(source.line, Type::b64, register_name("%callee"));
    emit_move(source.line, target, lower_source(source, named, Type::b64));
    ir::RegId none = new_register(source.line, Type::pred, register_name("%none"));
    emit_move(source.line, none, immediate(1));
    ir::Operand guard;
    if (fields.guard != ir::kNoReg) {
      guard = register_operand(fields.guard);
      guard.negated = fields.guard_negated;
      emit_move(source.line, none, guard);
    }
    const auto compare = [&](ir::Cmp cmp, std::uint64_t address, const ir::Operand& with) {
      ir::Instruction test;
      test.op = Op::setp;
      test.line = source.line;
      test.type = Type::u64;
      test.cmp = cmp;
      test.src[0] = register_operand(target);
      test.src[1] = immediate(address);
      if (with.kind != ir::Operand::Kind::none) {
        test.bool_op = ir::BoolOp::and_;
        test.src[2] = with;
      }
      test.dst[0] = new_register(source.line, Type::pred, register_name("%callee"));
      const ir::RegId holds = test.dst[0];
      emit(std::move(test));
      return holds;
    };
    bool any = false;
    for (const Candidate& candidate : functions_.candidates()) {
      if (!may_be_called(*candidate.function, arguments, returns)) continue;
      any = true;
      ir::Instruction call = fields;
      call.guard = compare(ir::Cmp::eq, candidate.address, guard);
      call.guard_negated = false;
      none = compare(ir::Cmp::ne, candidate.address, register_operand(none));
      inline_call(source, call, *candidate.function, arguments, returns);
    }
    if (!any) {
      fail(source.line, "call through " + quoted(pointer) +
                            ": no function of this file whose address is taken has such "
                            "parameters, or they are recursive");
    }
    ir::Instruction trap = fields;
    trap.op = Op::trap;
    trap.trap = ir::TrapCause::no_function;
    trap.guard = none;
    trap.guard_negated = false;
    emit(std::move(trap));
  }

  void inline_call(const ptx::Instruction& source, const ir::Instruction& fields,
                   const ptx::Function& callee, const std::vector<ptx::Operand>& arguments,
                   const std::vector<ptx::Operand>& returns) {
    const std::uint32_t after = new_label();
    if (fields.guard != ir::kNoReg) {
      ir::Instruction skip = fields;
      skip.op = Op::bra;
      skip.guard_negated = !skip.guard_negated;
      skip.target = after;
      emit(std::move(skip));
    }
    // Actual operands belong to the caller, formal names to the callee.
    std::vector<Entity> formals;
    for (std::size_t i = 0; i < callee.params.size(); ++i) {
      formals.push_back(bind_argument(source, callee.params[i], arguments[i]));
    }
    std::vector<ir::RegId> return_registers(callee.returns.size(), ir::kNoReg);
    for (std::size_t i = 0; i < callee.returns.size(); ++i) {
      formals.push_back(bind_result(source, callee.returns[i], returns[i], return_registers[i]));
    }
    frames_.emplace_back();
    frame().function = &callee;
    frame().instance = ++instances_;
    frame().return_label = new_label();
    frame().scopes.emplace_back();
    for (std::size_t i = 0; i < formals.size(); ++i) {
      const bool is_param = i < callee.params.size();
      const ptx::Variable& formal =
          is_param ? callee.params[i] : callee.returns[i - callee.params.size()];
      if (formal.name != "_") declare(formal.line, formal.name, formals[i]);
    }
    const std::uint32_t call_line = last_line_;
    lower_body(callee);
    place_label(frame().return_label);
    frames_.pop_back();
    last_line_ = call_line;
    for (std::size_t i = 0; i < return_registers.size(); ++i) {
      if (return_registers[i] == ir::kNoReg) continue;
      emit_move(source.line, return_registers[i],
                register_operand(formals[callee.params.size() + i].reg));
    }
    place_label(after);
  }

  void emit_move(std::uint32_t line, ir::RegId to, const ir::Operand& from) {
    ir::Instruction move;
    move.op = Op::mov;
    move.line = line;
    move.type = type_of(to) == Type::pred ? Type::pred : ir::bits_type(ir::size_of(type_of(to)));
    move.dst[0] = to;
    move.src[0] = from;
    emit(std::move(move));
  }

  Type register_type(const ptx::Variable& variable) const {
    const Type type = type_named(variable.type);
    if (type == Type::none) {
      fail(variable.line, "registers of type ." + std::string(variable.type) + " are not modelled");
    }
    return type;
  }

  Entity bind_argument(const ptx::Instruction& source, const ptx::Variable& formal,
                       const ptx::Operand& actual) {
    if (formal.space == "reg") {
      const Type type = register_type(formal);
      const ir::Operand value = lower_source(source, actual, type);
      Entity entity;
      entity.reg = new_register(source.line, type, std::string(formal.name) + "@arg");
      emit_move(source.line, entity.reg, value);
      return entity;
    }
    const Extent extent = extent_of(formal, source_.file);
    if (actual.kind == ptx::Operand::Kind::name) {
      const Entity* entity = find(source.line, actual.name);
      if (entity != nullptr && entity->kind == Entity::Kind::slot) {
        check_slot(source, formal, extent, *entity);
        return *entity;
      }
    }
    const Entity entity = new_slot(extent);
    ir::Instruction store;
    store.op = Op::st;
    store.line = source.line;
    store.space = ir::Space::param;
    store.type = ir::bits_type(ir::size_of(extent.element));
    store.src[0] = immediate(0);
    store.src[1] = lower_source(source, actual, store.type);
    emit(std::move(store), static_cast<std::uint32_t>(entity.value));
    return entity;
  }

  void check_slot(const ptx::Instruction& source, const ptx::Variable& formal, const Extent& extent,
                  const Entity& actual) const {
    if (draft_.slots[actual.value].bytes < extent.bytes) {
      fail(source.line, "argument for " + quoted(formal.name) + " has " +
                            std::to_string(draft_.slots[actual.value].bytes) + " bytes, " +
                            std::to_string(extent.bytes) + " are needed");
    }
  }

  Entity bind_result(const ptx::Instruction& source, const ptx::Variable& formal,
                     const ptx::Operand& actual, ir::RegId& copy_to) {
    if (actual.kind != ptx::Operand::Kind::name)
      fail(source.line, "call: expected a result variable");
    if (formal.space == "reg") {
      const Type type = register_type(formal);
      Entity entity;
      entity.reg = new_register(source.line, type, std::string(formal.name) + "@result");
      if (actual.name != "_") {
        copy_to = register_of(source.line, actual.name);
        check_width(source, actual.name, copy_to, type, true);
      }
      return entity;
    }
    const Entity& entity = resolve(source.line, actual.name);
    if (entity.kind != Entity::Kind::slot) {
      fail(source.line,
           "the result " + quoted(actual.name) + " of a call must be a .param variable");
    }
    check_slot(source, formal, extent_of(formal, source_.file), entity);
    return entity;
  }

  const ptx::Module& source_;
  const SymbolTable& symbols_;
  const FunctionTable& functions_;
  const ptx::Function& entry_;
  std::uint64_t grid_workspace_;
  std::uint64_t reserved_shared_ = 0;  ///< where kReservedSharedBytes lie
  Draft draft_;
  std::vector<Frame> frames_;
  std::unordered_map<const ptx::Variable*, std::uint64_t> shared_;
  std::unordered_map<std::string_view, Entity> module_shared_;
  Entity module_entity_;
  unsigned instances_ = 0;
  std::uint32_t last_line_ = 0;
};

}  // namespace

std::vector<Draft> lower(const ptx::Module& source,
                         const std::function<bool(const std::string&)>& wanted,
                         ir::Module& module) {
  module.file = source.file;
  const SymbolTable symbols = lay_out_variables(source, module);
  const FunctionTable functions(source, symbols);
  std::vector<Draft> drafts;
  // Whichever kernels are wanted: compiling others of the file later moves no variable.
  std::uint64_t workspace = 0;
  if (source.text->find("%envreg") != std::string::npos) {
    workspace = add_variable(module, "grid workspace", kGridWorkspaceBytes);
  }
  for (const ptx::Function& function : source.functions) {
    if (!function.entry || !function.has_body) continue;
    module.entries.emplace_back(function.name);
    if (wanted && !wanted(std::string(function.name))) continue;
    if (functions.find(function.name) != &function) continue;
    drafts.push_back(KernelLowerer(source, symbols, functions, function, workspace).run());
  }
  return drafts;
}

}  // namespace paws::frontend
