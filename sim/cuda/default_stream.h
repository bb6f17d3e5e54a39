// SPDX-License-Identifier: MIT
// What stream 0 is. It is the legacy stream in most programs, and a stream of the calling thread in
// those that nvcc's `--default-stream per-thread` compiles: they call names with _ptds or _ptsz.
#pragma once

#include "sim/cuda/include/cuda_runtime_api.h"

extern "C" cudaError_t __cudaLaunchKernel(  // NOLINT(bugprone-reserved-identifier)
    cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
    cudaStream_t stream);

namespace paws::cuda {

/// Stream 0 is the calling thread's own as long as an object of this class lives in the thread.
class OwnDefaultStream {
 public:
  OwnDefaultStream() : before_(inside_) { inside_ = true; }
  ~OwnDefaultStream() { inside_ = before_; }
  OwnDefaultStream(const OwnDefaultStream&) = delete;
  OwnDefaultStream& operator=(const OwnDefaultStream&) = delete;

  /// Whether the call that this thread is in is one of those names.
  [[nodiscard]] static bool inside() { return inside_; }

 private:
  static thread_local bool inside_;
  bool before_;
};

/// A function of the API with stream 0 as the calling thread's own.
template <auto Function>
struct WithOwnDefaultStream;
template <typename... Parameters, cudaError_t (*Function)(Parameters...)>
struct WithOwnDefaultStream<Function> {
  static cudaError_t call(Parameters... parameters) {
    const OwnDefaultStream here;
    return Function(parameters...);
  }
};

}  // namespace paws::cuda
