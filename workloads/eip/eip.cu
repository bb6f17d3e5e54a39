// SPDX-License-Identifier: MIT
// Pi by random points in a square, as the CUDA SDK's "MC_EstimatePiInlineP" does it: blocks of 256
// threads, each thread with a random generator of its own, whose state of 48 bytes is in global
// memory. The generator is xorwow (Marsaglia, 2003). The first kernel sets the states up: the
// threads of a group start from one seed, each so many draws further that their numbers do not
// meet. To go on by 2^k steps is to multiply the 160 bits of the state by a matrix of bits. The
// thread reads the words of its state from global memory again and again, far from those of its
// neighbours: the states of a block or two stay in an L1 cache, those of many do not. The second
// kernel draws points, and a block adds up how many are inside of the circle.

#define THREADS 256
#define WORDS 5
#define BITS (32 * WORDS)
#define READ_BITS 4  // of a word that are used before it is read again
#define COUNTER_STEP 362437u

struct State {
  unsigned int counter;
  unsigned int word[WORDS];
  unsigned int unused[6];  // the SDK's generators keep normally distributed numbers here
};

__device__ __forceinline__ unsigned int mixed(unsigned int value) {
  value = (value ^ (value >> 16)) * 0x7feb352du;
  value = (value ^ (value >> 15)) * 0x846ca68bu;
  return value ^ (value >> 16);
}

// `jumps` are matrices, WORDS words for each bit of a state, for 1, 2, 4, ... times `distance`
// draws. Thread t of a group starts t times `distance` draws after the group's seed.
__global__ void __launch_bounds__(THREADS, 6)
    eip_setup(State* states, const unsigned int* jumps, int group, unsigned int seed,
              unsigned int distance) {
  const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int place = thread % group;
  State* const state = states + thread;

  const unsigned int first = WORDS * (thread / group) + seed;
#pragma unroll 1
  for (int i = 0; i < WORDS; ++i) state->word[i] = mixed(first + i);
  state->counter = place * distance * COUNTER_STEP;

#pragma unroll 1
  for (unsigned int rest = place; rest != 0; rest >>= 1, jumps += BITS * WORDS) {
    if ((rest & 1) == 0) continue;
    unsigned int sum[WORDS] = {0, 0, 0, 0, 0};
    const unsigned int* row = jumps;
#pragma unroll 1
    for (int i = 0; i < WORDS; ++i) {
#pragma unroll
      for (int bit = 0; bit < 32; ++bit, row += WORDS) {
        if (bit % READ_BITS == 0) asm volatile("" ::: "memory");
        if ((state->word[i] & (1u << bit)) == 0) continue;
#pragma unroll
        for (int k = 0; k < WORDS; ++k) sum[k] ^= row[k];
      }
    }
#pragma unroll
    for (int k = 0; k < WORDS; ++k) state->word[k] = sum[k];
  }
}

__device__ __forceinline__ unsigned int draw(State* state) {
  const unsigned int changed = state->word[0] ^ (state->word[0] >> 2);
  const unsigned int last = state->word[WORDS - 1];
#pragma unroll
  for (int i = 0; i < WORDS - 1; ++i) state->word[i] = state->word[i + 1];
  state->word[WORDS - 1] = last ^ (last << 4) ^ changed ^ (changed << 1);
  state->counter += COUNTER_STEP;
  return state->word[WORDS - 1] + state->counter;
}

// Coordinates have 15 bits, so that squares are exact.
__global__ void eip_count(unsigned int* inside, const State* states, int points) {
  __shared__ unsigned int sums[THREADS];
  const int thread = threadIdx.x;
  const int first = blockIdx.x * blockDim.x + thread;
  State state = states[first];
  unsigned int sum = 0;
#pragma unroll 1
  for (int i = first; i < points; i += gridDim.x * blockDim.x) {
    const unsigned int x = draw(&state) >> 17;
    const unsigned int y = draw(&state) >> 17;
    sum += x * x + y * y < 1u << 30;
  }
  sums[thread] = sum;

#pragma unroll 1
  for (int half = THREADS / 2; half > 0; half >>= 1) {
    __syncthreads();
    if (thread < half) sums[thread] += sums[thread + half];
  }
  if (thread == 0) inside[blockIdx.x] = sums[0];
}
