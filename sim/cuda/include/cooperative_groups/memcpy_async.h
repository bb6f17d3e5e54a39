// SPDX-License-Identifier: MIT
// Copies by all threads of a group ("CUDA C++ Programming Guide", memcpy_async).
#pragma once

#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

#if defined(__CUDA__) && defined(__clang__)

namespace cooperative_groups {
namespace details {

/// By pieces of `Piece` bytes, to which both addresses and `bytes` are aligned.
template <unsigned int Piece, typename Group>
static __inline__ __device__ void copy_pieces(const Group& group, char* to, const char* from,
                                              size_t bytes, bool asynchronous) {
  for (size_t at = group.thread_rank() * Piece; at < bytes; at += group.size() * Piece) {
    if (asynchronous) {
      __pipeline_memcpy_async(to + at, from + at, Piece);
    } else {
      __builtin_memcpy(__builtin_assume_aligned(to + at, Piece),
                       __builtin_assume_aligned(from + at, Piece), Piece);
    }
  }
}

}  // namespace details

/// Begins a copy of `bytes`, by the widest pieces that the addresses allow. wait() waits for it.
/// Only a copy from global to shared memory goes on by itself. In all other directions, and without
/// an alignment of 4 bytes, the threads have copied when the call returns.
template <typename Group, typename To, typename From>
static __inline__ __device__ void memcpy_async(const Group& group, To* to, const From* from,
                                               size_t bytes) {
  auto* target = reinterpret_cast<char*>(to);
  const auto* source = reinterpret_cast<const char*>(from);
  const size_t ends = reinterpret_cast<size_t>(target) | reinterpret_cast<size_t>(source) | bytes;
  const bool asynchronous = __isShared(to) && __isGlobal(from);
  if (ends % 16 == 0) {
    details::copy_pieces<16>(group, target, source, bytes, asynchronous);
  } else if (ends % 8 == 0) {
    details::copy_pieces<8>(group, target, source, bytes, asynchronous);
  } else if (ends % 4 == 0) {
    details::copy_pieces<4>(group, target, source, bytes, asynchronous);
  } else {
    details::copy_pieces<1>(group, target, source, bytes, false);
  }
  __pipeline_commit();
}

/// As many elements as both sides have.
template <typename Group, typename Element>
static __inline__ __device__ void memcpy_async(const Group& group, Element* to, size_t to_elements,
                                               const Element* from, size_t from_elements) {
  memcpy_async(group, to, from,
               (to_elements < from_elements ? to_elements : from_elements) * sizeof(Element));
}

/// Waits until all copies of the group but the last `Stages` are done, for all its threads.
template <unsigned int Stages, typename Group>
static __inline__ __device__ void wait_prior(const Group& group) {
  __pipeline_wait_prior(Stages);
  group.sync();
}
template <typename Group>
static __inline__ __device__ void wait(const Group& group) {
  wait_prior<0>(group);
}

}  // namespace cooperative_groups

#endif
