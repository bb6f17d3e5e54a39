// SPDX-License-Identifier: MIT
// A program whose device code has a form that is not known.
#include <cuda_runtime_api.h>

extern "C" void** __cudaRegisterFatBinary(void*);

int main() {
  struct {
    int magic = 0x12345678, version = 1;
    const void* container = nullptr;
    const void* more = nullptr;
  } wrapper;
  __cudaRegisterFatBinary(&wrapper);
  void* pointer = nullptr;
  return cudaMalloc(&pointer, 4) == cudaSuccess ? 0 : 1;
}
