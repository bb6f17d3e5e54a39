// SPDX-License-Identifier: MIT
// Tiles smaller than a warp: the lanes of each vote and compare among themselves, whichever tile
// the warp's first lane is in.
#include <cooperative_groups.h>

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
  std::printf("all tiles are right\n");
  return 0;
}
