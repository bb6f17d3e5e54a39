// SPDX-License-Identifier: MIT
#include "sim/cuda/runtime.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/cuda/default_stream.h"
#include "sim/launch/kernel_name.h"
#include "sim/run/profile_json.h"
#include "sim/run/result_fields.h"
#include "sim/sanitize/finding.h"
#include "sim/stats/statistics_table.h"
#include "sim/support/error.h"

namespace paws::cuda {
namespace {

/// Exit status of a program that cannot go on, as that of `paws` for bad input.
constexpr int kBadInput = 2;

[[noreturn]] void give_up(const std::string& message) {
  tell(message);
  std::fflush(nullptr);
  std::_Exit(kBadInput);
}

CudaOptions options() {
  const char* text = std::getenv(kOptionsVariable);
  CudaOptions options = options_from(text == nullptr ? "" : text);
  options.request.workload = program_invocation_short_name;
  options.request.warn = tell;
  return options;
}

/// Whether a trap is a failed assertion: whether the line "FILE:LINE: ..." calls __assertfail.
bool failed_assertion(const std::string& fault, const std::string& ptx) {
  const std::size_t colon = fault.find(':');
  unsigned long line = std::strtoul(fault.c_str() + colon + 1, nullptr, 10);
  std::size_t at = 0;
  while (line-- > 1 && at != std::string::npos) at = ptx.find('\n', at + 1);
  if (at == std::string::npos) return false;
  // A call may take some lines, up to its semicolon.
  return ptx.substr(at, ptx.find(';', at) - at).find("__assertfail") != std::string::npos;
}

/// What a fault of a kernel is to the program, from the simulator's message.
/// `ptx` is the text that it names a line of.
cudaError_t error_of(const std::string& fault, const std::string& ptx) {
  const auto says = [&fault](const char* words) { return fault.find(words) != std::string::npos; };
  if (says(": stack overflow")) return cudaErrorHardwareStackError;
  if (says("not a multiple of")) return cudaErrorMisalignedAddress;
  if (says(" address 0x")) return cudaErrorIllegalAddress;
  if (says("--max-cycles") || says("--max-instructions")) return cudaErrorLaunchTimeout;
  if (says(": trap")) {
    return failed_assertion(fault, ptx) ? cudaErrorAssert : cudaErrorIllegalInstruction;
  }
  return cudaErrorLaunchFailure;
}

/// Nothing, if there was no copy and no fill.
void add_copies(nlohmann::json& total, const StreamTimeline& timeline) {
  nlohmann::json copies;
  for (const auto& [name, direction] : {std::pair{"to_device", Direction::to_device},
                                        {"to_host", Direction::to_host},
                                        {"within", Direction::within}}) {
    const StreamTimeline::Transferred& sum = timeline.transferred(direction);
    if (sum.bytes == 0) continue;
    copies[name] = {{"bytes", sum.bytes}, {"milliseconds", sum.milliseconds}};
  }
  if (copies.is_null()) return;
  total["copies"] = copies;
  total["milliseconds"] = timeline.end();
}

std::string text_of(const dim3& size) { return fmt::format("({},{},{})", size.x, size.y, size.z); }

}  // namespace

void tell(const std::string& message) { fmt::print(stderr, "paws: {}\n", message); }

Runtime& Runtime::instance() {
  // Never destroyed: the program may call the API until its very end.
  static Runtime* const runtime = [] {
    try {
      auto* made = new Runtime;
      // Tables that the report needs are destroyed at exit, the youngest first: they must be older
      // than what writes it.
      static_cast<void>(made->total());
      std::atexit([] { instance().finish(); });
      return made;
    } catch (const std::exception& error) {
      give_up(error.what());
    }
  }();
  return *runtime;
}

Runtime::Runtime()
    : options_(options()),
      report_(options_.reports),
      machine_(std::make_unique<Machine>(options_.request)),
      heap_(memory_, std::uint64_t{machine_->config().device.memory_mb} << 20),
      images_(heap_),
      modules_(memory_, machine_->config().frontend, machine_->config().device.capability),
      capture_(options_.captures, program_invocation_short_name, report_,
               as_comment(provenance_of(options_.request, options_.request.workload, {})),
               machine_->config().device.capability >= kIndependentThreads),
      timeline_(options_.request.timing ? copy_rates(machine_->config()) : CopyRates{},
                launch_latency(machine_->config())) {
  options_.request.options.progress = [this](std::uint64_t cycles, std::uint64_t finished,
                                             std::uint64_t blocks) {
    progress_.report(cycles, finished, blocks);
  };
  if (options_.blocks) {
    options_.request.options.sample = [this](const KernelLaunch& launch, std::uint64_t waves) {
      const SamplePlan& plan = *options_.blocks;
      whole_ = why_whole(*launch.kernel, waves, plan);
      TimedWaves timed;
      if (whole_.empty()) {
        timed = [&plan, waves](std::uint64_t wave) { return plan.times_wave(wave, waves); };
      }
      return timed;
    };
  }
  start();
  if (options_.sample) sampler_.emplace(*options_.sample);
  if (options_.tolerate) memory_.tolerate(&access_errors_);
  if (options_.simulated_time) {
    set_clocks_ = reinterpret_cast<void (*)(double)>(dlsym(RTLD_DEFAULT, kSetClocks));
    if (set_clocks_ == nullptr) {
      throw InputError("--host-time simulated: the clocks of this program cannot be replaced");
    }
    set_clocks();
  }
  if (!options_.print) return;
  // With the program's own buffer, so that lines of host and device keep their order. Nothing stays
  // in it: what ends the program may be a kernel that spins, or who does not wait for that.
  memory_.print_to([this](std::string_view text) {
    progress_.clear();
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  });
}

void Runtime::start() {
  if (!options_.recording.timeline.empty()) {
    RecordingRequest recording = options_.recording;
    recording.timeline = timeline_file_ = report_.timeline_file();
    recording.subject = program_invocation_short_name;
    recordings_ = std::make_unique<Recordings>(std::move(recording), options_.request);
  }
  machine_->start({}, [this](const KernelLaunch& launch) -> std::string {
    return modules_.all().size() == 1 ? "" : launch.module->file;
  });
}

cudaError_t Runtime::start_after_fork() {
  if (launches_ != 0) {
    tell("a process that has forked after a kernel launch cannot use the GPU");
    return cudaErrorInitializationError;
  }
  report_ = ReportWriter(options_.reports);
  // Their threads and open files are the other process's, so nothing is ended or closed.
  static_cast<void>(recordings_.release());
  static_cast<void>(machine_.release());
  machine_ = std::make_unique<Machine>(options_.request);
  start();
  return cudaSuccess;
}

void Runtime::prepare() {
  try {
    modules_.load();
  } catch (const std::exception& error) {
    give_up(error.what());
  }
}

cudaError_t Runtime::check_shape(const LaunchCall& call) const {
  // Compute capability 3.0 and later ("CUDA C++ Programming Guide").
  const dim3& grid = call.grid;
  const dim3& block = call.block;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffU || grid.y > 65535 ||
      grid.z > 65535 || block.x == 0 || block.y == 0 || block.z == 0 || block.x > 1024 ||
      block.y > 1024 || block.z > 64 ||
      std::uint64_t{block.x} * block.y * block.z > kMaxBlockThreads) {
    tell(fmt::format("kernel '{}': a grid of {} blocks of {} threads is not possible",
                     demangle(call.function->name), text_of(grid), text_of(block)));
    return cudaErrorInvalidConfiguration;
  }
  return cudaSuccess;
}

