// SPDX-License-Identifier: MIT
// Convolution of an image with a separable filter of radius 8, from the algorithm of the CUDA SDK's
// "convolutionSeparable": a kernel along the rows, then one along the columns. A block keeps its
// part of the image in shared memory, with a halo on either side, and each of its threads computes
// eight pixels. Row-major; beyond the image all is zero.

#define RADIUS 8
#define STEPS 8  // pixels of a thread; one more step on either side loads the halo

#define ROW_X 16
#define ROW_Y 4
#define COLUMN_X 16
#define COLUMN_Y 8

// The kernels keep these in registers, in which the compiler would otherwise load them anew for
// each pixel: the machine has no operands from constant memory.
__constant__ float weights[2 * RADIUS + 1];

// A block has 128 x 4 pixels. The width is a multiple of 128, the height of 4.
__global__ void __launch_bounds__(ROW_X* ROW_Y, 8)
    convolve_rows(float* out, const float* in, int width) {
  __shared__ float part[ROW_Y][(STEPS + 2) * ROW_X];
  const int y = blockIdx.y * ROW_Y + threadIdx.y;
  const int halo = (static_cast<int>(blockIdx.x) * STEPS - 1) * ROW_X;  // the first column of it
  const int x = halo + threadIdx.x;
  float* const own = &part[threadIdx.y][threadIdx.x];
  in += y * width + x;
  out += y * width + x;

#pragma unroll
  for (int i = 1; i <= STEPS; ++i) own[i * ROW_X] = in[i * ROW_X];
  own[0] = x >= 0 ? in[0] : 0.0f;
  own[(STEPS + 1) * ROW_X] = x + (STEPS + 1) * ROW_X < width ? in[(STEPS + 1) * ROW_X] : 0.0f;
  __syncthreads();

  float weight[2 * RADIUS + 1];
#pragma unroll
  for (int j = 0; j <= 2 * RADIUS; ++j) weight[j] = weights[j];
#pragma unroll 1
  for (int i = 1; i <= STEPS; ++i) {
    float sum = 0.0f;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; ++j) sum += weight[RADIUS - j] * own[i * ROW_X + j];
    out += ROW_X;
    *out = sum;
  }
}

// A block has 16 x 64 pixels. The width is a multiple of 16, the height of 64. The columns of the
// image are rows in shared memory; the padding puts the threads of a row into different banks.
__global__ void __launch_bounds__(COLUMN_X* COLUMN_Y, 8)
    convolve_columns(float* out, const float* in, int width, int height) {
  __shared__ float part[COLUMN_X][(STEPS + 2) * COLUMN_Y + 1];
  const int x = blockIdx.x * COLUMN_X + threadIdx.x;
  const int halo = (static_cast<int>(blockIdx.y) * STEPS - 1) * COLUMN_Y;  // the first row of it
  const int y = halo + threadIdx.y;
  float* const own = &part[threadIdx.x][threadIdx.y];
  in += y * width + x;
  out += y * width + x;

#pragma unroll
  for (int i = 1; i <= STEPS; ++i) own[i * COLUMN_Y] = in[i * COLUMN_Y * width];
  own[0] = y >= 0 ? in[0] : 0.0f;
  own[(STEPS + 1) * COLUMN_Y] =
      y + (STEPS + 1) * COLUMN_Y < height ? in[(STEPS + 1) * COLUMN_Y * width] : 0.0f;
  __syncthreads();

  float weight[2 * RADIUS + 1];
#pragma unroll
  for (int j = 0; j <= 2 * RADIUS; ++j) weight[j] = weights[j];
#pragma unroll 1
  for (int i = 1; i <= STEPS; ++i) {
    float sum = 0.0f;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; ++j) sum += weight[RADIUS - j] * own[i * COLUMN_Y + j];
    out += COLUMN_Y * width;
    *out = sum;
  }
}
