// SPDX-License-Identifier: MIT
// Kernel launches, attributes of kernels, occupancy. The values of a launch are there when its call
// returns: that is one of the orders that streams allow.
#include <algorithm>
#include <utility>

#include "sim/cuda/call.h"
#include "sim/cuda/copy_time.h"
#include "sim/support/error.h"

namespace {

using paws::cuda::Function;
using paws::cuda::LaunchCall;
using paws::cuda::Runtime;

cudaError_t launch(const void* function, const LaunchCall& given, cudaStream_t stream) {
  const auto work = [&](Runtime& runtime) {
    LaunchCall call = given;
    call.function = runtime.modules().function(function);
    if (call.function == nullptr) return cudaErrorInvalidDeviceFunction;
    if (!runtime.knows(stream)) return cudaErrorInvalidResourceHandle;
    call.stream = stream;
    paws::cuda::Graphs& graphs = runtime.graphs();
    if (auto* point = graphs.capturing(runtime.time_of(stream))) {
      paws::cuda::Task task;
      const cudaError_t error = record_launch(runtime, call, task);
      return error == cudaSuccess ? graphs.record(*point, std::move(task)) : error;
    }
    const cudaError_t error = graphs.refuse_in(runtime.time_of(stream));
    return error == cudaSuccess ? runtime.launch(call) : error;
  };
  return paws::cuda::call(work, paws::cuda::Progress::stays);
}

/// Does `work` with the kernel, whose PTX may be refused.
template <typename Work>
cudaError_t with(const void* function, Work&& work) {
  return paws::cuda::call([&](Runtime& runtime) {
    Function* found = runtime.modules().function(function);
    if (found == nullptr) return cudaErrorInvalidDeviceFunction;
    try {
      return work(runtime, *found);
    } catch (const paws::InputError& error) {
      return runtime.refuse(error);
    }
  });
}

cudaError_t active_blocks(int* blocks, const void* function, int threads, std::size_t shared) {
  return with(function, [&](Runtime& runtime, Function& found) {
    if (blocks == nullptr || threads <= 0 || threads > 1024) return cudaErrorInvalidValue;
    *blocks =
        static_cast<int>(runtime.occupancy(found, static_cast<unsigned>(threads), shared).blocks);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t paws::cuda::record_launch(Runtime& runtime, const LaunchCall& call, Task& task) {
  std::vector<std::vector<std::byte>> arguments;
  try {
    const unsigned threads = std::clamp(call.block.x * call.block.y * call.block.z, 1U, 1024U);
    const ir::Kernel& kernel = *runtime.modules().compile(*call.function, threads).kernel;
    if (call.arguments == nullptr && !kernel.params.empty()) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < kernel.params.size(); ++i) {
      const auto* from = static_cast<const std::byte*>(call.arguments[i]);
      arguments.emplace_back(from, from + kernel.params[i].bytes);
    }
  } catch (const InputError& error) {
    tell(error.what());
    return cudaErrorInvalidPtx;
  }
  task.type = cudaGraphNodeTypeKernel;
  task.work = [call = LaunchCall(call), arguments](Runtime& later,
                                                   const Submission& submission) mutable {
    std::vector<void*> pointers(arguments.size());
    std::transform(arguments.begin(), arguments.end(), pointers.begin(),
                   [](std::vector<std::byte>& argument) { return argument.data(); });
    call.arguments = pointers.data();
    call.stream = submission.stream;
    return later.launch(call);
  };
  return cudaSuccess;
}

PAWS_CUDA_API cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block,
                                           void** arguments, size_t shared, cudaStream_t stream) {
  return launch(function, {nullptr, grid, block, arguments, shared, false}, stream);
}

PAWS_CUDA_API cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                                      void** arguments, size_t shared,
                                                      cudaStream_t stream) {
  return launch(function, {nullptr, grid, block, arguments, shared, true}, stream);
}

PAWS_CUDA_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config,
                                              const void* function, void** arguments) {
  if (config == nullptr) return paws::cuda::note(cudaErrorInvalidValue);
  bool cooperative = false;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) {
      cooperative = attribute.val.cooperative != 0;
    } else if (attribute.id == cudaLaunchAttributeClusterDimension) {
      paws::cuda::tell("cudaLaunchKernelExC: thread block clusters are not supported");
      return paws::cuda::note(cudaErrorNotSupported);
    }
  }
  return launch(function,
                {nullptr, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                 cooperative},
                config->stream);
}

