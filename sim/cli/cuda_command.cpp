// SPDX-License-Identifier: MIT
// paws cuda: a CUDA program, its kernels simulated by the CUDA runtime that it is given.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "model/scheduler.h"
#include "sim/cli/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/cli/output_file.h"
#include "sim/cli/profile_option.h"
#include "sim/cli/report_option.h"
#include "sim/cli/say.h"
#include "sim/cli/traces.h"
#include "sim/cli/version.h"
#include "sim/config/gpu_config.h"
#include "sim/cuda/options.h"
#include "sim/cuda/program.h"
#include "sim/cuda/report.h"
#include "sim/cuda/sampling.h"
#include "sim/run/machine.h"
#include "sim/run/progress.h"
#include "sim/support/error.h"
#include "sim/support/installation.h"
#include "sim/trace/timeline.h"

namespace paws::cli {
namespace {

namespace fs = std::filesystem;

struct CudaArguments {
  cuda::CudaOptions options;
  std::string launches;
  std::string sample;
  std::string blocks;
  std::string captured;
  bool functional = false;
  bool stats = false;
  std::string json;
  ProfileArguments profile;
  std::string report;  ///< file
  TraceArguments traces;
  std::vector<std::string> program;  ///< with its arguments
};

constexpr std::string_view kFolder = "paws-cuda-";

/// The lock of a folder, which its owner keeps while it lives. As long as another has it,
/// `operation` waits or fails, as for flock(). Below zero: there is none.
int lock_folder(const fs::path& folder, int operation) {
  const int lock = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (lock < 0 || flock(lock, operation) == 0) return lock;
  close(lock);
  return -1;
}

/// Folders whose owner has been killed.
void remove_left_over_folders() {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::temp_directory_path(), ignored)) {
    if (!entry.path().filename().string().starts_with(kFolder)) continue;
    const int lock = lock_folder(entry.path(), LOCK_EX | LOCK_NB);
    if (lock < 0) continue;
    fs::remove_all(entry.path(), ignored);
    close(lock);
  }
}

/// A folder of its own, gone at the end.
class ReportFolder {
 public:
  ReportFolder() {
    remove_left_over_folders();
    // Before it is locked, another run may take it for left over.
    do {
      close(lock_);
      std::string name = (fs::temp_directory_path() / kFolder).string() + "XXXXXX";
      if (mkdtemp(name.data()) == nullptr) throw InputError(name, "cannot make this folder");
      path_ = name;
      lock_ = lock_folder(path_, LOCK_EX);
    } while (!fs::exists(path_));
  }
  ~ReportFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    close(lock_);
  }
  ReportFolder(const ReportFolder&) = delete;
  ReportFolder& operator=(const ReportFolder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  int lock_ = -1;
};

void check_program(const fs::path& program) {
  const fs::path library = build_folder() / "cuda/libcudart.so";
  if (!fs::exists(library)) {
    throw InputError(library.string(), "the CUDA runtime is not built yet: scripts/build");
  }
  if (cuda::kind_of(program) == cuda::ProgramKind::static_runtime) {
    throw InputError(program.string(),
                     "the CUDA runtime is linked statically: build it with nvcc -cudart shared, or "
                     "with scripts/cuda++");
  }
}

/// In the child process: becomes the program. Returns only if that fails.
void become(const fs::path& program, const std::vector<std::string>& words,
            const cuda::CudaOptions& options) {
  std::string libraries = build_folder() / "cuda";
  if (const char* more = std::getenv("LD_LIBRARY_PATH")) libraries += std::string(":") + more;
  setenv("LD_LIBRARY_PATH", libraries.c_str(), 1);
  if (options.simulated_time) {
    std::string first = build_folder() / "cuda" / cuda::kClocksLibrary;
    if (const char* more = std::getenv("LD_PRELOAD")) first += std::string(":") + more;
    setenv("LD_PRELOAD", first.c_str(), 1);
  }
  setenv(cuda::kOptionsVariable, cuda::to_text(options).c_str(), 1);
  // Addresses of the host are the same in every run, as those of the device are.
  const int kind = personality(0xffffffff);
  if (kind != -1) personality(static_cast<unsigned long>(kind) | ADDR_NO_RANDOMIZE);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
}

