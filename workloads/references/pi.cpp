// SPDX-License-Identifier: MIT
// Pi by random points, with the generator xorwow (Marsaglia, 2003) per thread.
#include <array>
#include <cstddef>
#include <cstdint>

#include "workloads/references/functions.h"

namespace paws::references {
namespace {

constexpr std::size_t kThreads = 256;  ///< of a block
constexpr std::size_t kWords = 5;
constexpr std::size_t kBits = 32 * kWords;

using Words = std::array<std::uint32_t, kWords>;

struct Generator {
  Words words{};
  std::uint32_t counter = 0;

  std::uint32_t draw() {
    const std::uint32_t t = words[0] ^ (words[0] >> 2U);
    const std::uint32_t v = words[4];
    words = {words[1], words[2], words[3], v, v ^ (v << 4U) ^ t ^ (t << 1U)};
    counter += 362437;
    return words[4] + counter;
  }
};

Generator seeded(std::uint32_t seed) {
  Generator generator;
  for (std::uint32_t& word : generator.words) {
    word = seed++;
    word = (word ^ (word >> 16U)) * 0x7feb352dU;
    word = (word ^ (word >> 15U)) * 0x846ca68bU;
    word ^= word >> 16U;
  }
  return generator;
}

/// Where the threads' generators start: drawn one number after the other, no jumps.
std::vector<Generator> generators(std::size_t threads, const Input& group_size,
                                  const Input& draws_between, const Input& seed_value) {
  const auto group = dimension(group_size);
  const auto distance = dimension(draws_between);
  const auto seed = static_cast<std::uint32_t>(std::get<std::int64_t>(seed_value));
  std::vector<Generator> starts;
  Generator next;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    if (thread % group == 0) {
      next = seeded(seed + static_cast<std::uint32_t>(kWords * (thread / group)));
    }
    starts.push_back(next);
    for (std::size_t i = 0; i < distance; ++i) next.draw();
  }
  return starts;
}

using BitMatrix = std::array<Words, kBits>;  ///< what becomes of each bit

Words product(const Words& vector, const BitMatrix& matrix) {
  Words sum{};
  for (std::size_t bit = 0; bit < kBits; ++bit) {
    if ((vector[bit / 32] >> (bit % 32) & 1U) == 0) continue;
    for (std::size_t k = 0; k < kWords; ++k) sum[k] ^= matrix[bit][k];
  }
  return sum;
}

}  // namespace

// Matrices for distance, 2 distance, 4 distance, ... draws: five words for each bit of a state.
Output xorwow_jumps(const std::vector<Input>& inputs) {
  const auto distance = dimension(inputs[0]);
  const auto jumps = dimension(inputs[1]);
  BitMatrix matrix;
  for (std::size_t bit = 0; bit < kBits; ++bit) {
    Generator generator;
    generator.words[bit / 32] = 1U << (bit % 32);
    for (std::size_t i = 0; i < distance; ++i) generator.draw();
    matrix[bit] = generator.words;
  }
  Integers out;
  for (std::size_t jump = 0; jump < jumps; ++jump) {
    for (const Words& row : matrix) out.insert(out.end(), row.begin(), row.end());
    const BitMatrix once = matrix;
    for (Words& row : matrix) row = product(row, once);
  }
  return out;
}

// Twelve words per thread: the counter, the five words, zeros.
Output xorwow_states(const std::vector<Input>& inputs) {
  Integers out;
  for (const Generator& generator :
       generators(kThreads * dimension(inputs[0]), inputs[1], inputs[2], inputs[3])) {
    out.push_back(generator.counter);
    out.insert(out.end(), generator.words.begin(), generator.words.end());
    out.insert(out.end(), 6, 0);
  }
  return out;
}

// Per block. Point i is drawn by thread i modulo the threads.
Output points_in_circle(const std::vector<Input>& inputs) {
  const auto blocks = dimension(inputs[0]);
  const auto points = dimension(inputs[1]);
  auto threads = generators(kThreads * blocks, inputs[2], inputs[3], inputs[4]);
  Integers inside(blocks);
  for (std::size_t point = 0; point < points; ++point) {
    const std::size_t thread = point % threads.size();
    const std::int64_t x = threads[thread].draw() >> 17U;
    const std::int64_t y = threads[thread].draw() >> 17U;
    if (x * x + y * y < 1 << 30) ++inside[thread / kThreads];
  }
  return inside;
}

}  // namespace paws::references