// NOLINTBEGIN(bugprone-reserved-identifier): the compiler's names.
/// The call behind <<<>>> of CUDA 13, and the handle that it launches.
PAWS_CUDA_API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                                             void** arguments, size_t shared, cudaStream_t stream) {
  return launch(kernel, {nullptr, grid, block, arguments, shared, false}, stream);
}

PAWS_CUDA_API cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard<std::recursive_mutex> held(runtime.lock());
  *kernel = reinterpret_cast<cudaKernel_t>(runtime.modules().function(function));
  return *kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}

// NOLINTEND(bugprone-reserved-identifier)

PAWS_CUDA_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function,
                                             void* data) {
  bool now = true;
  const cudaError_t error = paws::cuda::call([&](Runtime& runtime) {
    if (function == nullptr) return cudaErrorInvalidValue;
    if (!runtime.knows(stream)) return cudaErrorInvalidResourceHandle;
    const paws::cuda::StreamTime& time = runtime.time_of(stream);
    auto* point = runtime.graphs().capturing(time);
    if (point == nullptr) return runtime.graphs().refuse_in(time);
    now = false;
    paws::cuda::Task task;
    task.type = cudaGraphNodeTypeHost;
    task.host = {function, data};
    return runtime.graphs().record(*point, std::move(task));
  });
  // Without the lock: the function belongs to the program.
  if (error == cudaSuccess && now) function(data);
  return error;
}

PAWS_CUDA_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes,
                                                const void* function) {
  return with(function, [&](Runtime& runtime, Function& found) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    const paws::ir::Kernel& kernel = *runtime.modules().compile(found, 1).kernel;
    const unsigned most_shared = runtime.block_shared_bytes();
    const unsigned resident = runtime.config().frontend.register_file.threads;
    *attributes = {};
    attributes->sharedSizeBytes = kernel.shared_bytes;
    attributes->localSizeBytes = kernel.local_bytes;
    attributes->numRegs = static_cast<int>(kernel.registers_per_thread);
    const unsigned most = std::min(1024U, resident);
    attributes->maxThreadsPerBlock =
        static_cast<int>(kernel.max_threads == 0 ? most : std::min(most, kernel.max_threads));
    attributes->ptxVersion = static_cast<int>(found.module->architecture);
    attributes->binaryVersion = static_cast<int>(runtime.config().device.capability);
    attributes->maxDynamicSharedSizeBytes =
        static_cast<int>(most_shared - std::min(most_shared, kernel.shared_bytes));
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute,
                                               int value) {
  return with(function, [&](Runtime& runtime, Function&) {
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0) {
      return cudaErrorInvalidValue;
    }
    const auto most = static_cast<int>(runtime.block_shared_bytes());
    return value <= most ? cudaSuccess : cudaErrorInvalidValue;
  });
}

PAWS_CUDA_API cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return with(function, [](Runtime&, Function&) { return cudaSuccess; });
}

PAWS_CUDA_API cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return with(function, [](Runtime&, Function&) { return cudaSuccess; });
}

PAWS_CUDA_API cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return with(function, [&](Runtime&, Function& found) {
    if (name == nullptr) return cudaErrorInvalidValue;
    *name = found.name.c_str();
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                                        const void* function,
                                                                        int threads,
                                                                        size_t shared) {
  return active_blocks(blocks, function, threads, shared);
}

PAWS_CUDA_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared,
                                                                    const void* function,
                                                                    int blocks, int threads) {
  return with(function, [&](Runtime& runtime, Function& found) {
    if (shared == nullptr || blocks <= 0 || threads <= 0 || threads > 1024) {
      return cudaErrorInvalidValue;
    }
    const auto fits = [&](std::size_t bytes) {
      return runtime.occupancy(found, static_cast<unsigned>(threads), bytes).blocks >=
             static_cast<unsigned>(blocks);
    };
    if (!fits(0)) return cudaErrorInvalidValue;
    // What fits, and what does not: more than a block can have, or too much for so many.
    std::size_t least = 0;
    std::size_t most = std::size_t{runtime.block_shared_bytes()} + 1;
    while (most - least > 1) {
      const std::size_t middle = (least + most) / 2;
      (fits(middle) ? least : most) = middle;
    }
    *shared = least;
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, size_t shared, unsigned int) {
  return active_blocks(blocks, function, threads, shared);
}
