// SPDX-License-Identifier: MIT
// AES decryption with a key of 128 bits, every block of 16 bytes by itself (FIPS 197, the
// equivalent inverse cipher). Threads are persistent: each takes every block whose number is its
// own plus a multiple of the number of threads. A column is a word, its first byte lowest. Four
// tables in shared memory give a byte's part of a column after the substitution and the mixing; the
// round keys are there too.

#define ROUNDS 10
#define TABLE 256
#define TABLE_WORDS (4 * TABLE + TABLE / 4)  // four tables of words, one of bytes
#define KEY_WORDS (4 * (ROUNDS + 1))

__device__ __forceinline__ unsigned int byte_of(unsigned int word, int index) {
  return word >> (8 * index) & 0xff;
}

// The round keys are in the order of their use.
__global__ void decrypt(const uint4* in, uint4* out, const unsigned int* tables,
                        const unsigned int* keys, int blocks) {
  __shared__ unsigned int table[TABLE_WORDS];
  __shared__ unsigned int round_keys[KEY_WORDS];
  for (int i = threadIdx.x; i < TABLE_WORDS; i += blockDim.x) table[i] = tables[i];
  for (int i = threadIdx.x; i < KEY_WORDS; i += blockDim.x) round_keys[i] = keys[i];
  __syncthreads();
  const unsigned char* const last_table = reinterpret_cast<const unsigned char*>(table + 4 * TABLE);

#pragma unroll 1
  for (int block = blockIdx.x * blockDim.x + threadIdx.x; block < blocks;
       block += gridDim.x * blockDim.x) {
    const uint4 cipher = in[block];
    unsigned int column[4] = {cipher.x ^ round_keys[0], cipher.y ^ round_keys[1],
                              cipher.z ^ round_keys[2], cipher.w ^ round_keys[3]};
    unsigned int next[4];
#pragma unroll 1
    for (int round = 1; round < ROUNDS; ++round) {
      // Row r of the state is rotated by r columns.
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        next[i] = round_keys[4 * round + i];
#pragma unroll
        for (int r = 0; r < 4; ++r) next[i] ^= table[TABLE * r + byte_of(column[(i - r) & 3], r)];
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) column[i] = next[i];
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      next[i] = round_keys[4 * ROUNDS + i];
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        next[i] ^= static_cast<unsigned int>(last_table[byte_of(column[(i - r) & 3], r)])
                   << (8 * r);
      }
    }
    out[block] = make_uint4(next[0], next[1], next[2], next[3]);
  }
}