core::Occupancy Runtime::occupancy(Function& function, unsigned threads, std::size_t shared) {
  exec::LaunchShape shape;
  shape.block = {threads, 1, 1};
  const ir::Kernel& kernel = *modules_.compile(function, threads).kernel;
  const std::uint64_t most = config().core.shared_bytes;
  if (shared > most || kernel.shared_bytes > most - shared ||
      (kernel.max_threads != 0 && threads > kernel.max_threads)) {
    return {};
  }
  shape.dynamic_shared = static_cast<std::uint32_t>(shared);
  return core::occupancy(kernel, shape, config());
}

cudaError_t Runtime::launch(const LaunchCall& call) {
  if (const cudaError_t error = check_shape(call); error != cudaSuccess) return error;
  const std::string name = demangle(call.function->name);
  const auto threads = call.block.x * call.block.y * call.block.z;
  const Compiled* compiled = nullptr;
  try {
    compiled = &modules_.compile(*call.function, threads);
  } catch (const InputError& error) {
    return refuse(error);
  }
  const ir::Kernel* kernel = compiled->kernel;
  if (kernel->max_threads != 0 && threads > kernel->max_threads) {
    tell(fmt::format("kernel '{}': a block of {} threads, its launch bounds say {}", name, threads,
                     kernel->max_threads));
    return cudaErrorInvalidValue;
  }
  const std::uint64_t shared_bytes = block_shared_bytes();
  if (call.shared > shared_bytes || kernel->shared_bytes > shared_bytes - call.shared) {
    tell(fmt::format(
        "kernel '{}': {} bytes of shared memory and {} dynamic ones, a block can have {}", name,
        kernel->shared_bytes, call.shared, shared_bytes));
    return cudaErrorInvalidValue;
  }
  KernelLaunch launch;
  launch.module = compiled->module.get();
  launch.kernel = kernel;
  launch.shape.grid = {call.grid.x, call.grid.y, call.grid.z};
  launch.shape.block = {call.block.x, call.block.y, call.block.z};
  launch.shape.dynamic_shared = static_cast<std::uint32_t>(call.shared);
  launch.params.resize(kernel->param_bytes);
  for (std::size_t i = 0; i < kernel->params.size(); ++i) {
    const ir::Param& param = kernel->params[i];
    std::memcpy(launch.params.data() + param.offset, call.arguments[i], param.bytes);
  }
  const core::Occupancy occupancy = core::occupancy(*kernel, launch.shape, config());
  if (occupancy.blocks == 0) {
    tell(fmt::format("kernel '{}' does not fit on a core: {}", name,
                     core::why_no_block_fits(*kernel, launch.shape, config())));
    return cudaErrorLaunchOutOfResources;
  }
  if (call.cooperative &&
      launch.shape.grid.count() > std::uint64_t{occupancy.blocks} * config().cores) {
    tell(fmt::format("kernel '{}': a cooperative launch of {} blocks, the GPU holds {}", name,
                     launch.shape.grid.count(), occupancy.blocks * config().cores));
    return cudaErrorCooperativeLaunchTooLarge;
  }
  if (call.cooperative && !options_.request.timing) {
    tell(
        fmt::format("kernel '{}': without timing blocks run one after the other, and those of a "
                    "cooperative launch may wait for each other: leave out --functional",
                    name));
    return cudaErrorNotSupported;
  }
  return run(call, launch);
}

