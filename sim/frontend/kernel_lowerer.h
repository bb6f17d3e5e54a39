// SPDX-License-Identifier: MIT
// One kernel of a module, lowered: shared by the lower*.cpp files, each of which has the members
// for a part of PTX.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/frontend/decode.h"
#include "sim/frontend/draft.h"
#include "sim/frontend/function_table.h"
#include "sim/frontend/lower.h"
#include "sim/frontend/symbols.h"
#include "sim/ir/operands.h"
#include "sim/ptx/ast.h"
#include "sim/support/error.h"

namespace paws::frontend::lowering {

using ir::immediate;
using ir::Op;
using ir::register_operand;
using ir::Type;

/// What cooperative groups keep in shared memory, at %reserved_smem_offset_1, on GPUs of compute
/// capability 8.0 and later (CUDA C Programming Guide, "Shared Memory").
inline constexpr std::uint64_t kReservedSharedBytes = 1024;

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
  std::uint32_t called = kNone;  // the function that is called, not inlined, of which it is a part
  ir::RegId carry = ir::kNoReg;
  std::vector<Scope> scopes;
};

class KernelLowerer {
 public:
  /// `grid_workspace` says where the blocks of a cooperative launch meet. `stack_bytes`: of a
  /// thread, for functions that are called.
  KernelLowerer(const ptx::Module& source, const SymbolTable& symbols,
                const FunctionTable& functions, const ptx::Function& entry,
                std::uint64_t grid_workspace, std::uint32_t stack_bytes)
      : source_(source),
        symbols_(symbols),
        functions_(functions),
        entry_(entry),
        grid_workspace_(grid_workspace),
        stack_bytes_(stack_bytes) {}

  Draft run();

 private:
  [[noreturn]] void fail(std::uint32_t line, const std::string& cause) const {
    throw InputError(source_.file, line, cause);
  }

  static std::string quoted(std::string_view name) { return fmt::format("'{}'", name); }

  Frame& frame() { return frames_.back(); }

  DraftItem& emit(ir::Instruction instruction, std::uint32_t slot = kNone);

  std::uint32_t new_label() { return draft_.labels++; }

  void place_label(std::uint32_t label) { draft_.items.push_back({{}, label, kNone}); }

  ir::RegId new_register(std::uint32_t line, Type type, std::string name);

  /// Registers of inlined functions carry the number of the activation.
  std::string register_name(std::string_view name);

  // ---- layout of shared memory and parameters --------------------------------------------------

  static void collect_names(const ptx::Operand& operand, std::set<std::string_view>& names);

  /// Shared variables that the kernel or a function it calls uses, in order of declaration.
  void lay_out_shared();

  void lay_out_params();

  // ---- names ------------------------------------------------------------------------------------

  void declare(std::uint32_t line, std::string_view name, const Entity& entity);

  const Entity* find(std::uint32_t line, std::string_view name);

  /// %r7 of `.reg .b32 %r<10>` comes into being when it is first used.
  const Entity* find_in_ranges(std::uint32_t line, Scope& scope, std::string_view name);

  const Entity& resolve(std::uint32_t line, std::string_view name);

  ir::RegId register_of(std::uint32_t line, std::string_view name);

  Type type_of(ir::RegId reg) const { return draft_.kernel.registers[reg].type; }

  /// The carry bit of this activation.
  ir::RegId carry(std::uint32_t line);

  // ---- statements -------------------------------------------------------------------------------

  /// Names of the labels of the scope that starts at `first`; a goto may precede its label.
  void declare_labels(const std::vector<ptx::Statement>& body, std::size_t first);

  void lower_body(const ptx::Function& function);

  void declare_variable(const ptx::Variable& variable);

  /// In local memory; of a function that is called, in its frame.
  Entity local_variable(const ptx::Variable& variable, const Extent& extent);

  std::uint64_t allocate_local(std::uint32_t line, std::uint64_t bytes, std::uint64_t align);

  Entity new_slot(const Extent& extent);

  void declare_registers(const ptx::Variable& variable);

  // ---- instructions -----------------------------------------------------------------------------

  void lower_instruction(const ptx::Instruction& source);

  void expect_operands(const ptx::Instruction& source, std::size_t least, std::size_t most) const;

  std::uint32_t label_of(std::uint32_t line, const ptx::Operand& operand);

  void lower_brx(const ptx::Instruction& source, ir::Instruction instruction);

  /// prefetch, nanosleep and the like have operands that nothing reads.
  void emit_without_operands(const ptx::Instruction& source, Decoded decoded);

  /// mov with a vector operand is pack or unpack.
  bool lower_vector_mov(const ptx::Instruction& source, ir::Instruction& instruction);

  /// elect.sync d|p, mask: the lowest lane of the mask leads.
  void lower_elect(const ptx::Instruction& source, const ir::Instruction& fields);

  /// cvt.f16x2.f32 d, a, b, and to bf16x2: a becomes the high half of d, b the low one.
  void lower_pair(const ptx::Instruction& source, const ir::Instruction& fields);

  /// vadd d, a.b0, b.h1 and its kin.
  void lower_video(const ptx::Instruction& source, Decoded decoded);

