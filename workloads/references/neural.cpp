// SPDX-License-Identifier: MIT
// Back-propagation with one hidden layer. Weights are row-major, one row per input unit and one
// column per hidden unit; row and column 0 belong to the bias units.
#include <cstddef>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {

namespace {

/// Input times weight; rows of the bias units are left as the weights are.
struct Products {
  explicit Products(const std::vector<Input>& inputs)
      : columns(dimension(inputs[2]) + 1), height(dimension(inputs[3])) {
    const auto& input = std::get<Reals>(inputs[0]);
    values = std::get<Reals>(inputs[1]);
    if (values.size() != input.size() * columns) {
      throw std::invalid_argument("weights is not units x (hidden + 1)");
    }
    if ((input.size() - 1) % height != 0) {
      throw std::invalid_argument("the input units are not a multiple of the block's");
    }
    blocks = (input.size() - 1) / height;
    for (std::size_t row = 1; row < input.size(); ++row) {
      for (std::size_t column = 1; column < columns; ++column) at(row, column) *= input[row];
    }
  }

  double& at(std::size_t row, std::size_t column) { return values[row * columns + column]; }

  Reals values;
  std::size_t columns, height, blocks = 0;
};

}  // namespace

Output layer_partial_sums(const std::vector<Input>& inputs) {
  Products products(inputs);
  Reals sums;
  for (std::size_t block = 0; block < products.blocks; ++block) {
    for (std::size_t column = 1; column < products.columns; ++column) {
      double sum = 0;
      for (std::size_t y = 0; y < products.height; ++y) {
        sum += products.at(block * products.height + y + 1, column);
      }
      sums.push_back(sum);
    }
  }
  return sums;
}

// A summation in pairs leaves in row y of a block the sum of the rows that y is the first of: as
// many as the largest power of two that divides y, all of them for y = 0.
Output layer_paired_products(const std::vector<Input>& inputs) {
  Products products(inputs);
  for (std::size_t block = 0; block < products.blocks; ++block) {
    for (std::size_t y = 0; y < products.height; ++y) {
      const std::size_t rows = y == 0 ? products.height : y & (~y + 1);
      const std::size_t first = block * products.height + y + 1;
      for (std::size_t column = 1; column < products.columns; ++column) {
        // Ascending, so that the rows to be added still hold their own products.
        for (std::size_t i = 1; i < rows; ++i) {
          products.at(first, column) += products.at(first + i, column);
        }
      }
    }
  }
  return products.values;
}

Output weight_changes(const std::vector<Input>& inputs) {
  const auto& delta = std::get<Reals>(inputs[0]);
  const auto& input = std::get<Reals>(inputs[1]);
  Reals change = std::get<Reals>(inputs[2]);
  const double rate = std::get<double>(inputs[3]);
  const double momentum = std::get<double>(inputs[4]);
  const std::size_t columns = delta.size();
  if (change.size() != input.size() * columns) {
    throw std::invalid_argument("last_change is not units x (hidden + 1)");
  }
  for (std::size_t row = 0; row < input.size(); ++row) {
    const double unit = row == 0 ? 1.0 : input[row];  // a bias unit always gives 1
    for (std::size_t column = 1; column < columns; ++column) {
      double& last = change[row * columns + column];
      last = rate * delta[column] * unit + momentum * last;
    }
  }
  return change;
}

Output adjusted_weights(const std::vector<Input>& inputs) {
  Reals weights = std::get<Reals>(inputs[2]);
  const auto& delta = std::get<Reals>(inputs[0]);
  const auto change =
      std::get<Reals>(weight_changes({inputs[0], inputs[1], inputs[3], inputs[4], inputs[5]}));
  if (weights.size() != change.size()) {
    throw std::invalid_argument("weights and last_change differ in length");
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (i % delta.size() != 0) weights[i] += change[i];  // nothing leads to the hidden bias unit
  }
  return weights;
}

}  // namespace paws::references
