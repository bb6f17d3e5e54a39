// SPDX-License-Identifier: MIT
// Copies to shared memory by a group of threads, which may go on meanwhile ("CUDA C++ Programming
// Guide", "memcpy_async").
#pragma once

#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

namespace cooperative_groups {

namespace details {

/// Pieces of `Size` bytes, one of each thread after the other.
template <unsigned int Size, typename Group>
static __inline__ __device__ void copy_pieces(const Group& group, char* to, const char* from,
                                              size_t bytes) {
  for (size_t at = size_t{Size} * group.thread_rank(); at < bytes;
       at += size_t{Size} * group.size()) {
    __pipeline_memcpy_async(to + at, from + at, Size);
  }
}

}  // namespace details

/// The whole group calls it with the same arguments. What no asynchronous copy can do, because of
/// its alignment, is copied at once.
template <typename Group, typename To, typename From>
static __inline__ __device__ void memcpy_async(const Group& group, To* to, const From* from,
                                               size_t bytes) {
  char* const target = reinterpret_cast<char*>(to);
  const char* const source = reinterpret_cast<const char*>(from);
  const size_t all = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
  if (all % 16 == 0) {
    details::copy_pieces<16>(group, target, source, bytes);
  } else if (all % 4 == 0) {
    details::copy_pieces<4>(group, target, source, bytes);
  } else {
    for (size_t at = group.thread_rank(); at < bytes; at += group.size()) target[at] = source[at];
  }
  __pipeline_commit();
}

/// Until all copies but the youngest `Count` are there, of every thread of the group.
template <unsigned int Count, typename Group>
static __inline__ __device__ void wait_prior(const Group& group) {
  __pipeline_wait_prior(Count);
  group.sync();
}
template <typename Group>
static __inline__ __device__ void wait(const Group& group) {
  wait_prior<0>(group);
}

}  // namespace cooperative_groups
