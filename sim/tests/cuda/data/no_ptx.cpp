// SPDX-License-Identifier: MIT
// What a program looks like to the runtime whose fat binary has machine code alone.
#include <cuda_runtime_api.h>

#include <cstdint>

extern "C" void** __cudaRegisterFatBinary(void*);

struct Container {
  std::uint32_t magic = 0xba55ed50;
  std::uint16_t version = 1, header_bytes = 16;
  std::uint64_t bytes = 64 + 8;
  std::uint16_t kind = 2, entry_version = 0x101;
  std::uint32_t entry_bytes = 64;
  std::uint64_t contents = 8;
  std::uint32_t compressed = 0, options = 0;
  std::uint16_t minor = 0, major = 1;
  std::uint32_t architecture = 90, name = 0, name_bytes = 0;
  std::uint64_t flags = 0x11, reserved = 0, plain = 0;
  std::uint64_t code = 0;
};

int main() {
  static const Container container;
  struct {
    int magic = 0x466243b1, version = 1;
    const void* container;
    const void* more = nullptr;
  } wrapper;
  wrapper.container = &container;
  __cudaRegisterFatBinary(&wrapper);
  void* pointer = nullptr;
  return cudaMalloc(&pointer, 4) == cudaSuccess ? 0 : 1;
}
