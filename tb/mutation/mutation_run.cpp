// SPDX-License-Identifier: MIT
// Which faults of a mutated scheduler do the random hosts notice? For scripts/check mutate.
//
//   mutation_run LIBRARY NAME LEVEL WARPS READY PHASE_BITS AGE_LIMIT CYCLES POLICY... <FAULTS
//
// LIBRARY is the engine of a netlist that carries many faults, of which it switches on the one that
// paws_fault() names when it is created; 0 is none. FAULTS are their numbers, one per line. Each
// meets every POLICY in turn, in the run that random_lockstep_test makes of the engine called NAME
// with the same PAWS_SEED and CYCLES, until outputs differ from the golden model's; then
//
//   FAULT killed POLICY HOST CYCLE
//
// is printed, with the cycles up to the difference (those of hosts before this one included), else
// "FAULT survived". Exit status 0, or 2 with one message.
#include <dlfcn.h>

#include <charconv>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine_registry.h"
#include "engine/lockstep/lockstep.h"
#include "tb/random/drive.h"
#include "tb/random/host.h"

namespace {

int selected_fault = 0;
bool asked = false;

}  // namespace

/// Called by the netlist (DPI) when an engine of it is created.
extern "C" int paws_fault() {
  asked = true;
  return selected_fault;
}

namespace paws {
namespace {

/// Lets everything through and counts: what drive_all_scenarios() does not say.
class Progress final : public Scheduler {
 public:
  explicit Progress(std::unique_ptr<Scheduler> scheduler) : scheduler_(std::move(scheduler)) {}

  [[nodiscard]] const SchedulerConfig& config() const override { return scheduler_->config(); }
  void reset() override {
    ++resets_;
    scheduler_->reset();
  }
  void reset_cycle(const SchedulerInputs& inputs) override {
    scheduler_->reset_cycle(inputs);
    ++cycles_;
  }
  SchedulerOutputs decide(const SchedulerInputs& inputs) override {
    return scheduler_->decide(inputs);
  }
  void commit() override {
    scheduler_->commit();
    ++cycles_;
  }
  [[nodiscard]] QueueSnapshot snapshot() const override { return scheduler_->snapshot(); }

  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }
  /// Which host: there is one reset before each.
  [[nodiscard]] std::string host() const {
    const std::uint64_t part = resets_ == 0 ? 0 : resets_ - 1;
    if (part < scenarios().size()) {
      std::string name = scenarios()[part].name;
      for (char& letter : name) letter = letter == ' ' ? '-' : letter;
      return name;
    }
    return "unrealistic-" + std::to_string(part - scenarios().size() + 1);
  }

 private:
  std::unique_ptr<Scheduler> scheduler_;
  std::uint64_t resets_ = 0;
  std::uint64_t cycles_ = 0;
};

std::uint64_t number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument("not a number: " + text);
  }
  return value;
}

EngineFactory load(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::invalid_argument(dlerror());
  void* const entry = dlsym(handle, "paws_engine_faults");
  if (entry == nullptr) throw std::invalid_argument(dlerror());
  return reinterpret_cast<EngineFactory>(entry);
}

/// Prints the result of one fault.
void meet(EngineFactory create, const SchedulerConfig& scheduler,
          const std::vector<std::string>& policies, const RunLength& run, const std::string& name) {
  std::cout << selected_fault;
  for (const std::string& policy : policies) {
    SchedulerConfig config = scheduler;
    config.policy = policy;
    std::string seeds_of = name;
    seeds_of.append("_").append(policy);
    asked = false;
    std::unique_ptr<Scheduler> subject(create(config, policy_code(config.level, policy)));
    if (!asked) throw std::logic_error("the engine carries no faults");
    Progress progress(
        make_lockstep(make_model(config), std::move(subject), "", {.outputs_only = true}));
    try {
      drive_all_scenarios(progress, run, seeds_of, nullptr);
    } catch (const std::runtime_error&) {
      std::cout << " killed " << policy << ' ' << progress.host() << ' ' << progress.cycles()
                << std::endl;
      return;
    }
  }
  std::cout << " survived" << std::endl;
}

void run(const std::vector<std::string>& words) {
  if (words.size() < 9) {
    throw std::invalid_argument(
        "usage: mutation_run LIBRARY NAME LEVEL WARPS READY PHASE_BITS AGE_LIMIT CYCLES "
        "POLICY... <FAULTS");
  }
  SchedulerConfig config;
  if (words[2] != "two_level" && words[2] != "single_level") {
    throw std::invalid_argument("LEVEL is two_level or single_level, not " + words[2]);
  }
  config.level = words[2] == "two_level" ? Level::two_level : Level::single;
  config.warps = static_cast<unsigned>(number(words[3]));
  if (config.level == Level::two_level) config.ready = static_cast<unsigned>(number(words[4]));
  config.phase_bits = static_cast<unsigned>(number(words[5]));
  config.age_limit = static_cast<unsigned>(number(words[6]));
  const RunLength length = run_length(number(words[7]));
  const std::vector<std::string> policies(words.begin() + 8, words.end());
  const EngineFactory create = load(words[0]);
  while (std::cin >> selected_fault) meet(create, config, policies, length, words[1]);
}

}  // namespace
}  // namespace paws

int main(int argc, char** argv) {
  try {
    paws::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "mutation_run: " << error.what() << '\n';
    return 2;
  }
}
