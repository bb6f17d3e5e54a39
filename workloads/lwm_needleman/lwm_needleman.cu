// SPDX-License-Identifier: MIT
// Needleman and Wunsch (1970): the scores of the best global alignments of two DNA sequences, for
// all their beginnings. Threads are persistent: each takes every pair of sequences whose number is
// its own plus a multiple of the number of threads, and goes through the pair's matrix row by row.
// A matrix is larger than a thread's private memory, so it is in global memory, and the row above
// is read from there. Letters and cells of all pairs lie one after the other, so that threads read
// and write neighbours.

// Both sequences of a pair have `length` letters.
__global__ void align_pairs(const unsigned char* first, const unsigned char* second, int* scores,
                            int pairs, int length, int match, int mismatch, int gap) {
#pragma unroll 1
  for (int pair = blockIdx.x * blockDim.x + threadIdx.x; pair < pairs;
       pair += gridDim.x * blockDim.x) {
    int* cell = scores + pair;
#pragma unroll 1
    for (int j = 0; j <= length; ++j, cell += pairs) *cell = j * gap;

    const int* above = scores + pair;
#pragma unroll 1
    for (int i = 1; i <= length; ++i) {
      const int letter = first[(i - 1) * pairs + pair];
      const unsigned char* other = second + pair;
      int corner = *above;
      int score = i * gap;  // becomes that of the cell on the left
      *cell = score;
#pragma unroll 1
      for (int j = 0; j < length; ++j, other += pairs) {
        above += pairs;
        cell += pairs;
        const int up = *above;
        score = max(corner + (letter == *other ? match : mismatch), max(up, score) + gap);
        *cell = score;
        corner = up;
      }
      above += pairs;
      cell += pairs;
    }
  }
}
