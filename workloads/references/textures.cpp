// SPDX-License-Identifier: MIT
// Texture compression.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "workloads/references/functions.h"
#include "workloads/references/vector3.h"

namespace paws::references {
namespace {

constexpr std::size_t kPixels = 16;  ///< of a block, 4 x 4

using Matrix = std::array<Vector, 3>;
using Block = std::array<Vector, kPixels>;  ///< vectors of red, green, blue

constexpr Vector kLevels{31, 63, 31};  ///< the largest value of each component in 5:6:5 bits

/// About the direction in which the colours spread most: so many steps of power iteration. The
/// number belongs to the method, because it decides on the order of the colours.
Vector main_axis(const Block& colours) {
  Vector mean{};
  for (const Vector& colour : colours) {
    for (std::size_t c = 0; c < 3; ++c) mean[c] += colour[c] / kPixels;
  }
  Matrix covariance{};
  for (const Vector& colour : colours) {
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 3; ++c) {
        covariance[r][c] += (colour[r] - mean[r]) * (colour[c] - mean[c]);
      }
    }
  }
  constexpr int kIterations = 8;
  Vector axis{1, 1, 1};
  for (int i = 0; i < kIterations; ++i) {
    const Vector next{dot(covariance[0], axis), dot(covariance[1], axis), dot(covariance[2], axis)};
    const double length = std::sqrt(dot(next, next));
    if (length == 0) break;
    for (std::size_t c = 0; c < 3; ++c) axis[c] = next[c] / length;
  }
  return axis;
}

struct Ends {
  Vector a, b;   ///< as integers of 5:6:5 bits
  double error;  ///< with the ends as they are, before a decoder rounds
};

/// The best ends when the colour i is to become shares[i] a + (1 - shares[i]) b, rounded to 5:6:5
/// bits, by the normal equations. The shares must not all be the same.
Ends fit(const Block& colours, const std::array<double, kPixels>& shares) {
  double aa = 0;
  double ab = 0;
  double bb = 0;
  Vector ac{};
  Vector bc{};
  for (std::size_t i = 0; i < kPixels; ++i) {
    const double share = shares[i];
    aa += share * share;
    ab += share * (1 - share);
    bb += (1 - share) * (1 - share);
    for (std::size_t c = 0; c < 3; ++c) {
      ac[c] += share * colours[i][c];
      bc[c] += (1 - share) * colours[i][c];
    }
  }
  const double determinant = aa * bb - ab * ab;
  Ends ends{};
  Vector a{};
  Vector b{};
  for (std::size_t c = 0; c < 3; ++c) {
    const double exact_a = (ac[c] * bb - bc[c] * ab) / determinant;
    const double exact_b = (bc[c] * aa - ac[c] * ab) / determinant;
    ends.a[c] = std::floor(std::clamp(exact_a, 0.0, 1.0) * kLevels[c] + 0.5);
    ends.b[c] = std::floor(std::clamp(exact_b, 0.0, 1.0) * kLevels[c] + 0.5);
    a[c] = ends.a[c] / kLevels[c];
    b[c] = ends.b[c] / kLevels[c];
  }
  for (std::size_t i = 0; i < kPixels; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      const double difference = colours[i][c] - shares[i] * a[c] - (1 - shares[i]) * b[c];
      ends.error += difference * difference;
    }
  }
  return ends;
}

/// An 8-bit component from 5 or 6 bits: the upper ones repeat below.
std::int64_t expand(double value, std::size_t component) {
  const auto bits = static_cast<std::int64_t>(value);
  return component == 1 ? (bits << 2) | (bits >> 4) : (bits << 3) | (bits >> 2);
}

/// Least squared error of a block of 16 pixels of 4 bytes, over all ways to cut the colours, sorted
/// along their main axis, into four clusters; as a decoder shows it.
double best_error(const std::int64_t* bytes) {
  Block pixels;
  for (std::size_t i = 0; i < kPixels; ++i) {
    for (std::size_t c = 0; c < 3; ++c) pixels[i][c] = static_cast<double>(bytes[4 * i + c]) / 255;
  }
  const Vector axis = main_axis(pixels);
  std::array<std::size_t, kPixels> order;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return dot(pixels[left], axis) < dot(pixels[right], axis);
  });
  Block sorted;
  for (std::size_t i = 0; i < kPixels; ++i) sorted[i] = pixels[order[i]];

  Ends best{};
  best.error = std::numeric_limits<double>::infinity();
  std::array<int, kPixels> best_thirds{};
  for (std::size_t first = 0; first <= kPixels; ++first) {
    for (std::size_t second = first; second <= kPixels; ++second) {
      for (std::size_t third = second; third <= kPixels; ++third) {
        std::array<int, kPixels> thirds;
        std::array<double, kPixels> shares;
        for (std::size_t i = 0; i < kPixels; ++i) {
          thirds[i] = i < first ? 3 : i < second ? 2 : i < third ? 1 : 0;
          shares[i] = thirds[i] / 3.0;
        }
        if (thirds.front() == thirds.back()) continue;  // one cluster alone
        const Ends ends = fit(sorted, shares);
        if (ends.error >= best.error) continue;
        best = ends;
        best_thirds = thirds;
      }
    }
  }

  std::int64_t error = 0;
  for (std::size_t i = 0; i < kPixels; ++i) {
    const std::int64_t* pixel = bytes + 4 * order[i];
    for (std::size_t c = 0; c < 3; ++c) {
      const std::int64_t shown =
          (best_thirds[i] * expand(best.a[c], c) + (3 - best_thirds[i]) * expand(best.b[c], c)) / 3;
      error += (pixel[c] - shown) * (pixel[c] - shown);
    }
  }
  return static_cast<double>(error);
}

}  // namespace

Output dxt1_error(const std::vector<Input>& inputs) {
  constexpr std::size_t kBytes = 4 * kPixels;
  const auto& image = std::get<Integers>(inputs[0]);
  if (image.size() % kBytes != 0) throw std::invalid_argument("the last block is not whole");
  Reals errors;
  for (std::size_t i = 0; i < image.size(); i += kBytes) errors.push_back(best_error(&image[i]));
  return errors;
}

}  // namespace paws::references
