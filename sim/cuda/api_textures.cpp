// SPDX-License-Identifier: MIT
// Texture and surface objects.
#include <cstddef>
#include <cstring>

#include "sim/cuda/call.h"

namespace {

using paws::cuda::call;
using paws::cuda::Runtime;

cudaError_t give(cudaResourceDesc* to, const cudaResourceDesc* from) {
  if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
  // Programs of CUDA 12 and before have no more than this.
  std::memcpy(to, from, offsetof(cudaResourceDesc, res) + sizeof(from->res.pitch2D));
  return cudaSuccess;
}

}  // namespace

PAWS_CUDA_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object,
                                                  const cudaResourceDesc* resource,
                                                  const cudaTextureDesc* texture,
                                                  const cudaResourceViewDesc* view) {
  return call([&](Runtime& runtime) {
    if (view != nullptr) {
      paws::cuda::tell("cudaCreateTextureObject(): resource views are not supported");
      return cudaErrorNotSupported;
    }
    return runtime.images().create(object, resource, texture);
  });
}

PAWS_CUDA_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return call([&](Runtime& runtime) { return runtime.images().destroy_texture(object); });
}

PAWS_CUDA_API cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                                           cudaTextureObject_t object) {
  return call(
      [&](Runtime& runtime) { return give(resource, runtime.images().texture_resource(object)); });
}

PAWS_CUDA_API cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture,
                                                          cudaTextureObject_t object) {
  return call([&](Runtime& runtime) {
    const cudaTextureDesc* found = runtime.images().texture(object);
    if (texture == nullptr || found == nullptr) return cudaErrorInvalidValue;
    std::memcpy(texture, found, offsetof(cudaTextureDesc, seamlessCubemap));
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object,
                                                  const cudaResourceDesc* resource) {
  return call([&](Runtime& runtime) { return runtime.images().create(object, resource); });
}

PAWS_CUDA_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return call([&](Runtime& runtime) { return runtime.images().destroy_surface(object); });
}

PAWS_CUDA_API cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                                           cudaSurfaceObject_t object) {
  return call(
      [&](Runtime& runtime) { return give(resource, runtime.images().surface_resource(object)); });
}
