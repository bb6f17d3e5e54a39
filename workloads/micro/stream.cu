// Streaming bandwidth: every warp touches whole lines, the grid one array after the other. Threads
// have four accesses in flight.

/// Sums the array; each thread stores its part.
__global__ void stream_read(const int* in, int per_thread, int* sums) {
  const int threads = gridDim.x * blockDim.x;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < per_thread; i += 4) {
    const int* at = in + (long)i * threads + thread;
    sum += (at[0] + at[threads]) + (at[2 * threads] + at[3 * threads]);
  }
  sums[thread] = sum;
}

__global__ void stream_write(int* out, int per_thread, int value) {
  const int threads = gridDim.x * blockDim.x;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < per_thread; i += 4) {
    int* at = out + (long)i * threads + thread;
    at[0] = value;
    at[threads] = value;
    at[2 * threads] = value;
    at[3 * threads] = value;
  }
}

__global__ void stream_copy(const int* __restrict__ in, int* __restrict__ out, int per_thread) {
  const int threads = gridDim.x * blockDim.x;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < per_thread; i += 4) {
    const long at = (long)i * threads + thread;
    const int a = in[at];
    const int b = in[at + threads];
    const int c = in[at + 2 * threads];
    const int d = in[at + 3 * threads];
    out[at] = a;
    out[at + threads] = b;
    out[at + 2 * threads] = c;
    out[at + 3 * threads] = d;
  }
}
