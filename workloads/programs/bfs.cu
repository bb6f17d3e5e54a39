// SPDX-License-Identifier: MIT
// Breadth-first search: two kernels in a loop of the host that ends when no vertex is new. The
// graph lies in managed memory, the flag is copied back after each level.
#include <queue>
#include <vector>

#include "check.h"

__global__ void expand(int vertices, const int* first_edge, const int* edges, const int* level,
                       int now, int* fresh) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices || level[v] != now) return;
  for (int e = first_edge[v]; e < first_edge[v + 1]; ++e) {
    if (level[edges[e]] < 0) fresh[edges[e]] = 1;
  }
}

__global__ void settle(int vertices, int* level, int next, int* fresh, int* any) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices || fresh[v] == 0) return;
  fresh[v] = 0;
  level[v] = next;
  *any = 1;
}

int main(int argc, char** argv) {
  const int vertices = argc > 1 ? std::atoi(argv[1]) : 600;
  int* first_edge = nullptr;
  int* edges = nullptr;
  int* level = nullptr;
  CHECK(cudaMallocManaged(&first_edge, (vertices + 1) * sizeof(int)));
  CHECK(cudaMallocManaged(&edges, 3 * vertices * sizeof(int)));
  CHECK(cudaMallocManaged(&level, vertices * sizeof(int)));
  // Edges to pseudo-random vertices not far ahead, so that there are several levels.
  unsigned state = 1;
  for (int v = 0; v < vertices; ++v) {
    first_edge[v] = 3 * v;
    for (int e = 0; e < 3; ++e) {
      state = state * 1664525u + 1013904223u;
      edges[3 * v + e] = (v + 1 + static_cast<int>(state >> 16) % 40) % vertices;
    }
    level[v] = v == 0 ? 0 : -1;
  }
  first_edge[vertices] = 3 * vertices;

  int* fresh = nullptr;
  int* any = nullptr;
  CHECK(cudaMalloc(&fresh, vertices * sizeof(int)));
  CHECK(cudaMalloc(&any, sizeof(int)));
  CHECK(cudaMemset(fresh, 0, vertices * sizeof(int)));
  const int blocks = (vertices + 127) / 128;
  int levels = 0;
  for (int again = 1; again != 0; ++levels) {
    CHECK(cudaMemset(any, 0, sizeof(int)));
    expand<<<blocks, 128>>>(vertices, first_edge, edges, level, levels, fresh);
    settle<<<blocks, 128>>>(vertices, level, levels + 1, fresh, any);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&again, any, sizeof(int), cudaMemcpyDeviceToHost));
  }
  CHECK(cudaDeviceSynchronize());

  std::vector<int> expected(vertices, -1);
  std::queue<int> queue;
  expected[0] = 0;
  queue.push(0);
  while (!queue.empty()) {
    const int v = queue.front();
    queue.pop();
    for (int e = first_edge[v]; e < first_edge[v + 1]; ++e) {
      if (expected[edges[e]] >= 0) continue;
      expected[edges[e]] = expected[v] + 1;
      queue.push(edges[e]);
    }
  }
  for (int v = 0; v < vertices; ++v) EXPECT(level[v] == expected[v]);
  std::printf("%d vertices, %d levels\n", vertices, levels);
  CHECK(cudaFree(first_edge));
  CHECK(cudaFree(edges));
  CHECK(cudaFree(level));
  CHECK(cudaFree(fresh));
  CHECK(cudaFree(any));
  return 0;
}
