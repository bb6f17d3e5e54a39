// SPDX-License-Identifier: MIT
#include "sim/exec/texture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "sim/exec/families.h"
#include "sim/exec/fault.h"
#include "sim/exec/image_layout.h"
#include "sim/exec/texel_format.h"
#include "sim/exec/texel_sampler.h"
#include "sim/ir/operand_types.h"

namespace paws::exec {
namespace {

const char* name_of(const ImageDescriptor& image) {
  switch (image.kind) {
    case ImageKind::linear:
      return "linear memory";
    case ImageKind::pitched:
      return "pitched 2D memory";
    case ImageKind::array:
      return image.height == 0 ? "a 1D array" : image.depth == 0 ? "a 2D array" : "a 3D array";
    case ImageKind::layered:
      return image.height == 0 ? "a layered 1D array" : "a layered 2D array";
    case ImageKind::cube:
      return "a cubemap";
  }
  return "an image";
}

/// Whether an access of this shape fits the image. A surface sees a cubemap as layers.
bool fits(const ImageDescriptor& image, ir::ImageShape shape, bool surface) {
  switch (shape) {
    case ir::ImageShape::d1:
      return image.kind == ImageKind::linear ||
             (image.kind == ImageKind::array && image.height == 0);
    case ir::ImageShape::d2:
      return image.kind == ImageKind::pitched ||
             (image.kind == ImageKind::array && image.height != 0 && image.depth == 0);
    case ir::ImageShape::d3:
      return image.kind == ImageKind::array && image.depth != 0;
    case ir::ImageShape::a1d:
      return image.kind == ImageKind::layered && image.height == 0;
    case ir::ImageShape::a2d:
      return (image.kind == ImageKind::layered && image.height != 0) ||
             (surface && image.kind == ImageKind::cube);
    case ir::ImageShape::cube:
      return image.kind == ImageKind::cube && image.layers == 6;
    case ir::ImageShape::acube:
      return image.kind == ImageKind::cube;
  }
  return false;
}

/// Whether the descriptor is one that the runtime would make. Launch descriptions may say anything.
bool sound(const ImageDescriptor& image) {
  const TexelFormat& format = image.format;
  const bool bits = format.bits == 8 || format.bits == 16 || format.bits == 32;
  const bool channels = format.channels == 1 || format.channels == 2 || format.channels == 4;
  const bool floating = format.kind != ChannelKind::floating || format.bits != 8;
  if (!bits || !channels || !floating || format.kind > ChannelKind::floating) return false;
  if (image.kind > ImageKind::cube || image.width == 0) return false;
  const bool layered = image.kind == ImageKind::layered || image.kind == ImageKind::cube;
  if (layered != (image.layers != 0) || (layered && image.depth != 0)) return false;
  if (image.levels == 0 || image.levels > ImageDescriptor::kMaxLevels) return false;
  if (image.linear && image.linear_levels && image.depth != 0) return false;
  if (image.pitch % format.bytes() != 0) return false;
  if (!std::isfinite(image.level_bias) || std::isnan(image.first_level) ||
      std::isnan(image.last_level)) {
    return false;
  }
  for (const AddressMode mode : image.address_mode) {
    if (mode > AddressMode::border) return false;
  }
  return std::all_of(image.level.begin(), image.level.begin() + image.levels,
                     [&](std::uint64_t address) { return address % format.bytes() == 0; });
}

/// The images of the lanes, which are mostly one.
class Images {
 public:
  Images(const Decoded& in, const WarpContext& ctx)
      : in_(in), ctx_(ctx), handles_(ctx.lanes<std::uint64_t>(in.src[0])) {}

  /// Null: the lane's handle is of no such object, or of one of another shape.
  const ImageDescriptor* find(unsigned lane) {
    if (!known_ || handle_ != handles_[lane]) {
      handle_ = handles_[lane];
      known_ = true;
      good_ = load();
    }
    return good_ ? &image_ : nullptr;
  }

  /// The same, or a fault.
  const ImageDescriptor& get(unsigned lane) {
    if (const ImageDescriptor* image = find(lane)) return *image;
    const std::string what = surface() ? "surface" : "texture";
    if (ctx_.memory->find(handle_, sizeof(image_)) == nullptr) {
      const DeviceMemory::Allocation* old = ctx_.memory->released(handle_);
      fault(in_, ctx_, static_cast<int>(lane),
            old == nullptr
                ? fmt::format("no {} object at address 0x{:x}", what, handle_)
                : fmt::format("the {} object at address 0x{:x} ('{}') has been destroyed", what,
                              handle_, old->name));
    }
    if (image_.magic != wanted() || !sound(image_)) {
      fault(in_, ctx_, static_cast<int>(lane),
            fmt::format("what lies at address 0x{:x} is no {} object", handle_, what));
    }
    fault(in_, ctx_, static_cast<int>(lane),
          fmt::format("a .{} access to {}", ir::to_string(in_.ir->image.shape), name_of(image_)));
  }

