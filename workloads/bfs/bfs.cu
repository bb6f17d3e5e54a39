// SPDX-License-Identifier: MIT
// Breadth-first search, one level per launch: the threads of the vertices reached in the last level
// look at their neighbours and reach the new ones. Few threads of a warp work, for as many
// iterations as their vertex has edges. Two threads may reach the same vertex; both write the same.

__global__ void bfs_level(const int* first_edge, const int* degree, const int* edges, int* distance,
                          int* advanced, int level, int vertices) {
  const int vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= vertices || distance[vertex] != level) return;

  const int begin = first_edge[vertex];
  const int end = begin + degree[vertex];
  for (int edge = begin; edge < end; ++edge) {
    const int neighbour = edges[edge];
    if (distance[neighbour] < 0) {
      distance[neighbour] = level + 1;
      *advanced = 1;
    }
  }
}
