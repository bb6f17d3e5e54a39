// SPDX-License-Identifier: MIT
#include "sim/cuda/array_copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "sim/cuda/memory_side.h"
#include "sim/exec/image_layout.h"

namespace paws::cuda {
namespace {

std::size_t row_bytes(const cudaArray& array) {
  return array.extent.width * array.image.format.bytes();
}

/// A side whose bytes can be found.
struct OpenSide {
  Side side;
  const BoxSide* box = nullptr;
  std::uint64_t base = 0;  ///< of the array's memory

  /// Where byte `x` of row `y` of slice `z` of the box lies; `run` becomes at most as long as bytes
  /// lie together from there on.
  std::byte* at(std::size_t x, std::size_t y, std::size_t z, std::size_t& run) const {
    if (box->array == nullptr) return side.data + z * box->slice + y * box->pitch + x;
    const std::size_t byte = box->x + x;
    run = std::min<std::size_t>(run, exec::kTileBytes - byte % exec::kTileBytes);
    return side.data +
           (exec::byte_address(box->array->image, 0, byte, box->y + y, box->z + z) - base);
  }
};

/// Bytes from the first to the last one of a box in plain memory; nothing if no memory is so large.
std::optional<std::size_t> span(const BoxSide& box, std::size_t width, std::size_t height,
                                std::size_t depth) {
  std::size_t slices = 0, rows = 0, all = 0;
  if (__builtin_mul_overflow(depth - 1, box.slice, &slices) ||
      __builtin_mul_overflow(height - 1, box.pitch, &rows) ||
      __builtin_add_overflow(slices, rows, &all) || __builtin_add_overflow(all, width, &all)) {
    return std::nullopt;
  }
  return all;
}

bool holds(std::size_t size, std::size_t begin, std::size_t count) {
  size = std::max<std::size_t>(size, 1);
  return begin <= size && count <= size - begin;
}

cudaError_t open(Runtime& runtime, const BoxSide& box, std::size_t width, std::size_t height,
                 std::size_t depth, OpenSide& open) {
  open.box = &box;
  if (box.array == nullptr) {
    if (height > 1 && box.pitch < width) return cudaErrorInvalidPitchValue;
    const std::optional<std::size_t> bytes = span(box, width, height, depth);
    if (!bytes) return cudaErrorInvalidValue;
    open.side = side_of(runtime, box.pointer, *bytes);
    return cudaSuccess;
  }
  if (!runtime.images().knows(box.array)) return cudaErrorInvalidResourceHandle;
  const cudaArray& array = *box.array;
  if (!holds(row_bytes(array), box.x, width) || !holds(array.extent.height, box.y, height) ||
      !holds(array.extent.depth, box.z, depth)) {
    return cudaErrorInvalidValue;
  }
  open.base = array.image.level[0];
  open.side.data = runtime.memory().at(open.base, exec::level_bytes(array.image, 0));
  open.side.known = open.side.device = true;
  open.side.bad = open.side.data == nullptr;
  return cudaSuccess;
}

/// Moves the bytes. `target` and `source` become the two sides.
cudaError_t move_box(Runtime& runtime, const BoxSide& to, const BoxSide& from, std::size_t width,
                     std::size_t height, std::size_t depth, cudaMemcpyKind kind, OpenSide& target,
                     OpenSide& source) {
  cudaError_t error = open(runtime, to, width, height, depth, target);
  if (error == cudaSuccess) error = open(runtime, from, width, height, depth, source);
  if (error == cudaSuccess) error = check(target.side, source.side, kind);
  if (error != cudaSuccess) return error;
  for (std::size_t z = 0; z < depth; ++z) {
    for (std::size_t y = 0; y < height; ++y) {
      for (std::size_t x = 0; x < width;) {
        std::size_t run = width - x;
        const std::byte* data = source.at(x, y, z, run);
        std::byte* place = target.at(x, y, z, run);
        std::memmove(place, data, run);
        x += run;
      }
    }
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t copy_box(Runtime& runtime, const BoxSide& to, const BoxSide& from, std::size_t width,
                     std::size_t height, std::size_t depth, cudaMemcpyKind kind,
                     const Submission& submission) {
  if (width == 0 || height == 0 || depth == 0) return cudaSuccess;
  OpenSide target;
  OpenSide source;
  const cudaError_t error = move_box(runtime, to, from, width, height, depth, kind, target, source);
  if (error != cudaSuccess) return error;
  time_copy(runtime, target.side, source.side, width * height * depth, kind, submission);
  return cudaSuccess;
}

cudaError_t copy_box(Runtime& runtime, const cudaMemcpy3DParms* p, const Submission& submission) {
  if (p == nullptr) return cudaErrorInvalidValue;
  if ((p->srcArray != nullptr) == (p->srcPtr.ptr != nullptr) ||
      (p->dstArray != nullptr) == (p->dstPtr.ptr != nullptr)) {
    return cudaErrorInvalidValue;
  }
  // With an array, extents and the places in it count its texels.
  std::size_t texel = 1;
  for (const cudaArray_t array : {p->srcArray, p->dstArray}) {
    if (array == nullptr) continue;
    if (!runtime.images().knows(array)) return cudaErrorInvalidResourceHandle;
    const std::size_t bytes = array->image.format.bytes();
    if (texel != 1 && bytes != texel) return cudaErrorInvalidValue;
    texel = bytes;
  }
  // Larger ones would wrap around when they become bytes.
  const std::size_t most = SIZE_MAX / texel;
  if (p->extent.width > most || p->srcPos.x > most || p->dstPos.x > most) {
    return cudaErrorInvalidValue;
  }
  const auto side = [texel](cudaArray_t array, const cudaPitchedPtr& rows, const cudaPos& at) {
    BoxSide box;
    if (array != nullptr) {
      box.array = array;
      box.x = at.x * texel;
      box.y = at.y;
      box.z = at.z;
      return box;
    }
    box.pitch = rows.pitch;
    box.slice = rows.pitch * rows.ysize;
    box.pointer =
        static_cast<const std::byte*>(rows.ptr) + at.z * box.slice + at.y * box.pitch + at.x;
    return box;
  };
  return copy_box(runtime, side(p->dstArray, p->dstPtr, p->dstPos),
                  side(p->srcArray, p->srcPtr, p->srcPos), p->extent.width * texel,
                  p->extent.height, p->extent.depth, p->kind, submission);
}

cudaError_t copy_rows(Runtime& runtime, const BoxSide& to, const BoxSide& from, std::size_t bytes,
                      cudaMemcpyKind kind, const Submission& submission) {
  const cudaArray_const_t array = to.array != nullptr ? to.array : from.array;
  if (!runtime.images().knows(array)) return cudaErrorInvalidResourceHandle;
  BoxSide target = to;
  BoxSide source = from;
  BoxSide& in_array = to.array != nullptr ? target : source;
  BoxSide& plain = to.array != nullptr ? source : target;
  const std::size_t row = row_bytes(*array);
  // Nothing is copied when not all of it can be.
  const std::size_t rows = std::max<std::size_t>(array->extent.height, 1);
  if (in_array.y >= rows || in_array.x > row || bytes > (rows - in_array.y) * row - in_array.x) {
    return cudaErrorInvalidValue;
  }
  if (bytes == 0) return cudaSuccess;
  OpenSide into;
  OpenSide out_of;
  for (std::size_t left = bytes; left > 0;) {
    const std::size_t part = std::min(left, row - in_array.x);
    const cudaError_t error = move_box(runtime, target, source, part, 1, 1, kind, into, out_of);
    if (error != cudaSuccess) return error;
    plain.pointer = static_cast<const std::byte*>(plain.pointer) + part;
    in_array.x = 0;
    ++in_array.y;
    left -= part;
  }
  time_copy(runtime, into.side, out_of.side, bytes, kind, submission);
  return cudaSuccess;
}

}  // namespace paws::cuda
