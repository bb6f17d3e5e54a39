// SPDX-License-Identifier: MIT
// Module-scope variables: sizes, addresses and initial contents.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

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

/// Adds a .global variable of zeros behind the others and returns its address.
std::uint64_t add_variable(ir::Module& module, const std::string& name, std::uint64_t bytes);

}  // namespace paws::frontend
