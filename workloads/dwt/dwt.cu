// SPDX-License-Identifier: MIT
// One-dimensional Haar wavelet of a long signal, from the algorithm of the CUDA SDK's "dwtHaar1D".
// A block transforms two samples per thread by as many levels as that takes to come down to one
// approximation. Details go to their place in the whole signal's transform, approximations stay in
// shared memory for the next level.

#define THREADS 512
#define ROOT_HALF 0.70710678f

// A word is left out after every 16, against conflicts of threads whose elements are a power of two
// apart. The SDK's kernel does so too, since the time of memories with 16 banks.
__device__ __forceinline__ int padded(int i) { return i + (i >> 4); }

// `wavelet` has all approximations in front, then the details from the coarsest to the finest.
// Block: at most THREADS threads, a power of two; `approximation` gets one element per block.
__global__ void __launch_bounds__(THREADS, 3)
    haar(float* wavelet, float* approximation, const float* signal) {
  __shared__ float sample[2 * THREADS];
  const int thread = threadIdx.x;
  const int threads = blockDim.x;
  const float* from = signal + 2 * threads * blockIdx.x;
  sample[thread] = from[thread];
  sample[thread + threads] = from[thread + threads];
  __syncthreads();

  const float first = sample[2 * thread];
  const float second = sample[2 * thread + 1];
  __syncthreads();
  // Before this block's details of a level are those of all levels above and of the blocks before.
  const int place = gridDim.x + blockIdx.x;
  wavelet[place * threads + thread] = (first - second) * ROOT_HALF;
  sample[padded(thread)] = (first + second) * ROOT_HALF;
  __syncthreads();

  // In place: from level to level the approximations are twice as far apart.
  int index = 2 * thread;
  int distance = 1;
#pragma unroll 1
  for (int pairs = threads >> 1; pairs > 0; pairs >>= 1) {
    if (thread < pairs) {
      const int left = padded(index);
      const int right = padded(index + distance);
      const float a = sample[left];
      const float b = sample[right];
      wavelet[place * pairs + thread] = (a - b) * ROOT_HALF;
      sample[left] = (a + b) * ROOT_HALF;
      index <<= 1;
      distance <<= 1;
    }
    __syncthreads();
  }
  if (thread == 0) approximation[blockIdx.x] = sample[0];
}