cudaError_t Runtime::refuse(const InputError& why) {
  tell(why.what());
  sticky_ = cudaErrorInvalidPtx;
  return sticky_;
}

void Runtime::execute(const KernelLaunch& launch, bool timed) {
  std::fflush(stdout);
  if (timed || !options_.request.timing) {
    machine_->run(launch, memory_);
  } else {
    machine_->run_for_values(launch, memory_, sampler_.has_value());
  }
}

bool Runtime::can_be_captured(const ir::Kernel& kernel) {
  const char* why = nullptr;
  const auto uses_heap = [](const ir::Instruction& instruction) {
    return instruction.atom == ir::AtomOp::allocate || instruction.atom == ir::AtomOp::release;
  };
  if (memory_.heap().count() != 0 ||
      std::any_of(kernel.code.begin(), kernel.code.end(), uses_heap)) {
    why = "kernels use malloc or free, and a capture does not hold their heap";
  } else if (!kernel.called.empty() && modules_.stack_bytes() != frontend::kDefaultStackBytes) {
    why = "a capture does not hold the limit of the stack that the program has set";
  }
  if (why != nullptr) tell(fmt::format("launch {} is not captured: {}", launches_, why));
  return why == nullptr;
}

cudaError_t Runtime::run(const LaunchCall& call, const KernelLaunch& launch) {
  if (!report_.own()) {
    if (const cudaError_t error = start_after_fork(); error != cudaSuccess) return error;
  }
  ++launches_;
  // Blocks of a cooperative launch may wait for each other: they must run side by side.
  const LaunchKind kind{demangle(call.function->name),
                        {call.grid.x, call.grid.y, call.grid.z},
                        {call.block.x, call.block.y, call.block.z},
                        call.shared};
  const bool chosen = sampler_ ? sampler_->times(kind) : options_.timed.holds(launches_);
  const bool timed = options_.request.timing && (call.cooperative || chosen);
  Modules::set_cooperative(*call.function->module, call.cooperative);
  const std::uint64_t before = machine_->cycles();
  const std::uint64_t instructions_before = machine_->warp_instructions_for_values();
  const double start = real_seconds();
  progress_.begin(launches_, kind.kernel, timed);
  try {
    const bool captured = !options_.captures.empty() && options_.captured.holds(launches_) &&
                          can_be_captured(*launch.kernel);
    if (captured) {
      const auto file = capture_.launch(launches_, *call.function, launch, modules_, heap_, memory_,
                                        [&] { execute(launch, timed); });
      report_.write({{"capture", file.string()}});
    } else {
      execute(launch, timed);
    }
  } catch (const CheckError& error) {
    progress_.clear();
    // Lockstep has found a difference, or the schedulers broke their contract: not the program's
    // fault, and no result after it would mean anything.
    tell(error.what());
    std::fflush(nullptr);
    std::_Exit(1);
  } catch (const InputError& error) {
    progress_.clear();
    const bool stood_still = timed && options_.blocks && whole_.empty() &&
                             std::strstr(error.what(), "--max-instructions") != nullptr;
    tell(fmt::format("launch {}: {}{}", launches_, error.what(),
                     stood_still ? ". Under --sample-blocks other blocks stand still meanwhile: if "
                                   "it waits for one of them, time the launch without"
                                 : ""));
    sticky_ = error_of(error.what(), call.function->module->text);
    // The launch itself succeeds on a GPU as well: the next call finds the error.
    return cudaSuccess;
  }
  host_seconds_ += real_seconds() - start;
  const std::uint64_t cycles = machine_->cycles() - before;
  auto taken = static_cast<double>(cycles);
  std::optional<CyclesEstimate> estimated;
  if (timed && !machine_->last_launch()->waves.empty()) {
    estimated = estimate_waves(machine_->last_launch()->waves, *options_.blocks);
    taken = estimated->cycles;
  }
  if (sampler_) {
    if (timed) sampler_->timed(kind, cycles);
    taken = timed ? taken : sampler_->mean(kind);
  }
  timeline_.kernel(time_of(call.stream), taken / (config().core.clock_mhz * 1e3));
  report_launch(kind, timed, cycles, machine_->warp_instructions_for_values() - instructions_before,
                estimated);
  return cudaSuccess;
}

