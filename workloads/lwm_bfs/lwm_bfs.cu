// SPDX-License-Identifier: MIT
// Breadth-first search, one level per launch. Threads are persistent: each looks at every vertex
// whose number is its own plus a multiple of the number of threads. The vertices reached in the
// last level look at their neighbours and reach the new ones. Few threads of a warp work, for as
// many iterations as their vertex has edges. Two threads may reach the same vertex; both write the
// same.

__global__ void search_level(const int* first_edge, const int* degree, const int* edges,
                             int* distance, int* advanced, int level, int vertices) {
#pragma unroll 1
  for (int vertex = blockIdx.x * blockDim.x + threadIdx.x; vertex < vertices;
       vertex += gridDim.x * blockDim.x) {
    if (distance[vertex] != level) continue;
    const int begin = first_edge[vertex];
    const int end = begin + degree[vertex];
#pragma unroll 1
    for (int edge = begin; edge < end; ++edge) {
      const int neighbour = edges[edge];
      if (distance[neighbour] < 0) {
        distance[neighbour] = level + 1;
        *advanced = 1;
      }
    }
  }
}
