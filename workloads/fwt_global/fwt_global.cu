// SPDX-License-Identifier: MIT
// Fast Walsh-Hadamard transform, in natural order, two levels per launch (radix 4) through global
// memory: the levels of a long vector that are too far apart for shared memory. Seen as a row-major
// matrix, they transform its columns. Grid (elements / 2048, batch), 512 threads: each thread
// combines four elements `stride` apart; strides go from a quarter of the matrix down to one row.

__global__ void __launch_bounds__(512, 3)
    fwt_batch2(float* output, const float* input, int stride) {
  const int position = blockIdx.x * blockDim.x + threadIdx.x;
  const int length = gridDim.x * blockDim.x * 4;
  const float* from = input + blockIdx.y * length;
  float* to = output + blockIdx.y * length;

  const int low = position & (stride - 1);
  const int i0 = ((position - low) << 2) + low;
  const int i1 = i0 + stride;
  const int i2 = i1 + stride;
  const int i3 = i2 + stride;

  const float d0 = from[i0];
  const float d1 = from[i1];
  const float d2 = from[i2];
  const float d3 = from[i3];

  const float sum02 = d0 + d2;
  const float difference02 = d0 - d2;
  const float sum13 = d1 + d3;
  const float difference13 = d1 - d3;
  to[i0] = sum02 + sum13;
  to[i1] = sum02 - sum13;
  to[i2] = difference02 + difference13;
  to[i3] = difference02 - difference13;
}
