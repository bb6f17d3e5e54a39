// SPDX-License-Identifier: MIT
#include "sim/cuda/images.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

#include "sim/cuda/image_limits.h"
#include "sim/cuda/runtime.h"
#include "sim/exec/image_layout.h"

namespace paws::cuda {
namespace {

using exec::AddressMode;
using exec::ChannelKind;
using exec::ImageDescriptor;
using exec::ImageKind;

constexpr unsigned kKnownFlags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
/// cudaMalloc() aligns to it, so that every pointer that a GPU would take is taken here.
constexpr std::uint64_t kBaseAlign = 256;
constexpr std::size_t kPitchAlign = 32;

bool format_of(const cudaChannelFormatDesc& channels, exec::TexelFormat& format) {
  const int bits = channels.x;
  const std::array<int, 4> all{channels.x, channels.y, channels.z, channels.w};
  unsigned count = 1;  // of equal ones from the first on
  while (count < 4 && all[count] == bits) ++count;
  if (bits != 8 && bits != 16 && bits != 32) return false;
  if (count == 3 || std::any_of(all.begin() + count, all.end(), [](int b) { return b != 0; })) {
    return false;
  }
  switch (channels.f) {
    case cudaChannelFormatKindSigned:
      format.kind = ChannelKind::signed_integer;
      break;
    case cudaChannelFormatKindUnsigned:
      format.kind = ChannelKind::unsigned_integer;
      break;
    case cudaChannelFormatKindFloat:
      if (bits == 8) return false;
      format.kind = ChannelKind::floating;
      break;
    default:
      return false;
  }
  format.channels = static_cast<std::uint8_t>(count);
  format.bits = static_cast<std::uint8_t>(bits);
  return true;
}

bool at_most(const cudaExtent& extent, std::size_t width, std::size_t height, std::size_t depth) {
  return extent.width <= width && extent.height <= height && extent.depth <= depth;
}

/// The shape that flags and extent ask for.
cudaError_t shape(const cudaExtent& extent, unsigned flags, ImageDescriptor& image) {
  if ((flags & ~kKnownFlags) != 0 || extent.width == 0) return cudaErrorInvalidValue;
  image.width = static_cast<std::uint32_t>(extent.width);
  image.height = static_cast<std::uint32_t>(extent.height);
  const auto depth = static_cast<std::uint32_t>(extent.depth);
  if ((flags & cudaArrayCubemap) != 0) {
    const bool layered = (flags & cudaArrayLayered) != 0;
    if (!at_most(extent, kMaxSide, kMaxSide, kMaxFaces) || extent.width != extent.height ||
        depth % 6 != 0 || depth == 0 || (!layered && depth != 6)) {
      return cudaErrorInvalidValue;
    }
    image.kind = ImageKind::cube;
    image.layers = depth;
  } else if ((flags & cudaArrayLayered) != 0) {
    if (!at_most(extent, kMaxSide, kMaxSide, kMaxLayers) || depth == 0) {
      return cudaErrorInvalidValue;
    }
    image.kind = ImageKind::layered;
    image.layers = depth;
  } else {
    if (extent.height == 0 && depth != 0) return cudaErrorInvalidValue;
    const bool small = depth == 0 ? at_most(extent, kMaxWidth, kMaxHeight, 0)
                                  : at_most(extent, kMaxSide3d, kMaxSide3d, kMaxSide3d);
    if (!small) return cudaErrorInvalidValue;
    image.kind = ImageKind::array;
    image.depth = depth;
  }
  return cudaSuccess;
}

AddressMode mode_of(cudaTextureAddressMode mode, bool normalized) {
  switch (mode) {
    case cudaAddressModeWrap:
      return normalized ? AddressMode::wrap : AddressMode::clamp;
    case cudaAddressModeMirror:
      return normalized ? AddressMode::mirror : AddressMode::clamp;
    case cudaAddressModeBorder:
      return AddressMode::border;
    default:
      return AddressMode::clamp;
  }
}

/// How the texture is sampled. Refuses what is not modelled with a message.
cudaError_t sampling(const cudaTextureDesc& texture, ImageDescriptor& image) {
  const bool floating = image.format.kind == ChannelKind::floating;
  if (texture.sRGB != 0 && !floating) {
    tell("cudaCreateTextureObject(): conversion from sRGB is not supported");
    return cudaErrorNotSupported;
  }
  if (texture.maxAnisotropy > 1) {
    tell("cudaCreateTextureObject(): anisotropic filtering is not supported");
    return cudaErrorNotSupported;
  }
  if (texture.readMode == cudaReadModeNormalizedFloat && !floating && image.format.bits == 32) {
    return cudaErrorInvalidNormSetting;
  }
  image.normalized = texture.normalizedCoords != 0;
  image.normalized_values = texture.readMode == cudaReadModeNormalizedFloat && !floating;
  image.linear = texture.filterMode == cudaFilterModeLinear && image.kind != ImageKind::linear;
  image.linear_levels = texture.mipmapFilterMode == cudaFilterModeLinear && image.levels > 1;
  if ((image.linear || image.linear_levels) && !floating && !image.normalized_values) {
    return cudaErrorInvalidFilterSetting;
  }
  if (image.linear && image.linear_levels && image.depth != 0) {
    tell(
        "cudaCreateTextureObject(): linear filtering between levels of a 3D array is not "
        "supported");
    return cudaErrorNotSupported;
  }
  for (unsigned i = 0; i < 3; ++i) {
    image.address_mode[i] = mode_of(texture.addressMode[i], image.normalized);
  }
  // Linear memory has no mode and no colour: what lies outside reads as 0.
  if (image.kind != ImageKind::linear) {
    std::copy_n(texture.borderColor, 4, image.border.begin());
  }
  if (image.levels > 1) {
    image.level_bias = std::isfinite(texture.mipmapLevelBias) ? texture.mipmapLevelBias : 0;
    image.first_level = std::isnan(texture.minMipmapLevelClamp) ? 0 : texture.minMipmapLevelClamp;
    image.last_level = std::isnan(texture.maxMipmapLevelClamp) ? 0 : texture.maxMipmapLevelClamp;
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t Images::allocate(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                             const cudaExtent& extent, unsigned flags, const char* call) {
  if (array == nullptr || channels == nullptr) return cudaErrorInvalidValue;
  auto made = std::make_unique<cudaArray>();
  if (!format_of(*channels, made->image.format)) return cudaErrorInvalidChannelDescriptor;
  if (const cudaError_t error = shape(extent, flags, made->image); error != cudaSuccess) {
    return error;
  }
  made->channels = *channels;
  made->extent = extent;
  made->flags = flags;
  made->image.level[0] = heap_.allocate(MemoryKind::array, exec::level_bytes(made->image, 0), call);
  if (made->image.level[0] == 0) return cudaErrorMemoryAllocation;
  *array = made.get();
  all_.insert(made.get());
  arrays_[made.get()] = std::move(made);
  return cudaSuccess;
}

cudaError_t Images::release(cudaArray_t array) {
  if (array == nullptr) return cudaSuccess;
  const auto found = arrays_.find(array);
  if (found == arrays_.end()) return cudaErrorInvalidValue;
  heap_.release(array->image.level[0]);
  all_.erase(array);
  arrays_.erase(found);
  return cudaSuccess;
}

cudaError_t Images::allocate(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* channels,
                             const cudaExtent& extent, unsigned levels, unsigned flags) {
  if (array == nullptr || channels == nullptr || levels == 0) return cudaErrorInvalidValue;
  auto made = std::make_unique<cudaMipmappedArray>();
  ImageDescriptor& image = made->image;
  if (!format_of(*channels, image.format)) return cudaErrorInvalidChannelDescriptor;
  if (const cudaError_t error = shape(extent, flags, image); error != cudaSuccess) return error;
  if (!at_most(extent, kMaxSide, kMaxSide, extent.depth)) return cudaErrorInvalidValue;
  const std::uint32_t longest = std::max({image.width, image.height, image.depth});
  const auto most = static_cast<unsigned>(std::bit_width(longest));
  image.levels = static_cast<std::uint8_t>(std::min({levels, most, ImageDescriptor::kMaxLevels}));
  made->channels = *channels;
  made->flags = flags;
  for (unsigned level = 0; level < image.levels; ++level) {
    image.level[level] = heap_.allocate(MemoryKind::array, exec::level_bytes(image, level),
                                        "cudaMallocMipmappedArray");
    if (image.level[level] == 0) {
      while (level-- > 0) heap_.release(image.level[level]);
      return cudaErrorMemoryAllocation;
    }
    const auto part = [level](std::size_t size) {
      return size == 0 ? 0 : std::max<std::size_t>(size >> level, 1);
    };
    auto own = std::make_unique<cudaArray>();
    own->channels = *channels;
    own->flags = flags;
    own->extent = {part(extent.width), part(extent.height),
                   image.layers != 0 ? extent.depth : part(extent.depth)};
    own->image = image;
    own->image.levels = 1;
    own->image.level = {image.level[level]};
    own->image.width = static_cast<std::uint32_t>(own->extent.width);
    own->image.height = static_cast<std::uint32_t>(own->extent.height);
    if (image.layers == 0) own->image.depth = static_cast<std::uint32_t>(own->extent.depth);
    all_.insert(own.get());
    made->levels.push_back(std::move(own));
  }
  *array = made.get();
  mipmapped_[made.get()] = std::move(made);
  return cudaSuccess;
}

cudaError_t Images::release(cudaMipmappedArray_t array) {
  if (array == nullptr) return cudaSuccess;
  const auto found = mipmapped_.find(array);
  if (found == mipmapped_.end()) return cudaErrorInvalidValue;
  for (const auto& level : array->levels) {
    heap_.release(level->image.level[0]);
    all_.erase(level.get());
  }
  mipmapped_.erase(found);
  return cudaSuccess;
}

bool Images::knows(cudaMipmappedArray_const_t array) const { return mipmapped_.contains(array); }

cudaError_t Images::image_of(const cudaResourceDesc& resource, ImageDescriptor& image) const {
  switch (resource.resType) {
    case cudaResourceTypeArray:
      if (!knows(resource.res.array.array)) return cudaErrorInvalidValue;
      image = resource.res.array.array->image;
      return cudaSuccess;
    case cudaResourceTypeMipmappedArray:
      if (!knows(resource.res.mipmap.mipmap)) return cudaErrorInvalidValue;
      image = resource.res.mipmap.mipmap->image;
      return cudaSuccess;
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      if (!format_of(linear.desc, image.format)) return cudaErrorInvalidChannelDescriptor;
      const std::size_t texels = linear.sizeInBytes / image.format.bytes();
      if (texels == 0 || texels > kMaxLinear) return cudaErrorInvalidValue;
      image.kind = ImageKind::linear;
      image.width = static_cast<std::uint32_t>(texels);
      image.level[0] = reinterpret_cast<std::uint64_t>(linear.devPtr);
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto& rows = resource.res.pitch2D;
      if (!format_of(rows.desc, image.format)) return cudaErrorInvalidChannelDescriptor;
      if (rows.width == 0 || rows.height == 0 || rows.width > kMaxWidth ||
          rows.height > kMaxHeight || rows.pitchInBytes % kPitchAlign != 0 ||
          rows.pitchInBytes < rows.width * image.format.bytes()) {
        return cudaErrorInvalidValue;
      }
      image.kind = ImageKind::pitched;
      image.width = static_cast<std::uint32_t>(rows.width);
      image.height = static_cast<std::uint32_t>(rows.height);
      image.pitch = rows.pitchInBytes;
      image.level[0] = reinterpret_cast<std::uint64_t>(rows.devPtr);
      break;
    }
    default:
      return cudaErrorInvalidValue;
  }
  // Memory of the program must be there, all of it.
  const Heap::Block* block = heap_.find(image.level[0]);
  if (block == nullptr || is_opaque(block->kind) || image.level[0] % kBaseAlign != 0 ||
      exec::level_bytes(image, 0) > block->bytes - (image.level[0] - block->address)) {
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

std::uint64_t Images::put(const ImageDescriptor& image, const char* call) {
  const std::uint64_t address = heap_.allocate(MemoryKind::object, sizeof(image), call);
  if (address != 0) std::memcpy(heap_.find(address)->data, &image, sizeof(image));
  return address;
}

cudaError_t Images::describe(const cudaResourceDesc& resource, const cudaTextureDesc& texture,
                             ImageDescriptor& image) const {
  if (const cudaError_t error = image_of(resource, image); error != cudaSuccess) return error;
  image.magic = ImageDescriptor::kTexture;
  return sampling(texture, image);
}

cudaError_t Images::create(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                           const cudaTextureDesc* texture) {
  if (object == nullptr || resource == nullptr || texture == nullptr) return cudaErrorInvalidValue;
  ImageDescriptor image;
  if (const cudaError_t error = describe(*resource, *texture, image); error != cudaSuccess) {
    return error;
  }
  const std::uint64_t address = put(image, "cudaCreateTextureObject");
  if (address == 0) return cudaErrorMemoryAllocation;
  Texture& kept = textures_[address];
  kept.resource = *resource;
  // Programs of CUDA 11 have no more than this.
  kept.texture = {};
  std::memcpy(&kept.texture, texture, offsetof(cudaTextureDesc, seamlessCubemap));
  *object = address;
  return cudaSuccess;
}

cudaError_t Images::create(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  if (object == nullptr || resource == nullptr) return cudaErrorInvalidValue;
  if (resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
  ImageDescriptor image;
  if (const cudaError_t error = image_of(*resource, image); error != cudaSuccess) return error;
  if ((resource->res.array.array->flags & cudaArraySurfaceLoadStore) == 0) {
    tell("cudaCreateSurfaceObject(): the array was made without cudaArraySurfaceLoadStore");
    return cudaErrorInvalidValue;
  }
  image.magic = ImageDescriptor::kSurface;
  const std::uint64_t address = put(image, "cudaCreateSurfaceObject");
  if (address == 0) return cudaErrorMemoryAllocation;
  surfaces_[address] = *resource;
  *object = address;
  return cudaSuccess;
}

cudaError_t Images::destroy_texture(cudaTextureObject_t object) {
  if (textures_.erase(object) == 0) return cudaErrorInvalidValue;
  heap_.release(object);
  return cudaSuccess;
}

cudaError_t Images::destroy_surface(cudaSurfaceObject_t object) {
  if (surfaces_.erase(object) == 0) return cudaErrorInvalidValue;
  heap_.release(object);
  return cudaSuccess;
}

const cudaResourceDesc* Images::texture_resource(cudaTextureObject_t object) const {
  const auto found = textures_.find(object);
  return found == textures_.end() ? nullptr : &found->second.resource;
}

const cudaResourceDesc* Images::surface_resource(cudaSurfaceObject_t object) const {
  const auto found = surfaces_.find(object);
  return found == surfaces_.end() ? nullptr : &found->second;
}

const cudaTextureDesc* Images::texture(cudaTextureObject_t object) const {
  const auto found = textures_.find(object);
  return found == textures_.end() ? nullptr : &found->second.texture;
}

void Images::clear() {
  arrays_.clear();
  mipmapped_.clear();
  all_.clear();
  textures_.clear();
  surfaces_.clear();
}

}  // namespace paws::cuda
