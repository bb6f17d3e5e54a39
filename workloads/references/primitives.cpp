// SPDX-License-Identifier: MIT
// Data-parallel primitives of sparse algebra, sorting, joins and training: sparse matrices,
// digits of keys, prefix sums, look-ups, rows of tables, optimizer steps.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "workloads/references/functions.h"
#include "workloads/references/random.h"

namespace paws::references {

namespace {

/// Throws std::invalid_argument when `index` is not one of `count` things.
std::size_t index_below(std::int64_t index, std::size_t count) {
  if (index < 0 || static_cast<std::size_t>(index) >= count) {
    throw std::invalid_argument("an index lies beyond what it indexes");
  }
  return static_cast<std::size_t>(index);
}

/// Calls f(row, place in the row, entry) for every entry of a sparse matrix with compressed rows.
/// Throws std::invalid_argument when `first` does not divide `entries` entries into rows.
template <typename F>
void for_each_entry(const Integers& first, std::size_t entries, F&& f) {
  if (first.empty() || first.front() != 0 || first.back() != static_cast<std::int64_t>(entries) ||
      !std::is_sorted(first.begin(), first.end())) {
    throw std::invalid_argument("the rows do not divide the entries");
  }
  for (std::size_t row = 0; row + 1 < first.size(); ++row) {
    const auto begin = static_cast<std::size_t>(first[row]);
    const auto end = static_cast<std::size_t>(first[row + 1]);
    for (std::size_t i = begin; i < end; ++i) f(row, i - begin, i);
  }
}

/// `width` places for every row, the first places of all rows before the second ones. Throws
/// std::invalid_argument when a row is longer.
template <typename T>
std::vector<T> padded_rows(const Integers& first, const std::vector<T>& entries, std::size_t width,
                           T padding) {
  const std::size_t rows = std::max<std::size_t>(first.size(), 1) - 1;
  std::vector<T> out(rows * width, padding);
  for_each_entry(first, entries.size(), [&](std::size_t row, std::size_t place, std::size_t i) {
    if (place >= width) throw std::invalid_argument("a row has more entries than places");
    out[place * rows + row] = entries[i];
  });
  return out;
}

/// The digit of each key: so many bits from bit `shift` on.
std::vector<std::size_t> digits_of(const Integers& keys, std::int64_t shift, std::int64_t bits) {
  if (shift < 0 || bits <= 0 || shift + bits > 32) {
    throw std::invalid_argument("a digit lies beyond the 32 bits of a key");
  }
  std::vector<std::size_t> digits;
  digits.reserve(keys.size());
  for (const std::int64_t key : keys) {
    digits.push_back((static_cast<std::uint64_t>(key) >> shift) & ((std::uint64_t{1} << bits) - 1));
  }
  return digits;
}

}  // namespace

// Lengths follow a power law of exponent 2.5, up to `skew` times the shortest, then rounding.
Output irregular_rows(const std::vector<Input>& inputs) {
  const auto rows = dimension(inputs[0]);
  const auto entries = static_cast<double>(dimension(inputs[1]));
  const auto skew = static_cast<double>(dimension(inputs[2]));
  Uniform uniform(std::get<std::int64_t>(inputs[3]));
  Reals before{0};
  for (std::size_t row = 0; row < rows; ++row) {
    before.push_back(before.back() + std::min(skew, std::pow(1 - uniform(0, 1), -1 / 1.5)));
  }
  Integers first;
  for (const double sum : before) {
    first.push_back(static_cast<std::int64_t>(std::floor(entries * (sum / before.back()))));
  }
  return first;
}

// Half of a row's entries are up to `band` columns from the diagonal, which is as steep as the
// matrix is wide. Two entries may share a column: then the matrix has their sum there.
Output irregular_columns(const std::vector<Input>& inputs) {
  const auto& first = std::get<Integers>(inputs[0]);
  const auto columns = static_cast<double>(dimension(inputs[1]));
  const auto band = static_cast<double>(dimension(inputs[2]));
  Uniform uniform(std::get<std::int64_t>(inputs[3]));
  if (first.size() < 2) throw std::invalid_argument("the matrix has no rows");
  const auto rows = static_cast<double>(first.size() - 1);
  Integers out(static_cast<std::size_t>(std::max<std::int64_t>(first.back(), 0)));
  for_each_entry(first, out.size(), [&](std::size_t row, std::size_t, std::size_t i) {
    const double diagonal = static_cast<double>(row) * columns / rows;
    const bool near = uniform(0, 1) < 0.5;
    const double column = near ? diagonal + uniform(-band, band) : uniform(0, columns);
    out[i] = static_cast<std::int64_t>(std::clamp(std::floor(column), 0.0, columns - 1));
  });
  for (std::size_t row = 0; row + 1 < first.size(); ++row) {
    std::sort(out.begin() + first[row], out.begin() + first[row + 1]);
  }
  return out;
}

Output ell_columns(const std::vector<Input>& inputs) {
  return padded_rows<std::int64_t>(std::get<Integers>(inputs[0]), std::get<Integers>(inputs[1]),
                                   dimension(inputs[2]), -1);
}

Output ell_values(const std::vector<Input>& inputs) {
  return padded_rows<double>(std::get<Integers>(inputs[0]), std::get<Reals>(inputs[1]),
                             dimension(inputs[2]), 0);
}

Output sparse_product(const std::vector<Input>& inputs) {
  const auto& first = std::get<Integers>(inputs[0]);
  const auto& column = std::get<Integers>(inputs[1]);
  const auto& value = std::get<Reals>(inputs[2]);
  const auto& x = std::get<Reals>(inputs[3]);
  if (column.size() != value.size()) throw std::invalid_argument("an entry lacks column or value");
  Reals out(std::max<std::size_t>(first.size(), 1) - 1);
  for_each_entry(first, value.size(), [&](std::size_t row, std::size_t, std::size_t i) {
    out[row] += value[i] * x[index_below(column[i], x.size())];
  });
  return out;
}

Output digit_counts(const std::vector<Input>& inputs) {
  const auto& keys = std::get<Integers>(inputs[0]);
  const auto bits = std::get<std::int64_t>(inputs[2]);
  const auto tile = dimension(inputs[3]);
  const auto digits = digits_of(keys, std::get<std::int64_t>(inputs[1]), bits);
  const std::size_t tiles = (keys.size() + tile - 1) / tile;
  Integers counts(tiles << bits);
  for (std::size_t i = 0; i < digits.size(); ++i) ++counts[digits[i] * tiles + i / tile];
  return counts;
}

Output digit_offsets(const std::vector<Input>& inputs) {
  Integers counts = std::get<Integers>(digit_counts(inputs));
  std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), std::int64_t{0});
  return counts;
}

