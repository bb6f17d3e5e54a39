// SPDX-License-Identifier: MIT
// What a program does wrong: each mistake has the error code that a GPU has for it, and the program
// goes on; after a fault of a kernel, or a kernel that is refused, nothing succeeds any more.
#include <cstring>

#include "check.h"

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }

__global__ void __launch_bounds__(64) small(int* out) { out[threadIdx.x] = 1; }

__global__ void dynamic(int* out) {
  extern __shared__ int scratch[];
  scratch[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = scratch[31 - threadIdx.x];
}

__global__ void misaligned(char* bytes) { *reinterpret_cast<int*>(bytes + 1) = 0; }

__global__ void refused() { asm volatile("wgmma.fence.sync.aligned;"); }

static int host_variable;

/// The error that a kernel has left is what every call returns, and none takes it away.
static void expect_to_stay(cudaError_t error) {
  int* data = nullptr;
  EXPECT_ERROR(error, cudaGetLastError());
  EXPECT_ERROR(error, cudaGetLastError());
  EXPECT_ERROR(error, cudaDeviceSynchronize());
  EXPECT_ERROR(error, cudaMalloc(&data, 4));
  EXPECT_ERROR(error, cudaMemcpy(&host_variable, &host_variable, 4, cudaMemcpyHostToHost));
  EXPECT_ERROR(error, cudaStreamSynchronize(nullptr));
  fill<<<1, 1>>>(data, 1);
  EXPECT_ERROR(error, cudaPeekAtLastError());
}

int main(int argc, char** argv) {
  int* data = nullptr;
  CHECK(cudaMalloc(&data, 64 * sizeof(int)));

  fill<<<1, 2048>>>(data, 1);
  EXPECT_ERROR(cudaErrorInvalidConfiguration, cudaPeekAtLastError());
  CHECK(cudaDeviceSynchronize());
  EXPECT_ERROR(cudaErrorInvalidConfiguration, cudaGetLastError());
  CHECK(cudaGetLastError());
  fill<<<0, 32>>>(data, 1);
  EXPECT_ERROR(cudaErrorInvalidConfiguration, cudaGetLastError());
  dynamic<<<1, 32, 1 << 20>>>(data);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetLastError());
  small<<<1, 128>>>(data);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetLastError());
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaSetDevice(1));
  EXPECT_ERROR(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(host_variable, data, 4));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy(data, data, 1000, cudaMemcpyDeviceToDevice));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy(data, &host_variable, 4, cudaMemcpyDeviceToHost));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFree(&host_variable));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaStreamSynchronize((cudaStream_t)&host_variable));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaPeekAtLastError());
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaGetLastError());
  CHECK(cudaGetLastError());
  EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);

  // All is well after all that.
  fill<<<1, 64>>>(data, 5);
  dynamic<<<1, 32, 32 * sizeof(int)>>>(data);
  int values[64];
  CHECK(cudaMemcpy(values, data, sizeof(values), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) EXPECT(values[i] == (i < 32 ? 31 - i : 5));
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 0));
  EXPECT(blocks > 0);
  int grid = 0, threads = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &threads, fill));
  EXPECT(threads % 32 == 0 && grid > 0);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, small));
  EXPECT(attributes.maxThreadsPerBlock == 64);

  const char* const fault = argc > 1 ? argv[1] : "freed";
  if (std::strcmp(fault, "misaligned") == 0) {
    misaligned<<<1, 1>>>(reinterpret_cast<char*>(data));
    expect_to_stay(cudaErrorMisalignedAddress);
  } else if (std::strcmp(fault, "refused") == 0) {
    refused<<<1, 1>>>();
    expect_to_stay(cudaErrorInvalidPtx);
  } else {
    CHECK(cudaFree(data));
    fill<<<1, 64>>>(data, 6);
    expect_to_stay(cudaErrorIllegalAddress);
  }
  std::printf("all errors are the right ones\n");
  return 3;
}
