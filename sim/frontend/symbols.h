// SPDX-License-Identifier: MIT
// Variables: sizes, addresses and initial contents.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/ir/kernel.h"
#include "sim/ptx/ast.h"

namespace paws::frontend {

/// How much room a declaration takes.
struct Extent {
  ir::Type element = ir::Type::none;
  std::uint64_t bytes = 0;  ///< 0 for arrays without a size
  std::uint64_t align = 1;
  bool unsized = false;  ///< declared []
};

/// Throws InputError for unknown types and for sizes that no GPU has.
Extent extent_of(const ptx::Variable& variable, const std::string& file);

/// Of a variable in a register. Throws InputError for types that are not modelled.
ir::Type register_type(const ptx::Variable& variable, const std::string& file);

/// Why the constant cannot be of this type (PTX converts no integer to a floating-point number, nor
/// back); empty if it can.
std::string literal_mismatch(const ptx::Literal& literal, ir::Type type);

/// A literal as raw bits of `type`: f64 literals rounded for f32, integers cut to the width.
std::uint64_t literal_bits(const ptx::Literal& literal, ir::Type type);

std::uint64_t align_up(std::uint64_t value, std::uint64_t align);

/// Where a module-scope .global or .const variable lies, or the address that stands for a function.
struct Symbol {
  ir::Space space = ir::Space::global;
  std::uint64_t address = 0;  ///< global: address; constant: offset in its window
  bool external = false;      ///< declared here, defined elsewhere: has no address
};

using SymbolTable = std::unordered_map<std::string_view, Symbol>;

/// Lays out the module's .global and .const variables into `module`, behind the extents that it
/// has: global ones 256-byte aligned with at least 4 KiB between them.
SymbolTable lay_out_variables(const ptx::Module& source, ir::Module& module);

/// The functions that a kernel may reach, itself first, and the names that their operands have.
struct Reached {
  std::vector<const ptx::Function*> functions;
  std::set<std::string_view> names;
};

/// Offsets in the shared memory of a block. Variables whose size the launch gives lie at its end.
struct SharedLayout {
  std::unordered_map<const ptx::Variable*, std::uint64_t> offsets;
  std::unordered_map<std::string_view, std::uint64_t> named;  ///< those of the module
  std::uint64_t reserved = 0;                                 ///< what %reserved_smem_offset_1 is
  std::uint64_t bytes = 0;
};

/// The special register that says where cooperative groups keep what they share.
inline constexpr std::string_view kReservedShared = "%reserved_smem_offset_1";

/// Lays out the .shared variables that are reached, in order of declaration. Throws InputError for
/// more than any GPU has.
SharedLayout lay_out_shared(const ptx::Module& source, const Reached& reached);

/// Adds a .global variable of zeros behind the others and returns its address.
std::uint64_t add_variable(ir::Module& module, const std::string& name, std::uint64_t bytes);

}  // namespace paws::frontend
