// SPDX-License-Identifier: MIT
// Convolutional codes: rate 1/2, constraint length 4, generators 15 and 17 (octal).
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "workloads/references/functions.h"
#include "workloads/references/random.h"

namespace paws::references {
namespace {

constexpr std::size_t kMemory = 3;
constexpr unsigned kStates = 1U << kMemory;

/// The three bits before this one, the newest highest.
unsigned state_after(unsigned state, unsigned bit) { return (state | bit << kMemory) >> 1U; }

/// Two bits, that of generator 15 the upper one.
unsigned symbol_of(unsigned state, unsigned bit) {
  const unsigned window = state | bit << kMemory;
  const auto parity = [](unsigned bits) { return static_cast<unsigned>(std::popcount(bits)) % 2; };
  return parity(window & 015U) << 1U | parity(window & 017U);
}

std::size_t steps_of_frame(const Input& input) {
  const auto steps = dimension(input);
  if (steps <= kMemory || steps > 32) {
    throw std::invalid_argument("a frame has 4 to 32 steps");
  }
  return steps;
}

}  // namespace

// Step by step, each of all frames. The last bits of a frame are zero.
Output noisy_code(const std::vector<Input>& inputs) {
  const auto frames = dimension(inputs[0]);
  const auto steps = steps_of_frame(inputs[1]);
  const auto errors = static_cast<double>(std::get<std::int64_t>(inputs[2])) / 100;
  Uniform uniform(std::get<std::int64_t>(inputs[3]));
  Integers received(frames * steps);
  for (std::size_t frame = 0; frame < frames; ++frame) {
    unsigned state = 0;
    for (std::size_t step = 0; step < steps; ++step) {
      const unsigned bit = step + kMemory < steps && uniform(0, 1) < 0.5 ? 1 : 0;
      unsigned symbol = symbol_of(state, bit);
      for (const unsigned wrong : {1U, 2U}) {
        if (uniform(0, 1) < errors) symbol ^= wrong;
      }
      received[step * frames + frame] = symbol;
      state = state_after(state, bit);
    }
  }
  return received;
}

// The most likely bits of each frame, the first lowest. Of two equally likely ways into a state the
// one from the lower state counts.
Output viterbi_decoded(const std::vector<Input>& inputs) {
  const auto& received = std::get<Integers>(inputs[0]);
  const auto frames = dimension(inputs[1]);
  const auto steps = steps_of_frame(inputs[2]);
  if (received.size() != frames * steps) {
    throw std::invalid_argument("the symbols are not frames x steps");
  }
  struct Way {
    int errors = std::numeric_limits<int>::max();
    std::uint32_t bits = 0;
  };
  Integers decoded;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    std::array<Way, kStates> ways;
    ways[0].errors = 0;
    for (std::size_t step = 0; step < steps; ++step) {
      const auto symbol = static_cast<unsigned>(received[step * frames + frame]);
      std::array<Way, kStates> next;
      for (unsigned state = 0; state < kStates; ++state) {
        if (ways[state].errors == std::numeric_limits<int>::max()) continue;
        for (const unsigned bit : {0U, 1U}) {
          const int errors = ways[state].errors + std::popcount(symbol ^ symbol_of(state, bit));
          Way& best = next[state_after(state, bit)];
          if (errors < best.errors) best = {errors, ways[state].bits | bit << step};
        }
      }
      ways = next;
    }
    decoded.push_back(ways[0].bits);
  }
  return decoded;
}

}  // namespace paws::references
