// SPDX-License-Identifier: MIT
// What the tests of launch descriptions share.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sim/ir/kernel.h"
#include "sim/support/error.h"

namespace paws::test {

/// A folder of its own for the running test, with a file "kernels.ptx" (no test reads its text).
class Folder {
 public:
  Folder() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(info->test_suite_name()) + "." + info->name();
    for (char& c : name) c = c == '/' ? '_' : c;
    path_ = std::filesystem::path(testing::TempDir()) / "paws_launch_test" / name;
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    write("kernels.ptx", "");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
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
