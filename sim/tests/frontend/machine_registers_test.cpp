// SPDX-License-Identifier: MIT
#include "sim/frontend/machine_registers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/frontend/liveness.h"
#include "sim/tests/frontend/support.h"

namespace paws::frontend {
namespace {

/// Machine number of the register that PTX calls `name`.
unsigned number_of(const ir::Kernel& kernel, const std::string& name) {
  for (const ir::Register& reg : kernel.registers) {
    if (reg.name == name) return reg.machine;
  }
  ADD_FAILURE() << "no register " << name;
  return 0;
}

TEST(MachineRegisters, AResultMayTakeTheRegisterOfAnOperandThatDies) {
  const ir::Kernel kernel = compile_kernel(
      "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 1;\n"
      "add.u32 %r3, %r2, %r2;\nst.global.u32 [%rd1], %r3;");
  EXPECT_EQ(number_of(kernel, "%rd1"), 0U);
  EXPECT_EQ(number_of(kernel, "%r1"), 2U);
  EXPECT_EQ(number_of(kernel, "%r2"), 2U);
  EXPECT_EQ(number_of(kernel, "%r3"), 2U);
}

TEST(MachineRegisters, WhatIsAliveTogetherLiesApartAndPairsAreAligned) {
  const ir::Kernel kernel = compile_kernel(
      "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [a];\nmov.u32 %r2, %tid.y;\n"
      "setp.eq.u32 %p1, %r1, %r2;\n@%p1 add.u32 %r1, %r1, %r2;\n"
      "st.global.u32 [%rd1], %r1;\nst.global.u32 [%rd1+4], %r2;");
  EXPECT_EQ(number_of(kernel, "%r1"), 0U);
  EXPECT_EQ(number_of(kernel, "%rd1"), 2U);
  EXPECT_EQ(number_of(kernel, "%r2"), 1U);
  EXPECT_EQ(number_of(kernel, "%p1"), ir::kNoReg);
}

TEST(MachineRegisters, ALoopKeepsWhatItCarries) {
  // %r1 is read at the top of the loop only, yet it must survive the body.
  const ir::Kernel kernel = compile_kernel(
      "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\n"
      "L: add.u32 %r2, %r2, %r1;\nadd.u32 %r3, %r2, 5;\nst.global.u32 [%rd1], %r3;\n"
      "setp.lt.u32 %p1, %r2, 100;\n@%p1 bra L;");
  EXPECT_NE(number_of(kernel, "%r3"), number_of(kernel, "%r1"));
  EXPECT_NE(number_of(kernel, "%r3"), number_of(kernel, "%r2"));
}

TEST(MachineRegisters, ManyMoreThanThereAreShareNumbers) {
  std::string body = ".reg .b32 %x<400>;\nld.param.u64 %rd1, [a];\n";
  for (unsigned i = 0; i < 400; ++i)
    body += fmt::format("ld.volatile.global.u32 %x{}, [%rd1];\n", i);
  for (unsigned i = 0; i < 400; ++i)
    body += fmt::format("st.volatile.global.u32 [%rd1], %x{};\n", i);
  const ir::Kernel kernel = compile_kernel(body);
  unsigned in_use = 0;
  std::vector<bool> used(kMachineRegisters, false);
  for (const ir::Register& reg : kernel.registers) {
    ASSERT_LT(reg.machine, kMachineRegisters) << reg.name;
    in_use += !used[reg.machine];
    used[reg.machine] = true;
  }
  EXPECT_GT(in_use, 250U);
}

}  // namespace
}  // namespace paws::frontend
