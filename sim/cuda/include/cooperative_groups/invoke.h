// SPDX-License-Identifier: MIT
// Functions that one thread of a group calls.
#pragma once

#include <type_traits>

#include "../cooperative_groups.h"

namespace cooperative_groups {

/// Which thread calls it is not said.
template <typename Group, typename Function, typename... Arguments>
static __inline__ __device__ void invoke_one(const Group& group, Function&& function,
                                             Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}

/// All threads get what the function returns. The group is a tile, or threads that run together.
template <typename Group, typename Function, typename... Arguments>
static __inline__ __device__ auto invoke_one_broadcast(const Group& group, Function&& function,
                                                       Arguments&&... arguments) ->
    typename std::decay<decltype(function(static_cast<Arguments&&>(arguments)...))>::type {
  static_assert(std::is_base_of<warp_part, Group>::value, "not a group within a warp");
  typename std::decay<decltype(function(static_cast<Arguments&&>(arguments)...))>::type result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
