// SPDX-License-Identifier: MIT
// Cooperative groups: block, tiles of a warp, the threads that run together, and the grid.
// Names and meanings are those of the "CUDA C++ Programming Guide".
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {

namespace details {

/// Counts the blocks that stand at a barrier of the grid; the top bit changes when all have come.
static __device__ unsigned int grid_barrier;

/// Not 0 in a cooperative launch: the runtime, which knows the variable by this name, changes it
/// (sim/cuda/modules.h).
static __device__ volatile unsigned int in_cooperative_grid __asm__("paws_in_cooperative_grid");

static __inline__ __device__ unsigned int rank_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
static __inline__ __device__ unsigned int threads_in_block() {
  return blockDim.x * blockDim.y * blockDim.z;
}
static __inline__ __device__ unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }

/// A value of any size, shuffled by words.
template <typename T, typename Shuffle>
static __inline__ __device__ T by_words(T value, Shuffle shuffle) {
  constexpr unsigned int kWords = (sizeof(T) + 3) / 4;
  unsigned int words[kWords] = {};
  memcpy(words, &value, sizeof(T));
  for (unsigned int i = 0; i < kWords; ++i) words[i] = shuffle(words[i]);
  memcpy(&value, words, sizeof(T));
  return value;
}

}  // namespace details

/// A part of a warp: the lanes of a mask.
class warp_part {
 public:
  __device__ explicit warp_part(unsigned int mask) : mask_(mask) {}
  __device__ void sync() const { __syncwarp(mask_); }
  __device__ unsigned int mask() const { return mask_; }

 protected:
  unsigned int mask_;
};

class thread_block {
 public:
  struct arrival_token {};

  static __device__ void sync() { __syncthreads(); }
  /// A thread has arrived when it waits, as on a GPU.
  static __device__ arrival_token barrier_arrive() { return {}; }
  static __device__ void barrier_wait(arrival_token&&) { __syncthreads(); }
  static __device__ unsigned int thread_rank() { return details::rank_in_block(); }
  static __device__ unsigned int size() { return details::threads_in_block(); }
  static __device__ unsigned int num_threads() { return details::threads_in_block(); }
  static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __device__ dim3 dim_threads() { return group_dim(); }
};

static __inline__ __device__ thread_block this_thread_block() { return thread_block(); }

/// Threads of a warp: those that are together at the moment, or a part of a group.
class coalesced_group : public warp_part {
 public:
  /// The group is one of `parts`, which are numbered.
  __device__ explicit coalesced_group(unsigned int mask, unsigned int part = 0,
                                      unsigned int parts = 1)
      : warp_part(mask), part_(part), parts_(parts) {}
  __device__ unsigned int size() const { return __popc(mask_); }
  __device__ unsigned int num_threads() const { return size(); }
  __device__ unsigned int thread_rank() const {
    return __popc(mask_ & ((1u << details::lane()) - 1));
  }
  __device__ unsigned int meta_group_rank() const { return part_; }
  __device__ unsigned int meta_group_size() const { return parts_; }
  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
  /// One bit per rank.
  __device__ unsigned int ballot(int predicate) const {
    return pack(__ballot_sync(mask_, predicate));
  }
  template <typename T>
  __device__ T shfl(T value, unsigned int rank) const {
    return from_lane(value, lane_of(rank));
  }
  template <typename T>
  __device__ T shfl_down(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank() + delta;
    return from_lane(value, rank < size() ? lane_of(rank) : details::lane());
  }
  template <typename T>
  __device__ T shfl_up(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return from_lane(value, rank >= delta ? lane_of(rank - delta) : details::lane());
  }
  /// One bit per rank, as ballot().
  template <typename T>
  __device__ unsigned int match_any(T value) const {
    return pack(__match_any_sync(mask_, value));
  }
  template <typename T>
  __device__ unsigned int match_all(T value, int& agrees) const {
    return pack(__match_all_sync(mask_, value, &agrees));
  }