/// The program while it runs, else 0.
std::atomic<pid_t> running = 0;
static_assert(std::atomic<pid_t>::is_always_lock_free, "needed in a signal handler");

/// To the program, which has already got what the kernel sends: Ctrl-C is for the whole group.
void pass_on(int signal, siginfo_t* info, void* /*context*/) {
  if (info->si_code <= 0 && running > 0) kill(running, signal);
}

constexpr std::array kPassedOn{SIGINT, SIGQUIT, SIGTERM, SIGHUP};

/// In the child process: it dies with its parent, and signals do what they do by default.
void follow(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) std::_Exit(0);
  for (const int signal : kPassedOn) {
    if (signal != SIGHUP) std::signal(signal, SIG_DFL);  // nohup is for the program, too
  }
  std::signal(SIGXFSZ, SIG_DFL);
}

/// Runs the program to its end. Returns what wait() says of it.
int run_program(const fs::path& program, const CudaArguments& arguments) {
  std::fflush(nullptr);
  sigset_t held;
  sigset_t before;
  sigemptyset(&held);
  for (const int signal : kPassedOn) sigaddset(&held, signal);
  sigprocmask(SIG_BLOCK, &held, &before);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw InputError(program.string(), "cannot be started");
  if (child == 0) {
    follow(parent);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    become(program, arguments.program, arguments.options);
    say(stderr, "paws: {}: cannot be started: {}\n", program.string(), std::strerror(errno));
    std::_Exit(126);
  }
  // A reader of our output that ends, such as head, is an error of writing: what is temporary goes.
  std::signal(SIGPIPE, SIG_IGN);
  struct sigaction action{};
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int signal : kPassedOn) sigaction(signal, &action, nullptr);
  running = child;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  siginfo_t ended;
  while (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  running = 0;  // before its number may be another's
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

/// As a shell says it.
int exit_status(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string size_text(const std::array<std::uint64_t, 3>& size) {
  return fmt::format("({},{},{})", size[0], size[1], size[2]);
}

void print_launches(const cuda::ProcessReport& report) {
  constexpr std::size_t kShown = 16;
  std::size_t number = 0;
  for (const nlohmann::json& launch : report.launches) {
    if (++number > kShown) break;
    say(stderr, "launch {:<6} {} {} x {}: ", launch["launch"].get<std::uint64_t>(),
        launch["kernel"].get<std::string>(), size_text(launch["grid"]), size_text(launch["block"]));
    if (launch["timed"].get<bool>()) {
      say(stderr, "{} cycles, IPC {:.2f}{}\n", launch["cycles"].get<std::uint64_t>(),
          launch["ipc"].get<double>(), launch.contains("sampled") ? ", of the timed waves" : "");
    } else {
      say(stderr, "not timed\n");
    }
  }
  if (report.launches.size() > kShown) {
    say(stderr, "and {} more launches (--json has all)\n", report.launches.size() - kShown);
  }
}

/// A line for each kernel: sums over its timed launches.
void print_kernels(const cuda::ProcessReport& report) {
  struct Sum {
    std::uint64_t launches = 0, timed = 0, cycles = 0, instructions = 0;
  };
  std::map<std::string, Sum> kernels;
  std::uint64_t all = 0;
  for (const nlohmann::json& launch : report.launches) {
    Sum& sum = kernels[launch["kernel"].get<std::string>()];
    ++sum.launches;
    if (!launch["timed"].get<bool>()) continue;
    ++sum.timed;
    sum.cycles += launch["cycles"].get<std::uint64_t>();
    sum.instructions += launch["instructions"].get<std::uint64_t>();
    all += launch["cycles"].get<std::uint64_t>();
  }
  for (const auto& [name, sum] : kernels) {
    say(stderr, "kernel        {}: {} launches", name, sum.launches);
    if (sum.cycles != 0) {
      say(stderr, ", {} timed, {} cycles ({:.1f} %), IPC {:.2f}", sum.timed, sum.cycles,
          100.0 * static_cast<double>(sum.cycles) / static_cast<double>(all),
          static_cast<double>(sum.instructions) / static_cast<double>(sum.cycles));
    }
    say(stderr, "\n");
  }
}

/// Of `parts`: launches or waves.
std::string estimate_text(const cuda::CyclesEstimate& estimate, const char* parts) {
  return fmt::format("{} {}, {} timed, {} cycles; all: {:.0f} +- {:.0f} cycles", estimate.launches,
                     parts, estimate.timed, estimate.timed_cycles, estimate.cycles,
                     std::ceil(estimate.bound));
}

/// Of kinds of launches: what a line says before the figures.
std::string kind_text(const cuda::LaunchKind& kind) {
  return fmt::format(
      "{} {} x {}{}", kind.kernel, size_text(kind.grid), size_text(kind.block),
      kind.dynamic_shared == 0 ? "" : fmt::format(", {} bytes", kind.dynamic_shared));
}

void print_sum(const cuda::CyclesEstimate& all, const char* parts) {
  say(stderr, "sampled       in sum: {} ({:.1f} %), 95 % interval\n", estimate_text(all, parts),
      all.cycles == 0 ? 0.0 : 100 * all.bound / all.cycles);
}

/// Of kinds of launches a line shows so many at most.
constexpr std::size_t kShownKinds = 16;

void say_how_many_more(std::size_t kinds) {
  if (kinds <= kShownKinds) return;
  say(stderr, "and {} more kernels and shapes (--json has all)\n", kinds - kShownKinds);
}

/// A line for each kernel and shape, the longest first, then their sum.
void print_samples(const cuda::ProcessReport& report, const cuda::SamplePlan& plan) {
  cuda::SampledKinds sampled(report.launches, plan);
  std::stable_sort(sampled.kinds.begin(), sampled.kinds.end(),
                   [](const auto& a, const auto& b) { return a.second.cycles > b.second.cycles; });
  std::size_t number = 0;
  for (const auto& [kind, estimate] : sampled.kinds) {
    if (++number > kShownKinds) break;
    say(stderr, "sampled       {}: {}\n", kind_text(kind), estimate_text(estimate, "launches"));
  }
  say_how_many_more(sampled.kinds.size());
  print_sum(sampled.all, "launches");
}

/// The same with --sample-blocks.
void print_sampled_blocks(const cuda::ProcessReport& report) {
  cuda::SampledBlockKinds sampled(report.launches);
  std::stable_sort(sampled.kinds.begin(), sampled.kinds.end(), [](const auto& a, const auto& b) {
    return a.estimate.cycles > b.estimate.cycles;
  });
  std::size_t number = 0;
  for (const auto& [kind, estimate, whole] : sampled.kinds) {
    if (++number > kShownKinds) break;
    const std::string figures = estimate.launches == 0
                                    ? fmt::format("{} cycles", estimate.timed_cycles)
                                    : estimate_text(estimate, "waves");
    say(stderr, "sampled       {}: {}{}\n", kind_text(kind), figures,
        whole.empty() ? "" : fmt::format("; timed as a whole: {}", whole));
  }
  say_how_many_more(sampled.kinds.size());
  print_sum(sampled.all, "waves");
}

nlohmann::json kind_json(const cuda::LaunchKind& kind) {
  return {{"kernel", kind.kernel},
          {"grid", kind.grid},
          {"block", kind.block},
          {"dynamic_shared_bytes", kind.dynamic_shared}};
}

/// Of `parts`: launches or waves.
nlohmann::json estimate_json(const cuda::CyclesEstimate& estimate, const char* parts) {
  return {{parts, estimate.launches},
          {"timed", estimate.timed},
          {"timed_cycles", estimate.timed_cycles},
          {"cycles", estimate.cycles},
          {"bound", estimate.bound}};
}

nlohmann::json samples_json(const cuda::ProcessReport& report, const cuda::SamplePlan& plan) {
  const cuda::SampledKinds sampled(report.launches, plan);
  nlohmann::json json = estimate_json(sampled.all, "launches");
  json["plan"] = plan.text();
  json["kinds"] = nlohmann::json::array();
  for (const auto& [kind, estimate] : sampled.kinds) {
    json["kinds"].emplace_back(estimate_json(estimate, "launches")).update(kind_json(kind));
  }
  return json;
}

nlohmann::json sampled_blocks_json(const cuda::ProcessReport& report,
                                   const cuda::SamplePlan& plan) {
  const cuda::SampledBlockKinds sampled(report.launches);
  nlohmann::json json = estimate_json(sampled.all, "waves");
  json["plan"] = plan.text();
  json["kinds"] = nlohmann::json::array();
  for (const auto& [kind, estimate, whole] : sampled.kinds) {
    json["kinds"].emplace_back(estimate_json(estimate, "waves")).update(kind_json(kind));
  }
  return json;
}

/// A line for each direction in which bytes were copied, and the time with kernels.
void print_copies(const nlohmann::json& total) {
  if (!total.contains("copies")) return;
  for (const auto& [name, words] : {std::pair{"to_device", "to the device"},
                                    {"to_host", "to the host"},
                                    {"within", "within the device"}}) {
    if (!total["copies"].contains(name)) continue;
    const nlohmann::json& sum = total["copies"][name];
    say(stderr, "copied        {}: {} bytes, {:.3f} us\n", words, sum["bytes"].get<std::uint64_t>(),
        1e3 * sum["milliseconds"].get<double>());
  }
  say(stderr, "time          {:.3f} us, kernels and copies\n",
      1e3 * total["milliseconds"].get<double>());
}

void print_totals(const cuda::ProcessReport& report) {
  const nlohmann::json& total = report.total;
  if (total.is_null()) {
    say(stderr, "totals        none: the program did not end in order\n");
    return;
  }
  say(stderr, "made by       paws {}, commit {}\n", total["version"].get<std::string>(),
      total["commit"].get<std::string>());
  say(stderr, "gpu           {}\n", total["gpu"].get<std::string>());
  if (const std::string settings = total["settings"]; !settings.empty()) {
    say(stderr, "settings      {}\n", settings);
  }
  say(stderr, "launches      {}\n", total["launches"].get<std::uint64_t>());
  if (!total["timing"].get<bool>()) {
    say(stderr, "instructions  {}\n", total["instructions"].get<std::uint64_t>());
    return;
  }
  say(stderr, "scheduler     {}\n", total["scheduler"].get<std::string>());
  for (const auto& [key, label] :
       {std::pair{"engine", "engine"}, {"block_scheduler", "blocks"}, {"throttle", "throttle"}}) {
    say(stderr, "{:<14}{}\n", label, total[key].get<std::string>());
  }
  const std::uint64_t timed =
      std::count_if(report.launches.begin(), report.launches.end(),
                    [](const nlohmann::json& launch) { return launch["timed"].get<bool>(); });
  std::string part =
      timed == report.launches.size() ? "" : fmt::format(", of the {} timed launches", timed);
  if (std::any_of(report.launches.begin(), report.launches.end(),
                  [](const nlohmann::json& launch) { return launch.contains("sampled"); })) {
    part += ", of timed waves";
  }
  say(stderr, "cycles        {}{}\n", total["cycles"].get<std::uint64_t>(), part);
  say(stderr, "IPC           {:.2f}{}\n", total["ipc"].get<double>(), part);
  say(stderr, "instructions  {}{}\n", total["instructions"].get<std::uint64_t>(), part);
  print_copies(total);
}

void print_report(const cuda::ProcessReport& report, const CudaArguments& arguments) {
  say(stderr, "program       {}\n", report.program);
  print_launches(report);
  print_kernels(report);
  if (const auto& plan = arguments.options.sample) print_samples(report, *plan);
  if (arguments.options.blocks) print_sampled_blocks(report);
  print_totals(report);
  constexpr std::size_t kShown = 8;
  for (std::size_t i = 0; i < std::min(kShown, report.leaks.size()); ++i) {
    say(stderr, "not freed     {}\n", report.leaks[i]);
  }
  if (report.leaks.size() > kShown) {
    say(stderr, "not freed     {} more\n", report.leaks.size() - kShown);
  }
  // The same stream, order and names as `paws run --stats`.
  if (arguments.stats && report.total.contains("listing")) {
    say("\n{}", report.total["listing"].get<std::string>());
  }
}

void print_captures(const std::vector<cuda::ProcessReport>& reports) {
  for (const cuda::ProcessReport& report : reports) {
    for (const std::string& file : report.captures) say(stderr, "captured      {}\n", file);
    if (report.captures.empty()) say(stderr, "paws: no launch was captured\n");
  }
}

/// Throws InputError if `arguments` name a launch that no process has made.
void check_launches(const CudaArguments& arguments,
                    const std::vector<cuda::ProcessReport>& reports) {
  const std::string& text = arguments.launches + arguments.captured;
  std::size_t most = 0;
  for (const cuda::ProcessReport& report : reports) most = std::max(most, report.launches.size());
  if (text.empty() || reports.empty() || !cuda::LaunchSelection(text).misses(most)) return;
  throw InputError(fmt::format("--launches {}: the program has made {} launches", text, most));
}

nlohmann::json json_of(const cuda::ProcessReport& report, const CudaArguments& arguments,
                       int status) {
  nlohmann::json json{{"program", report.program},
                      {"exit_status", status},
                      {"launches", report.launches},
                      {"not_freed", report.leaks},
                      {"total", report.total}};
  if (!report.total.is_null()) json["total"].erase("listing");
  if (const auto& plan = arguments.options.sample) {
    json["sampled"] = samples_json(report, *plan);
  }
  if (const auto& plan = arguments.options.blocks) {
    json["sampled"] = sampled_blocks_json(report, *plan);
  }
  return json;
}

/// Of all processes together; those of one program are summed.
void give_profiles(const CudaArguments& arguments,
                   const std::vector<cuda::ProcessReport>& reports) {
  const SimulationRequest& request = arguments.options.request;
  std::vector<profile::ProfiledRun> runs;
  std::string program;
  for (const cuda::ProcessReport& report : reports) {
    if (!report.profile) continue;
    runs.push_back({report.program, request.scheduler, *report.profile});
    program = report.program;
  }
  if (!runs.empty()) give_profile(arguments.profile, runs, provenance_of(request, program, {}));
}

/// What `file` is called for a process: the second one's name has a number.
std::string file_of(const fs::path& file, unsigned number) {
  if (number == 1) return file.string();
  return (file.parent_path() /
          fmt::format("{}-{}{}", file.stem().string(), number, file.extension().string()))
      .string();
}

/// Of each process that has timed a launch. Throws InputError.
void give_pages(const CudaArguments& arguments, const std::vector<cuda::ProcessReport>& reports) {
  if (arguments.report.empty()) return;
  const SimulationRequest& request = arguments.options.request;
  unsigned number = 0;
  for (const cuda::ProcessReport& report : reports) {
    if (!report.profile || !report.warps || report.total.is_null()) continue;
    if (report.total.at("cycles") == 0) continue;
    nlohmann::json result = report.total;
    result["workload"] = report.program;
    give_report(file_of(arguments.report, ++number),
                {{request.scheduler, std::move(result), *report.profile, *report.warps}},
                gpu_of(request), provenance_of(request, report.program, {}));
  }
  if (number == 0)
    throw InputError("--report: no launch was timed, or the program did not end in order");
}

/// Of each process. Throws InputError.
void give_timelines(const CudaArguments& arguments,
                    const std::vector<cuda::ProcessReport>& reports) {
  const TraceArguments& traces = arguments.traces;
  if (traces.timeline.empty()) return;
  std::uint64_t longest = 0;
  for (const cuda::ProcessReport& report : reports) {
    if (!report.total.is_null()) longest = std::max<std::uint64_t>(longest, report.total["cycles"]);
  }
  if (longest == 0)
    throw InputError("--timeline: no launch was timed, or the program did not end in order");
  trace::check_window(traces.range, longest);
  unsigned number = 0;
  for (const cuda::ProcessReport& report : reports) {
    if (report.timeline.empty()) continue;
    const fs::path file = file_of(traces.timeline, ++number);
    std::error_code error;
    const fs::path beside = fmt::format("{}.{}.tmp", file.string(), getpid());
    fs::copy_file(report.timeline, beside, error);
    if (!error) fs::rename(beside, file, error);
    if (!error) continue;
    fs::remove(beside);
    throw InputError(file.string(), fmt::format("cannot be written: {}", error.message()));
  }
}

/// Throws InputError for options that mean nothing, and for a machine that cannot be.
void check_options(const CLI::App& command, const CudaArguments& arguments) {
  if (arguments.functional) {
    check_untimed_options(command, "--functional");
  } else if (arguments.options.captures.empty()) {
    refuse_without(command, {"--functional", "--launches", "--sample-launches", "--sample-blocks"},
                   {"--max-instructions", "--steps"});
  }
  if (!arguments.sample.empty()) {
    refuse(command, {"--launches"}, "with --sample-launches, which chooses the launches");
  }
  if (!arguments.blocks.empty()) {
    refuse(command, {"--sample-launches"},
           "with --sample-blocks: either launches or blocks are sampled");
  }
  const Machine machine(arguments.options.request);
  if (!arguments.blocks.empty() && machine.config().barrel()) {
    throw InputError("--sample-blocks: a barrel core (core.pipeline_stages) times all blocks");
  }
  if (!arguments.functional) {
    check_machine_options(command, machine.config(), {arguments.options.request.scheduler});
    check_profile_option(arguments.profile, machine.config());
    check_report_option(arguments.report, machine.config());
    check_trace_options(command);
    if (!arguments.traces.timeline.empty()) check_writable(arguments.traces.timeline);
  }
}

int run(const CLI::App& command, CudaArguments& arguments) {
  cuda::CudaOptions& options = arguments.options;
  options.request.timing = !arguments.functional;
  options.request.profile = arguments.profile.asked || !arguments.report.empty();
  options.request.warps = !arguments.report.empty();
  check_options(command, arguments);
  options.recording = recording_of(arguments.traces, options.request);
  if (!arguments.launches.empty()) options.timed = cuda::LaunchSelection(arguments.launches);
  if (!arguments.sample.empty()) options.sample.emplace(arguments.sample);
  if (!arguments.blocks.empty()) options.blocks.emplace(arguments.blocks, "--sample-blocks");
  if (!arguments.captured.empty()) options.captured = cuda::LaunchSelection(arguments.captured);
  // The program may change its folder.
  const std::vector<std::string> presets = preset_names();
  std::string& gpu = options.request.gpu;
  if (std::find(presets.begin(), presets.end(), gpu) == presets.end()) {
    gpu = fs::absolute(gpu).string();
  }
  const fs::path program = cuda::find_program(arguments.program.front());
  check_program(program);
  if (!arguments.json.empty()) check_writable(arguments.json);
  const ReportFolder folder;
  options.reports = folder.path();
  cuda::to_text(options);  // Throws here rather than in the child.
  const int ended = run_program(program, arguments);
  const int status = exit_status(ended);
  if (WIFSIGNALED(ended)) {
    clear_left_progress();
    say(stderr, "paws: the program was ended by signal {} ({})\n", WTERMSIG(ended),
        strsignal(WTERMSIG(ended)));
  }
  const std::vector<cuda::ProcessReport> reports = cuda::read_reports(folder.path());
  if (reports.empty()) {
    say(stderr, "paws: the program has not loaded the CUDA runtime (libcudart.so)\n");
  }
  if (options.captures.empty()) {
    for (const cuda::ProcessReport& report : reports) print_report(report, arguments);
  } else {
    print_captures(reports);
  }
  if (!arguments.json.empty()) {
    nlohmann::json json = nlohmann::json::array();
    for (const cuda::ProcessReport& report : reports)
      json.push_back(json_of(report, arguments, status));
    write_json(arguments.json, json.size() == 1 ? json.front() : json);
  }
  write_all({[&] { give_profiles(arguments, reports); }, [&] { give_pages(arguments, reports); },
             [&] { give_timelines(arguments, reports); }});
  if (status == 0) check_launches(arguments, reports);
  return status;
}

}  // namespace

void add_capture(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "capture", "Write launches of a CUDA program as launch descriptions (docs/guide/cuda.md)");
  auto arguments = std::make_shared<CudaArguments>();
  cuda::CudaOptions& options = arguments->options;
  options.captures = "capture";
  options.request.engine = "model";
  options.request.commit = built_from();
  // Launches run for their values; a cooperative one needs a machine on which its blocks run side
  // by side.
  options.timed = cuda::LaunchSelection(std::to_string(std::numeric_limits<std::uint64_t>::max()));
  command->add_option("program", arguments->program, "the program and its arguments, after --")
      ->required();
  command->add_option("-o,--output", options.captures, "folder for the descriptions")
      ->capture_default_str();
  command->add_option("--launches", arguments->captured,
                      "capture these launches only, such as 3,10-20");
  command->add_option("--gpu", options.request.gpu, "what the program sees as its device")
      ->capture_default_str();
  add_untimed_options(*command, options.request);
  command->callback([command, arguments, &status] {
    fs::path& folder = arguments->options.captures;
    if (fs::exists(folder) && !fs::is_directory(folder)) {
      throw InputError(folder.string(), "is no folder: -o takes the folder of the captures");
    }
    folder = fs::absolute(folder);  // The program may change its own.
    status = run(*command, *arguments);
  });
}

