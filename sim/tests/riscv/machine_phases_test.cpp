// SPDX-License-Identifier: MIT
// Phases and lengths of short pieces of machine code, worked out by hand.
#include "sim/riscv/machine_phases.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/riscv/length_image.h"
#include "sim/riscv/machine_report.h"
#include "sim/support/error.h"

namespace paws::riscv {
namespace {

LatencyTable table() {
  LatencyTable latencies;
  latencies.move = 1;
  latencies.integer = 2;
  latencies.integer_mul = 5;
  latencies.load_issue = 3;
  latencies.branch = 4;
  latencies.barrier = 1;
  return latencies;
}

/// The instructions, four bytes each from address 0 on, with phases.
Function phases_of(const std::vector<std::string>& lines, const PhaseRule& rule = {},
                   const std::vector<Register>& near = {}) {
  std::string listing = "00000000 <f>:\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    constexpr const char* kDigits = "0123456789abcdef";
    listing += std::string("      ") + kDigits[i * 4 / 16] + kDigits[i * 4 % 16] + ":      \t" +
               lines[i] + "\n";
  }
  Function function = functions_of(listing).at(0);
  assign_phases(function, table(), rule, near);
  return function;
}

std::vector<std::uint32_t> phase_numbers(const Function& function) {
  std::vector<std::uint32_t> numbers;
  for (const Instruction& instruction : function.code) numbers.push_back(instruction.phase);
  return numbers;
}

TEST(MachinePhases, BeginWhereALoadIsNeeded) {
  const Function f =
      phases_of({"lw x5, 0(x10)", "add x6, x7, x7", "add x6, x5, x6", "add x6, x5, x6"});
  EXPECT_EQ(phase_numbers(f), (std::vector<std::uint32_t>{0, 0, 1, 1}));
  EXPECT_EQ(f.phases[0].length, 5U);
  EXPECT_EQ(f.code[1].distance, 2U);
  EXPECT_EQ(f.phases[1].length, 4U);
  EXPECT_EQ(f.code[2].distance, 4U);
}

TEST(MachinePhases, BeginWhereTheDestinationOfALoadIsWritten) {
  EXPECT_EQ(phase_numbers(phases_of({"lw x5, 0(x10)", "li x5, 1"})),
            (std::vector<std::uint32_t>{0, 1}));
}

TEST(MachinePhases, EndEveryWaitOfThePhaseBefore) {
  // The second load is awaited too when the first one is: the phase is cut once.
  EXPECT_EQ(phase_numbers(phases_of({"lw x5, 0(x10)", "lw x6, 4(x10)", "mv x7, x5", "mv x8, x6"})),
            (std::vector<std::uint32_t>{0, 0, 1, 1}));
}

TEST(MachinePhases, DoNotCountLoadsThroughNearRegistersOrToNowhere) {
  EXPECT_EQ(phase_numbers(phases_of({"lw x5, 0(x2)", "mv x7, x5"}, {}, {2})),
            (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(phase_numbers(phases_of({"lw x0, 0(x10)", "mv x7, x0"})),
            (std::vector<std::uint32_t>{0, 0}));
}

TEST(MachinePhases, KeepTheRulesOfCuts) {
  const std::vector<std::string> code = {"beqz x5, 0xc <f+0xc>", "nop", "fence rw, rw", "nop"};
  PhaseRule none;
  none.cut_at_barriers = none.cut_at_branches = none.cut_at_blocks = false;
  EXPECT_EQ(phase_numbers(phases_of(code, none)), (std::vector<std::uint32_t>{0, 0, 0, 0}));
  PhaseRule barriers = none;
  barriers.cut_at_barriers = true;
  EXPECT_EQ(phase_numbers(phases_of(code, barriers)), (std::vector<std::uint32_t>{0, 0, 0, 1}));
  PhaseRule branches = none;
  branches.cut_at_branches = true;
  EXPECT_EQ(phase_numbers(phases_of(code, branches)), (std::vector<std::uint32_t>{0, 1, 1, 1}));
  PhaseRule blocks = none;
  blocks.cut_at_blocks = true;
  EXPECT_EQ(phase_numbers(phases_of(code, blocks)), (std::vector<std::uint32_t>{0, 1, 1, 2}));
}

TEST(LengthImage, HasAnEntryForEveryPlaceOfAnInstruction) {
  std::vector<Function> functions = {
      phases_of({"lw x5, 0(x10)", "mul x6, x5, x5", "mul x6, x6, x5"})};
  const LengthImage lengths = length_image("a.elf", functions, Held::length, 3);
  EXPECT_EQ(lengths.entries, (std::vector<std::uint16_t>{3, 7, 7}));  // 10 is more than 3 bits have
  EXPECT_EQ(lengths.shift, 2U);
  const LengthImage distances = length_image("a.elf", functions, Held::distance, 9);
  EXPECT_EQ(distances.entries, (std::vector<std::uint16_t>{3, 10, 5}));
  EXPECT_EQ(to_hexadecimal(distances),
            "// base 0x0, 4 bytes for each entry, 3 entries of 9 bits\n003\n00a\n005\n");
}

TEST(LengthImage, FillsWhatIsBetweenAndRefusesAddressesThatMeet) {
  std::vector<Function> functions = {phases_of({"nop"}), phases_of({"nop"})};
  EXPECT_THROW(length_image("a.o", functions, Held::length, 9), InputError);
  functions[1].code[0].address = 6;
  const LengthImage image = length_image("a.elf", functions, Held::length, 4);
  EXPECT_EQ(image.shift, 1U);
  EXPECT_EQ(image.entries, (std::vector<std::uint16_t>{1, 15, 15, 1}));
  functions[1].code[0].address = std::uint64_t{1} << 40U;
  EXPECT_THROW(length_image("a.elf", functions, Held::length, 4), InputError);
}

TEST(MachineReport, CountsWhatItDoesNotKnow) {
  const Function f = phases_of({"<unknown>", "lw x5, 0(x10)", "mv x6, x5"});
  EXPECT_EQ(unknown_instructions(f), 1U);
  const nlohmann::json report = phase_report(f);
  EXPECT_EQ(report["unknown"], 1);
  EXPECT_EQ(report["longest"], 4);
  EXPECT_EQ(report["phases"][1]["first"], 8);
  EXPECT_EQ(annotations({f}), "address,length,distance,begins\n0x0,4,4,1\n0x4,4,3,0\n0x8,1,1,1\n");
}

}  // namespace
}  // namespace paws::riscv
