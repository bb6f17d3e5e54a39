// SPDX-License-Identifier: MIT
// Textures and surfaces: an image filter with linear filtering that writes a surface, a layered
// array, a cubemap, a volume, levels of a mipmap, linear and pitched memory. Every result is
// checked against the formulas of the CUDA C++ Programming Guide, "Texture Fetching".
#include <cuda_fp16.h>

#include <cmath>
#include <vector>

#include "check.h"

constexpr int kWidth = 80;  // more than a tile of an array
constexpr int kHeight = 20;

static cudaTextureObject_t texture_of(const cudaResourceDesc& resource,
                                      cudaTextureAddressMode address = cudaAddressModeClamp,
                                      cudaTextureFilterMode filter = cudaFilterModePoint,
                                      cudaTextureReadMode read = cudaReadModeElementType,
                                      bool normalized = false) {
  cudaTextureDesc desc = {};
  for (int i = 0; i < 3; ++i) desc.addressMode[i] = address;
  desc.filterMode = desc.mipmapFilterMode = filter;
  desc.readMode = read;
  desc.normalizedCoords = normalized;
  desc.maxMipmapLevelClamp = 16;
  desc.borderColor[0] = 5;  // which no texture here shows
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  return texture;
}

static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

static bool near(float a, float b) { return std::fabs(a - b) < 1e-5f; }

// --- an image filter -----------------------------------------------------------------------------

/// Each pixel becomes the mean of four samples between it and its neighbours.
__global__ void soften(cudaTextureObject_t from, cudaSurfaceObject_t to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int i = 0; i < 4; ++i) sum += tex2D<float>(from, x + (i & 1), y + (i >> 1));
  surf2Dwrite((unsigned char)(sum * 0.25f * 255 + 0.5f), to, x, y);
}

static float sample(const std::vector<unsigned char>& image, int x, int y) {
  const int cx = x < 0 ? 0 : x >= kWidth ? kWidth - 1 : x;
  const int cy = y < 0 ? 0 : y >= kHeight ? kHeight - 1 : y;
  return image[cy * kWidth + cx] / 255.0f;
}

static void filter() {
  std::vector<unsigned char> image(kWidth * kHeight), result(image.size());
  for (size_t i = 0; i < image.size(); ++i) image[i] = (unsigned char)(i * 37 + i / kWidth * 11);
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t from, to;
  CHECK(cudaMallocArray(&from, &bytes, kWidth, kHeight));
  CHECK(cudaMallocArray(&to, &bytes, kWidth, kHeight, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpy2DToArray(from, 0, 0, image.data(), kWidth, kWidth, kHeight,
                            cudaMemcpyHostToDevice));
  const cudaTextureObject_t texture = texture_of(resource_of(from), cudaAddressModeClamp,
                                                 cudaFilterModeLinear, cudaReadModeNormalizedFloat);
  const cudaResourceDesc target = resource_of(to);
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &target));
  soften<<<dim3(5, 3), dim3(16, 8)>>>(texture, surface, kWidth, kHeight);
  CHECK(cudaMemcpy2DFromArray(result.data(), kWidth, to, 0, 0, kWidth, kHeight,
                              cudaMemcpyDeviceToHost));
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      float sum = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          sum += (dx == 0 ? 2 : 1) * (dy == 0 ? 2 : 1) * sample(image, x + dx, y + dy);
        }
      }
      EXPECT(std::abs(result[y * kWidth + x] - sum / 16 * 255) <= 0.51f);
    }
  }
  cudaArray_t again;
  CHECK(cudaMallocArray(&again, &bytes, kWidth, kHeight));
  CHECK(cudaMemcpy2DArrayToArray(again, 0, 0, to, 0, 0, kWidth, kHeight));
  std::vector<unsigned char> copy(image.size());
  CHECK(cudaMemcpyFromArray(copy.data(), again, 0, 0, copy.size(), cudaMemcpyDeviceToHost));
  EXPECT(copy == result);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(from));
  CHECK(cudaFreeArray(to));
  CHECK(cudaFreeArray(again));
}

// --- layers, cubes, volumes ----------------------------------------------------------------------

