// SPDX-License-Identifier: MIT
// The program's arrays, mipmapped arrays, texture objects and surface objects.
//
// An array's texels lie in tiles (sim/exec/image_layout.h). An object is a descriptor in the
// device's memory (sim/exec/image_descriptor.h), and its handle is the descriptor's address.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "sim/cuda/heap.h"
#include "sim/cuda/include/cuda_runtime_api.h"
#include "sim/exec/image_descriptor.h"

// The opaque types of the API.
struct cudaArray {
  cudaChannelFormatDesc channels{};
  cudaExtent extent{};
  unsigned flags = 0;
  paws::exec::ImageDescriptor image;  ///< of one level
};
struct cudaMipmappedArray {
  cudaChannelFormatDesc channels{};
  unsigned flags = 0;
  paws::exec::ImageDescriptor image;
  std::vector<std::unique_ptr<cudaArray>> levels;
};

namespace paws::cuda {

class Images {
 public:
  explicit Images(Heap& heap) : heap_(heap) {}

  /// A new array as cudaMalloc3DArray() makes it; zeroed.
  cudaError_t allocate(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                       const cudaExtent& extent, unsigned flags, const char* call);
  cudaError_t release(cudaArray_t array);
  /// Levels as cudaMallocMipmappedArray() makes them; those beyond 1 by 1 are left out.
  cudaError_t allocate(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* channels,
                       const cudaExtent& extent, unsigned levels, unsigned flags);
  cudaError_t release(cudaMipmappedArray_t array);

  [[nodiscard]] bool knows(cudaArray_const_t array) const { return all_.contains(array); }
  [[nodiscard]] bool knows(cudaMipmappedArray_const_t array) const;

  cudaError_t create(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                     const cudaTextureDesc* texture);
  /// The descriptor of the object that create() would make.
  cudaError_t describe(const cudaResourceDesc& resource, const cudaTextureDesc& texture,
                       exec::ImageDescriptor& image) const;
  cudaError_t create(cudaSurfaceObject_t* object, const cudaResourceDesc* resource);
  cudaError_t destroy_texture(cudaTextureObject_t object);
  cudaError_t destroy_surface(cudaSurfaceObject_t object);

  /// What the object was created from; null: there is no such object.
  [[nodiscard]] const cudaResourceDesc* texture_resource(cudaTextureObject_t object) const;
  [[nodiscard]] const cudaResourceDesc* surface_resource(cudaSurfaceObject_t object) const;
  [[nodiscard]] const cudaTextureDesc* texture(cudaTextureObject_t object) const;

  /// Forgets everything; its memory goes with the heap's.
  void clear();

 private:
  struct Texture {
    cudaResourceDesc resource;
    cudaTextureDesc texture;
  };

  std::uint64_t put(const exec::ImageDescriptor& image, const char* call);
  cudaError_t image_of(const cudaResourceDesc& resource, exec::ImageDescriptor& image) const;

  Heap& heap_;
  std::map<cudaArray_const_t, std::unique_ptr<cudaArray>> arrays_;
  std::map<cudaMipmappedArray_const_t, std::unique_ptr<cudaMipmappedArray>> mipmapped_;
  std::set<cudaArray_const_t> all_;  ///< with the levels of mipmapped ones
  std::map<cudaTextureObject_t, Texture> textures_;
  std::map<cudaSurfaceObject_t, cudaResourceDesc> surfaces_;
};

}  // namespace paws::cuda
