// SPDX-License-Identifier: MIT
// The Viterbi algorithm for a convolutional code of rate 1/2 and constraint length 4 (15 and 17 in
// octal), with hard decisions. Threads are persistent: each decodes every frame whose number is its
// own plus a multiple of the number of threads. A state is the last three bits; each step looks at
// both ways out of every state and keeps the better way into each: which one it is, and so the
// branch, depends on the thread's frame. The lengths of the ways are in private memory.

#define MEMORY 3  // bits
#define STATES (1 << MEMORY)
#define FAR 1000  // longer than any way

// The two bits sent for state | bit << MEMORY: the parities of its bits under 1101 (upper) and 1111.
__constant__ unsigned char sent[2 * STATES] = {0, 3, 1, 2, 3, 0, 2, 1, 3, 0, 2, 1, 0, 3, 1, 2};

// A frame has `steps` symbols of two bits, the last MEMORY of them to return to state 0; symbols
// and decisions of all frames lie step by step. `decoded` has one bit per step, the first lowest.
__global__ void viterbi(const unsigned char* received, unsigned char* decisions,
                        unsigned int* decoded, int frames, int steps) {
  int length[2][STATES];
#pragma unroll 1
  for (int frame = blockIdx.x * blockDim.x + threadIdx.x; frame < frames;
       frame += gridDim.x * blockDim.x) {
#pragma unroll
    for (int state = 0; state < STATES; ++state) length[0][state] = state == 0 ? 0 : FAR;

#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      const int* const now = length[step & 1];
      int* const next = length[~step & 1];
      const int symbol = received[step * frames + frame];
#pragma unroll
      for (int state = 0; state < STATES; ++state) next[state] = FAR;
      unsigned int odd = 0;  // the states whose better way comes from an odd state
#pragma unroll 1
      for (int state = 0; state < STATES; ++state) {
        const int before = now[state];
#pragma unroll
        for (int bit = 0; bit < 2; ++bit) {
          const int target = state >> 1 | bit << (MEMORY - 1);
          const int way = before + __popc(sent[state | bit << MEMORY] ^ symbol);
          if (way < next[target]) {
            asm volatile("");  // stays a branch
            next[target] = way;
            odd |= (state & 1) << target;
          }
        }
      }
      decisions[step * frames + frame] = odd;
    }

    unsigned int bits = 0;
    int state = 0;
#pragma unroll 1
    for (int step = steps - 1; step >= 0; --step) {
      bits = bits << 1 | state >> (MEMORY - 1);
      const int odd = decisions[step * frames + frame] >> state & 1;
      state = (state << 1 & (STATES - 1)) | odd;
    }
    decoded[frame] = bits;
  }
}