Output sorted_by_digit(const std::vector<Input>& inputs) {
  const auto& carried = std::get<Integers>(inputs[1]);
  const auto digits = digits_of(std::get<Integers>(inputs[0]), std::get<std::int64_t>(inputs[2]),
                                std::get<std::int64_t>(inputs[3]));
  if (carried.size() != digits.size()) throw std::invalid_argument("a key carries nothing");
  std::vector<std::size_t> order(digits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return digits[a] < digits[b]; });
  Integers out;
  out.reserve(order.size());
  for (const std::size_t i : order) out.push_back(carried[i]);
  return out;
}

Output prefix_sums(const std::vector<Input>& inputs) {
  Integers out = std::get<Integers>(inputs[0]);
  std::inclusive_scan(out.begin(), out.end(), out.begin());
  return out;
}

// Multiplication with an odd number permutes the residues modulo 2^31.
Output distinct_keys(const std::vector<Input>& inputs) {
  Integers out;
  for (const std::int64_t number : std::get<Integers>(inputs[0])) {
    const auto key = static_cast<std::uint64_t>(number) * 2654435769U;
    out.push_back(static_cast<std::int64_t>(key & 0x7fffffffU));
  }
  return out;
}

Output joined_values(const std::vector<Input>& inputs) {
  const auto& keys = std::get<Integers>(inputs[0]);
  const auto& values = std::get<Integers>(inputs[1]);
  const auto absent = std::get<std::int64_t>(inputs[3]);
  if (keys.size() != values.size()) throw std::invalid_argument("a key lacks its value");
  std::unordered_map<std::int64_t, std::int64_t> value_of;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!value_of.emplace(keys[i], values[i]).second) {
      throw std::invalid_argument("a key occurs twice");
    }
  }
  Integers out;
  for (const std::int64_t key : std::get<Integers>(inputs[2])) {
    const auto found = value_of.find(key);
    out.push_back(found == value_of.end() ? absent : found->second);
  }
  return out;
}

