// SPDX-License-Identifier: MIT
#include "sim/cuda/default_stream.h"

namespace paws::cuda {

thread_local bool OwnDefaultStream::inside_ = false;

}  // namespace paws::cuda
