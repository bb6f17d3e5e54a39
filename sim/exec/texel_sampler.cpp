// SPDX-License-Identifier: MIT
#include "sim/exec/texel_sampler.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/exec/image_layout.h"

namespace paws::exec {
namespace {

/// The fraction of linear filtering has 9 bits, 8 of them behind the point: 1 can be said.
constexpr double kFractionSteps = 256;
/// Far beyond any image, and exact in all types.
constexpr double kFar = 1 << 30;

double fixed_point(double fraction) {
  return std::floor(fraction * kFractionSteps + 0.5) / kFractionSteps;
}

/// An index along one axis, inside the image; nothing: the border.
std::optional<std::uint64_t> inside(std::int64_t index, std::uint64_t size, AddressMode mode) {
  const auto n = static_cast<std::int64_t>(size);
  switch (mode) {
    case AddressMode::wrap: {
      const std::int64_t rest = index % n;
      return static_cast<std::uint64_t>(rest < 0 ? rest + n : rest);
    }
    case AddressMode::mirror: {
      std::int64_t rest = index % (2 * n);
      if (rest < 0) rest += 2 * n;
      return static_cast<std::uint64_t>(rest < n ? rest : 2 * n - 1 - rest);
    }
    case AddressMode::border:
      if (index < 0 || index >= n) return std::nullopt;
      return static_cast<std::uint64_t>(index);
    case AddressMode::clamp:
      break;
  }
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(index, 0, n - 1));
}

/// The texels along one axis: one, or two with the weight of the second one.
struct Axis {
  std::array<std::optional<std::uint64_t>, 2> index{0, 0};
  unsigned count = 1;
  double fraction = 0;  ///< of the second one
};

/// Coordinates that are normalized, folded into 0 to 1 where the mode does so.
float folded(float x, AddressMode mode) {
  const float floor = std::floor(x);
  const float part = x - floor;
  switch (mode) {
    case AddressMode::wrap:
      return part;
    case AddressMode::mirror:
      return std::fmod(floor, 2.0F) == 0 ? part : 1 - part;
    default:
      return x;
  }
}

/// A place in texels. No number is 0.
double in_texels(float x, std::uint64_t size, AddressMode mode, bool normalized, bool folds) {
  if (normalized) x = (folds ? folded(x, mode) : x) * static_cast<float>(size);
  const double place = std::isnan(x) ? 0.0 : static_cast<double>(x);
  return std::clamp(place, -kFar, kFar);
}

Axis point(double place, std::uint64_t size, AddressMode mode) {
  Axis axis;
  axis.index[0] = inside(static_cast<std::int64_t>(std::floor(place)), size, mode);
  return axis;
}

Axis pair(double place, std::uint64_t size, AddressMode mode) {
  const double from_centre = place - 0.5;
  const double floor = std::floor(from_centre);
  const auto first = static_cast<std::int64_t>(floor);
  Axis axis;
  axis.count = 2;
  axis.fraction = fixed_point(from_centre - floor);
  axis.index = {inside(first, size, mode), inside(first + 1, size, mode)};
  return axis;
}

/// A direction as the guide's table has it: the face, and coordinates on it from 0 to 1.
struct Face {
  unsigned number = 0;
  float s = 0, t = 0;
};

/// Of axes of the same length the first one counts.
Face face_of(float x, float y, float z) {
  const float ax = std::fabs(x);
  const float ay = std::fabs(y);
  const float az = std::fabs(z);
  Face face;
  float m = 0;
  if (ax >= ay && ax >= az) {
    m = ax;
    face = x >= 0 ? Face{0, -z, -y} : Face{1, z, -y};
  } else if (ay >= az) {
    m = ay;
    face = y >= 0 ? Face{2, x, z} : Face{3, x, -z};
  } else {
    m = az;
    face = z >= 0 ? Face{4, x, -y} : Face{5, -x, -y};
  }
  face.s = (face.s / m + 1) / 2;
  face.t = (face.t / m + 1) / 2;
  return face;
}

/// How an image is looked at: cubes become faces.
struct View {
  std::array<float, 3> at{};
  unsigned axes = 1;  ///< along which places are looked for
  bool normalized = false;
  /// A gather folds no coordinate but the indices of its four texels: in a mirrored copy of the
  /// image, the next texel to the right is the one with the smaller index.
  bool folds = true;
  std::uint64_t layer = 0;
};

View view_of(const ImageDescriptor& image, ir::ImageShape shape, const TexturePlace& place) {
  View view{place.at, ir::coordinates_of(shape), image.normalized};
  if (ir::has_layer(shape)) view.layer = place.layer;
  if (shape == ir::ImageShape::cube || shape == ir::ImageShape::acube) {
    const Face face = face_of(place.at[0], place.at[1], place.at[2]);
    view.at = {face.s, face.t, 0};
    view.axes = 2;
    view.normalized = true;
    const std::uint64_t cubes = std::max(image.layers / 6, 1U);
    view.layer = 6 * std::min(view.layer, cubes - 1) + face.number;
  }
  view.layer = std::min<std::uint64_t>(view.layer, std::max(image.layers, 1U) - 1);
  return view;
}

/// Axes of what is not filtered, or of what s32 coordinates name.
std::array<Axis, 3> axes_of(const ImageDescriptor& image, const View& view, unsigned level,
                            bool filter) {
  const ImageExtent extent = extent_of(image, level);
  const std::array<std::uint64_t, 3> size{extent.width, extent.height, extent.layers};
  std::array<Axis, 3> axes;
  for (unsigned i = 0; i < view.axes; ++i) {
    const AddressMode mode = image.address_mode[i];
    const double place = in_texels(view.at[i], size[i], mode, view.normalized, view.folds);
    axes[i] = filter ? pair(place, size[i], mode) : point(place, size[i], mode);
  }
  return axes;
}

std::array<Axis, 3> axes_of(const ImageDescriptor& image, const View& view,
                            const std::array<std::int32_t, 3>& index) {
  const ImageExtent extent = extent_of(image, 0);
  const std::array<std::uint64_t, 3> size{extent.width, extent.height, extent.layers};
  std::array<Axis, 3> axes;
  for (unsigned i = 0; i < view.axes; ++i) {
    // Linear memory has no mode: what lies outside reads as 0.
    const AddressMode mode =
        image.kind == ImageKind::linear ? AddressMode::border : image.address_mode[i];
    axes[i].index[0] = inside(index[i], size[i], mode);
  }
  return axes;
}

/// Every combination of the axes' texels, x fastest.
void add_corners(const ImageDescriptor& image, const View& view, unsigned level,
                 const std::array<Axis, 3>& axes, double weight, TexelSet& set) {
  const unsigned bytes = image.format.bytes();
  for (unsigned k = 0; k < axes[2].count; ++k) {
    for (unsigned j = 0; j < axes[1].count; ++j) {
      for (unsigned i = 0; i < axes[0].count; ++i) {
        const std::array<unsigned, 3> corner{i, j, k};
        double share = weight;
        bool border = false;
        for (unsigned a = 0; a < 3; ++a) {
          if (axes[a].count == 2) {
            share *= corner[a] == 0 ? 1 - axes[a].fraction : axes[a].fraction;
          }
          border = border || !axes[a].index[corner[a]];
        }
        if (border) {
          set.add(kNoTexel, share);
          continue;
        }
        const std::uint64_t layer = view.axes == 3 ? *axes[2].index[k] : view.layer;
        set.add(byte_address(image, level, *axes[0].index[i] * bytes, *axes[1].index[j], layer),
                share);
      }
    }
  }
}

/// The level that derivatives ask for: one texel a step.
double level_of(const ImageDescriptor& image, unsigned axes, const TexturePlace& place) {
  const std::array<std::uint32_t, 3> size{image.width, image.height, image.depth};
  const auto length = [&](const std::array<float, 3>& along) {
    double sum = 0;
    for (unsigned i = 0; i < axes; ++i) {
      const double texels = static_cast<double>(along[i]) * (image.normalized ? size[i] : 1);
      sum += texels * texels;
    }
    return std::sqrt(sum);
  };
  // Of coordinates that do not change this is minus infinity: the first level, with any bias.
  return std::log2(std::max(length(place.along_x), length(place.along_y)));
}

}  // namespace

