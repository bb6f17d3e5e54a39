// SPDX-License-Identifier: MIT
// Bucket sort of integers. Threads are persistent: each takes every element, then every bucket,
// whose number is its own plus a multiple of the number of threads. Four launches: count the
// buckets' elements, add the counts up, move every element to its bucket, sort each bucket. A
// thread sorts a bucket by insertion in its private memory of 128 bytes; a larger bucket is sorted
// where it is. How large a bucket is, and how far an element moves, differs per thread.

#define PRIVATE_ELEMENTS 32
#define LARGEST_BLOCK 1024

// The upper bits of an element choose the bucket.
__global__ void count_elements(const unsigned int* in, int* counts, int elements, int shift) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[in[i] >> shift], 1);
  }
}

// One block: ends[b] becomes where bucket b begins, as if it were empty. A thread adds up
// neighbouring counts; the threads' sums are added up in steps of 1, 2, 4, ...
__global__ void add_counts(const int* counts, int* ends, int buckets) {
  __shared__ int sums[LARGEST_BLOCK];
  const int thread = threadIdx.x;
  const int each = (buckets + blockDim.x - 1) / blockDim.x;
  const int first = thread * each;
  const int last = min(first + each, buckets);
  int sum = 0;
#pragma unroll 1
  for (int i = first; i < last; ++i) sum += counts[i];

  sums[thread] = sum;
#pragma unroll 1
  for (int distance = 1; distance < blockDim.x; distance *= 2) {
    __syncthreads();
    const int left = thread >= distance ? sums[thread - distance] : 0;
    __syncthreads();
    sums[thread] += left;
  }

  int begin = sums[thread] - sum;
#pragma unroll 1
  for (int i = first; i < last; ++i) {
    ends[i] = begin;
    begin += counts[i];
  }
}

// Afterwards ends[b] is the end of bucket b.
__global__ void move_elements(const unsigned int* in, int* ends, unsigned int* out, int elements,
                              int shift) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += gridDim.x * blockDim.x) {
    const unsigned int element = in[i];
    out[atomicAdd(&ends[element >> shift], 1)] = element;
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

__global__ void sort_buckets(const int* ends, unsigned int* out, int buckets) {
  unsigned int sorted[PRIVATE_ELEMENTS];
#pragma unroll 1
  for (int b = blockIdx.x * blockDim.x + threadIdx.x; b < buckets; b += gridDim.x * blockDim.x) {
    const int begin = b > 0 ? ends[b - 1] : 0;
    const int count = ends[b] - begin;
    unsigned int* const bucket = out + begin;
    if (count <= PRIVATE_ELEMENTS) {
#pragma unroll 1
      for (int i = 0; i < count; ++i) insert(sorted, i, bucket[i]);
#pragma unroll 1
      for (int i = 0; i < count; ++i) bucket[i] = sorted[i];
    } else {
#pragma unroll 1
      for (int i = 1; i < count; ++i) insert(bucket, i, bucket[i]);
    }
  }
}
