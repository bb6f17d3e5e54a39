// SPDX-License-Identifier: MIT
// Hash join of two tables: the rows of one go into a hash table with open addressing, then the rows
// of the other look for theirs. A slot holds key and value in one word, so that a compare-and-swap
// takes it and fills it at once. The number of slots is a power of two.

#define EMPTY 0xffffffffffffffffull

// The finalizer of Appleby's MurmurHash3: every bit of the key moves every bit of the result.
__device__ unsigned hash(unsigned key) {
  key = (key ^ key >> 16) * 0x85ebca6bu;
  key = (key ^ key >> 13) * 0xc2b2ae35u;
  return key ^ key >> 16;
}

// Distinct keys below 2^31. All slots are EMPTY at the start.
__global__ void hash_build(const unsigned* keys, const unsigned* values, unsigned long long* slots,
                           int rows, unsigned slot_mask) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const unsigned key = keys[row];
  const unsigned long long entry = static_cast<unsigned long long>(key) << 32 | values[row];
  unsigned slot = hash(key) & slot_mask;
  while (atomicCAS(&slots[slot], EMPTY, entry) != EMPTY) slot = (slot + 1) & slot_mask;
}

// The value of each row's key, or `absent`.
__global__ void hash_probe(const unsigned* keys, const unsigned long long* slots, unsigned* values,
                           int rows, unsigned slot_mask, unsigned absent) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const unsigned key = keys[row];
  unsigned value = absent;
  for (unsigned slot = hash(key) & slot_mask;; slot = (slot + 1) & slot_mask) {
    const unsigned long long entry = slots[slot];
    if (entry == EMPTY) break;
    if (entry >> 32 == key) {
      value = static_cast<unsigned>(entry);
      break;
    }
  }
  values[row] = value;
}