  /// vadd4 d, a, b, c and its kin.
  void lower_packed(const ptx::Instruction& source, const Decoded& decoded);

  // ---- matrices --------------------------------------------------------------------------------

  /// The elements of a vector operand, or the operand itself.
  static std::vector<ptx::Operand> elements_of(const ptx::Operand& operand);

  std::vector<ir::Operand> fragment_sources(const ptx::Instruction& source,
                                            const ptx::Operand& operand, unsigned count, Type type);

  std::vector<ir::RegId> fragment_destinations(const ptx::Instruction& source,
                                               const ptx::Operand& operand, unsigned count,
                                               Type type);

  void check_fragment(const ptx::Instruction& source, std::size_t found, unsigned wanted) const;

  void lower_mma(const ptx::Instruction& source, const ir::Instruction& fields, bool fragments);

  void emit_guarded_move(const ir::Instruction& fields, ir::RegId to, const ir::Operand& from);

  /// wmma.load r, [a], stride; wmma.store [a], r, stride. Without a stride the matrix is dense.
  void lower_fragment(const ptx::Instruction& source, const Decoded& decoded);

  static unsigned dense_stride(const Decoded& decoded);

  ir::RegId in_register(std::uint32_t line, Type type, const ir::Operand& operand);

  /// A 64-bit register with the base address of `instruction`, whose offset stays.
  ir::RegId wide_address(std::uint32_t line, const ir::Instruction& instruction);

  /// ldmatrix r, [a]; stmatrix [a], r.
  void lower_matrix_rows(const ptx::Instruction& source, ir::Instruction instruction);

  void lower_shared_address(const ptx::Instruction& source, const ptx::Operand& operand,
                            ir::Instruction& instruction);

  // ---- asynchronous copies and barrier objects -------------------------------------------------

  /// cp.async [shared], [global], bytes{, bytes to read}
  void lower_copy(const ptx::Instruction& source, Decoded decoded);

  /// cp.async.bulk [shared], [global], bytes, [barrier object], or [global], [shared], bytes. The
  /// object hears of the bytes when they are there.
  void lower_bulk(const ptx::Instruction& source, const Decoded& decoded);

  /// The bytes that are read, or a predicate that says that none is.
  void lower_copy_limit(const ptx::Instruction& source, const ptx::Operand& operand,
                        std::uint64_t bytes, ir::Instruction& instruction);

  void lower_copy_wait(const ptx::Instruction& source, ir::Instruction instruction);

  void emit_wait_all(const ir::Instruction& fields);

  /// cp.async.mbarrier.arrive: an arrival when the copies so far are there. Without .noinc it is
  /// one that the phase did not expect until now.
  void lower_copy_arrive(const ptx::Instruction& source, const Decoded& decoded);

  void lower_mbarrier(const ptx::Instruction& source, const Decoded& decoded);

  // ---- textures and surfaces ------------------------------------------------------------------

  /// tex d, [handle, {place}]{, level}; suld d, [handle, {place}]; sust [handle, {place}], d;
  /// txq d, [handle].
  void lower_image(const ptx::Instruction& source, ir::Instruction instruction);

  /// The first `wanted` elements of an operand. Vectors may be filled up to four.
  template <typename Add>
  void add_elements(const ptx::Instruction& source, const ptx::Operand& operand, unsigned wanted,
                    const Add& add) {
    const std::vector<ptx::Operand> elements = elements_of(operand);
    const bool filled = wanted == 3 && elements.size() == 4;
    if (!filled) check_fragment(source, elements.size(), wanted);
    for (unsigned i = 0; i < wanted; ++i) add(elements[i]);
  }

  void lower_operands(const ptx::Instruction& source, Decoded decoded);

  /// bar.red d, a, {b,} p: the count in the middle may be missing.
  void lower_reduction(const ptx::Instruction& source, ir::Instruction& instruction,
                       std::size_t count);

  /// mov of the address of a call's parameter: known only once it is clear where that lives.
  bool slot_address(const ptx::Instruction& source, const ptx::Operand& operand,
                    ir::Instruction& instruction);

  /// Parameters of inlined functions whose address is taken live in local memory.
  void convert_space(ir::Instruction& instruction);

  std::uint8_t constant_byte(const ptx::Instruction& source, const ptx::Operand& operand) const;

  void lower_destinations(const ptx::Instruction& source, const ptx::Operand& operand,
                          ir::Instruction& instruction);

  ir::RegId lower_destination(const ptx::Instruction& source, const ptx::Operand& operand,
                              Type type);

  /// Registers hold what the operand needs; loads, stores and conversions take wider ones.
  void check_width(const ptx::Instruction& source, std::string_view name, ir::RegId reg, Type type,
                   bool result) const;

  void lower_vector_sources(const ptx::Instruction& source, const ptx::Operand& operand,
                            ir::Instruction& instruction);

  static bool is_integer(const ptx::Operand& operand);

  ir::Operand lower_source(const ptx::Instruction& source, const ptx::Operand& operand, Type type);

