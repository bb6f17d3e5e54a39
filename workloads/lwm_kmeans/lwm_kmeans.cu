// SPDX-License-Identifier: MIT
// k-means, the assignment of points to the nearest centre. Threads are persistent: each takes every
// point whose number is its own plus a multiple of the number of threads. Features lie one after
// the other, each of all points; a thread first copies those of its point to its private memory of
// 128 bytes. The distance to a centre is given up when it is no longer the least (partial distance
// search; Bei and Gray, 1985): after how many features differs per thread.

#include <cfloat>

#define MAX_CENTRES 32
#define MAX_FEATURES 32

// Row-major, one row per centre.
__constant__ float centres[MAX_CENTRES * MAX_FEATURES];

// At most 32 features. `partial`: 0 to compute every distance to its end.
__global__ void assign_points(const float* feature, int points, int features, int clusters,
                              int partial, int* nearest) {
#pragma unroll 1
  for (int point = blockIdx.x * blockDim.x + threadIdx.x; point < points;
       point += gridDim.x * blockDim.x) {
    float mine[MAX_FEATURES];
#pragma unroll 1
    for (int i = 0; i < features; ++i) mine[i] = feature[point + i * points];

    int best = -1;
    float least = FLT_MAX;
#pragma unroll 1
    for (int cluster = 0; cluster < clusters; ++cluster) {
      const float limit = partial != 0 ? least : FLT_MAX;
      float distance = 0.0f;  // squared
#pragma unroll 1
      for (int i = 0; i < features && distance < limit; ++i) {
        const float difference = mine[i] - centres[cluster * features + i];
        distance += difference * difference;
      }
      if (distance < least) {
        asm volatile("");  // stays a branch
        least = distance;
        best = cluster;
      }
    }
    nearest[point] = best;
  }
}
