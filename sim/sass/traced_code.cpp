// SPDX-License-Identifier: MIT
#include "sim/sass/traced_code.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/exec/barriers.h"
#include "sim/frontend/phases.h"
#include "sim/sass/opcodes.h"
#include "sim/sass/operands.h"

namespace paws::sass {
namespace {

using ir::Op;

std::string hexadecimal(std::uint32_t pc) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) {
    const unsigned digit = pc >> shift & 0xf;
    if (digit != 0 || !text.empty() || shift <= 12) text += kDigits[digit];
  }
  return text;
}

bool in_window(std::uint64_t address, std::uint64_t base) {
  return base != 0 && address >= base && address - base < Windows::kBytes;
}

/// The barrier that a BAR names: its number, and how many threads it waits for.
void check_barrier(const std::array<std::int64_t, 2>& immediates, const Location& where) {
  if (immediates[0] < 0 || immediates[0] >= exec::kBarriers) {
    where.fail("BAR with " + std::to_string(immediates[0]) +
               " for its number: the trace does not say which barrier it is");
  }
  const std::int64_t threads = immediates[1];
  if (threads < 0 || threads > 1024 || threads % ir::kWarpSize != 0) {
    where.fail("BAR for " + std::to_string(threads) + " threads; whole warps are possible");
  }
}

/// A wait for asynchronous copies: how many of their youngest groups may be under way.
void check_groups(std::int64_t groups, const Location& where) {
  if (groups < 0 || groups > std::numeric_limits<std::uint8_t>::max()) {
    where.fail("DEPBAR for all but " + std::to_string(groups) +
               " groups of copies; 0 to 255 are possible");
  }
}

}  // namespace

ir::Space resolve(ir::Space space, const Windows& windows, exec::LaneMask mask,
                  std::array<std::uint64_t, ir::kWarpSize>& addresses) {
  const auto count_in = [&](std::uint64_t base) {
    unsigned count = 0;
    for (exec::LaneMask left = mask; left != 0; left &= left - 1) {
      if (in_window(addresses[static_cast<std::size_t>(std::countr_zero(left))], base)) ++count;
    }
    return count;
  };
  const auto make_offsets = [&](std::uint64_t base) {
    for (exec::LaneMask left = mask; left != 0; left &= left - 1) {
      std::uint64_t& address = addresses[static_cast<std::size_t>(std::countr_zero(left))];
      if (in_window(address, base)) address -= base;
    }
  };
  switch (space) {
    case ir::Space::shared:
      make_offsets(windows.shared);
      return space;
    case ir::Space::local:
      make_offsets(windows.local);
      return space;
    case ir::Space::generic: {
      const auto lanes = static_cast<unsigned>(std::popcount(mask));
      const unsigned shared = count_in(windows.shared);
      const unsigned local = count_in(windows.local);
      if (shared + local == 0) return ir::Space::global;
      if (shared == lanes) return resolve(ir::Space::shared, windows, mask, addresses);
      if (local == lanes) return resolve(ir::Space::local, windows, mask, addresses);
      return space;
    }
    default:
      return space;
  }
}

TracedCode::Entry& TracedCode::add(std::uint32_t pc, Definition definition, const Location& where) {
  Entry& entry = entries_[pc];
  entry.where = where;
  try {
    entry.operation = operation_of(Opcode(definition.opcode));
  } catch (const std::invalid_argument& error) {
    where.fail(error.what());
  }
  entry.definition = std::move(definition);
  return entry;
}

void TracedCode::take_immediates(Entry& entry, const std::array<std::int64_t, 2>& immediates,
                                 const Location& where) {
  entry.immediates = immediates;
  if (entry.operation.op == Op::bar) check_barrier(immediates, where);
  if (entry.operation.op != Op::copy_wait) return;
  check_groups(immediates[0], where);
  entry.operation.groups = static_cast<std::uint8_t>(immediates[0]);
}

