// SPDX-License-Identifier: MIT
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

/// Divergence, loops of different length, shared memory, barriers, global loads and atomics.
inline const char* const kBusyKernel = R"(
  mov.u32 %r1, %ctaid.x;
  mad.lo.u32 %r2, %r1, 64, %r0;
  and.b32 %r3, %r2, 1023;
  mul.wide.u32 %rd1, %r3, 4;
  add.u64 %rd2, %rd0, %rd1;
  mov.u32 %r4, shared_words;
  shl.b32 %r5, %r0, 2;
  add.u32 %r6, %r4, %r5;
  and.b32 %r7, %r2, 7;
LOOP:
  ld.global.u32 %r8, [%rd2];
  add.u32 %r9, %r8, %r7;
  st.shared.u32 [%r6], %r9;
  bar.sync 0;
  xor.b32 %r10, %r5, 4;
  add.u32 %r10, %r10, %r4;
  ld.shared.u32 %r11, [%r10];
  bar.sync 0;
  and.b32 %r12, %r11, 1;
  setp.eq.u32 %p1, %r12, 0;
  @%p1 bra SKIP;
  red.global.add.u32 [%rd0], 1;
  cvt.rn.f32.u32 %f1, %r11;
  sqrt.approx.f32 %f2, %f1;
  cvt.rzi.u32.f32 %r13, %f2;
  add.u32 %r14, %r14, %r13;
SKIP:
  add.u32 %r15, %r15, 1;
  setp.lt.u32 %p2, %r15, 4;
  @%p2 bra LOOP;
  atom.global.add.u32 %r16, [%rd2+4096], %r14;
  add.u32 %r17, %r16, %r14;
  st.global.u32 [%rd2+8192], %r17;
  ret;
)";

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
  /// Fills the buffer: its address, its bytes. None: it stays zero.
  std::function<void(std::uint64_t, std::byte*)> prepare;
  unsigned for_values = 0;  ///< launches for values alone, before those that are timed
  unsigned launches = 1;
  std::string declarations;  ///< before the kernel

  GpuStatistics statistics;
  std::vector<std::uint32_t> words;  ///< the buffer after the run
  std::string printed;               ///< by the kernel

  /// `body` is the kernel after the declaration of %p0, %r0..%r99, %rd0..%rd19, %f0..%f99, with
  /// %rd0 the buffer's address and %r0 the thread's number in its block.
  void run(const std::string& body) {
    const std::string text = R"(.version 7.0
.target sm_70
.address_size 64
)" + declarations + R"(.visible .entry test(.param .u64 buffer)
{
  .reg .pred %p<10>;
  .reg .b32 %r<100>;
  .reg .b64 %rd<20>;
  .reg .f32 %f<100>;
  .shared .align 4 .b8 shared_words[4096];
  ld.param.u64 %rd0, [buffer];
  mov.u32 %r0, %tid.x;
)" + body + "\n}\n";
    const ir::Module module = frontend::compile_text(text, "test.ptx", {config.frontend});
    DeviceMemory memory;
    memory.print_to([this](std::string_view more) { printed += more; });
    memory.load(module);
    const std::uint64_t address = memory.allocate("buffer", buffer_bytes);
    if (prepare) prepare(address, memory.at(address, buffer_bytes));
    KernelLaunch launch;
    launch.module = &module;
    launch.kernel = module.find("test");
    launch.shape = shape;
    launch.params.resize(launch.kernel->param_bytes);
    std::memcpy(launch.params.data(), &address, sizeof address);
    Gpu gpu(config, scheduler_config(config, scheduler), factory, options);
    for (unsigned i = 0; i < for_values; ++i) gpu.run_for_values(launch, memory);
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
