// SPDX-License-Identifier: MIT
#include "sim/exec/register_layout.h"

#include <algorithm>
#include <limits>

#include "sim/exec/access.h"
#include "sim/exec/invariant.h"
#include "sim/support/error.h"

namespace paws::exec {
namespace {

using BitSet = std::vector<std::uint64_t>;

bool has_bit(const BitSet& set, unsigned bit) { return set[bit / 64] >> (bit % 64) & 1; }
void set_bit(BitSet& set, unsigned bit) { set[bit / 64] |= std::uint64_t{1} << (bit % 64); }
void clear_bit(BitSet& set, unsigned bit) { set[bit / 64] &= ~(std::uint64_t{1} << (bit % 64)); }

std::vector<std::uint32_t> successors(const ir::Kernel& kernel, std::uint32_t pc) {
  const ir::Instruction& in = kernel.code[pc];
  std::vector<std::uint32_t> next;
  const bool guarded = in.guard != ir::kNoReg;
  if (in.op == ir::Op::bra || in.op == ir::Op::call) next.push_back(in.target);
  if (in.op == ir::Op::brx || in.op == ir::Op::ret) next = in.table;
  if ((!ir::transfers_control(in.op) || guarded) && pc + 1 < kernel.code.size())
    next.push_back(pc + 1);
  return next;
}

template <class Visit>
void for_each_use(const ir::Instruction& in, Visit visit) {
  if (in.guard != ir::kNoReg) visit(in.guard);
  for (const ir::Operand& source : in.src) {
    if (source.kind == ir::Operand::Kind::reg) visit(source.reg);
  }
}

template <class Visit>
void for_each_definition(const ir::Instruction& in, Visit visit) {
  for (ir::RegId reg : in.dst) {
    if (reg != ir::kNoReg) visit(reg);
  }
}

/// live := live before the instruction, from live after it.
void step_back(const ir::Instruction& in, BitSet& live) {
  // A guarded definition leaves the old value in some lanes: it ends nothing.
  if (in.guard == ir::kNoReg) {
    for_each_definition(in, [&](ir::RegId reg) { clear_bit(live, reg); });
  }
  for_each_use(in, [&](ir::RegId reg) { set_bit(live, reg); });
}

struct BasicBlock {
  std::uint32_t first = 0, last = 0;  // inclusive
  std::vector<std::uint32_t> next;    // blocks
  BitSet live_in;
};

std::vector<BasicBlock> find_blocks(const ir::Kernel& kernel) {
  const auto size = static_cast<std::uint32_t>(kernel.code.size());
  std::vector<bool> leader(size, false);
  leader[0] = true;
  for (std::uint32_t pc = 0; pc < size; ++pc) {
    const std::vector<std::uint32_t> next = successors(kernel, pc);
    const bool falls = next.size() == 1 && next[0] == pc + 1;
    if (falls) continue;
    for (std::uint32_t target : next) leader[target] = true;
    if (pc + 1 < size) leader[pc + 1] = true;
  }
  std::vector<BasicBlock> blocks;
  std::vector<std::uint32_t> block_at(size);
  for (std::uint32_t pc = 0; pc < size; ++pc) {
    if (leader[pc]) blocks.push_back({.first = pc, .last = pc, .next = {}, .live_in = {}});
    blocks.back().last = pc;
    block_at[pc] = static_cast<std::uint32_t>(blocks.size() - 1);
  }
  for (BasicBlock& block : blocks) {
    for (std::uint32_t target : successors(kernel, block.last)) {
      block.next.push_back(block_at[target]);
    }
  }
  return blocks;
}

/// When a register is written. A load from global memory may be done after its instruction has
/// issued (sim/exec/deferred.h), even after the last path that reads its result has been left: what
/// it writes must not have become the slot of a register that is written at once.
enum class Writes : std::uint8_t { none, at_once, late, both };

Writes operator|(Writes a, Writes b) {
  return static_cast<Writes>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

struct Interval {
  ir::RegId reg = 0;
  Writes writes = Writes::none;
  bool at_entry = false;  ///< live when a thread starts
  std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t last = 0;
  void cover(std::uint32_t pc) {
    first = std::min(first, pc);
    last = std::max(last, pc);
  }
  [[nodiscard]] bool used() const { return first <= last; }
};

std::vector<Interval> live_intervals(const ir::Kernel& kernel) {
  const std::size_t words = (kernel.registers.size() + 63) / 64;
  std::vector<BasicBlock> blocks = find_blocks(kernel);
  for (BasicBlock& block : blocks) block.live_in.assign(words, 0);
  const auto live_out = [&](const BasicBlock& block) {
    BitSet live(words, 0);
    for (std::uint32_t next : block.next) {
      for (std::size_t w = 0; w < words; ++w) live[w] |= blocks[next].live_in[w];
    }
    return live;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
      BitSet live = live_out(*block);
      for (std::uint32_t pc = block->last + 1; pc-- > block->first;) {
        step_back(kernel.code[pc], live);
      }
      if (live != block->live_in) {
        block->live_in = std::move(live);
        changed = true;
      }
    }
  }
  std::vector<Interval> intervals(kernel.registers.size());
  for (std::size_t reg = 0; reg < intervals.size(); ++reg) {
    intervals[reg].reg = static_cast<ir::RegId>(reg);
    intervals[reg].at_entry = has_bit(blocks.front().live_in, unsigned(reg));
  }
  for (const BasicBlock& block : blocks) {
    const BitSet out = live_out(block);
    for (std::size_t reg = 0; reg < intervals.size(); ++reg) {
      if (has_bit(block.live_in, unsigned(reg))) intervals[reg].cover(block.first);
      if (has_bit(out, unsigned(reg))) intervals[reg].cover(block.last);
    }
    for (std::uint32_t pc = block.first; pc <= block.last; ++pc) {
      const auto cover = [&](ir::RegId reg) { intervals[reg].cover(pc); };
      for_each_use(kernel.code[pc], cover);
      for_each_definition(kernel.code[pc], cover);
      const Writes how = may_access_global(kernel.code[pc]) ? Writes::late : Writes::at_once;
      for_each_definition(kernel.code[pc], [&](ir::RegId reg) {
        intervals[reg].writes = intervals[reg].writes | how;
      });
    }
  }
  return intervals;
}

std::uint32_t slot_bytes(Width width) {
  switch (width) {
    case Width::mask:
      return sizeof(LaneMask);
    case Width::w32:
      return kSlot32;
    case Width::w64:
      return kSlot64;
    default:
      return 0;
  }
}

/// Linear scan over the registers of one width; returns how many slots they need and writes each
/// register's slot number. A slot is shared among registers that are written late, or among those
/// that are not; one that is written in both ways has a slot of its own.
std::uint32_t scan(const ir::Kernel& kernel, const std::vector<Interval>& sorted, Width width,
                   std::vector<std::uint32_t>& slot) {
  struct Slot {
    std::uint32_t busy_until = 0;  // last pc of its present register
    bool late = false;
  };
  std::vector<Slot> slots;
  for (const Interval& interval : sorted) {
    if (width_of(kernel.registers[interval.reg].type) != width) continue;
    const bool late = interval.writes == Writes::late;
    const bool alone = interval.writes == Writes::both;
    std::uint32_t choice = 0;
    while (choice < slots.size() &&
           (alone || slots[choice].late != late || slots[choice].busy_until >= interval.first)) {
      ++choice;
    }
    if (choice == slots.size()) slots.emplace_back();
    slots[choice] = {alone ? std::numeric_limits<std::uint32_t>::max() : interval.last, late};
    slot[interval.reg] = choice;
  }
  return static_cast<std::uint32_t>(slots.size());
}

/// Matrix instructions take what every lane of the warp holds.
bool reads_all_lanes(const ir::Instruction& in) {
  return in.op != ir::Op::bar && ir::facts(in.op).lanes == ir::Lanes::all;
}

std::vector<bool> at_entry(const std::vector<Interval>& intervals) {
  std::vector<bool> is(intervals.size());
  for (const Interval& interval : intervals) is[interval.reg] = interval.at_entry;
  return is;
}

/// The results of these instructions are live from the first to the last instruction.
void keep(std::vector<Interval>& intervals, const ir::Kernel& kernel,
          const std::vector<std::uint32_t>& pcs) {
  for (const std::uint32_t pc : pcs) {
    for_each_definition(kernel.code[pc], [&](ir::RegId reg) {
      intervals[reg].cover(0);
      intervals[reg].cover(static_cast<std::uint32_t>(kernel.code.size() - 1));
    });
  }
}

}  // namespace

Width width_of(ir::Type type) {
  switch (type) {
    case ir::Type::none:
    case ir::Type::b128:
      return Width::none;
    case ir::Type::pred:
      return Width::mask;
    case ir::Type::b64:
    case ir::Type::u64:
    case ir::Type::s64:
    case ir::Type::f64:
      return Width::w64;
    default:
      return Width::w32;
  }
}

RegisterLayout lay_out_registers(const ir::Kernel& kernel) {
  std::vector<Interval> intervals = live_intervals(kernel);
  RegisterLayout layout;
  const bool apart = std::none_of(kernel.code.begin(), kernel.code.end(), reads_all_lanes);
  if (apart) {
    layout.invariant = invariant_instructions(kernel, at_entry(intervals));
    keep(intervals, kernel, layout.invariant);
  }
  std::erase_if(intervals, [](const Interval& interval) { return !interval.used(); });
  std::stable_sort(intervals.begin(), intervals.end(),
                   [](const Interval& a, const Interval& b) { return a.first < b.first; });
  layout.offset.assign(kernel.registers.size(), kNoSlot);
  std::vector<std::uint32_t> slot(kernel.registers.size(), kNoSlot);
  for (Width width : {Width::w64, Width::w32, Width::mask}) {
    const std::uint32_t count = scan(kernel, intervals, width, slot);
    for (const Interval& interval : intervals) {
      if (width_of(kernel.registers[interval.reg].type) == width) {
        layout.offset[interval.reg] = layout.bytes + slot[interval.reg] * slot_bytes(width);
      }
    }
    layout.bytes += count * slot_bytes(width);
  }
  layout.bytes = (layout.bytes + kSlotAlign - 1) / kSlotAlign * kSlotAlign;
  if (!apart) {
    layout.zeroed.push_back({0, layout.bytes});
  } else {
    for (const Interval& interval : intervals) {
      const Width width = width_of(kernel.registers[interval.reg].type);
      if (!interval.at_entry) continue;
      layout.zeroed.push_back({layout.offset[interval.reg], slot_bytes(width)});
    }
  }
  for (const Interval& interval : intervals) {
    const ir::Register& reg = kernel.registers[interval.reg];
    if (width_of(reg.type) == Width::none) {
      throw InputError(kernel.file, kernel.code[interval.first].line,
                       "register '" + reg.name + "' has a type that cannot be executed");
    }
  }
  return layout;
}

}  // namespace paws::exec
