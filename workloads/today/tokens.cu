// SPDX-License-Identifier: MIT
// The k largest logits of a row, and a token that is drawn among them: a block per row. The k-th
// largest is found digit by digit, with a histogram in shared memory for each of three digits.

constexpr int kThreads = 512;
constexpr int kWarp = 32;
constexpr int kBits = 11;  // of a digit
constexpr int kBins = 1 << kBits;
constexpr int kMost = 64;  // the largest k

struct Shared {
  unsigned bins[kBins];
  unsigned of_warp[kThreads / kWarp];
  unsigned digit, above;  // of the k-th largest; how many have a larger digit
  unsigned found;
  unsigned key[kMost];
  int index[kMost];
  unsigned sorted_key[kMost];
  int sorted_index[kMost];
  float weight[kMost];
  int chosen;
};

/// Keys have the order of the numbers.
__device__ __forceinline__ unsigned key_of(float value) {
  const unsigned bits = __float_as_uint(value);
  return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}
__device__ __forceinline__ float value_of(unsigned key) {
  return __uint_as_float(key ^ (key >> 31 ? 0x80000000u : 0xffffffffu));
}

/// Calls `use(key, index)` for the thread's logits.
template <typename Use>
__device__ __forceinline__ void each(const float* logits, int vocabulary, Use use) {
  for (int i = threadIdx.x * 4; i < vocabulary; i += kThreads * 4) {
    const float4 four = *reinterpret_cast<const float4*>(logits + i);
    use(key_of(four.x), i);
    use(key_of(four.y), i + 1);
    use(key_of(four.z), i + 2);
    use(key_of(four.w), i + 3);
  }
}

/// Finds the digit in which the `wanted`-th key from above lies. Each thread has four bins, the
/// highest bins first.
__device__ __forceinline__ void find_digit(Shared& shared, unsigned wanted) {
  constexpr int kOwn = kBins / kThreads;
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int first = kBins - 1 - threadIdx.x * kOwn;
  unsigned own = 0;
  for (int i = 0; i < kOwn; ++i) own += shared.bins[first - i];
  unsigned up_to = own;  // of the warp's threads up to this one
  for (int distance = 1; distance < kWarp; distance *= 2) {
    const unsigned before = __shfl_up_sync(0xffffffffu, up_to, distance);
    if (lane >= distance) up_to += before;
  }
  if (lane == kWarp - 1) shared.of_warp[warp] = up_to;
  __syncthreads();
  for (int i = 0; i < warp; ++i) up_to += shared.of_warp[i];
  unsigned above = up_to - own;
  if (above < wanted && wanted <= up_to) {
    int digit = first;
    while (above + shared.bins[digit] < wanted) above += shared.bins[digit--];
    shared.digit = digit;
    shared.above = above;
  }
  __syncthreads();
}

/// Of numbers that equal the k-th largest, the block takes any; equal ones among the k largest
/// stand in the order of their indices. The vocabulary is a multiple of 4; k is at most kMost.
extern "C" __global__ void __launch_bounds__(kThreads)
    top_k_sample(const float* all_logits, const float* uniform, int* largest, int* tokens,
                 int vocabulary, int k, float temperature) {
  __shared__ Shared shared;
  const float* const logits = all_logits + static_cast<size_t>(blockIdx.x) * vocabulary;
  const int thread = threadIdx.x;
  unsigned least = 0, wanted = k;  // the digits known of the k-th largest; its place among those
#pragma unroll
  for (int shift = 32 - kBits; shift > -kBits; shift -= kBits) {
    // The last digit has ten bits.
    const int low = shift < 0 ? 0 : shift;
    const unsigned known = shift == 32 - kBits ? 0 : 0xffffffffu << (shift + kBits);
    const unsigned mask = low == shift ? kBins - 1 : (1u << (kBits + shift)) - 1;
    for (int bin = thread; bin < kBins; bin += kThreads) shared.bins[bin] = 0;
    __syncthreads();
    each(logits, vocabulary, [&](unsigned key, int) {
      if ((key & known) == least) atomicAdd(&shared.bins[key >> low & mask], 1u);
    });
    __syncthreads();
    find_digit(shared, wanted);
    least |= shared.digit << low;
    wanted -= shared.above;
  }
  if (thread == 0) {
    shared.found = 0;
    shared.chosen = k - 1;
  }
  __syncthreads();
  const auto take = [&](unsigned key, int index) {
    const unsigned place = atomicAdd(&shared.found, 1u);
    if (place >= static_cast<unsigned>(k)) return;
    shared.key[place] = key;
    shared.index[place] = index;
  };
  each(logits, vocabulary, [&](unsigned key, int index) {
    if (key > least) take(key, index);
  });
  __syncthreads();  // those that equal the k-th come behind all larger ones
  each(logits, vocabulary, [&](unsigned key, int index) {
    if (key == least) take(key, index);
  });
  __syncthreads();
  if (thread < k) {
    const unsigned key = shared.key[thread];
    const int index = shared.index[thread];
    int place = 0;
    for (int i = 0; i < k; ++i) {
      const unsigned other = shared.key[i];
      place += other > key || (other == key && shared.index[i] < index);
    }
    shared.sorted_key[place] = key;
    shared.sorted_index[place] = index;
  }
  __syncthreads();
  if (thread < k) {
    const float most = value_of(shared.sorted_key[0]);
    shared.weight[thread] = __expf((value_of(shared.sorted_key[thread]) - most) / temperature);
    largest[blockIdx.x * k + thread] = shared.sorted_index[thread];
  }
  __syncthreads();
  if (thread < k) {
    float up_to = 0, total = 0;
    for (int i = 0; i < k; ++i) {
      total += shared.weight[i];
      if (i == thread) up_to = total;
    }
    if (up_to > uniform[blockIdx.x] * total) atomicMin(&shared.chosen, thread);
  }
  __syncthreads();
  if (thread == 0) tokens[blockIdx.x] = shared.sorted_index[shared.chosen];
}
