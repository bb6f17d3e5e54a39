// SPDX-License-Identifier: MIT
// Layers of language models between their products of matrices, row by row, and products with
// weights of few bits.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {
namespace {

void require(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(what);
}

/// The angle by which pair `i` of a head's `half` pairs is turned at a position.
double turn(double position, std::size_t i, std::size_t half, double base) {
  return position * std::pow(base, -static_cast<double>(i) / static_cast<double>(half));
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

Output layer_norm(const std::vector<Input>& inputs) {
  auto x = std::get<Reals>(inputs[0]);
  const auto& gain = std::get<Reals>(inputs[1]);
  const auto& bias = std::get<Reals>(inputs[2]);
  const double epsilon = std::get<double>(inputs[3]);
  const std::size_t width = gain.size();
  require(width > 0 && bias.size() == width && x.size() % width == 0,
          "the rows, gains and biases differ in length");
  for (std::size_t row = 0; row < x.size(); row += width) {
    double mean = 0;
    for (std::size_t i = 0; i < width; ++i) mean += x[row + i] / static_cast<double>(width);
    double variance = 0;
    for (std::size_t i = 0; i < width; ++i) {
      variance += (x[row + i] - mean) * (x[row + i] - mean) / static_cast<double>(width);
    }
    for (std::size_t i = 0; i < width; ++i) {
      x[row + i] = (x[row + i] - mean) / std::sqrt(variance + epsilon) * gain[i] + bias[i];
    }
  }
  return x;
}

Output rms_norm(const std::vector<Input>& inputs) {
  auto x = std::get<Reals>(inputs[0]);
  const auto& residual = std::get<Reals>(inputs[1]);
  const auto& gain = std::get<Reals>(inputs[2]);
  const double epsilon = std::get<double>(inputs[3]);
  const std::size_t width = gain.size();
  require(width > 0 && residual.size() == x.size() && x.size() % width == 0,
          "the rows, residuals and gains differ in length");
  for (std::size_t row = 0; row < x.size(); row += width) {
    double squares = 0;
    for (std::size_t i = 0; i < width; ++i) {
      x[row + i] += residual[row + i];
      squares += x[row + i] * x[row + i] / static_cast<double>(width);
    }
    for (std::size_t i = 0; i < width; ++i) x[row + i] *= gain[i] / std::sqrt(squares + epsilon);
  }
  return x;
}

Output softmax(const std::vector<Input>& inputs) {
  auto x = std::get<Reals>(inputs[0]);
  const auto width = dimension(inputs[1]);
  require(x.size() % width == 0, "the rows are not of this length");
  for (std::size_t row = 0; row < x.size(); row += width) {
    double largest = -HUGE_VAL;
    for (std::size_t i = 0; i < width; ++i) largest = std::max(largest, x[row + i]);
    double total = 0;
    for (std::size_t i = 0; i < width; ++i) total += x[row + i] = std::exp(x[row + i] - largest);
    for (std::size_t i = 0; i < width; ++i) x[row + i] /= total;
  }
  return x;
}

Output rotary_table(const std::vector<Input>& inputs) {
  const auto positions = dimension(inputs[0]);
  const auto half = dimension(inputs[1]) / 2;
  const double base = std::get<double>(inputs[2]);
  Reals table(positions * 2 * half);
  for (std::size_t position = 0; position < positions; ++position) {
    for (std::size_t i = 0; i < half; ++i) {
      const double angle = turn(static_cast<double>(position), i, half, base);
      table[position * 2 * half + i] = std::cos(angle);
      table[position * 2 * half + half + i] = std::sin(angle);
    }
  }
  return table;
}

Output rotary(const std::vector<Input>& inputs) {
  auto x = std::get<Reals>(inputs[0]);
  const auto& positions = std::get<Integers>(inputs[1]);
  const auto head = dimension(inputs[2]);
  const double base = std::get<double>(inputs[3]);
  const std::size_t half = head / 2;
  require(!positions.empty() && head % 2 == 0 && x.size() % (positions.size() * head) == 0,
          "the tokens are not of whole heads");
  const std::size_t width = x.size() / positions.size();
  for (std::size_t at = 0; at < x.size(); at += head) {
    const auto position = static_cast<double>(positions[at / width]);
    for (std::size_t i = 0; i < half; ++i) {
      const double angle = turn(position, i, half, base);
      const double first = x[at + i];
      const double second = x[at + half + i];
      x[at + i] = first * std::cos(angle) - second * std::sin(angle);
      x[at + half + i] = second * std::cos(angle) + first * std::sin(angle);
    }
  }
  return x;
}

Output biased_gelu(const std::vector<Input>& inputs) {
  auto x = std::get<Reals>(inputs[0]);
  const auto& bias = std::get<Reals>(inputs[1]);
  require(!bias.empty() && x.size() % bias.size() == 0, "the rows and biases differ in length");
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double sum = x[i] + bias[i % bias.size()];
    const double inner = std::sqrt(2 / std::acos(-1.0)) * (sum + 0.044715 * sum * sum * sum);
    x[i] = sum / 2 * (1 + std::tanh(inner));
  }
  return x;
}

Output swiglu(const std::vector<Input>& inputs) {
  const auto& both = std::get<Reals>(inputs[0]);
  const auto width = dimension(inputs[1]);
  require(both.size() % (2 * width) == 0, "the rows are not a gate and a value of this length");
  Reals out(both.size() / 2);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double gate = both[i / width * 2 * width + i % width];
    const double value = both[i / width * 2 * width + width + i % width];
    out[i] = gate * logistic(gate) * value;
  }
  return out;
}

Output int8_product(const std::vector<Input>& inputs) {
  const auto& weights = std::get<Integers>(inputs[0]);
  const auto& scales = std::get<Reals>(inputs[1]);
  const auto& x = std::get<Reals>(inputs[2]);
  require(weights.size() == scales.size() * x.size(), "the weights are not rows x columns");
  Reals y(scales.size());
  for (std::size_t row = 0; row < y.size(); ++row) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      y[row] += static_cast<double>(weights[row * x.size() + i]) * x[i];
    }
    y[row] *= scales[row];
  }
  return y;
}

Output int4_product(const std::vector<Input>& inputs) {
  const auto& words = std::get<Integers>(inputs[0]);
  const auto& scales = std::get<Reals>(inputs[1]);
  const auto& zeros = std::get<Integers>(inputs[2]);
  const auto& x = std::get<Reals>(inputs[3]);
  const auto group = dimension(inputs[4]);
  constexpr std::size_t kPerWord = 8;
  require(!x.empty() && words.size() * kPerWord % x.size() == 0 &&
              scales.size() * group == words.size() * kPerWord && zeros.size() == scales.size(),
          "the weights are not rows x columns with a scale and a zero per group");
  Reals y(words.size() * kPerWord / x.size());
  for (std::size_t i = 0; i < words.size() * kPerWord; ++i) {
    const auto word = static_cast<std::uint64_t>(words[i / kPerWord]);
    const auto weight = static_cast<double>(word >> (4 * (i % kPerWord)) & 0xfU);
    y[i / x.size()] +=
        (weight - static_cast<double>(zeros[i / group])) * scales[i / group] * x[i % x.size()];
  }
  return y;
}

}  // namespace paws::references
