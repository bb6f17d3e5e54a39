// SPDX-License-Identifier: MIT
#include "sim/sanitize/shuffle_rules.h"

#include <fmt/format.h>

#include <bit>

#include "sim/exec/shuffle.h"

namespace paws::sanitize {
namespace {

using Cause = ShuffleVerdict::Cause;

constexpr unsigned kMembers = 3;  ///< source of shfl.sync

bool has(exec::LaneMask mask, unsigned lane) { return (mask >> lane & 1) != 0; }

}  // namespace

ShuffleVerdict check_shuffle(const exec::PendingInstruction& instruction) {
  const exec::LaneMask active = instruction.active();
  const exec::Lanes b = instruction.source(1);
  const exec::Lanes c = instruction.source(2);
  exec::Lanes members;
  members.fill(~std::uint32_t{0});
  const bool masked = instruction.has_source(kMembers);
  if (masked) members = instruction.source(kMembers);
  ShuffleVerdict verdict;
  for (exec::LaneMask left = active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const auto mask = static_cast<exec::LaneMask>(members[lane]);
    const unsigned source =
        exec::shuffle_source(instruction.ir().shfl, lane, static_cast<std::uint32_t>(b[lane]),
                             static_cast<std::uint32_t>(c[lane]));
    const exec::LaneMask missing = masked ? mask & instruction.live() & ~active : 0;
    Cause cause = Cause::none;
    unsigned other = source;
    if (!has(active, source)) {
      cause = Cause::source_does_not_execute;
    } else if (!has(mask, lane)) {
      cause = Cause::reader_not_a_member;
    } else if (!has(mask, source)) {
      cause = Cause::source_not_a_member;
    } else if (missing != 0) {
      cause = Cause::member_does_not_execute;
      other = static_cast<unsigned>(std::countr_zero(missing));
    }
    if (cause == Cause::none) continue;
    if (verdict.lanes == 0) {
      verdict.cause = cause;
      verdict.reader = lane;
      verdict.other = other;
      verdict.members = mask;
    }
    verdict.lanes |= exec::LaneMask{1} << lane;
  }
  return verdict;
}

std::string explain(const ShuffleVerdict& verdict, exec::LaneMask in_block, exec::LaneMask live) {
  switch (verdict.cause) {
    case Cause::none:
      return "";
    case Cause::source_does_not_execute: {
      const char* why = "does not execute this shuffle";
      if (!has(live, verdict.other)) why = "has ended";
      if (!has(in_block, verdict.other)) why = "is beyond the block";
      return fmt::format("lane {} reads lane {}, which {}", verdict.reader, verdict.other, why);
    }
    case Cause::source_not_a_member:
      return fmt::format("lane {} reads lane {}, which the member mask 0x{:x} does not name",
                         verdict.reader, verdict.other, verdict.members);
    case Cause::reader_not_a_member:
      return fmt::format("lane {} executes it, and its member mask 0x{:x} does not name it",
                         verdict.reader, verdict.members);
    case Cause::member_does_not_execute:
      return fmt::format(
          "the member mask 0x{:x} of lane {} names lane {}, which does not execute "
          "this shuffle",
          verdict.members, verdict.reader, verdict.other);
  }
  return "";
}

}  // namespace paws::sanitize
