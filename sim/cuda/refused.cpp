// SPDX-License-Identifier: MIT
// What happens on a call of the runtime API that is not served.
#include <cstdio>
#include <cstdlib>

#include "sim/cuda/runtime.h"

/// Ends the program; every refused function of exports.txt does this with its own name.
extern "C" [[noreturn]] void paws_cuda_refused(const char* name) {
  paws::cuda::tell(std::string(name) +
                   "() is not supported by this CUDA runtime (docs/guide/cuda.md)");
  std::fflush(nullptr);
  std::_Exit(2);
}
