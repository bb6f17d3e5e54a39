// SPDX-License-Identifier: MIT
#include "tb/random/failure.h"

#include <bit>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "engine/engine_fields.h"
#include "engine/instrument.h"
#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "model/port_line.h"
#include "tb/random/subjects.h"

namespace paws {
namespace {

namespace fs = std::filesystem;

/// Cycles of the wave.
constexpr std::uint64_t kWaveCycles = 200;

struct Place {
  std::uint64_t part = 0;   ///< of the run; each begins with a reset
  std::uint64_t cycle = 0;  ///< of the part
};

/// Where the records of one place go.
struct Records {
  Place failure;
  fs::path trace;
  fs::path wave;
  WaveRecorder* recorder;  ///< null: no waves
};

/// The golden model, with an eye on the place that a run has reached.
class Watched final : public Scheduler {
 public:
  Watched(std::unique_ptr<Scheduler> model, unsigned policy_code)
      : model_(std::move(model)), policy_code_(policy_code) {}

  [[nodiscard]] const SchedulerConfig& config() const override { return model_->config(); }
  [[nodiscard]] QueueSnapshot snapshot() const override { return model_->snapshot(); }

  void reset() override {
    model_->reset();
    ++place_.part;
    place_.cycle = 0;
    decided_ = false;
    if (!recording()) return;
    trace_.open(records_->trace);
    trace_ << "# masks: slot 0 is the last digit\n" << port_header(config()) << '\n';
  }

  /// The line of such a cycle has 0 for rst_ni, and outputs as if nothing had been decided.
  void reset_cycle(const SchedulerInputs& inputs) override {
    inputs_ = inputs;
    outputs_ = {};
    open_wave();
    model_->reset_cycle(inputs);
    if (recording()) line(/*reset=*/true);
    ++place_.cycle;
    decided_ = false;
  }

  SchedulerOutputs decide(const SchedulerInputs& inputs) override {
    inputs_ = inputs;
    outputs_ = model_->decide(inputs);
    decided_ = true;
    open_wave();
    return outputs_;
  }

  void commit() override {
    model_->commit();
    if (recording()) line();
    ++place_.cycle;
    decided_ = false;
  }

  void record(const Records& records) { records_ = &records; }

  /// The run has ended: the cycle in which it did is recorded too.
  void finish() {
    if (!recording()) return;
    if (decided_) line();
    if (records_->recorder != nullptr) records_->recorder->close_wave();
  }

  /// The cycle that is being decided, or that the last clock edge has ended.
  [[nodiscard]] Place place() const {
    return {place_.part, decided_ || place_.cycle == 0 ? place_.cycle : place_.cycle - 1};
  }

 private:
  [[nodiscard]] bool recording() const {
    return records_ != nullptr && place_.part == records_->failure.part;
  }

  /// Once the failure is near.
  void open_wave() {
    if (!recording() || records_->recorder == nullptr || wave_open_ ||
        place_.cycle + kWaveCycles <= records_->failure.cycle) {
      return;
    }
    wave_open_ = true;
    records_->recorder->open_wave(records_->wave);
  }

  void line(bool reset = false) {
    trace_ << port_line(config(), policy_code_, place_.cycle, reset, inputs_, outputs_, Masks::bits)
           << '\n';
  }