__global__ void layers(float* out, cudaTextureObject_t layered, cudaTextureObject_t cube,
                       cudaTextureObject_t volume) {
  const int i = threadIdx.x;
  out[i] = tex2DLayered<float>(layered, i % 4 + 0.5f, i / 4 + 0.5f, i % 3);
  const float sign = i % 2 == 0 ? 1 : -1;
  const int axis = i / 2 % 3;
  out[32 + i] =
      texCubemap<float>(cube, axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
  out[64 + i] = tex3D<float>(volume, 0.125f * i, 1, 1);
}

static cudaArray_t filled(cudaExtent extent, unsigned flags, const std::vector<float>& values) {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CHECK(cudaMalloc3DArray(&array, &floats, extent, flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(values.data()), extent.width * 4,
                                    extent.width, extent.height);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

static void shapes() {
  std::vector<float> values(4 * 8 * 3);
  for (size_t i = 0; i < values.size(); ++i) values[i] = (float)i;
  const cudaArray_t layered = filled(make_cudaExtent(4, 8, 3), cudaArrayLayered, values);
  const cudaArray_t cube = filled(make_cudaExtent(1, 1, 6), cudaArrayCubemap, values);
  const cudaArray_t volume = filled(make_cudaExtent(4, 2, 2), 0, values);
  cudaChannelFormatDesc channels;
  cudaExtent extent;
  unsigned flags = 0;
  CHECK(cudaArrayGetInfo(&channels, &extent, &flags, layered));
  EXPECT(channels.x == 32 && channels.y == 0 && channels.f == cudaChannelFormatKindFloat);
  EXPECT(extent.width == 4 && extent.height == 8 && extent.depth == 3);
  EXPECT(flags == cudaArrayLayered);
  const cudaTextureObject_t textures[] = {
      texture_of(resource_of(layered)),
      texture_of(resource_of(cube), cudaAddressModeClamp, cudaFilterModePoint,
                 cudaReadModeElementType, true),
      texture_of(resource_of(volume), cudaAddressModeClamp, cudaFilterModeLinear)};
  float* device = nullptr;
  CHECK(cudaMalloc(&device, 96 * sizeof(float)));
  layers<<<1, 32>>>(device, textures[0], textures[1], textures[2]);
  float out[96];
  CHECK(cudaMemcpy(out, device, sizeof(out), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) {
    EXPECT(out[i] == values[i % 3 * 32 + i]);
    EXPECT(out[32 + i] == i % 6);
    // At (1, 1) of y and z the mean of four rows, which begin with 0, 4, 8 and 12.
    const float x = std::fmin(std::fmax(0.125f * i - 0.5f, 0), 3);
    EXPECT(near(out[64 + i], 6 + x));
  }
  for (const cudaTextureObject_t texture : textures) CHECK(cudaDestroyTextureObject(texture));
  for (const cudaArray_t array : {layered, cube, volume}) CHECK(cudaFreeArray(array));
  CHECK(cudaFree(device));
}

// --- levels, linear and pitched memory -----------------------------------------------------------

__global__ void others(float* out, cudaTextureObject_t levels, cudaTextureObject_t linear,
                       cudaTextureObject_t rows) {
  const int i = threadIdx.x;
  out[i] = tex2DLod<float>(levels, 0.5f, 0.5f, i * 0.25f);
  const short2 pair = tex1Dfetch<short2>(linear, i - 4);
  out[16 + i] = pair.x * 100 + pair.y;
  out[32 + i] = tex2D<float>(rows, i % 4, i / 4);
}

static void memories() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmap = nullptr;
  CHECK(cudaMallocMipmappedArray(&mipmap, &floats, make_cudaExtent(4, 4, 0), 3));
  for (int level = 0; level < 3; ++level) {
    cudaArray_t array = nullptr;
    CHECK(cudaGetMipmappedArrayLevel(&array, mipmap, level));
    const int size = 4 >> level;
    const std::vector<float> same(size * size, (float)(level * level));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, same.data(), size * 4, size * 4, size,
                              cudaMemcpyHostToDevice));
  }
  cudaResourceDesc levels = {};
  levels.resType = cudaResourceTypeMipmappedArray;
  levels.res.mipmap.mipmap = mipmap;

  short2 pairs[8];
  for (int i = 0; i < 8; ++i) pairs[i] = make_short2((short)-i, (short)i);
  short2* linear_memory = nullptr;
  CHECK(cudaMalloc(&linear_memory, sizeof(pairs)));
  CHECK(cudaMemcpy(linear_memory, pairs, sizeof(pairs), cudaMemcpyHostToDevice));
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = linear_memory;
  linear.res.linear.desc = cudaCreateChannelDesc<short2>();
  linear.res.linear.sizeInBytes = sizeof(pairs);

  float* rows_memory = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&rows_memory, &pitch, 4 * sizeof(float), 4));
  float grid[16];
  for (int i = 0; i < 16; ++i) grid[i] = 1.5f * i;
  CHECK(cudaMemcpy2D(rows_memory, pitch, grid, 16, 16, 4, cudaMemcpyHostToDevice));
  cudaResourceDesc rows = {};
  rows.resType = cudaResourceTypePitch2D;
  rows.res.pitch2D.devPtr = rows_memory;
  rows.res.pitch2D.desc = floats;
  rows.res.pitch2D.width = rows.res.pitch2D.height = 4;
  rows.res.pitch2D.pitchInBytes = pitch;

  const cudaTextureObject_t textures[] = {
      texture_of(levels, cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeElementType, true),
      texture_of(linear), texture_of(rows)};
  cudaResourceDesc got = {};
  CHECK(cudaGetTextureObjectResourceDesc(&got, textures[1]));
  EXPECT(got.resType == cudaResourceTypeLinear && got.res.linear.devPtr == linear_memory);
  float* device = nullptr;
  CHECK(cudaMalloc(&device, 48 * sizeof(float)));
  others<<<1, 16>>>(device, textures[0], textures[1], textures[2]);
  float out[48];
  CHECK(cudaMemcpy(out, device, sizeof(out), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; ++i) {
    const float level = std::fmin(i * 0.25f, 2);
    // Levels hold 0, 1 and 4.
    EXPECT(near(out[i], level < 1 ? level : 1 + 3 * (level - 1)));
    const int at = i - 4;
    EXPECT(out[16 + i] == (at >= 0 && at < 8 ? -100 * at + at : 0));
    EXPECT(out[32 + i] == grid[i]);
  }
  for (const cudaTextureObject_t texture : textures) CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeMipmappedArray(mipmap));
  CHECK(cudaFree(linear_memory));
  CHECK(cudaFree(rows_memory));
  CHECK(cudaFree(device));
}