void add_cuda(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("cuda", "Run a CUDA program, its kernels simulated (docs/guide/cuda.md)");
  auto arguments = std::make_shared<CudaArguments>();
  SimulationRequest& request = arguments->options.request;
  request.options.threads = std::max(1U, std::thread::hardware_concurrency());
  command->add_option("program", arguments->program, "the program and its arguments, after --")
      ->required();
  command
      ->add_option("--scheduler", request.scheduler,
                   fmt::format("one of {}", fmt::join(scheduler_names(), ", ")))
      ->capture_default_str();
  add_machine_options(*command, request);
  command->add_option("--launches", arguments->launches,
                      "time these launches only, such as 3,10-20; the others run for their values");
  command->add_option("--sample-launches", arguments->sample,
                      "FIRST,EVERY: time the first launches of each kernel and shape, then one of "
                      "every so many, and estimate the cycles of all");
  command->add_option("--sample-blocks", arguments->blocks,
                      "FIRST,EVERY: of each long launch time the first waves of blocks (as many as "
                      "the GPU holds), then one of every so many, and estimate the cycles of all");
  command->add_flag("--functional", arguments->functional,
                    "run all launches for their values alone, without timing");
  add_untimed_options(*command, request);
  add_printf_option(*command, arguments->options.print);
  add_choice(*command, "--memory-errors", "warn", "error", arguments->options.tolerate,
             "an access of a kernel outside memory ends the run's launches, or is counted: it "
             "reads 0, or writes nothing");
  add_choice(*command, "--host-time", "simulated", "real", arguments->options.simulated_time,
             "what the clocks of the host read: the time in which the program runs, or the time of "
             "the simulated GPU");
  command->add_flag("--stats", arguments->stats, "print every statistic of the whole run");
  command->add_option("--json", arguments->json, "write launches and statistics to this file");
  add_profile_option(*command, arguments->profile);
  add_report_option(*command, arguments->report);
  add_timeline_options(*command, arguments->traces);
  command->callback([command, arguments, &status] { status = run(*command, *arguments); });
}

}  // namespace paws::cli
