// SPDX-License-Identifier: MIT
// One lane draws a ticket for its warp and hands it out by a shuffle. The variable of the other
// lanes has no value before the shuffle, which CUDA allows.
#include <vector>

#include "check.h"

constexpr int kThreads = 128;
constexpr int kTickets = 40;

__device__ int next_ticket;

__device__ int draw(int lane) {
  int ticket;
  if (lane == 0) ticket = atomicAdd(&next_ticket, 1);
  return __shfl_sync(0xffffffff, ticket, 0);
}

// Each ticket's element counts the lanes that have worked on it.
__global__ void work(int* lanes) {
  const int lane = threadIdx.x % warpSize;
  for (int ticket = draw(lane); ticket < kTickets; ticket = draw(lane))
    atomicAdd(&lanes[ticket], 1);
}

int main() {
  int* device = nullptr;
  CHECK(cudaMalloc(&device, kTickets * sizeof(int)));
  CHECK(cudaMemset(device, 0, kTickets * sizeof(int)));
  work<<<2, kThreads>>>(device);
  std::vector<int> lanes(kTickets);
  CHECK(cudaMemcpy(lanes.data(), device, kTickets * sizeof(int), cudaMemcpyDeviceToHost));
  for (int count : lanes) EXPECT(count == 32);
  // Every warp has drawn one ticket in vain.
  int drawn = 0;
  CHECK(cudaMemcpyFromSymbol(&drawn, next_ticket, sizeof(int)));
  EXPECT(drawn == kTickets + 2 * kThreads / 32);
  CHECK(cudaFree(device));
  std::printf("all tickets are drawn once\n");
  return 0;
}