// --- levels by derivatives, in all shapes --------------------------------------------------------

/// Level 2 of each: derivatives of 4 texels of 8.
__global__ void coarse(float* out, const cudaTextureObject_t* shapes) {
  const float4 step = make_float4(0, 0.5f, 0, 0), none = make_float4(0, 0, 0, 0);
  const float2 flat_step = make_float2(0, 0.5f), flat_none = make_float2(0, 0);
  out[0] = tex1DGrad<float>(shapes[0], 0.5f, 0, 0.5f);
  out[1] = tex3DGrad<float>(shapes[1], 0.5f, 0.5f, 0.5f, step, none);
  out[2] = tex1DLayeredLod<float>(shapes[2], 0.5f, 1, 2);
  out[3] = tex1DLayeredGrad<float>(shapes[2], 0.5f, 1, 0.5f, 0);
  out[4] = tex2DLayeredGrad<float>(shapes[3], 0.5f, 0.5f, 1, flat_none, flat_step);
  out[5] = texCubemapLod<float>(shapes[4], -1, 0.5f, 0.5f, 2);
  out[6] = texCubemapLayeredLod<float>(shapes[5], 0.5f, 1, 0.5f, 1, 2);
}

/// The texels of slice z of a level are 10 * level; those of a layer z are 100 * z more.
static cudaMipmappedArray_t levels_of(cudaExtent extent, unsigned flags) {
  const cudaChannelFormatDesc halves = cudaCreateChannelDescHalf();
  cudaMipmappedArray_t mipmap = nullptr;
  CHECK(cudaMallocMipmappedArray(&mipmap, &halves, extent, 3, flags));
  for (int level = 0; level < 3; ++level) {
    cudaArray_t array = nullptr;
    cudaExtent size;
    CHECK(cudaGetMipmappedArrayLevel(&array, mipmap, level));
    CHECK(cudaArrayGetInfo(nullptr, &size, nullptr, array));
    if (size.height == 0) size.height = 1;
    if (size.depth == 0) size.depth = 1;
    std::vector<__half> texels;
    for (size_t i = 0; i < size.width * size.height * size.depth; ++i) {
      const size_t layer = flags == 0 ? 0 : i / (size.width * size.height);
      texels.push_back(__half(10.0f * level + 100.0f * layer));
    }
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), size.width * 2, size.width, size.height);
    copy.dstArray = array;
    copy.extent = size;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
  }
  return mipmap;
}

