// SPDX-License-Identifier: MIT
// Sparse matrix times vector, y = A x, from the algorithms of Bell and Garland ("Implementing
// sparse matrix-vector multiplication on throughput-oriented processors", SC 2009).

#define WARP 32

// Compressed rows (CSR), a warp for each row: its lanes take entries side by side, then fold their
// sums. A row shorter than a warp leaves lanes without work.
__global__ void spmv_csr(const int* first, const int* column, const float* value, const float* x,
                         float* y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
  const int lane = threadIdx.x % WARP;
  if (row >= rows) return;
  const int end = first[row + 1];
  float sum = 0.0f;
  for (int i = first[row] + lane; i < end; i += WARP) sum += value[i] * x[column[i]];
#pragma unroll
  for (int offset = WARP / 2; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  if (lane == 0) y[row] = sum;
}

// ELLPACK (ELL), a thread for each row: `width` places per row, the first places of all rows before
// the second ones, so that a warp reads them side by side. An empty place has column -1 and value
// 0. Four entries at a time, whose loads are on their way together; `width` is a multiple of four.
// A warp is as slow as its longest row.
__global__ void spmv_ell(const int* column, const float* value, const float* x, float* y, int rows,
                         int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int place = 0; place < width; place += 4) {
    int from[4];
    float factor[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      from[i] = column[(place + i) * rows + row];
      factor[i] = value[(place + i) * rows + row];
    }
    if (from[0] < 0) break;
#pragma unroll
    for (int i = 0; i < 4; ++i) sum += factor[i] * x[max(from[i], 0)];
  }
  y[row] = sum;
}
