// SPDX-License-Identifier: MIT
// Execution for the values alone: one instruction at a time, many at a time, and blocks side by
// side.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/exec/functional_runner.h"
#include "sim/support/error.h"

namespace paws {

/// Executes each launch one instruction at a time, puts memory back, and executes it again many at
/// a time, and on several host threads. Fails the test when memory, counts or the error differ;
/// throws the error. A kernel that prints is executed once.
class BothWays : public KernelRunner {
 public:
  explicit BothWays(
      std::uint64_t max_instructions = exec::FunctionalRunner::kDefaultMaxInstructions)
      : one_(max_instructions), many_(max_instructions), threaded_(max_instructions) {
    one_.quick(false);
    threaded_.use_threads(3, 0);
  }
  void use_rows(unsigned rows) {
    one_.use_rows(rows);
    many_.use_rows(rows);
    threaded_.use_rows(rows);
  }
  void yield_after(unsigned branches) {
    one_.yield_after(branches);
    many_.yield_after(branches);
    threaded_.yield_after(branches);
  }

  void run(const KernelLaunch& launch, DeviceMemory& memory) override {
    const auto& code = launch.kernel->code;
    const bool prints = std::any_of(
        code.begin(), code.end(), [](const ir::Instruction& in) { return in.op == ir::Op::print; });
    if (prints) return many_.run(launch, memory);
    const Bytes before = contents(memory);
    const std::string error = error_of(one_, launch, memory);
    const Bytes after_one = contents(memory);
    for (exec::FunctionalRunner* other : {&threaded_, &many_}) {
      const std::string& name = launch.kernel->name;
      put(before, memory);
      EXPECT_EQ(error_of(*other, launch, memory), error) << name;
      EXPECT_TRUE(contents(memory) == after_one) << name << ": memory differs";
      if (!error.empty()) continue;
      EXPECT_EQ(other->warp_instructions(), one_.warp_instructions()) << name;
      EXPECT_EQ(other->thread_instructions(), one_.thread_instructions()) << name;
    }
    if (!error.empty()) throw InputError(error);
  }

  [[nodiscard]] std::uint64_t warp_instructions() const { return many_.warp_instructions(); }
  [[nodiscard]] std::uint64_t thread_instructions() const { return many_.thread_instructions(); }

 private:
  using Bytes = std::vector<std::vector<std::byte>>;

  static Bytes contents(const DeviceMemory& memory) {
    Bytes bytes;
    for (const auto& [address, allocation] : memory.allocations()) {
      bytes.emplace_back(allocation.data, allocation.data + allocation.bytes);
    }
    return bytes;
  }
  static void put(const Bytes& bytes, const DeviceMemory& memory) {
    auto from = bytes.begin();
    for (const auto& [address, allocation] : memory.allocations()) {
      std::copy(from->begin(), from->end(), allocation.data);
      ++from;
    }
  }
  static std::string error_of(exec::FunctionalRunner& runner, const KernelLaunch& launch,
                              DeviceMemory& memory) {
    try {
      runner.run(launch, memory);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  exec::FunctionalRunner one_, many_, threaded_;
};

}  // namespace paws
