// SPDX-License-Identifier: MIT
// Needleman and Wunsch (1970): the scores of the best global alignments of two DNA sequences, for
// all their beginnings. Threads are persistent: each takes every pair of sequences whose number is
// its own plus a multiple of the number of threads, and goes through the pair's matrix row by row.
// The row above is in the thread's private memory; the matrix, which the way back needs, is written
// to global memory. Cells of all pairs lie one after the other, so that threads write neighbours.

#define MOST_LETTERS 16

// A sequence has `length` letters of two bits, at most 16, the first in the lowest bits.
__global__ void align_pairs(const unsigned int* first, const unsigned int* second, int* scores,
                            int pairs, int length, int match, int mismatch, int gap) {
  int above[MOST_LETTERS];  // without the first column
#pragma unroll 1
  for (int pair = blockIdx.x * blockDim.x + threadIdx.x; pair < pairs;
       pair += gridDim.x * blockDim.x) {
    const unsigned int down = first[pair];
    const unsigned int right = second[pair];
    int* cell = scores + pair;
    *cell = 0;
#pragma unroll 1
    for (int j = 0; j < length; ++j) {
      above[j] = (j + 1) * gap;
      cell += pairs;
      *cell = above[j];
    }
#pragma unroll 1
    for (int i = 0; i < length; ++i) {
      const unsigned int letter = down >> 2 * i & 3;
      int corner = i * gap;
      int score = corner + gap;  // becomes that of the cell on the left
      cell += pairs;
      *cell = score;
#pragma unroll 1
      for (int j = 0; j < length; ++j) {
        const int up = above[j];
        const int same = letter == (right >> 2 * j & 3) ? match : mismatch;
        score = max(corner + same, max(up, score) + gap);
        above[j] = score;
        cell += pairs;
        *cell = score;
        corner = up;
      }
    }
  }
}
