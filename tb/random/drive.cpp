// SPDX-License-Identifier: MIT
#include "tb/random/drive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

#include "tb/random/random_source.h"

namespace paws {
namespace {

/// Runs of the wild host for one of each scenario.
constexpr std::uint64_t kWildParts = 4;
constexpr std::uint64_t kSiegeParts = 3;
constexpr std::uint64_t kResetParts = 4;

/// The longest run between two cycles of reset: time for some warps to go through all queues.
constexpr unsigned longest_run(unsigned warps) { return std::min(4 * warps + 16, 96U); }

std::uint64_t number_from_environment(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  if (text == nullptr || text[0] == '\0') return otherwise;
  char* end = nullptr;
  const std::uint64_t number = std::strtoull(text, &end, 10);
  if (*end != '\0')
    throw std::invalid_argument(std::string(variable) + " is not a number: " + text);
  return number;
}

/// Inputs that no host could have: they need not keep a promise while reset is on.
SchedulerInputs any_inputs(const SchedulerConfig& config, RandomSource& random, bool late_ends) {
  const WarpMask all = ~WarpMask{0} >> (kMaxWarps - config.warps);
  const auto mask = [&] { return random.mask(random.below(9)) & all; };
  SchedulerInputs inputs;
  inputs.issue_en = random.chance(80);
  inputs.issuable = mask();
  inputs.waits = mask();
  inputs.long_outstanding = mask();
  inputs.exits = mask();
  inputs.launch_valid = random.chance(50);
  inputs.launch_warp = random.below(std::bit_ceil(config.warps));
  if (late_ends) {
    inputs.end_valid = random.chance(50);
    inputs.end_warp = random.below(std::bit_ceil(config.warps));
  }
  for (unsigned slot = 0; slot < config.warps; ++slot) {
    inputs.phase[slot] = static_cast<std::uint16_t>(random.bits());
  }
  if (config.level == Level::two_level) return inputs;
  inputs.second = mask();
  inputs.yields = mask();
  for (unsigned slot = 0; slot < config.warps; ++slot) {
    inputs.pair[slot] = static_cast<std::uint8_t>(random.below(1U << config.pair_bits));
    inputs.row[slot] = static_cast<std::uint8_t>(random.below(group_rows(config)));
  }
  return inputs;
}

using MakeHost = std::function<std::unique_ptr<Host>(std::uint64_t seed)>;

/// Runs of fresh hosts, each ended by a cycle of reset, for `cycles` cycles in all: every second
/// time in the middle of what the host was doing, else under inputs that are any.
void drive_with_resets(Scheduler& scheduler, const MakeHost& make_host, std::uint64_t seed,
                       std::uint64_t cycles, EventCounts* counts, bool late_ends) {
  RandomSource random(seed);
  for (bool live = true; cycles > 0; live = !live) {
    const std::uint64_t length =
        std::min<std::uint64_t>(random.between(1, longest_run(scheduler.config().warps)), cycles);
    const std::unique_ptr<Host> host = make_host(random.bits());
    drive(scheduler, *host, length - 1, counts);
    const SchedulerInputs inputs =
        live ? host->inputs() : any_inputs(scheduler.config(), random, late_ends);
    if (counts != nullptr) {
      if (live) counts->observe_reset(inputs, scheduler.decide(inputs), scheduler.snapshot());
      counts->reset();
    }
    scheduler.reset_cycle(inputs);
    cycles -= length;
  }
}

}  // namespace

RunLength run_length(std::uint64_t default_cycles) {
  return {number_from_environment("PAWS_SEED", RunLength{}.seed),
          number_from_environment("PAWS_CYCLES", default_cycles)};
}

std::string reproduce_text(const RunLength& run, const std::string& program) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return "PAWS_SEED=" + std::to_string(run.seed) + " PAWS_CYCLES=" + std::to_string(run.cycles) +
         ' ' + program + " --gtest_filter=" + test->test_suite_name() + "." + test->name();
}

std::uint64_t derive_seed(std::uint64_t seed, const std::string& name, std::uint64_t part) {
  std::uint64_t mixed = seed * 0x9e3779b97f4a7c15U + part;
  for (const char letter : name) {
    mixed = (mixed ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  }
  return mixed;
}

void drive(Scheduler& scheduler, Host& host, std::uint64_t cycles, EventCounts* counts) {
  QueueSnapshot before = scheduler.snapshot();
  SchedulerInputs others;
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    const SchedulerInputs inputs = host.inputs();
    if (cycle % 13 == 0) {
      others = inputs;
      others.issue_en = !inputs.issue_en;
      others.issuable >>= 1;
      others.issuable &= inputs.issuable;
      scheduler.decide(others);
    }
    const SchedulerOutputs outputs = scheduler.decide(inputs);
    scheduler.commit();
    QueueSnapshot after = scheduler.snapshot();
    if (outputs.quiet && before != after) {
      throw std::runtime_error("queues change in a quiet cycle:\n  " + to_string(before) + "\n  " +
                               to_string(after));
    }
    if (counts != nullptr) counts->observe(inputs, outputs, before, after);
    before = std::move(after);
    host.advance(outputs);
  }
}

std::uint64_t drive_all_scenarios(Scheduler& scheduler, const RunLength& run,
                                  const std::string& name, EventCounts* counts,
                                  const HostOptions& options) {
  const auto with_options = [&options](std::unique_ptr<Host> host, std::uint64_t part,
                                       std::uint64_t seed) {
    if (options.hold_lengths) host = make_holding_host(std::move(host));
    // What only a long life of warps leads to is met without late ends.
    if (options.late_ends && part % 2 == 1) host = make_late_host(std::move(host), seed);
    return host;
  };
  const auto reset = [&] {
    scheduler.reset();
    if (counts != nullptr) counts->reset();
  };
  const auto run_host = [&](std::unique_ptr<Host> host, std::uint64_t part, std::uint64_t seed,
                            std::uint64_t cycles) {
    reset();
    drive(scheduler, *with_options(std::move(host), part, seed), cycles, counts);
  };
  const std::uint64_t parts = scenarios().size() + kWildParts;
  const std::uint64_t cycles = (run.cycles + parts - 1) / parts;
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t seed = derive_seed(run.seed, name, part);
    run_host(part < scenarios().size()
                 ? make_realistic_host(scheduler.config(), scenarios()[part], seed)
                 : make_wild_host(scheduler.config(), seed),
             part, seed, cycles);
  }
  const bool two_level = scheduler.config().level == Level::two_level;
  const std::uint64_t all_parts = parts + (two_level ? kSiegeParts : 0);
  for (std::uint64_t part = parts; part < all_parts; ++part) {
    const std::uint64_t seed = derive_seed(run.seed, name, part);
    run_host(make_siege_host(scheduler.config(), seed), part, seed, cycles);
  }
  reset();
  const MakeHost make_host = [&](std::uint64_t seed) {
    const std::uint64_t kind = seed % (2 * scenarios().size());
    return with_options(kind < scenarios().size()
                            ? make_realistic_host(scheduler.config(), scenarios()[kind], seed)
                            : make_wild_host(scheduler.config(), seed),
                        kind, seed);
  };
  drive_with_resets(scheduler, make_host, derive_seed(run.seed, name, all_parts),
                    kResetParts * cycles, counts, options.late_ends);
  return (all_parts + kResetParts) * cycles;
}

}  // namespace paws
