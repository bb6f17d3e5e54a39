// SPDX-License-Identifier: MIT
// Runs PTX text functionally, for tests.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/exec/device_memory.h"
#include "sim/exec/functional_runner.h"
#include "sim/exec/warp_executor.h"
#include "sim/ir/kernel.h"

namespace paws::exec {

inline std::uint64_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
inline std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
inline float as_float(std::uint64_t x) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(x));
}
inline double as_double(std::uint64_t x) { return std::bit_cast<double>(x); }

/// Three 64-bit inputs of one thread.
struct Inputs {
  std::uint64_t a = 0, b = 0, c = 0;
};

/// Runs `body` in one thread per element and returns each thread's result. In the body, %a64 %b64
/// %c64 hold the inputs, %a32 and %a16 and so on their low bits, %pa %pb %pc whether they are not
/// zero. The result is what the body leaves in %d16, %d32, %d64 or %dp (widened with zeros).
/// %p0..%p7, %r0..%r7, %l0..%l7 are free. Every lane level of the build runs it, and all must
/// agree.
std::vector<std::uint64_t> run_body(const std::string& body, const std::vector<Inputs>& threads);

/// One row of a table: inputs and the expected result.
struct Case {
  Inputs in;
  std::uint64_t expected = 0;
};
void expect_results(const std::string& body, const std::vector<Case>& cases);

/// A module around a whole kernel, and a launch of it.
class PtxRun {
 public:
  /// `entry` is everything between the module's directives and the end.
  /// `yield_after`: FrontendSettings.
  explicit PtxRun(const std::string& entry, unsigned yield_after = 0);

  std::uint64_t buffer(const std::string& name, std::uint64_t bytes) {
    return memory_.allocate(name, bytes);
  }
  template <class T>
  T& at(std::uint64_t address) {
    return *reinterpret_cast<T*>(memory_.at(address, sizeof(T)));
  }
  /// Rows of the warps of later runs.
  void use_rows(unsigned rows) { rows_ = rows; }
  /// Runs the first kernel with 64-bit parameters.
  void run(const LaunchShape& shape, const std::vector<std::uint64_t>& params = {},
           std::uint64_t max_instructions = 1'000'000);
  /// The message of the InputError that the run ends with.
  std::string run_error(const LaunchShape& shape, const std::vector<std::uint64_t>& params = {},
                        std::uint64_t max_instructions = 1'000'000);

  /// Of the last run.
  [[nodiscard]] std::uint64_t thread_instructions() const { return thread_instructions_; }
  [[nodiscard]] const ir::Module& module() const { return module_; }
  DeviceMemory& memory() { return memory_; }

 private:
  ir::Module module_;
  DeviceMemory memory_;
  unsigned rows_ = 1;
  std::uint64_t thread_instructions_ = 0;
};

}  // namespace paws::exec
