// SPDX-License-Identifier: MIT
// Images and volumes, row by row: transposes, filters and stencils.
#include <cstddef>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {

namespace {

/// The number of rows of so many columns. Throws std::invalid_argument when the last one is not
/// whole.
std::size_t rows_of(const Reals& image, std::size_t columns) {
  if (image.size() % columns != 0) throw std::invalid_argument("the last row is not whole");
  return image.size() / columns;
}

/// Tiles transposed one by one, each where it is.
Reals transpose_each(const Reals& image, std::size_t columns, std::size_t side) {
  const std::size_t rows = rows_of(image, columns);
  if (rows % side != 0 || columns % side != 0) {
    throw std::invalid_argument("the last tiles are not whole");
  }
  Reals out(image.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t to_row = row / side * side + column % side;
      const std::size_t to_column = column / side * side + row % side;
      out[to_row * columns + to_column] = image[row * columns + column];
    }
  }
  return out;
}

/// The image filtered along one direction: each pixel gets the sum of weights x pixels, with the
/// last weight for the pixel furthest before it. Pixels are `stride` apart in that direction, and
/// `length` of them are a line of it.
Reals filtered(const Reals& image, std::size_t length, std::size_t stride, const Reals& weights) {
  if (weights.size() % 2 == 0) throw std::invalid_argument("a filter has no middle");
  const std::size_t radius = weights.size() / 2;
  Reals out(image.size());
  for (std::size_t i = 0; i < image.size(); ++i) {
    const std::size_t place = i / stride % length;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      // Beyond the image all is zero.
      if (place + radius < k || place + radius - k >= length) continue;
      out[i] += weights[k] * image[i + radius * stride - k * stride];
    }
  }
  return out;
}

}  // namespace

Output transposed(const std::vector<Input>& inputs) {
  const auto& matrix = std::get<Reals>(inputs[0]);
  const std::size_t columns = dimension(inputs[1]);
  const std::size_t rows = rows_of(matrix, columns);
  Reals out;
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t row = 0; row < rows; ++row) out.push_back(matrix[row * columns + column]);
  }
  return out;
}

Output transposed_in_tiles(const std::vector<Input>& inputs) {
  return transpose_each(std::get<Reals>(inputs[0]), dimension(inputs[1]), dimension(inputs[2]));
}

Output transposed_tiles(const std::vector<Input>& inputs) {
  // The whole transposed, and then the inside of each tile back again.
  const std::size_t rows = rows_of(std::get<Reals>(inputs[0]), dimension(inputs[1]));
  const Output whole = transposed({inputs[0], inputs[1]});
  return transpose_each(std::get<Reals>(whole), rows, dimension(inputs[2]));
}

Output separable_convolution(const std::vector<Input>& inputs) {
  const auto& image = std::get<Reals>(inputs[0]);
  const std::size_t width = dimension(inputs[1]);
  const std::size_t height = rows_of(image, width);
  const Reals across = filtered(image, width, 1, std::get<Reals>(inputs[2]));
  return filtered(across, height, width, std::get<Reals>(inputs[3]));
}

Output stencil7(const std::vector<Input>& inputs) {
  const auto& now = std::get<Reals>(inputs[0]);
  const std::size_t width = dimension(inputs[1]);
  const std::size_t height = dimension(inputs[2]);
  const double centre = std::get<double>(inputs[3]);
  const double side = std::get<double>(inputs[4]);
  const std::size_t area = width * height;
  const std::size_t depth = rows_of(now, area);

  Reals next = now;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const std::size_t x = i % width;
    const std::size_t y = i / width % height;
    const std::size_t z = i / area;
    if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) continue;
    const double neighbours =
        now[i - 1] + now[i + 1] + now[i - width] + now[i + width] + now[i - area] + now[i + area];
    next[i] = side * neighbours - centre * now[i];
  }
  return next;
}

}  // namespace paws::references
