// SPDX-License-Identifier: MIT
// What every function of the API does around its own work.
#pragma once

#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>

#include "sim/cuda/runtime.h"

/// A function that programs call.
#define PAWS_CUDA_API extern "C" __attribute__((visibility("default")))

namespace paws::cuda {

/// Keeps an error for cudaGetLastError() of this thread. Returns it.
cudaError_t note(cudaError_t error);

/// The error kept, and forgets it unless it is one of those that stay.
cudaError_t take_last_error();
cudaError_t last_error();

/// Whether the line of progress stays behind a call. Programs launch many kernels in a row; what
/// they print is mostly behind another call, which waits or fetches results.
enum class Progress : std::uint8_t { goes, stays };

/// Does `work` of the runtime alone, with its device ready, and keeps its error. After a fault of a
/// kernel it fails at once, as on a GPU.
template <typename Work>
cudaError_t call(Work&& work, Progress progress = Progress::goes) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard<std::recursive_mutex> held(runtime.lock());
  if (progress == Progress::goes) runtime.clear_progress();
  runtime.prepare();
  if (runtime.sticky() != cudaSuccess) return note(runtime.sticky());
  try {
    const cudaError_t error = std::forward<Work>(work)(runtime);
    runtime.set_clocks();
    return note(error);
  } catch (const std::exception& error) {
    // Nothing that a program of C could catch leaves the API.
    tell(error.what());
    return note(cudaErrorUnknown);
  }
}

}  // namespace paws::cuda
