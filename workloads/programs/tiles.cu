// SPDX-License-Identifier: MIT
// Tiles smaller than a warp: the lanes of each vote and compare among themselves, whichever tile
// the warp's first lane is in. Sums and scans of tiles, and of threads that run together.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

constexpr unsigned kThreads = 96;
constexpr unsigned kTile = 8;

struct Answers {
  int any, all, rank, tiles, inner_rank, inner_tiles, outer_rank, outer_tiles;
  unsigned ballot, match;
};

__global__ void ask(Answers* answers) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<kTile>(block);
  const auto half = cg::tiled_partition<16>(block);
  const auto quarter = cg::tiled_partition<4>(half);
  const unsigned thread = threadIdx.x;
  Answers& mine = answers[thread];
  mine.any = tile.any(thread == 17);
  mine.all = tile.all(thread < 12);
  mine.ballot = tile.ballot(thread % 3 == 0);
  mine.match = tile.match_any(thread / 2);
  mine.rank = tile.meta_group_rank();
  mine.tiles = tile.meta_group_size();
  mine.inner_rank = quarter.meta_group_rank();
  mine.inner_tiles = quarter.meta_group_size();
  mine.outer_rank = half.meta_group_rank();
  mine.outer_tiles = half.meta_group_size();
}

struct Sums {
  int total, before, up_to, together, together_up_to, rank, size;
  unsigned together_match, bits, agree, differ;
};

/// The type does not say what the tile was made of.
__device__ int total(const cg::thread_block_tile<4> tile, int value) {
  for (unsigned step = tile.size() / 2; step != 0; step /= 2) value += tile.shfl_down(value, step);
  return tile.shfl(value, 0) * 100 + tile.meta_group_rank() * 10 + tile.meta_group_size();
}

__global__ void add(Sums* sums) {
  const cg::thread_block block = cg::this_thread_block();
  const auto half = cg::tiled_partition<16>(block);
  const auto quarter = cg::tiled_partition<4>(half);
  const auto tile = cg::tiled_partition<kTile>(block);
  const int thread = threadIdx.x;
  Sums& mine = sums[thread];
  mine.total = total(quarter, thread);
  mine.before = cg::exclusive_scan(tile, thread);
  mine.up_to = cg::inclusive_scan(tile, thread);
  mine.bits = cg::reduce(tile, 1u << thread % kTile, cg::bit_or<unsigned>()) ^
              cg::reduce(tile, 1u << thread % kTile, cg::bit_xor<unsigned>()) ^
              cg::reduce(tile, 7u << thread % 2, cg::bit_and<unsigned>());
  mine.rank = cg::thread_rank(tile);
  mine.size = cg::group_size(tile);
  int agrees = 0;
  mine.agree = half.match_all(thread / 16, agrees) << 1 | (agrees != 0);
  mine.differ = half.match_all(thread / 2, agrees) << 1 | (agrees != 0);
  if (thread % 3 == 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    mine.together = cg::reduce(group, thread, cg::plus<int>());
    mine.together_up_to = cg::inclusive_scan(group, thread);
    mine.together_match = group.match_any(thread / 6);
  }
}

static void check_sums() {
  Sums* sums = nullptr;
  CHECK(cudaMallocManaged(&sums, kThreads * sizeof(Sums)));
  add<<<1, kThreads>>>(sums);
  CHECK(cudaDeviceSynchronize());
  for (int thread = 0; thread < static_cast<int>(kThreads); ++thread) {
    const Sums& mine = sums[thread];
    EXPECT(mine.total == (thread / 4 * 16 + 6) * 100 + thread % 16 / 4 * 10 + 4);
    int before = 0;
    for (int other = thread / 8 * 8; other < thread; ++other) before += other;
    EXPECT(mine.before == before);
    EXPECT(mine.up_to == before + thread);
    EXPECT(mine.bits == 6);
    EXPECT(mine.rank == thread % 8 && mine.size == 8);
    EXPECT(mine.agree == 0x1ffff);
    EXPECT(mine.differ == 0);
    if (thread % 3 != 0) continue;
    int together = 0, up_to = 0, rank = 0;
    unsigned match = 0;
    for (int other = thread / 32 * 32; other < thread / 32 * 32 + 32; ++other) {
      if (other % 3 != 0) continue;
      together += other;
      if (other <= thread) up_to += other;
      if (other / 6 == thread / 6) match |= 1u << rank;
      ++rank;
    }
    EXPECT(mine.together == together);
    EXPECT(mine.together_up_to == up_to);
    EXPECT(mine.together_match == match);
  }
  CHECK(cudaFree(sums));
}

__global__ void in_grid(int* valid) { *valid = cg::this_grid().is_valid(); }

int main() {
  Answers* answers = nullptr;
  CHECK(cudaMallocManaged(&answers, kThreads * sizeof(Answers)));
  ask<<<1, kThreads>>>(answers);
  CHECK(cudaDeviceSynchronize());
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    const unsigned first = thread / kTile * kTile;
    unsigned thirds = 0;
    for (unsigned lane = 0; lane < kTile; ++lane) thirds |= ((first + lane) % 3 == 0) << lane;
    EXPECT((answers[thread].any != 0) == (first == 16));
    EXPECT((answers[thread].all != 0) == (first == 0));
    EXPECT(answers[thread].ballot == thirds);
    EXPECT(answers[thread].match == 3u << (thread - first) / 2 * 2);
    EXPECT(answers[thread].rank == static_cast<int>(thread / kTile));
    EXPECT(answers[thread].tiles == kThreads / kTile);
    EXPECT(answers[thread].inner_rank == static_cast<int>(thread % 16 / 4));
    EXPECT(answers[thread].inner_tiles == 4);
    EXPECT(answers[thread].outer_rank == static_cast<int>(thread / 16));
    EXPECT(answers[thread].outer_tiles == kThreads / 16);
  }
  int* valid = nullptr;
  CHECK(cudaMallocManaged(&valid, sizeof(int)));
  *valid = 2;
  in_grid<<<1, 1>>>(valid);
  CHECK(cudaDeviceSynchronize());
  EXPECT(*valid == 0);
  void* arguments[] = {&valid};
  CHECK(cudaLaunchCooperativeKernel(in_grid, 1, 1, arguments));
  CHECK(cudaDeviceSynchronize());
  EXPECT(*valid == 1);
  CHECK(cudaFree(valid));
  CHECK(cudaFree(answers));
  check_sums();
  std::printf("all tiles are right\n");
  return 0;
}