void Runtime::report_launch(const LaunchKind& kind, bool timed, std::uint64_t cycles,
                            std::uint64_t instructions,
                            const std::optional<CyclesEstimate>& estimated) {
  nlohmann::json line{{"launch", launches_},
                      {"kernel", kind.kernel},
                      {"grid", kind.grid},
                      {"block", kind.block},
                      {"dynamic_shared_bytes", kind.dynamic_shared},
                      {"timed", timed}};
  if (timed) {
    const LaunchStatistics& statistics = *machine_->last_launch();
    line["cycles"] = cycles;
    line["instructions"] = statistics.thread_instructions;
    line["warp_instructions"] = statistics.warp_instructions;
    line["ipc"] = statistics.ipc();
  } else {
    line["warp_instructions"] = instructions;
  }
  if (estimated) {
    line["sampled"] = {{"waves", estimated->launches},
                       {"timed", estimated->timed},
                       {"cycles", estimated->cycles},
                       {"bound", estimated->bound}};
  } else if (timed && options_.blocks) {
    line["whole"] = whole_;
  }
  report_.write(line);
}

cudaStream_t Runtime::new_stream(unsigned flags, int priority) {
  const auto kind =
      flags == cudaStreamNonBlocking ? StreamKind::non_blocking : StreamKind::blocking;
  cudaStream_t stream = new CUstream_st{flags, priority, {kind}};
  streams_.insert(stream);
  return stream;
}

