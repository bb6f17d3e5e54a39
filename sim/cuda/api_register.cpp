// SPDX-License-Identifier: MIT
// What compilers call for the program, before main(): its fat binaries, kernels and variables
// register themselves. And the two halves of <<<>>>.
#include <vector>

#include "sim/cuda/call.h"

namespace {

using paws::cuda::Module;
using paws::cuda::Runtime;

/// What points to a fat binary in the program ("fatBinaryC" of the compilers' output).
struct FatBinaryWrapper {
  int magic;
  int version;
  const std::byte* container;
  const void* more;
};
constexpr int kWrapperMagic = 0x466243b1;
constexpr int kLinkedVersion = 2;  ///< what nvcc's device linker makes

struct Configuration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};
thread_local std::vector<Configuration> configurations;

/// With the lock, and not yet with a device: nothing may be read before main().
template <typename Work>
void register_with(Work&& work) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard<std::recursive_mutex> held(runtime.lock());
  work(runtime);
}

/// The device and its variables: the program may read a managed one before it calls anything.
void make_ready() {
  paws::cuda::call([](Runtime&) { return cudaSuccess; });
}

Module* module_of(void** handle) { return reinterpret_cast<Module*>(handle); }

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the compilers' names.
PAWS_CUDA_API void** __cudaRegisterFatBinary(void* binary) {
  const auto* wrapper = static_cast<const FatBinaryWrapper*>(binary);
  Module* module = nullptr;
  register_with([&](Runtime& runtime) {
    const bool known = wrapper->magic == kWrapperMagic;
    module = runtime.modules().add(known ? wrapper->container : nullptr,
                                   known && wrapper->version == kLinkedVersion);
  });
  return reinterpret_cast<void**>(module);
}

PAWS_CUDA_API void __cudaRegisterFatBinaryEnd(void**) {}

PAWS_CUDA_API void __cudaUnregisterFatBinary(void**) {}

PAWS_CUDA_API char __cudaInitModule(void**) { return 1; }

PAWS_CUDA_API void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name,
                                          int, void*, void*, dim3*, dim3*, int*) {
  register_with(
      [&](Runtime& runtime) { runtime.modules().add_function(module_of(handle), host, name); });
}

PAWS_CUDA_API void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int,
                                     size_t bytes, int, int) {
  bool managed = false;
  register_with([&](Runtime& runtime) {
    managed = runtime.modules().in_managed_section(host);
    std::byte* const bytes_of_host = managed ? reinterpret_cast<std::byte*>(host) : nullptr;
    runtime.modules().add_variable(module_of(handle), host,
                                   {nullptr, name, bytes, nullptr, bytes_of_host});
  });
  if (managed) make_ready();
}

/// Of programs that scripts/cuda++ builds: where the host's part of managed variables lies
/// (include/managed_variables.h).
PAWS_CUDA_API void __cudaRegisterManagedSection(void* begin, void* end) {
  register_with([&](Runtime& runtime) {
    runtime.modules().add_managed_section(static_cast<std::byte*>(begin),
                                          static_cast<std::byte*>(end));
  });
}

PAWS_CUDA_API void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name,
                                            int, size_t bytes, int, int) {
  register_with([&](Runtime& runtime) {
    runtime.modules().add_variable(module_of(handle), host, {nullptr, name, bytes, host, nullptr});
  });
  make_ready();
}

PAWS_CUDA_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                                   cudaStream_t stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}

PAWS_CUDA_API cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared,
                                                     void* stream) {
  if (configurations.empty()) return paws::cuda::note(cudaErrorMissingConfiguration);
  const Configuration& last = configurations.back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  configurations.pop_back();
  return cudaSuccess;
}

// NOLINTEND(bugprone-reserved-identifier)
