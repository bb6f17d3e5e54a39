// SPDX-License-Identifier: MIT
// Stencils on volumes: x runs fastest, then y, then z.
#include <cstddef>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {

namespace {

class Volume {
 public:
  Volume(const Reals& values, std::size_t lead, std::size_t width, std::size_t height)
      : values_(values), lead_(lead), width_(width), height_(height) {
    const std::size_t slice = width * height;
    if (values.size() <= lead || (values.size() - lead) % slice != 0) {
      throw std::invalid_argument("the volume's last slice is incomplete");
    }
    depth_ = (values.size() - lead) / slice;
  }

  [[nodiscard]] std::size_t index(std::size_t x, std::size_t y, std::size_t z) const {
    return lead_ + (z * height_ + y) * width_ + x;
  }

  /// f(x, y, z) of every point that is `rim` or more points from the surface.
  template <typename F>
  void for_each_inside(std::size_t rim, F f) const {
    for (std::size_t z = rim; z + rim < depth_; ++z) {
      for (std::size_t y = rim; y + rim < height_; ++y) {
        for (std::size_t x = rim; x + rim < width_; ++x) f(x, y, z);
      }
    }
  }

  /// The sum of the six points that are so far away along an axis.
  [[nodiscard]] double neighbours(std::size_t x, std::size_t y, std::size_t z,
                                  std::size_t distance) const {
    return at(x - distance, y, z) + at(x + distance, y, z) + at(x, y - distance, z) +
           at(x, y + distance, z) + at(x, y, z - distance) + at(x, y, z + distance);
  }

  /// A star of weights by distance; weights[0] is the centre's.
  [[nodiscard]] double star(std::size_t x, std::size_t y, std::size_t z,
                            const Reals& weights) const {
    double sum = weights.at(0) * at(x, y, z);
    for (std::size_t i = 1; i < weights.size(); ++i) sum += weights[i] * neighbours(x, y, z, i);
    return sum;
  }

 private:
  [[nodiscard]] double at(std::size_t x, std::size_t y, std::size_t z) const {
    return values_[index(x, y, z)];
  }

  const Reals& values_;
  std::size_t lead_, width_, height_, depth_ = 0;
};

}  // namespace

// The volume has a rim as wide as the star's radius beyond width and height; the result's rim is 0.
Output star_stencil(const std::vector<Input>& inputs) {
  const auto& field = std::get<Reals>(inputs[0]);
  const auto lead = std::get<std::int64_t>(inputs[1]);
  const auto& weights = std::get<Reals>(inputs[4]);
  if (weights.empty()) throw std::invalid_argument("a stencil has no weights");
  if (lead < 0) throw std::invalid_argument("the volume begins before the data");
  const std::size_t radius = weights.size() - 1;
  const Volume volume(field, static_cast<std::size_t>(lead), dimension(inputs[2]) + 2 * radius,
                      dimension(inputs[3]) + 2 * radius);
  Reals out(field.size());
  volume.for_each_inside(radius, [&](std::size_t x, std::size_t y, std::size_t z) {
    out[volume.index(x, y, z)] = volume.star(x, y, z, weights);
  });
  return out;
}

// Central differences in time: next - 2 now + before = speed x Laplacian. Where the star does not
// fit into the volume, the values before remain.
Output wave_step(const std::vector<Input>& inputs) {
  Reals wave = std::get<Reals>(inputs[0]);  // before, then next
  const auto& now = std::get<Reals>(inputs[1]);
  const auto& speed = std::get<Reals>(inputs[2]);
  const auto& weights = std::get<Reals>(inputs[5]);
  if (weights.empty()) throw std::invalid_argument("a stencil has no weights");
  if (wave.size() != now.size() || speed.size() != now.size()) {
    throw std::invalid_argument("waves and speed differ in size");
  }
  const Volume volume(now, 0, dimension(inputs[3]), dimension(inputs[4]));
  volume.for_each_inside(weights.size() - 1, [&](std::size_t x, std::size_t y, std::size_t z) {
    const std::size_t i = volume.index(x, y, z);
    const double change = now[i] - wave[i] + speed[i] * volume.star(x, y, z, weights);
    wave[i] = now[i] + change;
  });
  return wave;
}

}  // namespace paws::references