bool Runtime::delete_stream(cudaStream_t stream) {
  if (streams_.erase(stream) == 0) return false;
  delete stream;
  return true;
}

bool Runtime::knows(cudaStream_t stream) const {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
         streams_.contains(stream);
}

StreamTime& Runtime::time_of(cudaStream_t stream) {
  thread_local StreamTime per_thread;
  if (stream == nullptr)
    stream = OwnDefaultStream::inside() ? cudaStreamPerThread : cudaStreamLegacy;
  if (stream == cudaStreamLegacy) return legacy_;
  return stream == cudaStreamPerThread ? per_thread : stream->time;
}

cudaEvent_t Runtime::new_event(unsigned flags) {
  cudaEvent_t event = new CUevent_st{flags, {}, {}};
  events_.insert(event);
  return event;
}

bool Runtime::delete_event(cudaEvent_t event) {
  if (events_.erase(event) == 0) return false;
  delete event;
  return true;
}

void Runtime::reset() {
  timeline_.host_waits_for_all();
  images_.clear();
  heap_.clear();
  memory_.clear_heap();
  pools_ = MemPools();
  graphs_ = Graphs();
  modules_.reset();
  modules_.set_stack_bytes(frontend::kDefaultStackBytes);
  limits_.clear();
  for (cudaStream_t stream : streams_) delete stream;
  streams_.clear();
  for (cudaEvent_t event : events_) delete event;
  events_.clear();
}

void Runtime::finish() {
  // A process that has forked from the program's, and ends without another program in it.
  if (!report_.own()) return;
  // Another thread may have called exit() while a launch runs, which will then never end.
  const std::unique_lock<std::recursive_mutex> held(mutex_, std::try_to_lock);
  if (!held) return;
  progress_.clear();
  for (const auto& [address, block] : heap_.blocks()) {
    const DeviceMemory::Allocation* allocation = memory_.find(address, 0);
    report_.write({{"leak", fmt::format("{}, {} bytes", allocation->name, allocation->bytes)}});
  }
  for (const std::string& sentence : access_errors_.sentences()) tell(sentence);
  for (const sanitize::Finding& finding : machine_->found().findings) {
    tell(sanitize::to_string(finding));
  }
  if (options_.request.profile) {
    SimulationResult result;
    machine_->report(result);
    nlohmann::json line;
    if (result.profile) line["profile"] = to_json(*result.profile);
    if (result.warps) line["warps"] = to_json(*result.warps);
    report_.write(line);
  }
  // Whether the window lies behind the run, `paws cuda` says.
  try {
    if (recordings_ && machine_->cycles() != 0) {
      recordings_->fail("");
      report_.write({{"timeline", timeline_file_}});
    }
  } catch (const InputError& error) {
    tell(error.what());
  }
  report_.write({{"total", total()}});
}

nlohmann::json Runtime::total() const {
  SimulationResult result;
  result.workload = options_.request.workload;
  machine_->report(result);
  result.made_by = provenance_of(options_.request, result.workload, result.seed);
  result.host_seconds = host_seconds_;
  nlohmann::json total = to_json(result);
  total["launches"] = launches_;
  add_copies(total, timeline_);
  // For `paws cuda --stats`; no file has it.
  if (result.timed) total["listing"] = listing({result.statistics, result.host_seconds});
  return total;
}

}  // namespace paws::cuda