  std::unique_ptr<Scheduler> model_;
  unsigned policy_code_;
  Place place_;
  SchedulerInputs inputs_;
  SchedulerOutputs outputs_;
  bool decided_ = false;  ///< and not committed
  const Records* records_ = nullptr;
  bool wave_open_ = false;
  std::ofstream trace_;
};

/// GTKWave's save file for wave.fst: the ports of the scheduler, masks in binary.
std::string save_file_of_ports(const SchedulerConfig& config, std::uint64_t first,
                               std::uint64_t last) {
  constexpr std::uint64_t kCycle = 1000;  // ps
  std::ostringstream text;
  text << "[dumpfile] \"wave.fst\"\n[savefile] \"wave.gtkw\"\n[timestart] " << first * kCycle
       << "\n[size] 1600 1000\n[pos] -1 -1\n*-14 " << last * kCycle << "\n[signals_width] 330\n";
  const auto range = [](unsigned bits) {
    std::ostringstream name;
    name << '[' << bits - 1 << ":0]";
    return name.str();
  };
  const std::string mask = range(config.warps);
  const std::string number = range(static_cast<unsigned>(std::bit_width(config.warps - 1)));
  const auto show = [&](const char* flags, const std::string& name, const std::string& width) {
    text << flags << "\n+{" << name << "} scheduler.engine_top.u_scheduler." << name << width
         << '\n';
  };
  const char* const kBinary = "@28";
  const char* const kDecimal = "@24";
  for (const char* name : {"clk_i", "rst_ni", "issue_en_i"}) show(kBinary, name, "");
  show(kBinary, "issuable_i", mask);
  if (config.level == Level::two_level) {
    show(kBinary, "waits_i", mask);
    show(kBinary, "long_outstanding_i", mask);
  }
  show(kBinary, "exit_i", mask);
  show(kBinary, "launch_valid_i", "");
  show(kDecimal, "launch_warp_i", number);
  show(kBinary, "issue_valid_o", "");
  show(kDecimal, "issue_warp_o", number);
  show(kBinary, "quiet_o", "");
  return text.str();
}

/// Repeats the run on an engine with the instrument; the place where it failed, which with
/// `records` is recorded. Throws std::runtime_error if it does not fail.
Place repeat(const FailedRun& run, Instrument instrument, Records* records) {
  auto subject =
      run.netlist ? run.netlist(instrument) : make_rtl(run.config, run.engine, instrument);
  auto watched = std::make_unique<Watched>(make_model(run.config),
                                           policy_code(run.config.level, run.config.policy));
  Watched& watch = *watched;
  if (records != nullptr) {
    records->recorder = dynamic_cast<WaveRecorder*>(subject.get());
    watch.record(*records);
  }
  const auto lockstep = make_lockstep(std::move(watched), std::move(subject), "",
                                      {.outputs_only = static_cast<bool>(run.netlist)});
  try {
    drive_all_scenarios(*lockstep, run.length, name_of(run.engine, run.config.policy), nullptr,
                        host_options(run.engine));
  } catch (const std::runtime_error&) {
    watch.finish();
    return watch.place();
  }
  throw std::runtime_error("the same run does not fail once more");
}

/// Leaves the records of the run in `folder`; what is where. Throws as repeat() does.
std::string records_of(const FailedRun& run, Instrument instrument, const fs::path& folder) {
  Records records{{}, folder / "decisions.txt", folder / "wave.fst", nullptr};
  records.failure = repeat(run, instrument, nullptr);
  repeat(run, instrument, &records);
  std::ostringstream text;
  text << "failed in part " << records.failure.part << " of the run, cycle "
       << records.failure.cycle << " since its reset\n"
       << "decision trace: " << records.trace.string() << '\n';
  if (records.recorder != nullptr) {
    const std::uint64_t last = records.failure.cycle;
    const std::uint64_t first = last < kWaveCycles ? 0 : last + 1 - kWaveCycles;
    std::ofstream(folder / "wave.gtkw") << save_file_of_ports(run.config, first, last);
    text << "waves: " << records.wave.string() << ", the failure at " << records.failure.cycle
         << " ns\n";
  }
  return text.str();
}

}  // namespace

std::string replay_command(const FailedRun& run) {
  const EngineParameters& engine = run.engine;
  std::ostringstream text;
  text << "PAWS_SEED=" << run.length.seed << " PAWS_CYCLES=" << run.length.cycles
       << " build/tb/random/lockstep_run " << scheduler_name(run.config);
  for (const EngineField& field : engine_fields()) {
    if (field.rtl.empty()) continue;  // lockstep_run decides it
    if (is_positional(field) || is_said(engine, field)) {
      text << ' ' << text_of(field, value_of(engine, field), "=");
    }
  }
  return text.str();
}

std::string keep_failure(const FailedRun& run, const std::string& message) {
  const char* chosen = std::getenv("PAWS_FAILURES");
  const std::string command = run.replay.empty() ? replay_command(run) : run.replay;
  if (chosen == nullptr && std::getenv("PAWS_SOURCE_DIR") != nullptr) {
    return "replay: " + command + '\n';
  }
  const fs::path folder =
      fs::absolute(chosen != nullptr ? chosen : "failures") /
      ((run.netlist ? "netlist_" : "") + name_of(run.engine, run.config.policy) + "_seed" +
       std::to_string(run.length.seed));
  std::error_code cannot;
  fs::create_directories(folder, cannot);
  if (cannot) {
    return "cannot make " + folder.string() + ": " + cannot.message() + "\nreplay: " + command +
           '\n';
  }
  std::ofstream(folder / "mismatch.txt")
      << message << "\n\nseed: " << run.length.seed << "\nreplay: " << command << '\n';
  std::ostringstream text;
  for (const Instrument instrument : {Instrument::waves, Instrument::none}) {
    try {
      text << records_of(run, instrument, folder);
      break;
    } catch (const std::exception& problem) {
      text << (instrument == Instrument::waves ? "no waves" : "no trace")
           << " could be made: " << problem.what() << '\n';
    }
  }
  std::ofstream(folder / "mismatch.txt", std::ios::app) << text.str();
  text << "kept in: " << folder.string() << "\nreplay: " << command << '\n';
  return text.str();
}

}  // namespace paws
