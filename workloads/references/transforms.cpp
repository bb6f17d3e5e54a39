// SPDX-License-Identifier: MIT
// The Walsh-Hadamard transform, and the wavelet transforms of Haar and 5/3.
#include <cstddef>
#include <numbers>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {
namespace {

bool is_power_of_two(std::size_t n) { return (n & (n - 1)) == 0; }

/// Half of a sum, rounded down.
std::int64_t floor_half(std::int64_t sum) { return sum >> 1; }

/// One level of the reversible 5/3 wavelet of JPEG 2000 (ISO/IEC 15444-1, annex F) on a line of
/// even length, by its two lifting steps over the line extended symmetrically; low-pass half first.
Integers lifted(Integers line) {
  const auto length = static_cast<std::int64_t>(line.size());
  const auto at = [&](std::int64_t i) -> std::int64_t& {
    if (i < 0) i = -i;
    if (i >= length) i = 2 * (length - 1) - i;
    return line[static_cast<std::size_t>(i)];
  };
  for (std::int64_t i = 1; i < length; i += 2) at(i) -= floor_half(at(i - 1) + at(i + 1));
  for (std::int64_t i = 0; i < length; i += 2) at(i) += (at(i - 1) + at(i + 1) + 2) >> 2;
  Integers parted;
  for (std::int64_t i = 0; i < length; i += 2) parted.push_back(at(i));
  for (std::int64_t i = 1; i < length; i += 2) parted.push_back(at(i));
  return parted;
}

}  // namespace

Output walsh(const std::vector<Input>& inputs) {
  Reals data = std::get<Reals>(inputs[0]);
  const auto rows = dimension(inputs[1]);
  const auto columns = dimension(inputs[2]);
  if (!is_power_of_two(rows)) throw std::invalid_argument("the number of rows is no power of two");
  if (data.size() % (rows * columns) != 0) {
    throw std::invalid_argument("the last matrix is not whole");
  }
  for (std::size_t half = 1; half < rows; half *= 2) {
    for (std::size_t i = 0; i < data.size(); ++i) {
      if ((i / columns & half) != 0) continue;
      double& upper = data[i];
      double& lower = data[i + half * columns];
      const double sum = upper + lower;
      lower = upper - lower;
      upper = sum;
    }
  }
  return data;
}

Output haar(const std::vector<Input>& inputs) {
  Reals data = std::get<Reals>(inputs[0]);
  const std::int64_t levels = std::get<std::int64_t>(inputs[1]);
  if (levels < 0 || levels > 30 || data.size() % (std::size_t{1} << levels) != 0) {
    throw std::invalid_argument("the signal's length is no multiple of 2^levels");
  }
  for (std::int64_t level = 0; level < levels; ++level) {
    const std::size_t half = data.size() >> (level + 1);
    const Reals from(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(2 * half));
    for (std::size_t i = 0; i < half; ++i) {
      data[i] = (from[2 * i] + from[2 * i + 1]) / std::numbers::sqrt2;
      data[half + i] = (from[2 * i] - from[2 * i + 1]) / std::numbers::sqrt2;
    }
  }
  return data;
}

Output wavelet53(const std::vector<Input>& inputs) {
  constexpr std::size_t kComponents = 3;
  const auto& image = std::get<Integers>(inputs[0]);
  const auto width = dimension(inputs[1]);
  const auto height = dimension(inputs[2]);
  const std::int64_t levels = std::get<std::int64_t>(inputs[3]);
  const std::size_t pixels = width * height;
  if (image.size() < kComponents * pixels)
    throw std::invalid_argument("the image has too few bytes");
  if (levels < 0 || levels > 30 || width % (std::size_t{1} << levels) != 0 ||
      height % (std::size_t{1} << levels) != 0) {
    throw std::invalid_argument("width and height are no multiples of 2^levels");
  }

  Integers planes(kComponents * pixels);
  for (std::size_t component = 0; component < kComponents; ++component) {
    const std::size_t plane = component * pixels;
    for (std::size_t i = 0; i < pixels; ++i) {
      planes[plane + i] = image[kComponents * i + component] - 128;
    }
    const auto lift_line = [&](std::size_t first, std::size_t step, std::size_t length) {
      Integers line(length);
      for (std::size_t i = 0; i < length; ++i) line[i] = planes[first + i * step];
      line = lifted(line);
      for (std::size_t i = 0; i < length; ++i) planes[first + i * step] = line[i];
    };
    for (std::int64_t level = 0; level < levels; ++level) {
      const std::size_t columns = width >> level;
      const std::size_t rows = height >> level;
      for (std::size_t y = 0; y < rows; ++y) lift_line(plane + y * width, 1, columns);
      for (std::size_t x = 0; x < columns; ++x) lift_line(plane + x, width, rows);
    }
  }
  return planes;
}

}  // namespace paws::references
