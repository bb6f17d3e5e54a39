// SPDX-License-Identifier: MIT
// A group of any kind, and groups that are divided into tiles of a size that is known at run time.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

/// What a function takes that serves every group.
class thread_group {
 public:
  __device__ thread_group(const grid_group&) : kind_(kGrid) {}
  __device__ thread_group(const thread_block&) : kind_(kBlock) {}
  __device__ thread_group(const warp_part& part) : kind_(kWarpPart), mask_(part.mask()) {}

  __device__ unsigned long long size() const {
    if (kind_ == kGrid) return grid_group::size();
    return kind_ == kBlock ? thread_block::size() : __popc(mask_);
  }
  __device__ unsigned long long num_threads() const { return size(); }
  __device__ unsigned long long thread_rank() const {
    if (kind_ == kGrid) return grid_group::thread_rank();
    return kind_ == kBlock ? thread_block::thread_rank() : coalesced_group(mask_).thread_rank();
  }
  __device__ void sync() const {
    if (kind_ == kGrid) {
      grid_group::sync();
    } else if (kind_ == kBlock) {
      thread_block::sync();
    } else {
      __syncwarp(mask_);
    }
  }

  /// Its threads in the warp of this one. The grid has no tiles: the kernel ends with an error.
  __device__ coalesced_group part_in_warp() const {
    if (kind_ == kGrid) __trap();
    if (kind_ == kWarpPart) return coalesced_group(mask_);
    const unsigned int left = thread_block::size() - thread_block::thread_rank() / 32 * 32;
    return coalesced_group(left >= 32 ? 0xffffffffu : (1u << left) - 1);
  }

 private:
  enum Kind { kGrid, kBlock, kWarpPart };
  Kind kind_;
  unsigned int mask_ = 0;
};

/// `size` threads that follow each other by rank: 1, 2, 4, 8, 16 or 32. The last tile may be
/// smaller. Any other size is an error of the kernel, which ends.
static __inline__ __device__ coalesced_group tiled_partition(const coalesced_group& group,
                                                             unsigned int size) {
  if (size == 0 || size > 32 || (size & (size - 1)) != 0) __trap();
  if (group.size() <= size) return group;
  const unsigned int tile = group.thread_rank() / size;
  unsigned int mask = 0;
  unsigned int rank = 0;
  for (unsigned int left = group.mask(); left != 0; left &= left - 1) {
    if (rank++ / size == tile) mask |= left & -left;
  }
  return coalesced_group(mask, tile, (group.size() + size - 1) / size);
}
static __inline__ __device__ thread_group tiled_partition(const thread_group& group,
                                                          unsigned int size) {
  return tiled_partition(group.part_in_warp(), size);
}
static __inline__ __device__ thread_group tiled_partition(const thread_block& block,
                                                          unsigned int size) {
  return tiled_partition(thread_group(block), size);
}

}  // namespace cooperative_groups
