// SPDX-License-Identifier: MIT
// __managed__ variables: host and kernels know them by one name, and have one value.
#include "check.h"

struct Pair {
  int first;
  double second;
};

__managed__ int counter = 3;
__device__ __managed__ float table[64];
static __managed__ Pair pair = {1, 2.5};
namespace inner {
__managed__ int* pointer;
}
__managed__ unsigned char odd[3] = {7, 8, 9};
__device__ int of_device = 40;

__global__ void by_name() {
  table[threadIdx.x] += counter + threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    counter += of_device;
    pair.second *= 2;
    *inner::pointer += 6;
    odd[1] = odd[0] + odd[2];
  }
}

__global__ void by_address(int* number, float* numbers) {
  if (threadIdx.x == 0) *number += 100;
  numbers[threadIdx.x] *= 2;
}

int main() {
  // The values of the source, before any call.
  EXPECT(counter == 3 && table[63] == 0 && pair.first == 1 && pair.second == 2.5);
  EXPECT(inner::pointer == nullptr && odd[0] == 7 && odd[1] == 8 && odd[2] == 9);

  counter += 2;
  inner::pointer = &pair.first;
  for (int i = 0; i < 64; ++i) table[i] = 1000 * i;
  by_name<<<1, 64>>>();
  CHECK(cudaDeviceSynchronize());
  EXPECT(counter == 45 && pair.first == 7 && pair.second == 5 && odd[1] == 16);
  for (int i = 0; i < 64; ++i) EXPECT(table[i] == 1001 * i + 5);

  by_address<<<1, 64>>>(inner::pointer, table);
  CHECK(cudaDeviceSynchronize());
  EXPECT(*inner::pointer == 107 && pair.first == 107 && table[1] == 2012);

  // One address for both sides.
  void* address = nullptr;
  std::size_t bytes = 0;
  CHECK(cudaGetSymbolAddress(&address, counter));
  EXPECT(address == &counter);
  CHECK(cudaGetSymbolSize(&bytes, table));
  EXPECT(bytes == sizeof(table));
  by_address<<<1, 64>>>(static_cast<int*>(address), table);
  CHECK(cudaDeviceSynchronize());
  EXPECT(counter == 145 && table[1] == 4024);
  int seven = 7;
  CHECK(cudaMemcpyToSymbol(counter, &seven, sizeof(int)));
  EXPECT(counter == 7);

  // Managed memory is at home on both sides.
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, &table[5]));
  EXPECT(attributes.type == cudaMemoryTypeManaged);
  EXPECT(attributes.devicePointer == &table[5] && attributes.hostPointer == &table[5]);
  int five = 5, there = 0;
  CHECK(cudaMemcpy(&counter, &five, sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(&there, &counter, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(counter == 5 && there == 5);
  CHECK(cudaMemcpy(table, &pair, sizeof(int), cudaMemcpyHostToHost));
  CHECK(cudaMemset(&counter, 0, sizeof(int)));
  EXPECT(counter == 0);
  CHECK(cudaMemcpyFromSymbol(&there, of_device, sizeof(int)));
  EXPECT(there == 40);
  CHECK(cudaGetSymbolAddress(&address, of_device));
  CHECK(cudaPointerGetAttributes(&attributes, address));
  EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.hostPointer == nullptr);
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpy(&counter, &five, sizeof(int) + 1, cudaMemcpyHostToDevice));
  std::printf("host and device have one value\n");
  return 0;
}