TexelSet texels_of(const ImageDescriptor& image, const ir::ImageAccess& access, bool integer,
                   const TexturePlace& place) {
  TexelSet set;
  View view = view_of(image, access.shape, place);
  view.folds = access.mode != ir::TexMode::gather;
  if (integer) {
    add_corners(image, view, 0, axes_of(image, view, place.index), 1, set);
    return set;
  }
  if (access.mode == ir::TexMode::gather) {
    TexelSet corners;
    add_corners(image, view, 0, axes_of(image, view, 0, true), 1, corners);
    // Lower left, lower right, upper right, upper left; up is where y is smaller.
    for (const unsigned corner : {2U, 3U, 1U, 0U}) set.add(corners.texels[corner].address, 1);
    return set;
  }
  double level = 0;
  if (access.mode == ir::TexMode::level) level = static_cast<double>(place.level);
  if (access.mode == ir::TexMode::grad) level = level_of(image, view.axes, place);
  const double last = std::clamp<double>(image.last_level, 0, image.levels - 1U);
  const double first = std::clamp<double>(image.first_level, 0, last);
  level = std::isnan(level) ? 0 : level + static_cast<double>(image.level_bias);
  level = std::clamp(level, first, last);
  if (access.mode == ir::TexMode::base || image.levels == 1) level = 0;
  if (!image.linear_levels) {
    const auto nearest = static_cast<unsigned>(std::floor(level + 0.5));
    add_corners(image, view, nearest, axes_of(image, view, nearest, image.linear), 1, set);
    return set;
  }
  const auto finer = static_cast<unsigned>(std::floor(level));
  const double fraction = fixed_point(level - std::floor(level));
  add_corners(image, view, finer, axes_of(image, view, finer, image.linear), 1 - fraction, set);
  if (fraction > 0 && finer + 1U < image.levels) {
    add_corners(image, view, finer + 1, axes_of(image, view, finer + 1, image.linear), fraction,
                set);
  }
  return set;
}

}  // namespace paws::exec
