// SPDX-License-Identifier: MIT
// The Viterbi algorithm for a convolutional code of rate 1/2 and constraint length 4 (15 and 17 in
// octal), with hard decisions. Threads are persistent: each decodes every frame whose number is its
// own plus a multiple of the number of threads. A state is the last three bits; each step looks at
// both ways out of every state and keeps the better way into each: which one it is, and so the
// branch, depends on the thread's frame. The errors of the ways and their bits (register exchange)
// are in private memory, 128 bytes per thread.

#define MEMORY 3  // bits
#define STATES (1 << MEMORY)
#define FAR 1000  // more errors than any way has

// The two bits sent for state | bit << MEMORY, from the lowest bits of the word on: the parities of
// its bits under 1101 (upper) and 1111.
#define SENT 0x9c63639cu

struct Way {
  int errors;
  unsigned int bits;  // the first lowest
};

// A frame has `steps` symbols of two bits, at most 32, the last MEMORY of them to return to state
// 0. Symbols of all frames lie step by step.
__global__ void viterbi(const unsigned char* received, unsigned int* decoded, int frames,
                        int steps) {
  Way ways[2][STATES];
#pragma unroll 1
  for (int frame = blockIdx.x * blockDim.x + threadIdx.x; frame < frames;
       frame += gridDim.x * blockDim.x) {
#pragma unroll
    for (int state = 0; state < STATES; ++state) ways[0][state] = {state == 0 ? 0 : FAR, 0};

#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      const Way* const now = ways[step & 1];
      Way* const next = ways[~step & 1];
      const int symbol = received[step * frames + frame];
#pragma unroll
      for (int state = 0; state < STATES; ++state) next[state].errors = FAR;
      int wrong[4];  // bits of the symbol, if this one was sent
#pragma unroll
      for (int i = 0; i < 4; ++i) wrong[i] = __popc(i ^ symbol);
#pragma unroll
      for (int state = 0; state < STATES; ++state) {
#pragma unroll
        for (unsigned int bit = 0; bit < 2; ++bit) {
          Way* const best = &next[state >> 1 | bit << (MEMORY - 1)];
          const int errors = now[state].errors + wrong[SENT >> 2 * (state | bit << MEMORY) & 3];
          if (errors < best->errors) {
            asm volatile("");  // stays a branch
            *best = {errors, now[state].bits | bit << step};
          }
        }
      }
    }
    decoded[frame] = ways[steps & 1][0].bits;
  }
}
