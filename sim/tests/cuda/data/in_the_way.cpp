// SPDX-License-Identifier: MIT
// A program that has memory where the device's addresses are: the runtime gives up.
#include <cuda_runtime_api.h>
#include <sys/mman.h>

int main() {
  void* const device_addresses = reinterpret_cast<void*>(0x7f00'0000'0000);
  mmap(device_addresses, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  void* pointer = nullptr;
  return cudaMalloc(&pointer, 4) == cudaSuccess ? 0 : 1;
}
