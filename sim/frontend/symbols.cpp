// SPDX-License-Identifier: MIT
#include "sim/frontend/symbols.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "sim/frontend/decode.h"
#include "sim/support/error.h"

namespace paws::frontend {
namespace {

constexpr std::uint64_t kMaxVariableBytes = std::uint64_t{1} << 32;
constexpr std::uint64_t kMaxConstantBytes =
    std::uint64_t{11} * 64 * 1024;  // PTX: eleven banks of 64 KiB
constexpr std::uint64_t kGlobalAlign = 256;
constexpr std::uint64_t kGuardBytes = 4096;
constexpr std::uint64_t kConstantAlign = 256;                          // of each module's first
constexpr std::uint64_t kMaxSharedBytes = std::uint64_t{1024} * 1024;  // beyond any GPU's
constexpr std::uint64_t kDynamicSharedAlign = 16;
// What cooperative groups keep in shared memory, at %reserved_smem_offset_1, on GPUs of compute
// capability 8.0 and later (CUDA C Programming Guide, "Shared Memory").
constexpr std::uint64_t kReservedSharedBytes = 1024;

std::uint64_t count_values(const ptx::Initialiser& value) {
  if (value.kind != ptx::Initialiser::Kind::list) return 1;
  std::uint64_t count = 0;
  for (const ptx::Initialiser& element : value.elements) count += count_values(element);
  return count;
}

/// Writes initial values into a variable's bytes.
class Filler {
 public:
  Filler(const ptx::Variable& source, const Extent& extent, const SymbolTable& symbols,
         const std::string& file, std::vector<std::byte>& bytes)
      : source_(source),
        symbols_(symbols),
        file_(file),
        bytes_(bytes),
        element_bytes_(ir::size_of(extent.element)),
        element_(extent.element) {}

  void run() {
    // The innermost vector counts as one more dimension.
    std::vector<std::uint64_t> dimensions = source_.dimensions;
    if (source_.vector > 1) dimensions.push_back(source_.vector);
    if (!dimensions.empty() && dimensions[0] == 0) {
      std::uint64_t rest = element_bytes_;
      for (std::size_t i = 1; i < dimensions.size(); ++i) rest *= dimensions[i];
      dimensions[0] = bytes_.size() / rest;
    }
    fill(*source_.initial, dimensions, 0, 0);
  }

 private:
  [[noreturn]] void fail(const std::string& cause) const {
    throw InputError(file_, source_.line,
                     "initial value of '" + std::string(source_.name) + "': " + cause);
  }

  void fill(const ptx::Initialiser& value, const std::vector<std::uint64_t>& dimensions,
            std::size_t level, std::uint64_t offset) {
    if (value.kind != ptx::Initialiser::Kind::list) {
      store(value, offset);
      return;
    }
    const bool nested =
        std::any_of(value.elements.begin(), value.elements.end(),
                    [](const auto& v) { return v.kind == ptx::Initialiser::Kind::list; });
    // A list without inner braces fills the elements below in order.
    std::uint64_t stride = element_bytes_;
    if (nested) {
      if (level >= dimensions.size()) fail("more braces than dimensions");
      for (std::size_t i = level + 1; i < dimensions.size(); ++i) stride *= dimensions[i];
    }
    for (const ptx::Initialiser& element : value.elements) {
      fill(element, dimensions, level + 1, offset);
      offset += stride;
    }
  }

  void store(const ptx::Initialiser& value, std::uint64_t offset) {
    if (offset + element_bytes_ > bytes_.size()) fail("more values than elements");
    std::uint64_t bits = value.literal.bits;
    if (value.kind == ptx::Initialiser::Kind::symbol) {
      bits += address_of(value);
    } else {
      if (const std::string why = literal_mismatch(value.literal, element_); !why.empty()) {
        fail(why);
      }
      bits = literal_bits(value.literal, element_);
    }
    if (value.mask) {
      if (*value.mask == 0) fail("empty mask");
      bits &= *value.mask;
      bits >>= static_cast<unsigned>(__builtin_ctzll(*value.mask));
    }
    std::memcpy(bytes_.data() + offset, &bits, element_bytes_);
  }

  std::uint64_t address_of(const ptx::Initialiser& value) const {
    const auto hit = symbols_.find(value.symbol);
    if (hit == symbols_.end()) {
      fail("'" + std::string(value.symbol) + "' is not a .global or .const variable");
    }
    if (hit->second.external) fail("'" + std::string(value.symbol) + "' is not defined here");
    const bool constant = hit->second.space == ir::Space::constant;
    return hit->second.address + (constant && value.generic ? ir::kConstWindow : 0);
  }

