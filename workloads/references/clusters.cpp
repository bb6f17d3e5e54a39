// SPDX-License-Identifier: MIT
// Points in clusters, for k-means. Features are integers from 0 to 255, so that squared distances
// are exact in single precision too.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include "workloads/references/functions.h"
#include "workloads/references/random.h"

namespace paws::references {

namespace {

/// Row-major, one row per point. The first points are the same however many there are.
Reals points_in_clusters(std::size_t points, std::size_t features, std::size_t clusters,
                         std::int64_t seed) {
  constexpr double kSpread = 128;
  Uniform uniform(seed);
  Reals centre(clusters * features);
  for (double& value : centre) value = uniform(0, 256);
  Reals out;
  out.reserve(points * features);
  for (std::size_t point = 0; point < points; ++point) {
    const auto cluster = static_cast<std::size_t>(uniform(0, static_cast<double>(clusters)));
    for (std::size_t i = 0; i < features; ++i) {
      const double value = centre[cluster * features + i] + uniform(-kSpread, kSpread);
      out.push_back(std::clamp(std::floor(value), 0.0, 255.0));
    }
  }
  return out;
}

}  // namespace

// One feature after the other, each of all points.
Output clustered_points(const std::vector<Input>& inputs) {
  const auto points = dimension(inputs[0]);
  const auto features = dimension(inputs[1]);
  const Reals rows =
      points_in_clusters(points, features, dimension(inputs[2]), std::get<std::int64_t>(inputs[3]));
  Reals out(rows.size());
  for (std::size_t point = 0; point < points; ++point) {
    for (std::size_t i = 0; i < features; ++i) {
      out[i * points + point] = rows[point * features + i];
    }
  }
  return out;
}

Output initial_centres(const std::vector<Input>& inputs) {
  return points_in_clusters(dimension(inputs[0]), dimension(inputs[1]), dimension(inputs[2]),
                            std::get<std::int64_t>(inputs[3]));
}

// Of centres equally near the first.
Output nearest_centre(const std::vector<Input>& inputs) {
  const auto& point = std::get<Reals>(inputs[0]);
  const auto& centre = std::get<Reals>(inputs[1]);
  const auto features = dimension(inputs[2]);
  const auto clusters = dimension(inputs[3]);
  if (point.size() % features != 0) throw std::invalid_argument("a point lacks features");
  if (centre.size() < clusters * features) throw std::invalid_argument("a centre is missing");
  const std::size_t points = point.size() / features;
  Integers nearest;
  for (std::size_t p = 0; p < points; ++p) {
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
      double distance = 0;
      for (std::size_t i = 0; i < features; ++i) {
        distance += std::pow(point[i * points + p] - centre[cluster * features + i], 2);
      }
      if (distance < least) {
        least = distance;
        best = cluster;
      }
    }
    nearest.push_back(static_cast<std::int64_t>(best));
  }
  return nearest;
}

}  // namespace paws::references
