// SPDX-License-Identifier: MIT
// Every kind of memory and of copy: device, pinned, registered and managed memory; in one, two and
// three dimensions; symbols; fills; attributes of pointers.
#include <cstring>
#include <numeric>
#include <vector>

#include "check.h"

__device__ int table[64];
__constant__ int offset;

__global__ void add_offset(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + offset + table[i % 64];
}

__global__ void increment(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++data[i];
}

static void symbols() {
  std::vector<int> values(64);
  std::iota(values.begin(), values.end(), 100);
  CHECK(cudaMemcpyToSymbol(table, values.data(), 64 * sizeof(int)));
  const int seven = 7;
  CHECK(cudaMemcpyToSymbol(offset, &seven, sizeof(int)));
  int* address = nullptr;
  CHECK(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), table));
  size_t bytes = 0;
  CHECK(cudaGetSymbolSize(&bytes, table));
  EXPECT(bytes == sizeof(table));
  int third = 0;
  CHECK(cudaMemcpy(&third, address + 3, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(third == 103);

  int *in, *out;
  CHECK(cudaMalloc(&in, 64 * sizeof(int)));
  CHECK(cudaMalloc(&out, 64 * sizeof(int)));
  CHECK(cudaMemcpy(in, address, 64 * sizeof(int), cudaMemcpyDeviceToDevice));
  add_offset<<<2, 32>>>(out, in, 64);
  std::vector<int> result(64);
  CHECK(cudaMemcpy(result.data(), out, 64 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) EXPECT(result[i] == 2 * (100 + i) + 7);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

static void host_memory() {
  int *pinned, *managed;
  CHECK(cudaHostAlloc(&pinned, 100 * sizeof(int), cudaHostAllocMapped));
  CHECK(cudaMallocManaged(&managed, 100 * sizeof(int)));
  std::vector<int> own(100, 5);
  CHECK(cudaHostRegister(own.data(), own.size() * sizeof(int), cudaHostRegisterMapped));
  for (int i = 0; i < 100; ++i) pinned[i] = managed[i] = i;
  int* mapped = nullptr;
  CHECK(cudaHostGetDevicePointer(&mapped, pinned, 0));
  EXPECT(mapped == pinned);
  increment<<<1, 128>>>(mapped, 100);
  increment<<<1, 128>>>(managed, 100);
  increment<<<1, 128>>>(own.data(), 100);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 100; ++i) EXPECT(pinned[i] == i + 1 && managed[i] == i + 1 && own[i] == 6);

  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, managed + 3));
  EXPECT(attributes.type == cudaMemoryTypeManaged && attributes.hostPointer == managed + 3);
  CHECK(cudaPointerGetAttributes(&attributes, pinned));
  EXPECT(attributes.type == cudaMemoryTypeHost);
  int local = 0;
  CHECK(cudaPointerGetAttributes(&attributes, &local));
  EXPECT(attributes.type == cudaMemoryTypeUnregistered);
  CHECK(cudaHostUnregister(own.data()));
  EXPECT_ERROR(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own.data()));
  cudaGetLastError();
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(managed));
}

static void rows() {
  constexpr int kWidth = 10, kHeight = 6;
  std::vector<int> source(kWidth * kHeight), target(kWidth * kHeight, -1);
  std::iota(source.begin(), source.end(), 0);
  int* device = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&device, &pitch, kWidth * sizeof(int), kHeight));
  EXPECT(pitch >= kWidth * sizeof(int) && pitch % 256 == 0);
  CHECK(cudaMemset2D(device, pitch, 0xff, kWidth * sizeof(int), kHeight));
  CHECK(cudaMemcpy2D(device, pitch, source.data(), kWidth * sizeof(int), 4 * sizeof(int), kHeight,
                     cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2D(target.data(), kWidth * sizeof(int), device, pitch, kWidth * sizeof(int),
                     kHeight, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kWidth * kHeight; ++i) {
    EXPECT(target[i] == (i % kWidth < 4 ? source[i] : -1));
  }
  EXPECT_ERROR(cudaErrorInvalidPitchValue,
               cudaMemcpy2D(target.data(), 8, device, pitch, 16, 2, cudaMemcpyDeviceToHost));
  cudaGetLastError();
  CHECK(cudaFree(device));
}

static void boxes() {
  const cudaExtent extent = make_cudaExtent(4 * sizeof(int), 3, 2);
  cudaPitchedPtr box;
  CHECK(cudaMalloc3D(&box, extent));
  CHECK(cudaMemset3D(box, 0, extent));
  std::vector<int> source(24), target(24);
  std::iota(source.begin(), source.end(), 1);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(source.data(), 4 * sizeof(int), 4 * sizeof(int), 3);
  copy.dstPtr = box;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(target.data(), 4 * sizeof(int), 4 * sizeof(int), 3);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  EXPECT(source == target);
  CHECK(cudaFree(box.ptr));
}

int main() {
  size_t before = 0, during = 0, after = 0, total = 0;
  CHECK(cudaMemGetInfo(&before, &total));
  void* block = nullptr;
  CHECK(cudaMalloc(&block, 1000));
  CHECK(cudaMemGetInfo(&during, &total));
  CHECK(cudaFree(block));
  CHECK(cudaMemGetInfo(&after, &total));
  EXPECT(before == after && during < before && before <= total);
  EXPECT_ERROR(cudaErrorMemoryAllocation, cudaMalloc(&block, total + 1));
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
  symbols();
  host_memory();
  rows();
  boxes();
  std::printf("all copies are right\n");
  return 0;
}
