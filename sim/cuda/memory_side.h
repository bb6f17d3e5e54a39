// SPDX-License-Identifier: MIT
// The two sides of a copy: where a pointer of the program lies, and whether a copy may use it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/cuda/runtime.h"

namespace paws::cuda {

inline std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

/// One side of a copy: where it lies in the process.
struct Side {
  std::byte* data = nullptr;
  bool known = false;   ///< to the device: allocated, registered, or a variable
  bool device = false;  ///< the host cannot access it
  bool bad = false;     ///< runs over the end, has been freed, or is no plain memory
  bool managed = false;
};

/// `bytes` from `pointer` on.
Side side_of(Runtime& runtime, const void* pointer, std::size_t bytes);

/// Whether the side can be one on the device, or one on the host.
bool fits(const Side& side, bool on_device);

/// Whether both sides are where the kind of the copy says.
cudaError_t check(const Side& to, const Side& from, cudaMemcpyKind kind);

}  // namespace paws::cuda
