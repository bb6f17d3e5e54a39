// SPDX-License-Identifier: MIT
// A sum over all blocks in one cooperative launch: tiles of a warp, and a barrier of the grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void sum(const int* in, int n, int* partial, int* total, int* wrong) {
  const cg::grid_group grid = cg::this_grid();
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int mine = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) mine += in[i];
  mine = cg::reduce(tile, mine, cg::plus<int>());
  const int tiles = blockDim.x / 32;
  if (tile.thread_rank() == 0) partial[blockIdx.x * tiles + tile.meta_group_rank()] = mine;
  grid.sync();
  if (grid.thread_rank() == 0) {
    int all = 0;
    for (int i = 0; i < gridDim.x * tiles; ++i) all += partial[i];
    *total = all;
  }
  grid.sync();
  // Every thread sees the total, which is the same again when each has added up for itself.
  int all = 0;
  for (int i = 0; i < gridDim.x * tiles; ++i) all += partial[i];
  if (*total != all) atomicAdd(wrong, 1);
}

int main() {
  int n = 5000;
  std::vector<int> values(n);
  int expected = 0;
  for (int i = 0; i < n; ++i) expected += values[i] = i % 17;
  int *in, *partial, *total, *wrong;
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMalloc(&partial, 64 * sizeof(int)));
  CHECK(cudaMalloc(&total, sizeof(int)));
  CHECK(cudaMalloc(&wrong, sizeof(int)));
  CHECK(cudaMemset(total, 0xff, sizeof(int)));
  CHECK(cudaMemset(wrong, 0, sizeof(int)));
  CHECK(cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  void* arguments[] = {&in, &n, &partial, &total, &wrong};
  CHECK(cudaLaunchCooperativeKernel(sum, 8, 128, arguments));
  int result = 0;
  CHECK(cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(result == expected);
  CHECK(cudaMemcpy(&result, wrong, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(result == 0);
  // No GPU holds so many blocks at once.
  EXPECT_ERROR(cudaErrorCooperativeLaunchTooLarge,
               cudaLaunchCooperativeKernel(sum, 100000, 128, arguments));
  std::printf("sum %d\n", expected);
  return 0;
}