  const ptx::Variable& source_;
  const SymbolTable& symbols_;
  const std::string& file_;
  std::vector<std::byte>& bytes_;
  std::uint64_t element_bytes_;
  ir::Type element_;
};

}  // namespace

std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

ir::Type register_type(const ptx::Variable& variable, const std::string& file) {
  const ir::Type type = type_named(variable.type);
  if (type == ir::Type::none) {
    throw InputError(file, variable.line,
                     "registers of type ." + std::string(variable.type) + " are not modelled");
  }
  return type;
}

std::string literal_mismatch(const ptx::Literal& literal, ir::Type type) {
  using Kind = ptx::Literal::Kind;
  const std::string name = "." + ir::to_string(type);
  if (literal.kind == Kind::integer) {
    if (!ir::is_float(type)) return {};
    return "an integer is no constant of " + name + "; write 1.0 or 0f3f800000, not 1";
  }
  const ir::Type untyped = literal.kind == Kind::f32 ? ir::Type::b32 : ir::Type::b64;
  if (type == ir::Type::f32 || type == ir::Type::f64 || type == untyped) return {};
  return "a floating-point number is no constant of " + name;
}

std::uint64_t literal_bits(const ptx::Literal& literal, ir::Type type) {
  std::uint64_t bits = literal.bits;
  if (literal.kind == ptx::Literal::Kind::f64 && ir::size_of(type) == 4) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    const auto narrow = static_cast<float>(value);
    std::uint32_t word = 0;
    std::memcpy(&word, &narrow, sizeof word);
    return word;
  }
  if (literal.kind == ptx::Literal::Kind::f32 && type == ir::Type::f64) {
    const auto word = static_cast<std::uint32_t>(bits);
    float value = 0;
    std::memcpy(&value, &word, sizeof value);
    const double wide = value;
    std::memcpy(&bits, &wide, sizeof bits);
    return bits;
  }
  switch (ir::size_of(type)) {
    case 1:
      return bits & 0xff;
    case 2:
      return bits & 0xffff;
    case 4:
      return bits & 0xffff'ffff;
    default:
      return type == ir::Type::pred ? std::uint64_t{bits != 0} : bits;
  }
}

Extent extent_of(const ptx::Variable& variable, const std::string& file) {
  Extent extent;
  const std::string name(variable.name);
  const std::string type(variable.type);
  if (type == "texref") {
    extent.element = ir::Type::b8;
    extent.bytes = ir::kTextureReferenceBytes;
    return extent;
  }
  if (type.ends_with("ref")) {
    throw InputError(file, variable.line,
                     "'" + name + "' is a ." + type +
                         ": surface references and samplers are not modelled, objects are");
  }
  extent.element = type_named(type);
  const std::uint64_t element = ir::size_of(extent.element);
  if (element == 0) {
    throw InputError(
        file, variable.line,
        "'" + name + "' has the type ." + type + ", which is not modelled for variables");
  }
  extent.align = std::max<std::uint64_t>(variable.align, element * variable.vector);
  extent.bytes = element * variable.vector;
  for (std::size_t i = 0; i < variable.dimensions.size(); ++i) {
    std::uint64_t size = variable.dimensions[i];
    if (size == 0) {
      if (i != 0)
        throw InputError(file, variable.line,
                         "'" + name + "': only the first size may be left out");
      extent.unsized = true;
      size = 1;
    }
    if (size > kMaxVariableBytes / extent.bytes) {
      throw InputError(file, variable.line, "'" + name + "' is larger than 4 GiB");
    }
    extent.bytes *= size;
  }
  if (extent.unsized) {
    const std::uint64_t row = extent.bytes;
    extent.bytes = 0;
    if (variable.initial) {
      const ptx::Initialiser& initial = *variable.initial;
      const bool nested = initial.kind == ptx::Initialiser::Kind::list &&
                          !initial.elements.empty() &&
                          initial.elements[0].kind == ptx::Initialiser::Kind::list;
      extent.bytes =
          nested ? initial.elements.size() * row : align_up(count_values(initial) * element, row);
      extent.unsized = false;
    }
  }
  return extent;
}

