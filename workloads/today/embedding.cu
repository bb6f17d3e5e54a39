// SPDX-License-Identifier: MIT
// Embedding: each token of a text takes its row of a table, a warp for each token. Backwards, each
// token's gradient is added to the gradient of its row, by atomics, for tokens occur many times.
// The width of a row is a multiple of 4.

#define WARP 32

__global__ void embedding_gather(const float4* __restrict__ table, const int* __restrict__ tokens,
                                 float4* __restrict__ out, int count, int width) {
  const int token = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
  if (token >= count) return;
  const float4* const row = table + tokens[token] * (width / 4);
  out += token * (width / 4);
#pragma unroll 2
  for (int i = threadIdx.x % WARP; i < width / 4; i += WARP) {
    const float4 part = row[i];
    out[i] = make_float4(part.x, part.y, part.z, part.w);  // clang 14 would copy 8 bytes at a time
  }
}

__global__ void embedding_gradient(const float* gradient, const int* tokens, float* table,
                                   int count, int width) {
  const int token = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
  if (token >= count) return;
  float* const row = table + tokens[token] * width;
  gradient += token * width;
#pragma unroll 4
  for (int i = threadIdx.x % WARP; i < width; i += WARP) atomicAdd(&row[i], gradient[i]);
}