// By Zipf's law the word of rank r occurs 1 / r as often as the first. Words keep the order of
// their ranks, as those of a vocabulary by frequency do.
Output zipf_tokens(const std::vector<Input>& inputs) {
  const auto tokens = dimension(inputs[0]);
  const auto words = dimension(inputs[1]);
  Uniform uniform(std::get<std::int64_t>(inputs[2]));
  Reals up_to;
  double sum = 0;
  for (std::size_t rank = 1; rank <= words; ++rank) {
    sum += 1 / static_cast<double>(rank);
    up_to.push_back(sum);
  }
  Integers out;
  for (std::size_t i = 0; i < tokens; ++i) {
    const auto word = std::upper_bound(up_to.begin(), up_to.end(), uniform(0, sum));
    out.push_back(
        std::min<std::int64_t>(word - up_to.begin(), static_cast<std::int64_t>(words) - 1));
  }
  return out;
}

Output table_rows(const std::vector<Input>& inputs) {
  const auto& table = std::get<Reals>(inputs[0]);
  const auto width = dimension(inputs[2]);
  Reals out;
  for (const std::int64_t row : std::get<Integers>(inputs[1])) {
    const std::size_t begin = index_below(row, table.size() / width) * width;
    out.insert(out.end(), table.begin() + static_cast<std::ptrdiff_t>(begin),
               table.begin() + static_cast<std::ptrdiff_t>(begin + width));
  }
  return out;
}

Output table_gradient(const std::vector<Input>& inputs) {
  const auto& updates = std::get<Reals>(inputs[0]);
  const auto& rows = std::get<Integers>(inputs[1]);
  const auto width = dimension(inputs[2]);
  const auto words = dimension(inputs[3]);
  if (updates.size() != rows.size() * width) throw std::invalid_argument("a row lacks its update");
  Reals out(words * width);
  for (std::size_t i = 0; i < updates.size(); ++i) {
    out[index_below(rows[i / width], words) * width + i % width] += updates[i];
  }
  return out;
}

Output moving_mean(const std::vector<Input>& inputs) {
  const auto& mean = std::get<Reals>(inputs[0]);
  const auto& next = std::get<Reals>(inputs[1]);
  const double decay = std::get<double>(inputs[2]);
  const auto power = static_cast<double>(dimension(inputs[3]));
  if (mean.size() != next.size()) throw std::invalid_argument("the vectors differ in length");
  Reals out(mean.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = decay * mean[i] + (1 - decay) * std::pow(next[i], power);
  }
  return out;
}

// Loshchilov and Hutter, "Decoupled weight decay regularization", algorithm 2.
Output adamw_weights(const std::vector<Input>& inputs) {
  const auto& weights = std::get<Reals>(inputs[0]);
  const auto real = [&](std::size_t i) { return std::get<double>(inputs[i]); };
  const double rate = real(4);
  const double first_decay = real(5);
  const double second_decay = real(6);
  const double epsilon = real(7);
  const double weight_decay = real(8);
  const auto steps = static_cast<double>(dimension(inputs[9]));
  const Reals first =
      std::get<Reals>(moving_mean({inputs[2], inputs[1], first_decay, std::int64_t{1}}));
  const Reals second =
      std::get<Reals>(moving_mean({inputs[3], inputs[1], second_decay, std::int64_t{2}}));
  if (first.size() != weights.size()) throw std::invalid_argument("the vectors differ in length");
  Reals out(weights.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double mean = first[i] / (1 - std::pow(first_decay, steps));
    const double square = second[i] / (1 - std::pow(second_decay, steps));
    out[i] = weights[i] - rate * (mean / (std::sqrt(square) + epsilon) + weight_decay * weights[i]);
  }
  return out;
}

}  // namespace paws::references
