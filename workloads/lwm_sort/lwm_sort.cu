// SPDX-License-Identifier: MIT
// Bucket sort of integers. Threads are persistent: each takes every element whose number is its own
// plus a multiple of the number of threads. Three launches move the elements to ranges of values
// that fit into shared memory: count how many elements of each range a block has, add the counts
// up, move. In the fourth, a block takes every range whose number is its own plus a multiple of the
// number of blocks, and divides it into a bucket per thread. A thread sorts its bucket by insertion
// in its private memory of 128 bytes, or a larger one in shared memory. How large a bucket is, and
// how far an element moves, differs per thread.

#define PRIVATE_ELEMENTS 32
#define MOST_RANGES 1024
#define LARGEST_BLOCK 1024

// Of all elements, in the order of their values.
__device__ __forceinline__ int range_of(unsigned int element, int ranges) {
  return __umulhi(element, ranges);
}

// Of those in the range of the element.
__device__ __forceinline__ int bucket_of(unsigned int element, int ranges) {
  return __umulhi(element * ranges, blockDim.x);
}

// counts[r * blocks + b] becomes the number of elements of range r that block b has.
__global__ void count_elements(const unsigned int* in, int* counts, int elements, int ranges) {
  __shared__ int count[MOST_RANGES];
#pragma unroll 1
  for (int r = threadIdx.x; r < ranges; r += blockDim.x) count[r] = 0;
  __syncthreads();
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += gridDim.x * blockDim.x) {
    atomicAdd(&count[range_of(in[i], ranges)], 1);
  }
  __syncthreads();
#pragma unroll 1
  for (int r = threadIdx.x; r < ranges; r += blockDim.x) {
    counts[r * gridDim.x + blockIdx.x] = count[r];
  }
}

// The sum of what the threads before this one of the block give, in steps of 1, 2, 4, ... threads.
// `sums` has room for a number per thread.
__device__ __forceinline__ int sum_before(int* sums, int mine) {
  const int thread = threadIdx.x;
  sums[thread] = mine;
#pragma unroll 1
  for (int distance = 1; distance < blockDim.x; distance *= 2) {
    __syncthreads();
    const int left = thread >= distance ? sums[thread - distance] : 0;
    __syncthreads();
    sums[thread] += left;
  }
  return sums[thread] - mine;
}

// One block: begins[i] becomes the sum of the counts before i. A thread adds up neighbours.
__global__ void add_counts(const int* counts, int* begins, int size) {
  __shared__ int sums[LARGEST_BLOCK];
  const int each = (size + blockDim.x - 1) / blockDim.x;
  const int first = threadIdx.x * each;
  const int last = min(first + each, size);
  int sum = 0;
#pragma unroll 1
  for (int i = first; i < last; ++i) sum += counts[i];
  int begin = sum_before(sums, sum);
#pragma unroll 1
  for (int i = first; i < last; ++i) {
    begins[i] = begin;
    begin += counts[i];
  }
}

// A block writes its elements of a range one after the other.
__global__ void move_elements(const unsigned int* in, const int* begins, unsigned int* out,
                              int elements, int ranges) {
  __shared__ int next[MOST_RANGES];
#pragma unroll 1
  for (int r = threadIdx.x; r < ranges; r += blockDim.x) {
    next[r] = begins[r * gridDim.x + blockIdx.x];
  }
  __syncthreads();
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += gridDim.x * blockDim.x) {
    const unsigned int element = in[i];
    out[atomicAdd(&next[range_of(element, ranges)], 1)] = element;
  }
}

// Of `count` sorted elements and one more.
__device__ __forceinline__ void insert(unsigned int* sorted, int count, unsigned int element) {
  int place = count;
#pragma unroll 1
  while (place > 0 && sorted[place - 1] > element) {
    sorted[place] = sorted[place - 1];
    --place;
  }
  sorted[place] = element;
}

// `moved` and `begins` are those of move_elements() in as many blocks. A range of more elements
// than `capacity` ends the kernel with an error. Shared memory has room for the list of a range and
// two numbers per thread.
__global__ void sort_ranges(const unsigned int* moved, const int* begins, unsigned int* out,
                            int elements, int ranges, int capacity) {
  extern __shared__ int sums[];
  int* const next = sums + blockDim.x;  // of a bucket: where it begins, afterwards where it ends
  unsigned int* const list = reinterpret_cast<unsigned int*>(next + blockDim.x);
  unsigned int sorted[PRIVATE_ELEMENTS];
  const int thread = threadIdx.x;
#pragma unroll 1
  for (int range = blockIdx.x; range < ranges; range += gridDim.x) {
    const int begin = begins[range * gridDim.x];
    const int end = range + 1 < ranges ? begins[(range + 1) * gridDim.x] : elements;
    if (end - begin > capacity) asm volatile("trap;");

    next[thread] = 0;
    __syncthreads();
#pragma unroll 1
    for (int i = begin + thread; i < end; i += blockDim.x) {
      atomicAdd(&next[bucket_of(moved[i], ranges)], 1);
    }
    __syncthreads();
    const int count = next[thread];
    const int first = sum_before(sums, count);
    next[thread] = first;
    __syncthreads();
#pragma unroll 1
    for (int i = begin + thread; i < end; i += blockDim.x) {
      const unsigned int element = moved[i];
      list[atomicAdd(&next[bucket_of(element, ranges)], 1)] = element;
    }
    __syncthreads();

    unsigned int* const bucket = list + first;
    if (count <= PRIVATE_ELEMENTS) {
#pragma unroll 1
      for (int i = 0; i < count; ++i) insert(sorted, i, bucket[i]);
#pragma unroll 1
      for (int i = 0; i < count; ++i) bucket[i] = sorted[i];
    } else {
#pragma unroll 1
      for (int i = 1; i < count; ++i) insert(bucket, i, bucket[i]);
    }
    __syncthreads();
#pragma unroll 1
    for (int i = thread; i < end - begin; i += blockDim.x) out[begin + i] = list[i];
    __syncthreads();
  }
}
