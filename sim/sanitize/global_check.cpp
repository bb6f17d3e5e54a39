// SPDX-License-Identifier: MIT
#include "sim/sanitize/global_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <tuple>

#include "sim/exec/access.h"
#include "sim/exec/device_heap.h"

namespace paws::sanitize {
namespace {

using Role = GlobalRaces::Role;

bool is_atomic(const ir::Instruction& in) { return ir::facts(in.op).memory == ir::Memory::atomic; }

/// The heap's own accesses are in the order of its lock.
bool is_heap(const ir::Instruction& in) {
  return is_atomic(in) && (in.atom == ir::AtomOp::allocate || in.atom == ir::AtomOp::release);
}

bool stores_global(const ir::Instruction& in) { return in.op == ir::Op::st || is_atomic(in); }

/// What others see at once, and what sees others: .cg passes the caches of the cores.
bool is_strong(const ir::Instruction& in) {
  return is_atomic(in) || in.volatile_access || in.cache_global;
}

/// A plain load in front of it gives what it is to find, and may be wrong.
bool is_swap(const ir::Instruction& in) { return is_atomic(in) && in.atom == ir::AtomOp::cas; }

Role role_of(const ir::Instruction& in) {
  switch (in.op) {
    case ir::Op::membar:
      return Role::fence;
    case ir::Op::ld:
    case ir::Op::st:
    case ir::Op::atom:
    case ir::Op::red:
    case ir::Op::copy_async:
      return exec::may_access_global(in) && !is_heap(in) ? Role::access : Role::none;
    default:
      return Role::none;
  }
}

/// By register: whether its value is compared, and decides branches by that, and does nothing else.
std::vector<bool> only_decides(const ir::Kernel& kernel) {
  std::vector<bool> compared(kernel.registers.size());
  std::vector<bool> more(kernel.registers.size());
  const auto mark = [](std::vector<bool>& marks, const ir::Instruction& in, unsigned from) {
    for (unsigned n = from; n < ir::kMaxSrc; ++n) {
      if (in.src[n].kind == ir::Operand::Kind::reg) marks[in.src[n].reg] = true;
    }
  };
  for (const ir::Instruction& in : kernel.code) {
    mark(more, in, in.op == ir::Op::setp ? 2 : 0);  // behind the values that it compares
    if (in.guard != ir::kNoReg && !ir::transfers_control(in.op)) more[in.guard] = true;
  }
  for (const ir::Instruction& in : kernel.code) {
    if (in.op != ir::Op::setp) continue;
    const bool tells = std::any_of(in.dst.begin(), in.dst.end(), [&more](ir::RegId reg) {
      return reg != ir::kNoReg && more[reg];
    });
    mark(tells ? more : compared, in, 0);
  }
  for (std::size_t reg = 0; reg < more.size(); ++reg) compared[reg] = compared[reg] && !more[reg];
  return compared;
}

exec::LaneMask global_lanes(const exec::PendingInstruction& instruction,
                            const exec::Lanes& addresses) {
  if (instruction.ir().space == ir::Space::global) return instruction.active();
  exec::LaneMask global = 0;
  for (exec::LaneMask left = instruction.active(); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (exec::space_of(addresses[lane]) == ir::Space::global) global |= exec::LaneMask{1} << lane;
  }
  return global;
}

/// Whether lane `lane` of a store writes other values than are there, where it has met one.
bool changes(const exec::PendingInstruction& instruction, std::uint64_t address, unsigned lane,
             const Meeting& met) {
  const unsigned element = ir::size_of(instruction.ir().type);
  const std::byte* there = instruction.memory().at(met.address, met.bytes);
  if (there == nullptr) return false;  // no memory, which the execution reports
  const std::uint64_t offset = met.address - address;
  const exec::Lanes values = instruction.source(1 + static_cast<unsigned>(offset / element));
  const auto* stored = reinterpret_cast<const std::byte*>(&values[lane]);
  return std::memcmp(there, stored + offset % element, met.bytes) != 0;
}

const char* access_to(const ir::Instruction& in) {
  if (is_atomic(in)) return "atomic on";
  return in.op == ir::Op::st ? "store to" : "load of";
}

/// "'x' + 0x40"
std::string buffer_place(std::uint64_t address, unsigned bytes, const DeviceMemory& memory) {
  const DeviceMemory::Allocation* buffer = memory.find(address, bytes);
  if (buffer == nullptr) return fmt::format("address 0x{:x}", address);
  return fmt::format("'{}' + 0x{:x}", buffer->name, address - buffer->address);
}

exec::Dim3 coordinates(std::uint64_t number, const exec::Dim3& shape) {
  const auto x = static_cast<std::uint32_t>(number % shape.x);
  const auto y = static_cast<std::uint32_t>(number / shape.x % shape.y);
  return {x, y, static_cast<std::uint32_t>(number / shape.x / shape.y)};
}

}  // namespace

GlobalRaces::GlobalRaces(const KernelLaunch& launch, std::uint64_t number)
    : kernel_(launch.kernel), shape_(launch.shape), number_(number) {
  const std::vector<bool> decides = only_decides(*kernel_);
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> first;
  for (std::uint32_t pc = 0; pc < kernel_->code.size(); ++pc) {
    const ir::Instruction& in = kernel_->code[pc];
    const bool is_test = in.op == ir::Op::ld && !is_strong(in) &&
                         std::all_of(in.dst.begin(), in.dst.end(), [&decides](ir::RegId reg) {
                           return reg == ir::kNoReg || decides[reg];
                         });
    roles_.push_back(is_test ? Role::none : role_of(in));
    const Place from = place_of(*kernel_, pc);
    std::uint32_t line = from.line;
    if (from.source_line != 0) {
      line = first.try_emplace({from.source_file, from.source_line}, line).first->second;
    }
    lines_.push_back(line);
  }
}

std::uint64_t GlobalRaces::turn(std::uint64_t block) {
  if (time_ == 0 || turn_of_ != block) ++time_;
  turn_of_ = block;
  return time_;
}

exec::Dim3 GlobalRaces::block_of(GlobalSite site) {
  return coordinates(shadow_.stretch(site.stretch).block, shape_.grid);
}

exec::Dim3 GlobalRaces::thread_of(GlobalSite site) {
  const std::uint64_t warp = shadow_.stretch(site.stretch).warp;
  return coordinates(warp * ir::kWarpSize + site.lane, shape_.block);
}

void GlobalRaces::note(GlobalSite by, bool writes, const Meeting& met, const DeviceMemory& memory) {
  // Which of the two comes first says nothing: a read is told before a write, else the later line.
  const ir::Instruction& first = kernel_->code[by.pc];
  const ir::Instruction& second = kernel_->code[met.other.pc];
  if ((!writes && is_swap(second)) || (!met.other_writes && is_swap(first))) return;
  Side one{by, writes};
  Side other{met.other, met.other_writes};
  const auto rank = [this](const Side& side) {
    return std::tuple(side.writes, side.writes && side.site.strong != 0, ~lines_[side.site.pc]);
  };
  if (rank(other) < rank(one)) std::swap(one, other);
  const std::uint64_t block = shadow_.stretch(one.site.stretch).block;
  if (!log_.note(Kind::global_race, lines_[one.site.pc], block, 1, lines_[other.site.pc])) return;
  log_.describe(describe(one, other, met, memory));
}

Finding GlobalRaces::describe(const Side& one, const Side& other, const Meeting& met,
                              const DeviceMemory& memory) {
  const ir::Instruction& in = kernel_->code[one.site.pc];
  Finding finding;
  finding.kernel = kernel_->name;
  finding.file = kernel_->file;
  finding.place = place_of(*kernel_, one.site.pc);
  finding.launch = number_;
  finding.block = block_of(one.site);
  finding.thread = thread_of(one.site);
  finding.address = met.address;
  finding.other =
      Other{place_of(*kernel_, other.site.pc), thread_of(other.site), block_of(other.site)};
  const bool same_block =
      shadow_.stretch(one.site.stretch).block == shadow_.stretch(other.site.stretch).block;
  finding.cause = fmt::format("{}-byte {} {}, which {}thread {} writes at {} {}",
                              in.vector * ir::size_of(in.type), access_to(in),
                              buffer_place(met.address, met.bytes, memory),
                              same_block ? "" : "block " + to_string(*finding.other->block) + ", ",
                              to_string(finding.other->thread), to_string(finding.other->place),
                              same_block ? "with no barrier between" : "in no order");
  return finding;
}

void GlobalCheck::started(std::uint64_t block) {
  block_ = block;
  fences_ = 0;
  published_ = 0;
  acquired_ = 0;
  issues_.clear();
  weak_ = {};
  strong_ = {};
  unpublished_.clear();
}

std::uint32_t GlobalCheck::stretch_of(unsigned warp, const Issue& issue) {
  Current& current = weak_.at(warp);
  if (current.stretch == 0 || current.issue != issue) {
    const Stretch fresh{.block = block_, .period = issue.period, .warp = warp};
    current = {launch_.shadow().add(fresh), issue, 0};
    unpublished_.emplace_back(current.stretch, issue.fences);
  }
  return current.stretch;
}

/// An atomic is known by whoever has one later, without a fence.
std::uint32_t GlobalCheck::strong_stretch(unsigned warp, const Issue& issue, std::uint64_t time) {
  Current& current = strong_.at(warp);
  if (current.stretch == 0 || current.issue.period != issue.period || current.time != time) {
    const Stretch fresh{.block = block_, .published = time, .period = issue.period, .warp = warp};
    current = {launch_.shadow().add(fresh), issue, time};
  }
  return current.stretch;
}

void GlobalCheck::publish(std::uint32_t fences, std::uint64_t time) {
  if (fences == published_) return;
  published_ = fences;
  std::erase_if(unpublished_, [&](const auto& entry) {
    if (entry.second >= fences) return false;
    launch_.shadow().stretch(entry.first).published = time;
    return true;
  });
}

void GlobalCheck::executing(const exec::PendingInstruction& instruction,
                            const BarrierClocks& clocks) {
  const Role role = launch_.role(instruction.pc());
  if (role == Role::none) return;
  const ir::Instruction& in = instruction.ir();
  if (role == Role::fence) {
    ++fences_;
  } else if (global_lanes(instruction, instruction.addresses()) != 0) {
    if (in.orders && stores_global(in)) ++fences_;
    issues_.push_back({clocks.now(instruction.warp()), fences_});
  }
}

void GlobalCheck::accessing(const exec::PendingInstruction& instruction,
                            const BarrierClocks& clocks) {
  if (launch_.role(instruction.pc()) != Role::access) return;
  const ir::Instruction& in = instruction.ir();
  const exec::Lanes addresses = instruction.addresses();
  exec::LaneMask lanes = global_lanes(instruction, addresses);
  if (lanes == 0) return;
  const Issue issue = issues_.front();
  issues_.pop_front();

  const unsigned warp = instruction.warp();
  const bool strong = is_strong(in);
  GlobalSite by;
  by.pc = instruction.pc();
  by.strong = strong ? 1 : 0;
  if (strong) {
    const std::uint64_t time = launch_.turn(block_);
    if (stores_global(in)) publish(issue.fences, time);
    acquired_ = time;
    by.stretch = strong_stretch(warp, issue, time);
  } else {
    by.stretch = stretch_of(warp, issue);
  }

  const unsigned element = ir::size_of(in.type);
  const unsigned bytes = in.vector * element;
  exec::Lanes read;
  read.fill(1);
  if (in.op == ir::Op::copy_async && instruction.has_source(2)) read = instruction.source(2);
  const GlobalShadow::View view{block_, warp, acquired_, clocks};
  std::uint64_t loaded = ~std::uint64_t{0};
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint64_t address = addresses[lane];
    const bool same = address == loaded;  // a broadcast
    if (same || address % bytes != 0 || read[lane] == 0 || DeviceHeap::holds(address)) continue;
    by.lane = lane & 31U;
    met_.clear();
    if (stores_global(in)) {
      launch_.shadow().write(by, {address, bytes, element}, view, met_);
    } else {
      launch_.shadow().read(by, {address, bytes, element}, view, met_);
      loaded = address;
    }
    for (const Meeting& met : met_) {
      const bool both_store = in.op == ir::Op::st && met.other_writes && met.other.strong == 0;
      if (both_store && !strong && !changes(instruction, address, lane, met)) continue;
      launch_.note(by, stores_global(in), met, instruction.memory());
    }
  }
}

}  // namespace paws::sanitize
