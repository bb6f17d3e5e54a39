// SPDX-License-Identifier: MIT
// Reads the queues of a verilated engine through the signals that rtl/paws_public.vlt makes
// readable; that file says how each queue's order is read. Here alone are RTL-internal names used.
// Included by verilated_adapter.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/scheduler.h"

/// Whether the engine has the policy of this name in rtl/paws_pkg.sv.
#define PAWS_BUILT(policy) ((PAWS_POLICIES >> PAWS_CODE_##policy) & 1)

namespace paws {

/// Bit `index` of a verilated vector of any width.
template <class Vector>
bool bit_of(const Vector& vector, unsigned index) {
  if constexpr (std::is_integral_v<Vector>) {
    return ((vector >> index) & 1) != 0;
  } else {
    return ((vector[index / 32] >> (index % 32)) & 1) != 0;
  }
}

#if defined(PAWS_NETLIST)

/// A netlist has no queues to look at.
template <class Top>
QueueSnapshot read_queues(const Top& /*top*/) {
  return {};
}

#elif defined(PAWS_TWO_LEVEL)

#define PAWS_SIGNAL(name) top.rootp->engine_top__DOT__u_scheduler__DOT__##name

/// Whether entry `a` of ready comes before entry `b`.
template <class Top>
bool comes_before([[maybe_unused]] const Top& top, unsigned a, unsigned b) {
#if PAWS_READY > 1
  if (a < b) return bit_of(PAWS_SIGNAL(u_ready__DOT__gen_order__DOT__first_q), b * (b - 1) / 2 + a);
  if (b < a)
    return !bit_of(PAWS_SIGNAL(u_ready__DOT__gen_order__DOT__first_q), a * (a - 1) / 2 + b);
#endif
  return false;
}

template <class Top>
std::vector<WarpId> read_ready(const Top& top) {
  const auto& valid = PAWS_SIGNAL(u_ready__DOT__valid_q);
  std::vector<unsigned> entries;
  for (unsigned entry = 0; entry < PAWS_READY; ++entry) {
    if (bit_of(valid, entry)) entries.push_back(entry);
  }
  // Not a sort: if the order bits were broken, they need not be an order at all.
  std::vector<WarpId> ready(entries.size());
  for (const unsigned entry : entries) {
    const auto place = std::count_if(entries.begin(), entries.end(), [&](unsigned other) {
      return comes_before(top, other, entry);
    });
    ready[place] = PAWS_SIGNAL(u_ready__DOT__warp_q)[entry];
  }
  return ready;
}

/// The number of `warp` in an array of bit slices, the lowest bit first.
template <class Slices>
unsigned number_of(const Slices& slices, unsigned warp) {
  unsigned number = 0;
  for (unsigned bit = 0; bit < std::size(slices.m_storage); ++bit) {
    number |= unsigned{bit_of(slices[bit], warp)} << bit;
  }
  return number;
}

/// The warps of `members`, the one with the smallest key first.
template <class Members, class Key>
std::vector<WarpId> in_order(const Members& members, Key key) {
  std::vector<WarpId> warps;
  for (unsigned warp = 0; warp < PAWS_WARPS; ++warp) {
    if (bit_of(members, warp)) warps.push_back(warp);
  }
  std::sort(warps.begin(), warps.end(), [&](WarpId a, WarpId b) { return key(a) < key(b); });
  return warps;
}

#if PAWS_WAKE_OLDEST || PAWS_BUILT(GTO) || (PAWS_BUILT(PAWS) && !PAWS_TIE_ARRIVAL)
/// The age of `warp` as a rank, the oldest first; there is none where no order needs it.
template <class Top>
unsigned read_age(const Top& top, WarpId warp) {
  return number_of(PAWS_SIGNAL(gen_age__DOT__u_age__DOT__rank_q), warp);
}
#define PAWS_HAS_AGE
#endif

template <class Top>
std::vector<WarpId> read_collector(const Top& top) {
  return in_order(PAWS_SIGNAL(u_collector__DOT__member_q), [&](WarpId warp) {
#if PAWS_WAKE_OLDEST
    const unsigned in_batch = read_age(top, warp);
#else
    const unsigned in_batch = warp;
#endif
    return std::pair(number_of(PAWS_SIGNAL(u_places__DOT__place_q), warp), in_batch);
  });
}

/// The warps that have waited for long.
template <class Top>
WarpMask read_due([[maybe_unused]] const Top& top) {
#if PAWS_AGE_LIMIT > 0
  return PAWS_SIGNAL(gen_limit__DOT__u_limit__DOT__due_q);
#else
  return 0;
#endif
}

#if PAWS_SORTER == 1

#if PAWS_BUILT(PAWS)
/// The key of the length of a warp.
template <class Top>
unsigned read_length(const Top& top, WarpId warp) {
#if PAWS_HELD_LENGTH
  const auto& slices = PAWS_SIGNAL(gen_phase__DOT__gen_held__DOT__held_length);
  unsigned length = 0;
  for (unsigned bit = 0; (bit + 1) * PAWS_WARPS <= 8 * sizeof slices; ++bit) {
    length |= unsigned{bit_of(slices, bit * PAWS_WARPS + warp)} << bit;
  }
  return length;
#else
  return number_of(PAWS_SIGNAL(gen_phase__DOT__gen_store__DOT__u_phase__DOT__length_q), warp);
#endif
}
#endif

template <class Top>
std::vector<WarpId> read_active(const Top& top) {
  [[maybe_unused]] const bool by_length = top.policy_i == PAWS_CODE_PAWS;
  [[maybe_unused]] const bool by_age =
      top.policy_i == PAWS_CODE_GTO || (by_length && PAWS_TIE_ARRIVAL == 0);
  const WarpMask due = read_due(top);
  return in_order(PAWS_SIGNAL(gen_tree__DOT__u_active__DOT__member_q), [&](WarpId warp) {
    unsigned length = 0;
#if PAWS_BUILT(PAWS)
    if (by_length) length = read_length(top, warp);
#endif
    unsigned order = 0;
#ifdef PAWS_HAS_AGE
    order = read_age(top, warp);
#endif
#if PAWS_BUILT(RR) || (PAWS_BUILT(PAWS) && PAWS_TIE_ARRIVAL)
    if (!by_age) {
      order =
          PAWS_SIGNAL(gen_tree__DOT__u_active__DOT__gen_arrival__DOT__u_arrival__DOT__rank_q)[warp];
    }
#endif
    return std::tuple(!bit_of(due, warp), length, order);
  });
}

#else

/// The warps that are in order already.
template <class Top>
std::vector<WarpId> read_sorted(const Top& top) {
#if PAWS_SORTER == 0
  constexpr unsigned kDepth = PAWS_WARPS > PAWS_READY ? PAWS_WARPS - PAWS_READY : 1;
  std::vector<WarpId> sorted;
  for (unsigned entry = 0; entry < kDepth; ++entry) {
    if (bit_of(PAWS_SIGNAL(gen_sorted__DOT__gen_shift__DOT__u_active__DOT__valid_q), entry)) {
      sorted.push_back(PAWS_SIGNAL(gen_sorted__DOT__gen_shift__DOT__u_active__DOT__warp_q)[entry]);
    }
  }
  return sorted;
#else
  return in_order(
      PAWS_SIGNAL(gen_sorted__DOT__gen_rank__DOT__u_active__DOT__member_q),
      [&](WarpId warp) { return number_of(PAWS_SIGNAL(u_places__DOT__place_q), warp); });
#endif
}

template <class Top>
std::vector<WarpId> read_active(const Top& top) {
  std::vector<WarpId> active = read_sorted(top);
  if (PAWS_SIGNAL(gen_sorted__DOT__u_entrant__DOT__valid_q) == 0) return active;
  // The entrant stands before the first warp that it is said to go before.
  const auto behind = std::find_if(active.begin(), active.end(), [&](WarpId warp) {
    return bit_of(PAWS_SIGNAL(gen_sorted__DOT__goes_before), warp);
  });
  const std::uint64_t slot = PAWS_SIGNAL(gen_sorted__DOT__u_entrant__DOT__slot_q);
  active.insert(behind, static_cast<WarpId>(std::countr_zero(slot)));
  return active;
}

#endif

template <class Top>
QueueSnapshot read_queues(const Top& top) {
  QueueSnapshot snapshot;
  snapshot.ready = read_ready(top);
  snapshot.active = read_active(top);
  snapshot.collector = read_collector(top);
  snapshot.pending = PAWS_SIGNAL(pending_q);
  snapshot.due = read_due(top);
  return snapshot;
}

/// The masks of read_queues().
template <class Top>
QueueMasks read_queue_masks(const Top& top) {
  QueueMasks masks{0, PAWS_SIGNAL(pending_q)};
  const auto& valid = PAWS_SIGNAL(u_ready__DOT__valid_q);
  for (unsigned entry = 0; entry < PAWS_READY; ++entry) {
    masks.ready |= WarpMask{bit_of(valid, entry)} << PAWS_SIGNAL(u_ready__DOT__warp_q)[entry];
  }
  return masks;
}

#undef PAWS_HAS_AGE
#undef PAWS_SIGNAL

#elif defined(PAWS_FETCH_GROUP)

template <class Top>
QueueSnapshot read_queues(const Top& top) {
  QueueSnapshot snapshot;
#define PAWS_SIGNAL(name) top.rootp->engine_top__DOT__u_scheduler__DOT__##name
  if (PAWS_SIGNAL(last_valid_q) == 0) return snapshot;
  snapshot.last_issued = PAWS_SIGNAL(last_q);
#if PAWS_TIMEOUT > 0
  snapshot.group_run = PAWS_SIGNAL(gen_timeout__DOT__run_q);
#endif
#undef PAWS_SIGNAL
  return snapshot;
}

#elif defined(PAWS_ORDERED)

template <class Top>
QueueSnapshot read_queues(const Top& top) {
  QueueSnapshot snapshot;
#define PAWS_SIGNAL(name) top.rootp->engine_top__DOT__u_scheduler__DOT__##name
  snapshot.barred = PAWS_SIGNAL(waiting_q);
#if PAWS_AGE_LIMIT > 0
  snapshot.due = PAWS_SIGNAL(gen_limit__DOT__u_limit__DOT__due_q);
#endif
#undef PAWS_SIGNAL
  return snapshot;
}

#else

template <class Top>
QueueSnapshot read_queues([[maybe_unused]] const Top& top) {
  QueueSnapshot snapshot;
#define PAWS_SIGNAL(name) top.rootp->engine_top__DOT__u_scheduler__DOT__##name
#if PAWS_BUILT(RR) || PAWS_BUILT(GTO) || PAWS_BUILT(CGGTY)
  if (PAWS_SIGNAL(gen_last__DOT__last_valid_q) != 0) {
    snapshot.last_issued = PAWS_SIGNAL(gen_last__DOT__last_warp_q);
  }
#endif
#if PAWS_BUILT(CGGTY)
  if (PAWS_SIGNAL(gen_bar__DOT__barred_q) != 0) {
    snapshot.barred = WarpMask{1} << PAWS_SIGNAL(gen_last__DOT__last_warp_q);
  }
#endif
#if PAWS_BUILT(SCA)
  if (PAWS_SIGNAL(gen_sca__DOT__u_sca__DOT__group_valid_q) != 0) {
    snapshot.group =
        GroupTurn{.pair = PAWS_SIGNAL(gen_sca__DOT__u_sca__DOT__pair_q),
                  .row = PAWS_SIGNAL(gen_sca__DOT__u_sca__DOT__row_q),
                  .last_second = PAWS_SIGNAL(gen_sca__DOT__u_sca__DOT__last_second_q) != 0};
  }
#endif
#if PAWS_AGE_LIMIT > 0 && PAWS_POLICIES != 1 << PAWS_CODE_RR
  snapshot.due = PAWS_SIGNAL(gen_limit__DOT__u_limit__DOT__due_q);
#endif
#undef PAWS_SIGNAL
  return snapshot;
}

#endif

}  // namespace paws
