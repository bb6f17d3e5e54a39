// SPDX-License-Identifier: MIT
// What the tests of launch descriptions share.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sim/ir/kernel.h"
#include "sim/support/error.h"
#include "sim/tests/support/temporary_folder.h"

namespace paws::test {

/// A folder with a file "kernels.ptx" (no test reads its text).
class Folder : public TemporaryFolder {
 public:
  Folder() { write("kernels.ptx", ""); }
};

/// The message of the InputError that `action` throws; a test failure when it throws none.
template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return "";
}

/// A parameter after those that `kernel` has, aligned to its size.
inline void add_param(ir::Kernel& kernel, ir::Type type, std::uint32_t bytes, std::uint32_t align) {
  ir::Param param;
  param.name = kernel.name + "_param_" + std::to_string(kernel.params.size());
  param.type = type;
  param.bytes = bytes;
  param.align = align;
  param.offset = (kernel.param_bytes + align - 1) / align * align;
  kernel.param_bytes = param.offset + bytes;
  kernel.params.push_back(param);
}

}  // namespace paws::test
