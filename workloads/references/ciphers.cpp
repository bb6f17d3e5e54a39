// SPDX-License-Identifier: MIT
// AES with a key of 128 bits (FIPS 197), byte by byte as the standard describes it.
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {
namespace {

constexpr std::size_t kRounds = 10;
constexpr std::size_t kBytes = 16;  ///< of a block, of a key and of a round key

using Byte = std::uint8_t;
using Block = std::array<Byte, kBytes>;  ///< column by column
using Substitution = std::array<Byte, 256>;

/// In GF(2^8), modulo x^8 + x^4 + x^3 + x + 1.
Byte times(unsigned a, unsigned b) {
  unsigned product = 0;
  for (; b != 0; b >>= 1U) {
    if ((b & 1U) != 0) product ^= a;
    a <<= 1U;
    if ((a & 0x100U) != 0) a ^= 0x11bU;
  }
  return static_cast<Byte>(product);
}

/// The S-box: the inverse, then an affine transformation of its bits.
Substitution substitution() {
  Substitution box{};
  for (unsigned value = 0; value < box.size(); ++value) {
    unsigned inverse = 0;  // value^254
    if (value != 0) {
      inverse = 1;
      for (int i = 0; i < 254; ++i) inverse = times(inverse, value);
    }
    const unsigned twice = inverse | inverse << 8U;
    box[value] = static_cast<Byte>(
        (twice ^ twice >> 4U ^ twice >> 5U ^ twice >> 6U ^ twice >> 7U ^ 0x63U) & 0xffU);
  }
  return box;
}

Substitution inverse_substitution() {
  const Substitution box = substitution();
  Substitution inverse{};
  for (unsigned value = 0; value < box.size(); ++value) {
    inverse[box[value]] = static_cast<Byte>(value);
  }
  return inverse;
}

/// A byte's part of a mixed column: what the byte of row 0 adds to rows 0 to 3 (InvMixColumns).
constexpr std::array<Byte, 4> kUnmixing{0x0e, 0x09, 0x0d, 0x0b};

Block unmixed(const Block& block) {
  Block out{};
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t from = 0; from < 4; ++from) {
      for (std::size_t row = 0; row < 4; ++row) {
        out[4 * column + row] ^= times(block[4 * column + from], kUnmixing[(row + 4 - from) % 4]);
      }
    }
  }
  return out;
}

Block bytes_at(const Integers& bytes, std::size_t first) {
  Block block{};
  for (std::size_t i = 0; i < kBytes; ++i) block[i] = static_cast<Byte>(bytes[first + i]);
  return block;
}

std::array<Block, kRounds + 1> round_keys(const Integers& key) {
  if (key.size() != kBytes) throw std::invalid_argument("a key has 16 bytes");
  const Substitution box = substitution();
  std::array<Block, kRounds + 1> keys;
  keys[0] = bytes_at(key, 0);
  Byte constant = 1;
  for (std::size_t round = 1; round <= kRounds; ++round) {
    const Block& before = keys[round - 1];
    Block& now = keys[round];
    for (std::size_t row = 0; row < 4; ++row) {
      now[row] = before[row] ^ box[before[12 + (row + 1) % 4]];
    }
    now[0] ^= constant;
    for (std::size_t i = 4; i < kBytes; ++i) now[i] = before[i] ^ now[i - 4];
    constant = times(constant, 2);
  }
  return keys;
}

/// The first byte is the lowest.
std::int64_t word(Byte a, Byte b, Byte c, Byte d) {
  return std::int64_t{a} | std::int64_t{b} << 8 | std::int64_t{c} << 16 | std::int64_t{d} << 24;
}

}  // namespace

Output aes_decrypted(const std::vector<Input>& inputs) {
  const auto keys = round_keys(std::get<Integers>(inputs[0]));
  const auto& cipher = std::get<Integers>(inputs[1]);
  if (cipher.size() % kBytes != 0) throw std::invalid_argument("the last block is not whole");
  const Substitution box = inverse_substitution();
  const auto add = [](Block& block, const Block& key) {
    for (std::size_t i = 0; i < kBytes; ++i) block[i] ^= key[i];
  };

  Integers plain;
  for (std::size_t first = 0; first < cipher.size(); first += kBytes) {
    Block block = bytes_at(cipher, first);
    add(block, keys[kRounds]);
    for (std::size_t round = kRounds; round-- > 0;) {
      const Block before = block;
      for (std::size_t column = 0; column < 4; ++column) {
        for (std::size_t row = 0; row < 4; ++row) {
          block[4 * ((column + row) % 4) + row] = box[before[4 * column + row]];
        }
      }
      add(block, keys[round]);
      if (round > 0) block = unmixed(block);
    }
    plain.insert(plain.end(), block.begin(), block.end());
  }
  return plain;
}

// Of the equivalent inverse cipher, in the order of their use.
Output aes_decryption_keys(const std::vector<Input>& inputs) {
  const auto keys = round_keys(std::get<Integers>(inputs[0]));
  Integers words;
  for (std::size_t round = kRounds + 1; round-- > 0;) {
    const bool mixed = round > 0 && round < kRounds;
    const Block key = mixed ? unmixed(keys[round]) : keys[round];
    for (std::size_t i = 0; i < kBytes; i += 4) {
      words.push_back(word(key[i], key[i + 1], key[i + 2], key[i + 3]));
    }
  }
  return words;
}

// Four tables of words, for the byte of each row; then the inverse S-box, four bytes in a word.
Output aes_decryption_tables(const std::vector<Input>& /*inputs*/) {
  const Substitution box = inverse_substitution();
  Integers words;
  for (std::size_t row = 0; row < 4; ++row) {
    for (const Byte value : box) {
      Block column{};
      column[row] = value;
      column = unmixed(column);
      words.push_back(word(column[0], column[1], column[2], column[3]));
    }
  }
  for (std::size_t i = 0; i < box.size(); i += 4) {
    words.push_back(word(box[i], box[i + 1], box[i + 2], box[i + 3]));
  }
  return words;
}

}  // namespace paws::references
