// SPDX-License-Identifier: MIT
#include "sim/ir/texture.h"

#include <array>
#include <cstddef>

namespace paws::ir {
namespace {

constexpr std::array kShapes{"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"};
constexpr std::array kModes{"", "level", "grad", ""};
constexpr std::array kEdges{"trap", "clamp", "zero"};
constexpr std::array kQueries{"width", "height", "depth", "array_size", "num_mipmap_levels"};

}  // namespace

const char* to_string(ImageShape shape) { return kShapes.at(static_cast<std::size_t>(shape)); }
const char* to_string(TexMode mode) { return kModes.at(static_cast<std::size_t>(mode)); }
const char* to_string(SurfaceEdge edge) { return kEdges.at(static_cast<std::size_t>(edge)); }
const char* to_string(ImageQuery query) { return kQueries.at(static_cast<std::size_t>(query)); }

}  // namespace paws::ir
