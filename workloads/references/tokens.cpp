// SPDX-License-Identifier: MIT
// What language models do with whole tokens: choose them, and bring their rows to experts and back.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>

#include "workloads/references/functions.h"
#include "workloads/references/random.h"

namespace paws::references {
namespace {

/// The indices of the k largest numbers of a row, the largest first; of equal ones the first.
std::vector<std::size_t> largest(const Reals& logits, std::size_t row, std::size_t vocabulary,
                                 std::size_t k) {
  std::vector<std::size_t> order(vocabulary);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const double* const first = &logits[row * vocabulary];
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
                    [first](std::size_t a, std::size_t b) {
                      return first[a] != first[b] ? first[a] > first[b] : a < b;
                    });
  order.resize(k);
  return order;
}

std::size_t rows_of(const Reals& logits, std::size_t vocabulary, std::size_t k) {
  if (logits.size() % vocabulary != 0 || k > vocabulary) {
    throw std::invalid_argument("the rows are not of this length, or k is larger");
  }
  return logits.size() / vocabulary;
}

/// Where each choice goes when they are ordered by expert, and else keep their order.
std::vector<std::size_t> slots_of(const Integers& choices, std::size_t experts) {
  std::vector<std::size_t> next(experts + 1);
  for (const std::int64_t expert : choices) {
    if (expert < 0 || static_cast<std::size_t>(expert) >= experts) {
      throw std::invalid_argument("no expert has this number");
    }
    ++next[static_cast<std::size_t>(expert) + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::size_t> slots;
  for (const std::int64_t expert : choices)
    slots.push_back(next[static_cast<std::size_t>(expert)]++);
  return slots;
}

}  // namespace

Output top_k(const std::vector<Input>& inputs) {
  const auto& logits = std::get<Reals>(inputs[0]);
  const auto vocabulary = dimension(inputs[1]);
  const auto k = dimension(inputs[2]);
  Integers out;
  for (std::size_t row = 0; row < rows_of(logits, vocabulary, k); ++row) {
    for (const std::size_t i : largest(logits, row, vocabulary, k)) {
      out.push_back(static_cast<std::int64_t>(i));
    }
  }
  return out;
}

Output sampled_tokens(const std::vector<Input>& inputs) {
  const auto& logits = std::get<Reals>(inputs[0]);
  const auto& uniform = std::get<Reals>(inputs[1]);
  const auto vocabulary = dimension(inputs[2]);
  const auto k = dimension(inputs[3]);
  const double temperature = std::get<double>(inputs[4]);
  const std::size_t rows = rows_of(logits, vocabulary, k);
  if (uniform.size() != rows) throw std::invalid_argument("there is not a number for each row");
  Integers out;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::vector<std::size_t> order = largest(logits, row, vocabulary, k);
    Reals sums;
    for (const std::size_t i : order) {
      const double lower = logits[row * vocabulary + i] - logits[row * vocabulary + order[0]];
      sums.push_back((sums.empty() ? 0 : sums.back()) + std::exp(lower / temperature));
    }
    const auto chosen =
        std::upper_bound(sums.begin(), sums.end() - 1, uniform[row] * sums.back()) - sums.begin();
    out.push_back(static_cast<std::int64_t>(order[static_cast<std::size_t>(chosen)]));
  }
  return out;
}

Output expert_slots(const std::vector<Input>& inputs) {
  const auto& choices = std::get<Integers>(inputs[0]);
  const std::vector<std::size_t> slots = slots_of(choices, dimension(inputs[1]));
  return Integers(slots.begin(), slots.end());
}

Output rows_by_expert(const std::vector<Input>& inputs) {
  const auto& rows = std::get<Reals>(inputs[0]);
  const auto& choices = std::get<Integers>(inputs[1]);
  const auto width = dimension(inputs[3]);
  const std::size_t tokens = rows.size() / width;
  if (rows.size() % width != 0 || tokens == 0 || choices.size() % tokens != 0) {
    throw std::invalid_argument("the tokens have not equally many choices");
  }
  const std::size_t per_token = choices.size() / tokens;
  const std::vector<std::size_t> slots = slots_of(choices, dimension(inputs[2]));
  Reals out(choices.size() * width);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    std::copy_n(&rows[i / per_token * width], width, &out[slots[i] * width]);
  }
  return out;
}

Output rows_of_tokens(const std::vector<Input>& inputs) {
  const auto& rows = std::get<Reals>(inputs[0]);
  const auto& choices = std::get<Integers>(inputs[1]);
  const auto& weights = std::get<Reals>(inputs[2]);
  const auto width = dimension(inputs[4]);
  const auto per_token = dimension(inputs[5]);
  if (rows.size() != choices.size() * width || weights.size() != choices.size() ||
      choices.size() % per_token != 0) {
    throw std::invalid_argument("there is not a row and a weight for each choice");
  }
  const std::vector<std::size_t> slots = slots_of(choices, dimension(inputs[3]));
  Reals out(choices.size() / per_token * width);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    for (std::size_t column = 0; column < width; ++column) {
      out[i / per_token * width + column] += weights[i] * rows[slots[i] * width + column];
    }
  }
  return out;
}

Output shuffled(const std::vector<Input>& inputs) {
  Integers numbers(dimension(inputs[0]));
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  Uniform uniform(std::get<std::int64_t>(inputs[1]));
  for (std::size_t i = numbers.size(); i > 1; --i) {
    std::swap(numbers[i - 1],
              numbers[static_cast<std::size_t>(uniform(0, static_cast<double>(i)))]);
  }
  return numbers;
}

}  // namespace paws::references
