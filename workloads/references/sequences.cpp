// SPDX-License-Identifier: MIT
// Sequences of letters and of numbers: sorting, alignment, text.
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string_view>

#include "workloads/references/functions.h"
#include "workloads/references/random.h"

namespace paws::references {

Output sorted(const std::vector<Input>& inputs) {
  Integers out = std::get<Integers>(inputs[0]);
  std::sort(out.begin(), out.end());
  return out;
}

// Letters have two bits, the first the lowest. Cells row by row, each of all pairs.
Output alignment_scores(const std::vector<Input>& inputs) {
  const auto& first = std::get<Integers>(inputs[0]);
  const auto& second = std::get<Integers>(inputs[1]);
  const auto length = dimension(inputs[2]);
  const std::int64_t match = std::get<std::int64_t>(inputs[3]);
  const std::int64_t mismatch = std::get<std::int64_t>(inputs[4]);
  const std::int64_t gap = std::get<std::int64_t>(inputs[5]);
  if (first.size() != second.size()) throw std::invalid_argument("a sequence has no partner");
  if (length > 16) throw std::invalid_argument("a sequence has up to 16 letters");
  const std::size_t pairs = first.size();
  const std::size_t width = length + 1;
  Integers out(pairs * width * width);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const auto score = [&](std::size_t i, std::size_t j) -> std::int64_t& {
      return out[(i * width + j) * pairs + pair];
    };
    const auto letter = [](std::int64_t letters, std::size_t i) { return letters >> 2 * i & 3; };
    for (std::size_t i = 0; i < width; ++i) {
      score(i, 0) = static_cast<std::int64_t>(i) * gap;
      score(0, i) = score(i, 0);
    }
    for (std::size_t i = 1; i < width; ++i) {
      for (std::size_t j = 1; j < width; ++j) {
        const bool same = letter(first[pair], i - 1) == letter(second[pair], j - 1);
        score(i, j) = std::max({score(i - 1, j - 1) + (same ? match : mismatch),
                                score(i - 1, j) + gap, score(i, j - 1) + gap});
      }
    }
  }
  return out;
}

// Four characters per word, the first lowest, about as often as in English.
Output ascii_text(const std::vector<Input>& inputs) {
  constexpr std::string_view kHundred =
      "                  "
      "eeeeeeeeeetttttttaaaaaaoooooo"
      "iiiiiinnnnnnsssssrrrrhhhhlll"
      "ddduuuccmmffppggwwybvkTAS.,\n";
  const auto words = dimension(inputs[0]);
  Uniform uniform(std::get<std::int64_t>(inputs[1]));
  Integers text(words);
  for (std::int64_t& word : text) {
    for (int shift = 0; shift < 32; shift += 8) {
      const auto drawn = static_cast<std::size_t>(uniform(0, kHundred.size()));
      word |= std::int64_t{kHundred[drawn]} << shift;
    }
  }
  return text;
}

}  // namespace paws::references