 private:
  [[nodiscard]] bool surface() const {
    return in_.ir->op == ir::Op::image_query ? in_.ir->image.surface : in_.ir->op != ir::Op::tex;
  }
  [[nodiscard]] std::uint64_t wanted() const {
    return surface() ? ImageDescriptor::kSurface : ImageDescriptor::kTexture;
  }
  bool load() {
    const std::byte* data = ctx_.memory->at(handle_, sizeof(image_));
    if (data == nullptr) return false;
    std::memcpy(&image_, data, sizeof(image_));
    if (image_.magic != wanted() || !sound(image_)) return false;
    return in_.ir->op == ir::Op::image_query || fits(image_, in_.ir->image.shape, surface());
  }

  const Decoded& in_;
  const WarpContext& ctx_;
  const std::uint64_t* handles_;
  std::uint64_t handle_ = 0;
  bool known_ = false, good_ = false;
  ImageDescriptor image_;
};

std::uint32_t word(const Decoded& in, const WarpContext& ctx, unsigned source, unsigned lane) {
  return ctx.lanes<std::uint32_t>(in.src[source])[lane];
}

TexturePlace place_of(const Decoded& in, const WarpContext& ctx, unsigned lane) {
  const ir::ImageAccess& access = in.ir->image;
  const unsigned coordinates = ir::coordinates_of(access.shape);
  TexturePlace place;
  unsigned next = 1;
  const auto number = [&] { return std::bit_cast<float>(word(in, ctx, next++, lane)); };
  if (ir::has_layer(access.shape)) place.layer = word(in, ctx, next++, lane);
  for (unsigned i = 0; i < coordinates; ++i) {
    const std::uint32_t bits = word(in, ctx, next++, lane);
    place.index[i] = static_cast<std::int32_t>(bits);
    place.at[i] = std::bit_cast<float>(bits);
  }
  if (access.mode == ir::TexMode::level) place.level = number();
  if (access.mode == ir::TexMode::grad) {
    for (unsigned i = 0; i < coordinates; ++i) place.along_x[i] = number();
    for (unsigned i = 0; i < coordinates; ++i) place.along_y[i] = number();
  }
  return place;
}

TexelSet fetched_texels(const Decoded& in, const WarpContext& ctx, unsigned lane,
                        const ImageDescriptor& image) {
  return texels_of(image, in.ir->image, in.ir->src_type != ir::Type::f32, place_of(in, ctx, lane));
}

/// Where a surface access goes.
struct SurfacePlace {
  std::int64_t x = 0, y = 0, layer = 0;  ///< x in bytes
  bool outside = false;
  std::uint64_t address = 0;  ///< unless `outside`
};

/// `bytes` of a lane.
SurfacePlace surface_place(const Decoded& in, const WarpContext& ctx, unsigned lane,
                           const ImageDescriptor& image, unsigned bytes) {
  const ir::ImageAccess& access = in.ir->image;
  const unsigned coordinates = ir::coordinates_of(access.shape);
  SurfacePlace place;
  unsigned next = 1;
  const auto number = [&] {
    return std::int64_t{static_cast<std::int32_t>(word(in, ctx, next++, lane))};
  };
  if (ir::has_layer(access.shape)) place.layer = word(in, ctx, next++, lane);
  place.x = number();
  if (coordinates > 1) place.y = number();
  if (coordinates > 2) place.layer = number();
  const ImageExtent extent = extent_of(image, 0);
  const auto row = static_cast<std::int64_t>(extent.width * image.format.bytes());
  const auto height = static_cast<std::int64_t>(extent.height);
  const auto layers = static_cast<std::int64_t>(extent.layers);
  place.outside = place.x < 0 || place.x + bytes > row || place.y < 0 || place.y >= height ||
                  place.layer < 0 || place.layer >= layers;
  if (place.outside && access.edge == ir::SurfaceEdge::clamp && row >= bytes) {
    place.x = std::clamp<std::int64_t>(place.x, 0, (row - bytes) / bytes * bytes);
    place.y = std::clamp<std::int64_t>(place.y, 0, height - 1);
    place.layer = std::clamp<std::int64_t>(place.layer, 0, layers - 1);
    place.outside = false;
  }
  if (place.outside) return place;
  place.address =
      byte_address(image, 0, static_cast<std::uint64_t>(place.x),
                   static_cast<std::uint64_t>(place.y), static_cast<std::uint64_t>(place.layer));
  return place;
}

unsigned surface_bytes(const ir::Instruction& in) { return in.vector * ir::size_of(in.type); }

/// Notes the texels of a lane in the outcome.
void note(Outcome& outcome, unsigned lane, std::uint64_t address, unsigned index) {
  if (outcome.texels.size() <= index) outcome.texels.emplace_back().fill(kNoTexel);
  outcome.texels[index][lane] = address;
}
void note(Outcome& outcome, unsigned lane, const TexelSet& set) {
  for (unsigned i = 0; i < set.count; ++i) note(outcome, lane, set.texels[i].address, i);
}

void begin(const Decoded& in, Outcome& outcome) {
  outcome.memory = true;
  outcome.store = in.ir->op == ir::Op::sust;
  outcome.space = ir::Space::global;
  outcome.bytes = 1;
  outcome.addresses.fill(kNoTexel);
  outcome.texels.clear();
  outcome.texels.emplace_back().fill(kNoTexel);
}

/// Host memory at `address`, which an array of the program holds, or a fault.
std::byte* texel_data(const Decoded& in, const WarpContext& ctx, unsigned lane,
                      std::uint64_t address, unsigned bytes) {
  const DeviceMemory::Allocation* hit = ctx.hits[in.hit];
  if (hit == nullptr || address < hit->address || address - hit->address >= hit->bytes ||
      bytes > hit->bytes - (address - hit->address)) {
    hit = ctx.memory->find(address, bytes);
    if (hit == nullptr) access_fault(in, ctx, lane, ir::Space::global, address, bytes);
    ctx.hits[in.hit] = hit;
  }
  return hit->data + (address - hit->address);
}

/// What the texels give: one of them as it is, or their weighted sum, rounded once.
std::array<std::uint32_t, 4> filtered(const Decoded& in, const WarpContext& ctx, unsigned lane,
                                      const ImageDescriptor& image, const TexelSet& set) {
  const unsigned bytes = image.format.bytes();
  const bool as_it_is = image.format.kind == ChannelKind::floating || !gives_floats(image);
  if (set.count == 1 && as_it_is) {
    const std::uint64_t address = set.texels[0].address;
    if (address == kNoTexel) return border_channels(image);
    return channels_of(texel_data(in, ctx, lane, address, bytes), image.format);
  }
  std::array<double, 4> sum{};
  for (unsigned i = 0; i < set.count; ++i) {
    const WeightedTexel& texel = set.texels[i];
    std::array<double, 4> values{};
    if (texel.address == kNoTexel) {
      for (unsigned c = 0; c < 4; ++c) values[c] = static_cast<double>(image.border[c]);
    } else {
      values = values_of(texel_data(in, ctx, lane, texel.address, bytes), image);
    }
    // A texel that has no part in the result does not spoil it: 0 times infinity is no number.
    if (texel.weight == 0) continue;
    for (unsigned c = 0; c < 4; ++c) sum[c] += texel.weight * values[c];
  }
  std::array<std::uint32_t, 4> result{};
  for (unsigned c = 0; c < 4; ++c) {
    result[c] = std::bit_cast<std::uint32_t>(static_cast<float>(sum[c]));
  }
  return result;
}

/// A component of each of four texels.
std::array<std::uint32_t, 4> gathered(const Decoded& in, const WarpContext& ctx, unsigned lane,
                                      const ImageDescriptor& image, const TexelSet& set) {
  std::array<std::uint32_t, 4> result{};
  for (unsigned i = 0; i < 4; ++i) {
    TexelSet one;
    one.add(set.texels[i].address, 1);
    result[i] = filtered(in, ctx, lane, image, one)[in.ir->image.component];
  }
  return result;
}

void fetch(const Decoded& in, WarpContext& ctx) {
  Outcome& outcome = *ctx.outcome;
  Images images(in, ctx);
  begin(in, outcome);
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const ImageDescriptor& image = images.get(lane);
    const TexelSet set = fetched_texels(in, ctx, lane, image);
    if (set.count > 1 && !gives_floats(image) && in.ir->image.mode != ir::TexMode::gather) {
      fault(in, ctx, static_cast<int>(lane), "linear filtering of a texture of integers");
    }
    outcome.bytes = std::max(outcome.bytes, static_cast<std::uint8_t>(image.format.bytes()));
    outcome.addresses[lane] = set.texels[0].address;
    note(outcome, lane, set);
    const auto result = in.ir->image.mode == ir::TexMode::gather
                            ? gathered(in, ctx, lane, image, set)
                            : filtered(in, ctx, lane, image, set);
    // A result may be a coordinate of this lane, which has been read.
    for (unsigned c = 0; c < 4; ++c) {
      if (in.dst[c] == kNoSlot) continue;
      std::memcpy(ctx.base[0] + in.dst[c] + sizeof(result[c]) * lane, &result[c],
                  sizeof(result[c]));
    }
  }
}

std::string outside_message(const ir::Instruction& in, const ImageDescriptor& image,
                            const SurfacePlace& place) {
  const ImageExtent extent = extent_of(image, 0);
  return fmt::format(
      "{}-byte surface {} at byte {} of row {} of layer {}: outside the surface, which has {} "
      "layers of {} rows of {} bytes",
      surface_bytes(in), in.op == ir::Op::sust ? "store" : "load", place.x, place.y, place.layer,
      extent.layers, extent.height, extent.width * image.format.bytes());
}

void access_surface(const Decoded& in, WarpContext& ctx) {
  const ir::Instruction& ir = *in.ir;
  const bool stores = ir.op == ir::Op::sust;
  const unsigned bytes = surface_bytes(ir);
  const unsigned element = ir::size_of(ir.type);
  const unsigned slot = element == 8 ? 8 : 4;
  const unsigned first_value = 1 + ir::place_operands(ir.image.shape);
  Outcome& outcome = *ctx.outcome;
  Images images(in, ctx);
  begin(in, outcome);
  outcome.bytes = static_cast<std::uint8_t>(bytes);
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const ImageDescriptor& image = images.get(lane);
    const SurfacePlace place = surface_place(in, ctx, lane, image, bytes);
    std::byte* data = nullptr;
    if (!place.outside) {
      if (place.address % bytes != 0) {
        access_fault(in, ctx, lane, ir::Space::global, place.address, bytes);
      }
      data = texel_data(in, ctx, lane, place.address, bytes);
      outcome.addresses[lane] = place.address;
      note(outcome, lane, place.address, 0);
    } else if (ir.image.edge != ir::SurfaceEdge::zero) {
      fault(in, ctx, static_cast<int>(lane), outside_message(ir, image, place));
    }
    for (unsigned e = 0; e < ir.vector; ++e) {
      if (stores) {
        if (data == nullptr) continue;
        const Source& source = in.src[first_value + e];
        std::memcpy(data + std::size_t{e} * element,
                    ctx.base[source.base] + source.offset + std::size_t{lane} * slot, element);
        continue;
      }
      if (in.dst[e] == kNoSlot) continue;
      std::uint64_t value = 0;
      if (data != nullptr) std::memcpy(&value, data + std::size_t{e} * element, element);
      std::memcpy(ctx.base[0] + in.dst[e] + std::size_t{lane} * slot, &value, slot);
    }
  }
}

