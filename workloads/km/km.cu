// SPDX-License-Identifier: MIT
// k-means, the assignment of points to the nearest centre, from the algorithm of Rodinia's
// benchmark "kmeans". Features lie one after the other, each of all points, so that threads read
// neighbours; the grid is square, as the benchmark's.

#include <cfloat>

#define MAX_CENTRES 32
#define MAX_FEATURES 64

// Row-major, one row per centre.
__constant__ float centres[MAX_CENTRES * MAX_FEATURES];

__global__ void __launch_bounds__(256, 6)
    nearest_centre(const float* feature, int points, int features, int clusters, int* nearest) {
  const int block = gridDim.x * blockIdx.y + blockIdx.x;
  const int point = block * blockDim.x + threadIdx.x;
  if (point >= points) return;

  int best = -1;
  float least = FLT_MAX;
#pragma unroll 1
  for (int cluster = 0; cluster < clusters; ++cluster) {
    float distance = 0.0f;  // squared
#pragma unroll 1
    for (int i = 0; i < features; ++i) {
      const float difference = feature[point + i * points] - centres[cluster * features + i];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      best = cluster;
    }
  }
  nearest[point] = best;
}
