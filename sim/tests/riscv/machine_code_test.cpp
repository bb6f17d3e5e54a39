// SPDX-License-Identifier: MIT
// What is read of a line of LLVM's disassembler: class of latency, registers, target.
#include "sim/riscv/machine_code.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace paws::riscv {
namespace {

constexpr unsigned kFloats = 32;  // number of f0

/// The only instruction of a function.
Instruction read(const std::string& text) {
  const std::vector<Function> functions = functions_of(
      "file format elf32-littleriscv\n\n00000010 <f>:\n      10:      \t" + text + "\n");
  return functions.at(0).code.at(0);
}

struct Case {
  std::string text;
  Kind kind;
  std::vector<Register> reads;
  Register writes;
};

class MachineCode : public testing::TestWithParam<Case> {};

TEST_P(MachineCode, HasItsClassAndItsRegisters) {
  const Instruction read_one = read(GetParam().text);
  EXPECT_EQ(read_one.kind, GetParam().kind);
  EXPECT_EQ(read_one.reads, GetParam().reads);
  EXPECT_EQ(read_one.writes, GetParam().writes);
  EXPECT_EQ(read_one.address, 0x10U);
}

INSTANTIATE_TEST_SUITE_P(
    Lines, MachineCode,
    testing::Values(
        Case{"lw\tx14, -4(x10)", Kind::load, {10}, 14}, Case{"ld\tx0, 0(x10)", Kind::load, {10}, 0},
        Case{"flw\tf3, 8(x2)", Kind::load, {2}, kFloats + 3},
        Case{"sw\tx5, 0(x6)", Kind::store, {5, 6}, 0},
        Case{"fsd\tf5, 0(x6)", Kind::store, {kFloats + 5, 6}, 0},
        Case{"amoadd.w.aqrl\tx5, x6, (x7)", Kind::atomic, {6, 7}, 5},
        Case{"lr.w\tx5, (x7)", Kind::atomic, {7}, 5},
        Case{"add\tx1, x2, x3", Kind::integer, {2, 3}, 1},
        Case{"addi\tx1, x0, 5", Kind::integer, {}, 1},
        Case{"mul\tx1, x1, x3", Kind::integer_mul, {1, 3}, 1},
        Case{"remu\tx1, x2, x3", Kind::integer_div, {2, 3}, 1},
        Case{"li\tx9, 11", Kind::move, {}, 9}, Case{"mv\tx9, x8", Kind::move, {8}, 9},
        Case{"nop", Kind::move, {}, 0},
        Case{"fmadd.s\tf1, f2, f3, f4",
             Kind::f32,
             {kFloats + 2, kFloats + 3, kFloats + 4},
             kFloats + 1},
        Case{"fadd.d\tf1, f2, f3", Kind::f64, {kFloats + 2, kFloats + 3}, kFloats + 1},
        Case{"fsqrt.d\tf1, f2", Kind::f64_div, {kFloats + 2}, kFloats + 1},
        Case{"fdiv.s\tf1, f2, f3", Kind::f32_div, {kFloats + 2, kFloats + 3}, kFloats + 1},
        Case{"feq.s\tx1, f2, f3", Kind::f32, {kFloats + 2, kFloats + 3}, 1},
        Case{"fcvt.w.s\tx1, f2, rtz", Kind::conversion, {kFloats + 2}, 1},
        Case{"fmv.x.w\tx1, f2", Kind::move, {kFloats + 2}, 1},
        Case{"beq\tx1, x2, 0x20 <f+0x10>", Kind::branch, {1, 2}, 0},
        Case{"j\t0x10 <f>", Kind::branch, {}, 0}, Case{"ret", Kind::branch, {1}, 0},
        Case{"jal\t0x20 <g>", Kind::branch, {}, 1}, Case{"jal\tx5, 0x20 <g>", Kind::branch, {}, 5},
        Case{"jalr\tx6", Kind::branch, {6}, 1}, Case{"fence\trw, rw", Kind::barrier, {}, 0},
        Case{"<unknown>", Kind::other, {}, 0}));

TEST(MachineCode, KnowsTheTargetOfABranch) {
  EXPECT_EQ(read("bnez\tx12, 0x80000006 <dot+0x6>").target, 0x80000006U);
  EXPECT_FALSE(read("jr\tx5").target.has_value());
}

TEST(MachineCode, KnowsTheBaseOfAnAddress) {
  EXPECT_EQ(read("lw\tx14, 0(x2)").base, 2);
  EXPECT_EQ(read("add\tx14, x2, x2").base, kNone);
}

TEST(MachineCode, HasFunctionsInTheirOrderWithoutEmptyOnes) {
  const std::vector<Function> functions = functions_of(
      "\n/tmp/a.elf:\tfile format elf64-littleriscv\n\nDisassembly of section .text:\n\n"
      "0000000000000000 <first>:\n       0:      \tret\n\n0000000000000002 <empty>:\n\n"
      "0000000000000002 <last>:\n       2:      \tnop\n       4:      \tret\n");
  ASSERT_EQ(functions.size(), 2U);
  EXPECT_EQ(functions[0].name, "first");
  EXPECT_EQ(functions[1].name, "last");
  EXPECT_EQ(functions[1].code.size(), 2U);
}

TEST(MachineCode, NumbersRegistersByBothNames) {
  EXPECT_EQ(register_number("x31"), 31U);
  EXPECT_EQ(register_number("sp"), 2U);
  EXPECT_EQ(register_number("t6"), 31U);
  EXPECT_EQ(register_number("f0"), kFloats);
  for (const char* other : {"x32", "f32", "x", "y1", "x1y", ""}) {
    EXPECT_EQ(register_number(other), kRegisters) << other;
  }
}

}  // namespace
}  // namespace paws::riscv
