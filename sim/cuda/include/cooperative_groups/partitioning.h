// SPDX-License-Identifier: MIT
// Groups that are divided by what their threads say: a condition, or a label.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {
namespace details {

/// A bit of each label, as wide as it is compared.
template <typename Label>
static __inline__ __device__ unsigned int lanes_with(unsigned int lanes, Label label) {
  if constexpr (sizeof(Label) == sizeof(unsigned long long)) {
    return __match_any_sync(lanes, (unsigned long long)label);
  } else {
    return __match_any_sync(lanes, static_cast<unsigned int>(label));
  }
}

static __inline__ __device__ coalesced_group divide_by_condition(const warp_part& group,
                                                                 bool condition) {
  const unsigned int yes = __ballot_sync(group.mask(), condition) & group.mask();
  if (yes == 0 || yes == group.mask()) return coalesced_group(group.mask());
  return coalesced_group(condition ? yes : group.mask() & ~yes, condition, 2);
}

/// The parts are numbered by their first threads.
template <typename Label>
static __inline__ __device__ coalesced_group divide_by_label(const warp_part& group, Label label) {
  const unsigned int lanes = lanes_with(group.mask(), label) & group.mask();
  const unsigned int first = __ffs(lanes) - 1;
  const unsigned int firsts = __ballot_sync(group.mask(), first == lane()) & group.mask();
  return coalesced_group(lanes, __popc(firsts & ((1u << first) - 1)), __popc(firsts));
}
static __inline__ __device__ coalesced_group divide_by_label(const warp_part& group, bool label) {
  return divide_by_condition(group, label);
}

}  // namespace details

/// The threads for which the condition is what it is for this one. Part 1 are those for which it
/// holds, if there are others.
static __inline__ __device__ coalesced_group binary_partition(const coalesced_group& group,
                                                              bool condition) {
  return details::divide_by_condition(group, condition);
}
template <unsigned int Size, typename Parent>
static __inline__ __device__ coalesced_group
binary_partition(const thread_block_tile<Size, Parent>& tile, bool condition) {
  return details::divide_by_condition(tile, condition);
}

/// The threads with this one's label, which is an integer or a pointer.
template <typename Label>
static __inline__ __device__ coalesced_group labeled_partition(const coalesced_group& group,
                                                               Label label) {
  return details::divide_by_label(group, label);
}
template <typename Label, unsigned int Size, typename Parent>
static __inline__ __device__ coalesced_group
labeled_partition(const thread_block_tile<Size, Parent>& tile, Label label) {
  return details::divide_by_label(tile, label);
}

}  // namespace cooperative_groups
