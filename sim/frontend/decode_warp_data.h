// SPDX-License-Identifier: MIT
// Opcodes of matrix instructions, asynchronous copies, barrier objects, textures, surfaces, packed
// integers and hints, whose modifiers follow patterns of their own.
#pragma once

#include <optional>
#include <string>

#include "sim/frontend/decode.h"
#include "sim/ptx/ast.h"

namespace paws::frontend {

/// Nothing for other roots. Throws InputError "file:line: unsupported instruction ..." for forms
/// that are not modelled.
std::optional<Decoded> decode_matrix(const ptx::Instruction& source, const std::string& file);
std::optional<Decoded> decode_asynchronous(const ptx::Instruction& source, const std::string& file);
std::optional<Decoded> decode_texture(const ptx::Instruction& source, const std::string& file);
/// SIMD video instructions without element masks and selectors.
std::optional<Decoded> decode_packed(const ptx::Instruction& source, const std::string& file);

/// Instructions that tell the machine what it may do; none of them is needed.
std::optional<Decoded> decode_hint(const ptx::Instruction& source, const std::string& file);

}  // namespace paws::frontend
