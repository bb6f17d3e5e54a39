// SPDX-License-Identifier: MIT
// Two-dimensional discrete wavelet transform of a colour image as JPEG 2000 does it without loss:
// the image is split into components, then each level applies the reversible 5/3 wavelet along the
// rows and along the columns of the low-pass quarter that the level before left. Low-pass halves go
// to the front of their row or column, high-pass halves behind them. 512 threads per block.

#define THREADS 512

// Interleaved bytes r g b r g b ... to three planes of integers around zero.
__global__ void __launch_bounds__(512, 3)
    split_components(int* red, int* green, int* blue, const unsigned char* image, int pixels) {
  __shared__ unsigned char staged[3 * THREADS];
  const int thread = threadIdx.x;
  const int first = blockIdx.x * THREADS;
  const unsigned char* from = image + 3 * first;
  staged[thread] = from[thread];
  staged[thread + THREADS] = from[thread + THREADS];
  staged[thread + 2 * THREADS] = from[thread + 2 * THREADS];
  __syncthreads();

  const int pixel = first + thread;
  if (pixel < pixels) {
    red[pixel] = staged[3 * thread] - 128;
    green[pixel] = staged[3 * thread + 1] - 128;
    blue[pixel] = staged[3 * thread + 2] - 128;
  }
}

// Low-pass and high-pass sample i of a line of `length` (even) elements, `step` apart. Beyond its
// ends the line is mirrored; before the first high-pass sample that gives the first one again.
__device__ __forceinline__ void lift(int* to, const int* from, int i, int length, int step) {
  const int half = length >> 1;
  const int before = max(i - 1, 0);
  const int after = min(i + 1, half - 1);
  const int even_before = from[2 * before * step];
  const int odd_before = from[(2 * before + 1) * step];
  const int even = from[2 * i * step];
  const int odd = from[(2 * i + 1) * step];
  const int even_after = from[2 * after * step];

  const int high = odd - ((even + even_after) >> 1);
  const int high_before = i > 0 ? odd_before - ((even_before + even) >> 1) : high;
  to[i * step] = even + ((high_before + high + 2) >> 2);
  to[(half + i) * step] = high;
}

// Blocks of 64 x 8 over half the columns and all rows of the low-pass quarter, which is
// width x height at the front of a plane with `pitch` columns; a plane per component.
__global__ void dwt_rows(int* to, const int* from, int width, int height, int pitch, int plane) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width >> 1 || y >= height) return;
  const int line = blockIdx.z * plane + y * pitch;
  lift(to + line, from + line, x, width, 1);
}

// The same over all columns and half the rows.
__global__ void dwt_columns(int* to, const int* from, int width, int height, int pitch, int plane) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height >> 1) return;
  const int line = blockIdx.z * plane + x;
  lift(to + line, from + line, y, height, pitch);
}