 private:
  template <typename T>
  __device__ T from_lane(T value, unsigned int lane) const {
    return details::by_words(value,
                             [=](unsigned int word) { return __shfl_sync(mask_, word, lane); });
  }
  __device__ unsigned int lane_of(unsigned int rank) const {
    unsigned int left = mask_;
    while (rank-- > 0) left &= left - 1;
    return __ffs(left) - 1;
  }
  __device__ unsigned int pack(unsigned int lanes) const {
    unsigned int bits = 0;
    unsigned int rank = 0;
    for (unsigned int left = mask_; left != 0; left &= left - 1) {
      bits |= ((lanes >> (__ffs(left) - 1)) & 1) << rank++;
    }
    return bits;
  }

  unsigned int part_, parts_;
};

static __inline__ __device__ coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

template <unsigned int Size, typename Parent = void>
class thread_block_tile;

namespace details {

/// Where a thread stands in the group that a tile was made of.
template <typename Parent>
struct parent_of_tile {
  static __device__ unsigned int rank() { return rank_in_block(); }
  static __device__ unsigned int size() { return threads_in_block(); }
};
template <unsigned int Size, typename Parent>
struct parent_of_tile<thread_block_tile<Size, Parent>> {
  static __device__ unsigned int rank() { return rank_in_block() % Size; }
  static __device__ unsigned int size() { return Size; }
};

}  // namespace details

/// `Size` neighbouring threads of a warp.
template <unsigned int Size>
class warp_tile : public warp_part {
  static_assert(Size != 0 && Size <= 32 && (Size & (Size - 1)) == 0, "1, 2, 4, 8, 16 or 32");

 public:
  static constexpr __host__ __device__ unsigned int size() { return Size; }
  static constexpr __host__ __device__ unsigned int num_threads() { return Size; }
  static __device__ unsigned int thread_rank() { return details::rank_in_block() % Size; }
  template <typename T>
  __device__ T shfl(T value, int rank) const {
    return details::by_words(
        value, [=](unsigned int word) { return __shfl_sync(mask_, word, rank, Size); });
  }
  template <typename T>
  __device__ T shfl_up(T value, unsigned int delta) const {
    return details::by_words(
        value, [=](unsigned int word) { return __shfl_up_sync(mask_, word, delta, Size); });
  }
  template <typename T>
  __device__ T shfl_down(T value, unsigned int delta) const {
    return details::by_words(
        value, [=](unsigned int word) { return __shfl_down_sync(mask_, word, delta, Size); });
  }
  template <typename T>
  __device__ T shfl_xor(T value, unsigned int bits) const {
    return details::by_words(
        value, [=](unsigned int word) { return __shfl_xor_sync(mask_, word, bits, Size); });
  }
  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
  __device__ unsigned int ballot(int predicate) const {
    return (__ballot_sync(mask_, predicate) & mask_) >> first_lane();
  }
  template <typename T>
  __device__ unsigned int match_any(T value) const {
    return (__match_any_sync(mask_, value) & mask_) >> first_lane();
  }
  template <typename T>
  __device__ unsigned int match_all(T value, int& agrees) const {
    return (__match_all_sync(mask_, value, &agrees) & mask_) >> first_lane();
  }

 protected:
  __device__ warp_tile() : warp_part(tile_mask()) {}

 private:
  static __device__ unsigned int first_lane() { return details::lane() & ~(Size - 1); }
  static __device__ unsigned int tile_mask() {
    return (Size == 32 ? 0xffffffffu : (1u << (Size % 32)) - 1) << first_lane();
  }
};

/// A tile of a `Parent`.
template <unsigned int Size, typename Parent>
class thread_block_tile : public warp_tile<Size> {
 public:
  static __device__ unsigned int meta_group_rank() {
    return details::parent_of_tile<Parent>::rank() / Size;
  }
  static __device__ unsigned int meta_group_size() {
    return (details::parent_of_tile<Parent>::size() + Size - 1) / Size;
  }
};

/// A tile of any group, as functions take it.
template <unsigned int Size>
class thread_block_tile<Size, void> : public warp_tile<Size> {
 public:
  __device__ thread_block_tile() : rank_(0), tiles_(1) {}
  template <typename Parent>
  __device__ thread_block_tile(const thread_block_tile<Size, Parent>& tile)
      : warp_tile<Size>(tile), rank_(tile.meta_group_rank()), tiles_(tile.meta_group_size()) {}
  __device__ unsigned int meta_group_rank() const { return rank_; }
  __device__ unsigned int meta_group_size() const { return tiles_; }

