// Runs PTX texts on a small GPU with the golden model deciding.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "model/scheduler.h"
#include "sim/frontend/frontend.h"
#include "sim/gpu/gpu.h"
#include "sim/support/error.h"

namespace paws {

/// The m2090 cut to `cores` cores.
inline GpuConfig small_gpu(unsigned cores = 1) {
  GpuConfig config = load_gpu("m2090");
  config.cores = cores;
  return config;
}

struct GpuRun {
  GpuConfig config = small_gpu();
  std::string scheduler = "two-level:paws";
  core::SchedulerFactory factory = make_model;
  GpuOptions options;
  exec::LaunchShape shape;
  std::uint64_t buffer_bytes = 4096;  ///< one buffer, zeroed; its address is the only parameter
  unsigned launches = 1;

  GpuStatistics statistics;
  std::vector<std::uint32_t> words;  ///< the buffer after the run

  /// `body` is the kernel after the declaration of %p0, %r0..%r99, %rd0..%rd19, %f0..%f99, with
  /// %rd0 the buffer's address and %r0 the thread's number in its block.
  void run(const std::string& body) {
    const std::string text = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry test(.param .u64 buffer)
{
  .reg .pred %p<10>;
  .reg .b32 %r<100>;
  .reg .b64 %rd<20>;
  .reg .f32 %f<100>;
  .shared .align 4 .b8 shared_words[4096];
  ld.param.u64 %rd0, [buffer];
  mov.u32 %r0, %tid.x;
)" + body + "\n}\n";
    const ir::Module module = frontend::compile_text(text, "test.ptx", config.frontend);
    DeviceMemory memory;
    memory.load(module);
    const std::uint64_t address = memory.allocate("buffer", buffer_bytes);
    KernelLaunch launch;
    launch.module = &module;
    launch.kernel = module.find("test");
    launch.shape = shape;
    launch.params.resize(launch.kernel->param_bytes);
    std::memcpy(launch.params.data(), &address, sizeof address);
    Gpu gpu(config, scheduler_config(config, scheduler), factory, options);
    for (unsigned i = 0; i < launches; ++i) gpu.run(launch, memory);
    statistics = gpu.statistics();
    words.resize(buffer_bytes / 4);
    std::memcpy(words.data(), memory.at(address, buffer_bytes), buffer_bytes);
  }
};

inline std::string repeat(unsigned times, const std::function<std::string(unsigned)>& line) {
  std::string text;
  for (unsigned i = 0; i < times; ++i) text += line(i) + "\n";
  return text;
}

inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace paws
