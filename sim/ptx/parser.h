// SPDX-License-Identifier: MIT
// Reads PTX text (PTX ISA, "Syntax") as nvcc and clang write it.
#pragma once

#include <string>

#include "sim/ptx/ast.h"

namespace paws::ptx {

/// Throws InputError "file:line: ..." that says what was expected. Debug sections and .loc are
/// skipped. Whether instructions exist and make sense is not this parser's business.
Module parse(std::string text, const std::string& file);

}  // namespace paws::ptx