 private:
  unsigned int rank_, tiles_;
};

template <unsigned int Size, typename Parent>
static __inline__ __device__ thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}

/// A group of one.
static __inline__ __device__ thread_block_tile<1> this_thread() { return thread_block_tile<1>(); }

/// All blocks of a cooperative launch.
class grid_group {
 public:
  static __device__ bool is_valid() { return details::in_cooperative_grid != 0; }
  static __device__ unsigned long long size() { return num_blocks() * details::threads_in_block(); }
  static __device__ unsigned long long num_threads() { return size(); }
  static __device__ unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static __device__ dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ unsigned long long block_rank() {
    return blockIdx.x +
           gridDim.x * (blockIdx.y + gridDim.y * static_cast<unsigned long long>(blockIdx.z));
  }
  static __device__ unsigned long long thread_rank() {
    return block_rank() * details::threads_in_block() + details::rank_in_block();
  }
  static __device__ dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }
  static __device__ dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static __device__ dim3 dim_blocks() { return group_dim(); }
  static __device__ dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }

  static __device__ void sync() { barrier_wait(barrier_arrive()); }

  /// The barrier as the first thread of a block found it.
  using arrival_token = unsigned int;

  /// Each block adds 1, the first one what is missing to the top bit: that bit changes with the
  /// last block, and the next barrier changes it back.
  static __device__ arrival_token barrier_arrive() {
    __syncthreads();
    if (details::rank_in_block() != 0) return 0;
    const auto blocks = static_cast<unsigned int>(num_blocks());
    const unsigned int mine = block_rank() == 0 ? 0x80000000u - (blocks - 1) : 1;
    __threadfence();
    return atomicAdd(&details::grid_barrier, mine);
  }
  static __device__ void barrier_wait(arrival_token&& before) {
    if (details::rank_in_block() == 0) {
      const volatile unsigned int* now = &details::grid_barrier;
      while (((before ^ *now) & 0x80000000u) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }
};

static __inline__ __device__ grid_group this_grid() { return grid_group(); }

template <typename Group>
static __inline__ __device__ void sync(const Group& group) {
  group.sync();
}
template <typename Group>
static __inline__ __device__ auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <typename Group>
static __inline__ __device__ auto group_size(const Group& group) -> decltype(group.size()) {
  return group.size();
}

template <typename T>
struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T>
struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T>
struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <typename T>
struct bit_and {
  __device__ T operator()(T a, T b) const { return a & b; }
};
template <typename T>
struct bit_or {
  __device__ T operator()(T a, T b) const { return a | b; }
};
template <typename T>
struct bit_xor {
  __device__ T operator()(T a, T b) const { return a ^ b; }
};

/// Every thread gets the result.
template <unsigned int Size, typename Parent, typename T, typename Operation>
static __inline__ __device__ T reduce(const thread_block_tile<Size, Parent>& tile, T value,
                                      Operation operation) {
  for (unsigned int step = Size / 2; step != 0; step /= 2) {
    value = operation(value, tile.shfl_xor(value, step));
  }
  return value;
}
template <typename T, typename Operation>
static __inline__ __device__ T reduce(const coalesced_group& group, T value, Operation operation) {
  T result = group.shfl(value, 0);
  for (unsigned int rank = 1; rank < group.size(); ++rank) {
    result = operation(result, group.shfl(value, rank));
  }
  return result;
}

/// The thread of rank r gets what those of ranks 0 to r make together: of a tile, or of threads
/// that run together.
template <typename Group, typename T, typename Operation>
static __inline__ __device__ T inclusive_scan(const Group& group, T value, Operation operation) {
  for (unsigned int step = 1; step < group.size(); step *= 2) {
    const T before = group.shfl_up(value, step);
    if (group.thread_rank() >= step) value = operation(before, value);
  }
  return value;
}
template <typename Group, typename T>
static __inline__ __device__ T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
/// Without its own value; rank 0 gets a zero.
template <typename Group, typename T, typename Operation>
static __inline__ __device__ T exclusive_scan(const Group& group, T value, Operation operation) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <typename Group, typename T>
static __inline__ __device__ T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups

#include "cooperative_groups/invoke.h"
#include "cooperative_groups/partitioning.h"
#include "cooperative_groups/thread_group.h"