SymbolTable lay_out_variables(const ptx::Module& source, ir::Module& module) {
  SymbolTable symbols;
  struct Pending {
    const ptx::Variable* variable;
    Extent extent;
    std::size_t index;
  };
  std::vector<Pending> pending;
  const std::uint64_t taken_global = module.global_bytes;
  module.constant_bytes = align_up(module.constant_bytes, kConstantAlign);
  const std::uint64_t taken_constant = module.constant_bytes;
  std::uint64_t next_global = taken_global == 0 ? 0 : taken_global + kGuardBytes;
  for (const ptx::Variable& variable : source.variables) {
    const bool global = variable.space == "global";
    if (!global && variable.space != "const") continue;
    const std::string name(variable.name);
    const Extent extent = extent_of(variable, source.file);
    const auto space = global ? ir::Space::global : ir::Space::constant;
    const auto known = symbols.find(variable.name);
    if (known != symbols.end() && !known->second.external && !variable.external) {
      throw InputError(source.file, variable.line, "'" + name + "' is defined twice");
    }
    if (variable.external) {
      symbols.try_emplace(variable.name, Symbol{space, 0, true});
      continue;
    }
    if (extent.unsized) throw InputError(source.file, variable.line, "'" + name + "' has no size");
    ir::Variable laid_out;
    laid_out.name = name;
    laid_out.space = space;
    laid_out.bytes = extent.bytes;
    if (global) {
      const std::uint64_t offset =
          align_up(next_global, std::max<std::uint64_t>(kGlobalAlign, extent.align));
      laid_out.address = ir::kGlobalBase + offset;
      module.global_bytes = offset + extent.bytes;
      next_global = module.global_bytes + kGuardBytes;
    } else {
      laid_out.address = align_up(module.constant_bytes, extent.align);
      module.constant_bytes = laid_out.address + extent.bytes;
    }
    if (module.global_bytes - taken_global > kMaxVariableBytes ||
        module.constant_bytes - taken_constant > kMaxConstantBytes) {
      throw InputError(source.file, variable.line,
                       global ? "global variables take more than 4 GiB"
                              : "constant variables take more than 704 KiB");
    }
    symbols[variable.name] = {space, laid_out.address, false};
    pending.push_back({&variable, extent, module.variables.size()});
    module.variables.push_back(std::move(laid_out));
  }
  std::uint64_t function_address = ir::kFunctionBase;
  for (const ptx::Function& function : source.functions) {
    function_address += ir::kFunctionBytes;
    if (function.has_body) {
      symbols.try_emplace(function.name, Symbol{ir::Space::global, function_address, false});
    }
  }
  // Initial values may name variables that come later.
  for (const Pending& entry : pending) {
    if (!entry.variable->initial) continue;
    std::vector<std::byte>& bytes = module.variables[entry.index].initial;
    bytes.resize(entry.extent.bytes);
    Filler(*entry.variable, entry.extent, symbols, source.file, bytes).run();
  }
  return symbols;
}

SharedLayout lay_out_shared(const ptx::Module& source, const Reached& reached) {
  SharedLayout layout;
  std::uint64_t dynamic_align = 1;
  std::vector<const ptx::Variable*> dynamic;
  const auto place = [&](const ptx::Variable& variable) {
    if (variable.space != "shared") return;
    const Extent extent = extent_of(variable, source.file);
    if (variable.initial) {
      throw InputError(source.file, variable.line, "shared memory cannot have initial values");
    }
    if (variable.external || extent.unsized) {
      dynamic.push_back(&variable);
      dynamic_align = std::max({dynamic_align, extent.align, kDynamicSharedAlign});
      return;
    }
    const std::uint64_t offset = align_up(layout.bytes, extent.align);
    layout.offsets[&variable] = offset;
    layout.bytes = offset + extent.bytes;
    if (layout.bytes > kMaxSharedBytes) {
      throw InputError(source.file, variable.line,
                       "kernel '" + std::string(reached.functions.front()->name) +
                           "' has more than 1 MiB of shared memory");
    }
  };
  for (const ptx::Variable& variable : source.variables) {
    if (reached.names.contains(variable.name)) place(variable);
  }
  for (const ptx::Function* function : reached.functions) {
    for (const ptx::Statement& statement : function->body) {
      if (const auto* variable = std::get_if<ptx::Variable>(&statement)) place(*variable);
    }
  }
  if (reached.names.contains(kReservedShared)) {
    layout.reserved = align_up(layout.bytes, kDynamicSharedAlign);
    layout.bytes = layout.reserved + kReservedSharedBytes;
  }
  layout.bytes = align_up(layout.bytes, dynamic_align);
  for (const ptx::Variable* variable : dynamic) layout.offsets[variable] = layout.bytes;
  for (const ptx::Variable& variable : source.variables) {
    const auto hit = layout.offsets.find(&variable);
    if (hit != layout.offsets.end()) layout.named[variable.name] = hit->second;
  }
  return layout;
}

std::uint64_t add_variable(ir::Module& module, const std::string& name, std::uint64_t bytes) {
  ir::Variable variable;
  variable.name = name;
  variable.space = ir::Space::global;
  variable.bytes = bytes;
  const std::uint64_t behind = module.global_bytes == 0 ? 0 : module.global_bytes + kGuardBytes;
  const std::uint64_t offset = align_up(behind, kGlobalAlign);
  variable.address = ir::kGlobalBase + offset;
  module.global_bytes = offset + bytes;
  const std::uint64_t address = variable.address;
  module.variables.push_back(std::move(variable));
  return address;
}

}  // namespace paws::frontend
