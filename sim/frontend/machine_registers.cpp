// SPDX-License-Identifier: MIT
#include "sim/frontend/machine_registers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "sim/frontend/liveness.h"

namespace paws::frontend {
namespace {

/// From the first to the last place where a register is alive. An instruction reads at an even
/// place and writes at the odd one behind it, so that a result may take the register of an operand
/// that dies there.
struct Interval {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = -1;

  void cover(std::int64_t place) {
    first = std::min(first, place);
    last = std::max(last, place);
  }
};

void cover(const RegisterSet& live, std::int64_t place, std::vector<Interval>& intervals) {
  for (auto reg = live.find_first(); reg != RegisterSet::npos; reg = live.find_next(reg)) {
    intervals[reg].cover(place);
  }
}

std::vector<Interval> live_intervals(const Program& program) {
  const Liveness liveness = compute_liveness(program);
  std::vector<Interval> intervals(program.kernel.registers.size());
  std::int64_t place = 0;
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    cover(liveness.in[b], place, intervals);
    for (const ir::Instruction& instruction : program.blocks[b].code) {
      for_each_read(instruction, [&](ir::RegId reg) { intervals[reg].cover(place); });
      for_each_write(instruction, [&](ir::RegId reg) { intervals[reg].cover(place + 1); });
      place += 2;
    }
    cover(liveness.out[b], place, intervals);
  }
  return intervals;
}

}  // namespace

void number_registers(Program& program) {
  std::vector<ir::Register>& registers = program.kernel.registers;
  const std::vector<Interval> intervals = live_intervals(program);
  std::vector<std::size_t> order;
  for (std::size_t reg = 0; reg < registers.size(); ++reg) {
    registers[reg].machine = ir::kNoReg;
    if (ir::machine_registers(registers[reg].type) > 0 && intervals[reg].last >= 0) {
      order.push_back(reg);
    }
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(intervals[a].first, a) < std::tie(intervals[b].first, b);
  });
  std::array<std::int64_t, kMachineRegisters> taken_until;
  taken_until.fill(-1);
  unsigned in_turn = 0;
  for (const std::size_t reg : order) {
    const unsigned width = ir::machine_registers(registers[reg].type);
    const unsigned step = std::bit_ceil(width);
    unsigned number = 0;
    auto taken = [&](unsigned first) {
      return std::any_of(taken_until.begin() + first, taken_until.begin() + first + width,
                         [&](std::int64_t until) { return until >= intervals[reg].first; });
    };
    while (number < kMachineRegisters && taken(number)) number += step;
    if (number >= kMachineRegisters) {
      number = (in_turn + step - 1) / step * step % kMachineRegisters;
      in_turn = number + step;
    }
    for (unsigned i = 0; i < width; ++i) {
      taken_until[number + i] = std::max(taken_until[number + i], intervals[reg].last);
    }
    registers[reg].machine = static_cast<std::uint16_t>(number);
  }
}

}  // namespace paws::frontend