void TracedCode::declare(const Header& header, const Location& file) {
  const WholeCode& code = header.code;
  const auto same_line = [this](const WholeCode::Line& line) {
    const auto found = entries_.find(line.pc);
    return found != entries_.end() && found->second.definition == line.definition &&
           found->second.immediates == line.immediates;
  };
  if (!entries_.empty()) {
    const bool same = declared_ == code.given() &&
                      (!declared_ || code.lines.size() == entries_.size()) &&
                      std::all_of(code.lines.begin(), code.lines.end(), same_line);
    if (same) return;
    file.fail("kernel '" + header.kernel + "' has other code in " +
              entries_.begin()->second.where.file);
  }
  if (!code.given()) return;
  declared_ = true;
  for (const WholeCode::Line& line : code.lines) {
    const Location where{file.file, line.line};
    if (entries_.contains(line.pc)) where.fail("pc " + hexadecimal(line.pc) + " a second time");
    Entry& entry = add(line.pc, line.definition, where);
    entry.immediates = line.immediates;
    take_immediates(entry, line.immediates, where);
  }
  const auto check_pc = [this](std::uint32_t pc, const Location& where) {
    if (!entries_.contains(pc)) where.fail("no code at pc " + hexadecimal(pc));
  };
  for (const WholeCode::Targets& targets : code.targets) {
    const Location where{file.file, targets.line};
    check_pc(targets.pc, where);
    const Op op = entries_.at(targets.pc).operation.op;
    if ((op != Op::bra && op != Op::brx) || targets.to.empty() ||
        (op == Op::bra && targets.to.size() != 1)) {
      where.fail("targets that are not those of a branch");
    }
    for (const std::uint32_t pc : targets.to) check_pc(pc, where);
  }
  for (const std::uint32_t pc : code.blocks) check_pc(pc, file);
  whole_ = code;
}

const TracedCode::Entry& TracedCode::define(const TraceReader& reader, Details& details) {
  const Record& record = reader.record();
  const auto found = entries_.find(record.pc);
  const bool known = found != entries_.end();
  if (!known && declared_) reader.fail("no '-paws code' for pc " + hexadecimal(record.pc));
  Entry& entry = known ? found->second : add(record.pc, reader.definition(), reader.where());
  if (entry.text != record.definition) {
    // The same words in other spacing are the same instruction. Whole code has more registers.
    Definition traced = reader.definition();
    const bool same =
        entry.text.empty() ? traced.opcode == entry.definition.opcode : traced == entry.traced;
    if (!same) {
      reader.fail("pc " + hexadecimal(record.pc) + " is '" + std::string(record.definition) +
                  "' here and another instruction in " + entry.where.file + ":" +
                  std::to_string(entry.where.line));
    }
    entry.text = record.definition;
    entry.traced = std::move(traced);
  }
  // Only now: lines of opcodes that are refused end in forms of their own.
  reader.details(details);
  if (!known && entry.operation.op == Op::bra && details.immediates[0] > 0) {
    // The tracer gives a branch's target as the immediate.
    const auto target = static_cast<std::uint64_t>(details.immediates[0]);
    if (target < std::numeric_limits<std::uint32_t>::max()) {
      jumps_.insert({record.pc, static_cast<std::uint32_t>(target)});
    }
  }
  const bool waits = entry.operation.op == Op::copy_wait;
  if (waits || entry.operation.op == Op::bar) {
    if (!known) {
      take_immediates(entry, details.immediates, reader.where());
    } else if (entry.immediates != details.immediates) {
      reader.fail("pc " + hexadecimal(record.pc) + " is another " + (waits ? "wait" : "barrier") +
                  " than in " + entry.where.file + ":" + std::to_string(entry.where.line));
    }
  }
  if (record.mask != 0 && details.width == 0 && has_addresses(entry.operation)) {
    reader.fail(entry.definition.opcode + " without addresses");
  }
  return entry;
}

void TracedCode::accessed_local(exec::LaneMask mask, const ir::Instruction& operation,
                                const std::array<std::uint64_t, ir::kWarpSize>& offsets) {
  const std::uint64_t bytes = std::max(1U, lane_bytes(operation));
  for (exec::LaneMask left = mask; left != 0; left &= left - 1) {
    const std::uint64_t offset = offsets[static_cast<std::size_t>(std::countr_zero(left))];
    local_begin_ = std::min(local_begin_, offset / 4 * 4);
    constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
    local_end_ = std::max(local_end_, offset > kLast - bytes ? kLast : offset + bytes);
  }
}

std::uint64_t TracedCode::local_base() const {
  return declared_ || local_end_ == 0 ? 0 : local_begin_;
}