void query(const Decoded& in, WarpContext& ctx) {
  Images images(in, ctx);
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const ImageDescriptor& image = images.get(lane);
    std::uint32_t value = 0;
    switch (in.ir->image.query) {
      case ir::ImageQuery::width:
        value = image.width;
        break;
      case ir::ImageQuery::height:
        value = image.height;
        break;
      case ir::ImageQuery::depth:
        value = image.depth;
        break;
      case ir::ImageQuery::array_size:
        value = image.layers;
        break;
      case ir::ImageQuery::levels:
        value = image.levels;
        break;
    }
    std::memcpy(ctx.base[0] + in.dst[0] + sizeof(value) * lane, &value, sizeof(value));
  }
}

}  // namespace

void locate_texels(const Decoded& in, WarpContext& ctx) {
  Outcome& outcome = *ctx.outcome;
  Images images(in, ctx);
  begin(in, outcome);
  const bool fetches = in.ir->op == ir::Op::tex;
  const unsigned bytes = surface_bytes(*in.ir);
  if (!fetches) outcome.bytes = static_cast<std::uint8_t>(bytes);
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const ImageDescriptor* image = images.find(lane);
    if (image == nullptr) continue;
    if (fetches) {
      outcome.bytes = std::max(outcome.bytes, static_cast<std::uint8_t>(image->format.bytes()));
      note(outcome, lane, fetched_texels(in, ctx, lane, *image));
      continue;
    }
    const SurfacePlace place = surface_place(in, ctx, lane, *image, bytes);
    // A misaligned place could cross a line.
    if (!place.outside && place.address % bytes == 0) note(outcome, lane, place.address, 0);
  }
}

Handler select_texture(const ir::Instruction& in) {
  switch (in.op) {
    case ir::Op::tex:
      return &fetch;
    case ir::Op::suld:
    case ir::Op::sust:
      return &access_surface;
    case ir::Op::image_query:
      return &query;
    default:
      return nullptr;
  }
}

}  // namespace paws::exec
