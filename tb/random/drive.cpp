// SPDX-License-Identifier: MIT
#include "tb/random/drive.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace paws {
namespace {

/// Runs of the wild host for one of each scenario.
constexpr std::uint64_t kWildParts = 4;
constexpr std::uint64_t kSiegeParts = 3;

std::uint64_t number_from_environment(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  if (text == nullptr || text[0] == '\0') return otherwise;
  char* end = nullptr;
  const std::uint64_t number = std::strtoull(text, &end, 10);
  if (*end != '\0')
    throw std::invalid_argument(std::string(variable) + " is not a number: " + text);
  return number;
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
                                  const std::string& name, EventCounts* counts, bool hold_lengths) {
  const auto run_host = [&](std::unique_ptr<Host> host, std::uint64_t cycles) {
    if (hold_lengths) host = make_holding_host(std::move(host));
    scheduler.reset();
    if (counts != nullptr) counts->reset();
    drive(scheduler, *host, cycles, counts);
  };
  const std::uint64_t parts = scenarios().size() + kWildParts;
  const std::uint64_t cycles = (run.cycles + parts - 1) / parts;
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t seed = derive_seed(run.seed, name, part);
    run_host(part < scenarios().size()
                 ? make_realistic_host(scheduler.config(), scenarios()[part], seed)
                 : make_wild_host(scheduler.config(), seed),
             cycles);
  }
  if (scheduler.config().level != Level::two_level) return parts * cycles;
  for (std::uint64_t part = parts; part < parts + kSiegeParts; ++part) {
    run_host(make_siege_host(scheduler.config(), derive_seed(run.seed, name, part)), cycles);
  }
  return (parts + kSiegeParts) * cycles;
}

}  // namespace paws
