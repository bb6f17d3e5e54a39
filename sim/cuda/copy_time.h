// SPDX-License-Identifier: MIT
// Every copy and fill goes on the timeline here, when its bytes have been moved.
#pragma once

#include <cstddef>

#include "sim/cuda/memory_side.h"
#include "sim/cuda/runtime.h"

namespace paws::cuda {

/// How a copy or fill was called.
struct Submission {
  cudaStream_t stream = nullptr;
  bool waits = false;     ///< the call is not an asynchronous one
  bool in_graph = false;  ///< a node of a graph, for which the host does not wait
};

/// A call without "Async" in its name: in the default stream.
inline constexpr Submission kSynchronous{nullptr, true};

/// A copy of so many bytes. The host waits for it if the call is synchronous, if memory of the host
/// is pageable, or if both sides are memory of the host. For a copy within the device it never
/// waits ("CUDA Runtime API", API synchronization behavior).
void time_copy(Runtime& runtime, const Side& to, const Side& from, std::size_t bytes,
               cudaMemcpyKind kind, const Submission& submission);

/// The host waits for a synchronous fill of memory that it can access: pinned or managed memory.
void time_fill(Runtime& runtime, const Side& to, std::size_t bytes, const Submission& submission);

}  // namespace paws::cuda