  /// Special registers that have one value in all threads.
  std::optional<std::uint64_t> constant_special(std::string_view name);

  std::optional<ir::Special> special_named(std::uint32_t line, std::string_view name);

  /// Fills base and offset; returns the slot when the address is a call's parameter.
  std::uint32_t lower_address(const ptx::Instruction& source, const ptx::Operand& operand,
                              ir::Instruction& instruction);

  void check_param_access(const ptx::Instruction& source, const ptx::Operand& operand,
                          const ir::Instruction& instruction, const Entity& entity) const;

  /// The access at a constant offset stays inside the `limit` bytes of its variable.
  void check_extent(const ptx::Instruction& source, const ptx::Operand& operand,
                    const ir::Instruction& instruction, std::uint64_t limit) const;

  // ---- calls ------------------------------------------------------------------------------------

  void lower_call(const ptx::Instruction& source, const ir::Instruction& fields);

  /// The value that an argument of a function without a body has.
  ir::Operand value_of(const ptx::Instruction& source, const ir::Instruction& fields,
                       const ptx::Operand& argument, Type type);

  void set_result(const ptx::Instruction& source, const ir::Instruction& fields,
                  const ptx::Operand& result, ir::RegId value);

  /// Functions that the driver provides. Refuses those that are not modelled with their reason;
  /// false for others.
  bool lower_builtin(const ptx::Instruction& source, const ir::Instruction& fields,
                     std::string_view name, const std::vector<ptx::Operand>& arguments,
                     const std::vector<ptx::Operand>& returns);

  [[nodiscard]] bool may_be_called(const ptx::Function& function,
                                   const std::vector<ptx::Operand>& arguments,
                                   const std::vector<ptx::Operand>& returns);

  /// A call through a pointer: each function that it may point to, under the condition that it
  /// does.
  void lower_indirect_call(const ptx::Instruction& source, const ir::Instruction& fields,
                           std::string_view pointer, const std::vector<ptx::Operand>& arguments,
                           const std::vector<ptx::Operand>& returns);

  /// A branch over what follows of a guarded call; returns the label where it ends, to be placed.
  std::uint32_t skip_where_guarded(const ir::Instruction& call);

  void inline_call(const ptx::Instruction& source, const ir::Instruction& fields,
                   const ptx::Function& callee, const std::vector<ptx::Operand>& arguments,
                   const std::vector<ptx::Operand>& returns);

  /// Of a recursive function: arguments, result and the callee's frame lie on the stack.
  void call_function(const ptx::Instruction& source, const ir::Instruction& fields,
                     const ptx::Function& callee, const std::vector<ptx::Operand>& arguments,
                     const std::vector<ptx::Operand>& returns);

  /// The place of a function in called_.
  std::uint32_t called_function(const ptx::Function& callee);

  /// The code of a function that is called.
  void lower_called(std::uint32_t index);

  /// Its parameter or result for the function itself.
  void declare_formal(const ptx::Variable& formal, std::uint64_t offset, bool result);

  /// A load or store of a register at `offset` of the stack's end or a frame.
  void emit_stack_access(std::uint32_t line, Op op, ir::RegId base, std::uint64_t offset,
                         const ir::Operand& value, Type type);

  /// An argument or result that a call exchanges with its function in the frame.
  void bind_to_stack(const ptx::Instruction& source, const ptx::Variable& formal,
                     const Entity& actual, std::uint64_t offset);

  [[nodiscard]] Extent formal_extent(const ptx::Variable& formal) const;

  void emit_move(std::uint32_t line, ir::RegId to, const ir::Operand& from);

  Type register_type(const ptx::Variable& variable) const;

  Entity bind_argument(const ptx::Instruction& source, const ptx::Variable& formal,
                       const ptx::Operand& actual);

  void check_slot(const ptx::Instruction& source, const ptx::Variable& formal, const Extent& extent,
                  const Entity& actual) const;

  Entity bind_result(const ptx::Instruction& source, const ptx::Variable& formal,
                     const ptx::Operand& actual, ir::RegId& copy_to);

  const ptx::Module& source_;
  const SymbolTable& symbols_;
  const FunctionTable& functions_;
  const ptx::Function& entry_;
  std::uint64_t grid_workspace_;
  std::uint32_t stack_bytes_;
  std::uint64_t reserved_shared_ = 0;  ///< where kReservedSharedBytes lie
  Draft draft_;
  std::vector<Frame> frames_;
  struct Called {
    const ptx::Function* function = nullptr;
    std::vector<std::uint64_t> offsets;  // of parameters, then results, in the frame
    std::vector<std::uint32_t> returns;  // labels behind the calls
  };
  std::vector<Called> called_;  // as Draft::stack has their frames
  std::vector<std::pair<std::size_t, std::uint32_t>>
      returns_;  // their ends: item, place in called_
  std::unordered_map<const ptx::Variable*, std::uint64_t> shared_;
  std::unordered_map<std::string_view, Entity> module_shared_;
  Entity module_entity_;
  unsigned instances_ = 0;
  std::uint32_t last_line_ = 0;
};

}  // namespace paws::frontend::lowering