static void derivatives() {
  const cudaMipmappedArray_t mipmaps[] = {
      levels_of(make_cudaExtent(8, 0, 0), 0),
      levels_of(make_cudaExtent(8, 8, 8), 0),
      levels_of(make_cudaExtent(8, 0, 2), cudaArrayLayered),
      levels_of(make_cudaExtent(8, 8, 2), cudaArrayLayered),
      levels_of(make_cudaExtent(8, 8, 6), cudaArrayCubemap),
      levels_of(make_cudaExtent(8, 8, 12), cudaArrayCubemap | cudaArrayLayered)};
  cudaTextureObject_t* textures = nullptr;
  float* out = nullptr;
  CHECK(cudaMallocManaged(&textures, sizeof(*textures) * 6));
  CHECK(cudaMallocManaged(&out, sizeof(*out) * 7));
  for (int i = 0; i < 6; ++i) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmaps[i];
    textures[i] = texture_of(resource, cudaAddressModeClamp, cudaFilterModePoint,
                             cudaReadModeElementType, true);
  }
  coarse<<<1, 1>>>(out, textures);
  CHECK(cudaDeviceSynchronize());
  const float expected[] = {20, 20, 120, 120, 120, 120, 820};
  for (int i = 0; i < 7; ++i) EXPECT(out[i] == expected[i]);
  for (int i = 0; i < 6; ++i) {
    CHECK(cudaDestroyTextureObject(textures[i]));
    CHECK(cudaFreeMipmappedArray(mipmaps[i]));
  }
  CHECK(cudaFree(textures));
  CHECK(cudaFree(out));
}

// --- mistakes ------------------------------------------------------------------------------------

static void mistakes() {
  const cudaChannelFormatDesc three =
      cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindSigned);
  const cudaChannelFormatDesc words = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  EXPECT_ERROR(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &three, 4, 4));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocArray(&array, &words, 0, 4));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMalloc3DArray(&array, &words, make_cudaExtent(4, 2, 6), cudaArrayCubemap));
  CHECK(cudaMallocArray(&array, &words, 4, 4));
  int rows[16] = {};
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpy2DToArray(array, 4, 0, rows, 16, 16, 4, cudaMemcpyHostToDevice));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpyToArray(array, 0, 1, rows, 64, cudaMemcpyHostToDevice));
  const cudaResourceDesc resource = resource_of(array);
  cudaSurfaceObject_t surface = 0;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaCreateSurfaceObject(&surface, &resource));
  cudaTextureDesc desc = {};
  desc.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  EXPECT_ERROR(cudaErrorInvalidFilterSetting,
               cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  desc.filterMode = cudaFilterModePoint;
  desc.readMode = cudaReadModeNormalizedFloat;
  EXPECT_ERROR(cudaErrorInvalidNormSetting,
               cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  CHECK(cudaFreeArray(array));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFreeArray(array));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDestroyTextureObject(1234));
  cudaGetLastError();
}

int main(int argc, char**) {
  filter();
  shapes();
  memories();
  derivatives();
  mistakes();
  if (argc > 1) {
    // A destroyed object is found when a kernel uses it.
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &floats, 4, 4));
    const cudaTextureObject_t texture = texture_of(resource_of(array));
    CHECK(cudaDestroyTextureObject(texture));
    soften<<<1, 1>>>(texture, 0, 4, 4);
    EXPECT_ERROR(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    return 3;
  }
  std::printf("all texels are right\n");
  return 0;
}
