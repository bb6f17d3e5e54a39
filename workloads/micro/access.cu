// SPDX-License-Identifier: MIT
// What one load or store of a warp becomes: lanes `stride` elements apart, from element `offset`
// on.

template <typename T>
__device__ void load_strided(const T* in, int stride, int offset, int* out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  out[thread] = (int)in[thread * stride + offset];
}
__global__ void load32(const int* in, int stride, int offset, int* out) {
  load_strided(in, stride, offset, out);
}
__global__ void load64(const long long* in, int stride, int offset, int* out) {
  load_strided(in, stride, offset, out);
}
__global__ void store32(int* out, int stride, int offset) {
  out[(blockIdx.x * blockDim.x + threadIdx.x) * stride + offset] = 1;
}