ir::Kernel TracedCode::build(const std::string& name, const FrontendSettings& settings) {
  std::vector<std::uint32_t> pcs;
  pcs.reserve(entries_.size());
  for (const auto& [pc, entry] : entries_) pcs.push_back(pc);
  std::sort(pcs.begin(), pcs.end());
  std::vector<OperandRegisters> operands;
  for (const std::uint32_t pc : pcs) {
    Entry& entry = entries_.at(pc);
    entry.index = static_cast<std::uint32_t>(operands.size());
    try {
      operands.push_back(registers_of(entry.definition, Opcode(entry.definition.opcode),
                                      entry.operation, declared_));
    } catch (const std::invalid_argument& error) {
      entry.where.fail(entry.definition.opcode + ": " + error.what());
    }
  }
  drop_waits_for_no_copies();
  ir::Kernel kernel;
  kernel.name = name;
  kernel.file = entries_.at(pcs.front()).where.file;
  kernel.line = static_cast<std::uint32_t>(entries_.at(pcs.front()).where.line);
  const Location file{kernel.file, 0};
  const std::uint64_t local =
      declared_ ? whole_.local_bytes : (local_end_ == 0 ? 0 : local_end_ - local_begin_);
  if (local > kMostLocalBytes) {
    file.fail("kernel '" + name + "': local addresses " + std::to_string(local) +
              " bytes apart; a thread has " + std::to_string(kMostLocalBytes) + " at most");
  }
  if (declared_ && local_end_ > local) {
    file.fail("kernel '" + name + "': a local address beyond '-paws local bytes'");
  }
  kernel.local_bytes = static_cast<std::uint32_t>((local + 3) / 4 * 4);
  const RegisterTable table = [&] {
    try {
      return RegisterTable(operands);
    } catch (const std::invalid_argument& error) {
      file.fail(error.what());
    }
  }();
  kernel.registers = table.registers();
  for (std::size_t i = 0; i < pcs.size(); ++i) {
    const Entry& entry = entries_.at(pcs[i]);
    ir::Instruction& instruction = kernel.code.emplace_back(entry.operation);
    instruction.line = static_cast<std::uint32_t>(entry.where.line);
    try {
      table.assign(operands[i], instruction);
    } catch (const std::invalid_argument& error) {
      entry.where.fail(entry.definition.opcode + ": " + error.what());
    }
  }
  place_targets(kernel);
  number_blocks(kernel);
  for (const std::uint32_t pc : pcs) {
    const Definition& definition = entries_.at(pc).definition;
    std::string& text = kernel.listing.emplace_back(hexadecimal(pc) + " " + definition.opcode);
    const auto& registers = operands[kernel.listing.size() - 1];
    const char* separator = " ";
    for (const auto* list : {&registers.destinations, &registers.sources}) {
      for (const OperandRegister& one : *list) {
        if (one.implied) continue;
        text += separator + name_of(one.reg);
        separator = ", ";
      }
    }
  }
  frontend::assign_phases(kernel, settings.latencies, settings.phases);
  return kernel;
}

/// DEPBAR waits for any dependence of machine code, of which only groups of copies are left here: a
/// kernel without groups has other ones. Our own traces have it for copies alone.
void TracedCode::drop_waits_for_no_copies() {
  const bool copies = std::any_of(entries_.begin(), entries_.end(), [](const auto& entry) {
    return entry.second.operation.op == Op::copy_commit;
  });
  if (copies || declared_) return;
  for (auto& [pc, entry] : entries_) {
    if (entry.operation.op == Op::copy_wait) entry.operation.op = Op::nop;
  }
}

/// Where branches go: as the trace's header says, else as their immediates say and as warps have
/// gone back. Timing takes each
/// warp's way from the trace; loops matter for the codes of phases alone.
void TracedCode::place_targets(ir::Kernel& kernel) const {
  const auto jump = [&](std::uint32_t from, std::uint32_t to) {
    ir::Instruction& branch = kernel.code[entries_.at(from).index];
    const std::uint32_t target = entries_.at(to).index;
    if (branch.op == Op::bra) {
      branch.target = target;
    } else {
      branch.table.push_back(target);
    }
  };
  for (std::uint32_t pc = 0; pc < kernel.code.size(); ++pc) {
    ir::Instruction& instruction = kernel.code[pc];
    // A branch of which nothing is known goes to the next instruction: no loop.
    if (instruction.op == Op::bra) instruction.target = pc + 1;
  }
  if (declared_) {
    for (const WholeCode::Targets& targets : whole_.targets) {
      for (const std::uint32_t to : targets.to) jump(targets.pc, to);
    }
    return;
  }
  for (const auto& [from, to] : jumps_) {
    if (to <= from && entries_.contains(to)) jump(from, to);
  }
}

void TracedCode::number_blocks(ir::Kernel& kernel) const {
  std::vector<bool> first(kernel.code.size() + 1, false);
  if (declared_) {
    for (const std::uint32_t pc : whole_.blocks) first[entries_.at(pc).index] = true;
  } else {
    for (const auto& [from, to] : jumps_) {
      const auto target = entries_.find(to);
      if (target != entries_.end()) first[target->second.index] = true;
    }
    for (std::size_t pc = 0; pc < kernel.code.size(); ++pc) {
      if (ir::transfers_control(kernel.code[pc].op)) first[pc + 1] = true;
    }
  }
  first[0] = false;
  std::uint32_t block = 0;
  for (std::size_t pc = 0; pc < kernel.code.size(); ++pc) {
    if (first[pc]) ++block;
    kernel.code[pc].block = block;
  }
}

}  // namespace paws::sass
