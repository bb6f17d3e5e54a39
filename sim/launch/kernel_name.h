// SPDX-License-Identifier: MIT
// Kernels by the names that users write.
#pragma once

#include <span>
#include <string>

#include "sim/ir/kernel.h"
#include "sim/support/location.h"

namespace paws {

/// What a mangled C++ name stands for, without parameters and return type: "ns::scale<float, 4>".
/// A name that is not mangled is returned as it is.
std::string demangle(const std::string& symbol);

/// Whether `name`, as a user writes it, can mean the kernel or variable `symbol` of a PTX file.
bool can_mean(const std::string& name, const std::string& symbol);

/// A kernel and the module that has it.
struct FoundKernel {
  const ir::Module* module = nullptr;
  const ir::Kernel* kernel = nullptr;
};

/// The kernel of `modules` that `name` means: by the name in the PTX file; else by the only kernel
/// whose demangled name, with or without namespaces and template arguments, is `name`. Throws
/// InputError at `where` when there is none, or more than one.
FoundKernel find_kernel(std::span<const ir::Module> modules, const std::string& name,
                        const Location& where);

/// The same for a variable.
const ir::Variable& find_variable(std::span<const ir::Module> modules, const std::string& name,
                                  const Location& where);

}  // namespace paws
