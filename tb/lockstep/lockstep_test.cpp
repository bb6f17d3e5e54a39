// SPDX-License-Identifier: MIT
// Lockstep and the checked engines must notice what is wrong: differences on purpose, and promises
// that the host breaks.
#include "engine/lockstep/lockstep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <set>

#include "engine/engine_fields.h"
#include "engine/engine_registry.h"
#include "engine/rtl_engine.h"
#include "model/registry.h"
#include "tb/random/drive.h"

namespace paws {
namespace {

constexpr std::uint64_t kCycles = 20'000;

SchedulerConfig config_of(Level level, const std::string& policy) {
  SchedulerConfig config;
  config.level = level;
  config.policy = policy;
  return config;
}

std::vector<std::string> policies_of_the_rtl(Level level) {
  std::vector<std::string> names;
  for (const Policy& policy : policies()) {
    if (policy.level == level && policy.rtl_code) names.push_back(policy.name);
  }
  return names;
}

/// A scheduler whose outputs are changed on their way out.
class Perturbed final : public Scheduler {
 public:
  using Change = std::function<void(const SchedulerInputs&, SchedulerOutputs&)>;
  Perturbed(std::unique_ptr<Scheduler> inner, Change change)
      : inner_(std::move(inner)), change_(std::move(change)) {}

  [[nodiscard]] const SchedulerConfig& config() const override { return inner_->config(); }
  void reset() override { inner_->reset(); }
  void reset_cycle(const SchedulerInputs& inputs) override { inner_->reset_cycle(inputs); }
  SchedulerOutputs decide(const SchedulerInputs& inputs) override {
    SchedulerOutputs outputs = inner_->decide(inputs);
    change_(inputs, outputs);
    return outputs;
  }
  void commit() override { inner_->commit(); }
  [[nodiscard]] QueueSnapshot snapshot() const override { return inner_->snapshot(); }

 private:
  std::unique_ptr<Scheduler> inner_;
  Change change_;
};

/// A scheduler whose clock stops in quiet cycles (docs/guide/integration.md, "Clock and reset"):
/// with `early` already in those that only the cycle before calls quiet.
class Gated final : public Scheduler {
 public:
  Gated(std::unique_ptr<Scheduler> inner, bool early) : inner_(std::move(inner)), early_(early) {}

  [[nodiscard]] const SchedulerConfig& config() const override { return inner_->config(); }
  void reset() override {
    inner_->reset();
    quiet_before_ = false;
  }
  void reset_cycle(const SchedulerInputs& inputs) override {
    inner_->reset_cycle(inputs);
    quiet_before_ = false;
  }
  SchedulerOutputs decide(const SchedulerInputs& inputs) override {
    const SchedulerOutputs outputs = inner_->decide(inputs);
    stopped_ = early_ ? quiet_before_ : outputs.quiet;
    quiet_before_ = outputs.quiet;
    return outputs;
  }
  void commit() override {
    if (stopped_) {
      ++cycles_stopped_;
    } else {
      inner_->commit();
    }
  }
  [[nodiscard]] QueueSnapshot snapshot() const override { return inner_->snapshot(); }
  [[nodiscard]] std::uint64_t cycles_stopped() const { return cycles_stopped_; }

 private:
  std::unique_ptr<Scheduler> inner_;
  bool early_;
  bool stopped_ = false;
  bool quiet_before_ = false;
  std::uint64_t cycles_stopped_ = 0;
};

/// What a lockstep of `reference` and `subject` reports within kCycles of random stimulus.
std::string mismatch_of(std::unique_ptr<Scheduler> reference, std::unique_ptr<Scheduler> subject,
                        const LockstepOptions& options = {}) {
  const RunLength run{.seed = 1, .cycles = kCycles};
  const auto lockstep =
      make_lockstep(std::move(reference), std::move(subject), reproduce_text(run), options);
  try {
    drive_all_scenarios(*lockstep, run, "lockstep_test", nullptr);
  } catch (const LockstepMismatch& mismatch) {
    return mismatch.what();
  }
  return "";
}

std::string mismatch_of(const SchedulerConfig& config, Perturbed::Change change) {
  return mismatch_of(
      make_model(config),
      std::make_unique<Perturbed>(make_rtl(config, {.assertions = true}), std::move(change)));
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in:\n" << text;
}

TEST(Lockstep, AgreesWhenNothingIsWrong) {
  for (const Level level : {Level::two_level, Level::single}) {
    const SchedulerConfig config = config_of(level, "paws");
    EXPECT_EQ(mismatch_of(make_model(config), make_rtl(config)), "");
    EXPECT_EQ(mismatch_of(make_model(config), make_rtl(config, {.assertions = true})), "");
  }
}

TEST(Lockstep, AgreesWithAClockThatStopsInQuietCycles) {
  for (const Level level : {Level::two_level, Level::single}) {
    for (const std::string& policy : policies_of_the_rtl(level)) {
      const SchedulerConfig config = config_of(level, policy);
      auto gated = std::make_unique<Gated>(make_rtl(config), /*early=*/false);
      const Gated& watched = *gated;
      const RunLength run{.seed = 1, .cycles = kCycles};
      const auto lockstep = make_lockstep(make_model(config), std::move(gated), "", {});
      EXPECT_NO_THROW(drive_all_scenarios(*lockstep, run, "lockstep_test", nullptr));
      EXPECT_GT(watched.cycles_stopped(), kCycles / 20) << scheduler_name(config);
    }
  }
}

TEST(Lockstep, NoticesAClockThatStopsWhileSomethingHappens) {
  const SchedulerConfig config = config_of(Level::two_level, "paws");
  EXPECT_NE(
      mismatch_of(make_model(config), std::make_unique<Gated>(make_rtl(config), /*early=*/true),
                  {.outputs_only = true}),
      "");
}

TEST(Lockstep, NoticesAnotherWarp) {
  const std::string message =
      mismatch_of(config_of(Level::two_level, "paws"),
                  [](const SchedulerInputs& inputs, SchedulerOutputs& outputs) {
                    if (outputs.issue_valid && inputs.launch_valid) outputs.issue_warp ^= 1;
                  });
  expect_contains(message, "outputs differ");
  expect_contains(message, "golden model  issue warp");
  expect_contains(message, "RTL           issue warp");
  expect_contains(message, "reproduce with: PAWS_SEED=1 PAWS_CYCLES=20000 with --gtest_filter=");
  expect_contains(message, "Lockstep.NoticesAnotherWarp");
}

TEST(Lockstep, NoticesAnInvalidIssueWithAWarp) {
  expect_contains(mismatch_of(config_of(Level::single, "gto"),
                              [](const SchedulerInputs&, SchedulerOutputs& outputs) {
                                if (!outputs.issue_valid) outputs.issue_warp = 1;
                              }),
                  "no issue but issue_warp 1");
}

TEST(Lockstep, NoticesQuietThatIsLateOrEarly) {
  for (const bool quiet : {false, true}) {
    const std::string message = mismatch_of(
        config_of(Level::single, "rr"), [quiet](const SchedulerInputs&, SchedulerOutputs& outputs) {
          if (!outputs.issue_valid) outputs.quiet = quiet;
        });
    expect_contains(message,
                    quiet ? "golden model  no issue, not quiet" : "golden model  no issue, quiet");
    expect_contains(message,
                    quiet ? "RTL           no issue, quiet" : "RTL           no issue, not quiet");
  }
}

TEST(Lockstep, NoticesTheOtherTieBreak) {
  SchedulerConfig by_arrival = config_of(Level::two_level, "paws");
  by_arrival.tie_by_arrival = true;
  const std::string message =
      mismatch_of(make_model(by_arrival), make_rtl(config_of(Level::two_level, "paws")));
  expect_contains(message, "queues differ after the clock edge");
  expect_contains(message, "ties by arrival");
  // The order in the queues reaches the outputs sooner or later.
  expect_contains(mismatch_of(make_model(by_arrival), make_rtl(config_of(Level::two_level, "paws")),
                              {.outputs_only = true}),
                  "outputs differ");
}

TEST(Lockstep, NoticesTheOtherOrderOfWakes) {
  for (const char* policy : {"rr", "gto", "paws"}) {
    SchedulerConfig by_age = config_of(Level::two_level, policy);
    by_age.wake_oldest = true;
    const std::string message =
        mismatch_of(make_model(by_age), make_rtl(config_of(Level::two_level, policy)));
    expect_contains(message, "queues differ after the clock edge");
    expect_contains(message, "wakes by age");
    expect_contains(mismatch_of(make_model(by_age), make_rtl(config_of(Level::two_level, policy)),
                                {.outputs_only = true}),
                    "outputs differ");
  }
}

TEST(Lockstep, NoticesAnotherPolicy) {
  for (const Level level : {Level::two_level, Level::single}) {
    for (const std::string& a : policies_of_the_rtl(level)) {
      for (const std::string& b : policies_of_the_rtl(level)) {
        const std::string message = mismatch_of(
            make_model(config_of(level, a)), make_rtl(config_of(level, b)), {.outputs_only = true});
        EXPECT_EQ(message.empty(), a == b) << a << " against " << b << '\n' << message;
      }
    }
  }
}

TEST(Lockstep, NoticesTheNarrowerPhaseField) {
  for (const Level level : {Level::two_level, Level::single}) {
    SchedulerConfig narrow = config_of(level, "paws");
    narrow.phase_bits = 8;
    EXPECT_NE(
        mismatch_of(make_model(narrow), make_rtl(config_of(level, "paws")), {.outputs_only = true}),
        "");
  }
}

/// What the checked engine says when `inputs` are the inputs of its second cycle; warp 0 has been
/// launched in the first.
std::string violation_of(const SchedulerConfig& config, const SchedulerInputs& inputs) {
  const auto rtl = make_rtl(config, {.assertions = true});
  SchedulerInputs launch;
  launch.launch_valid = true;
  rtl->decide(launch);
  rtl->commit();
  try {
    rtl->decide(inputs);
    rtl->commit();
  } catch (const ContractViolation& violation) {
    return violation.what();
  }
  return "";
}

/// Expects that `violation` names the promise, as its assertion is called.
void expect_promise(const std::string& violation, const std::string& name) {
  expect_contains(violation, ".u_host.");
  expect_contains(violation, "." + name + ": host: ");
}

class Contract : public testing::TestWithParam<Level> {};

TEST_P(Contract, HoldsForLegalInputs) {
  SchedulerInputs inputs;
  inputs.issue_en = true;
  inputs.issuable = 1;
  inputs.launch_valid = true;
  inputs.launch_warp = 23;
  EXPECT_EQ(violation_of(config_of(GetParam(), "paws"), inputs), "");
}

TEST_P(Contract, NoticesALaunchIntoALiveSlot) {
  SchedulerInputs inputs;
  inputs.launch_valid = true;
  expect_promise(violation_of(config_of(GetParam(), "paws"), inputs), "launch_slot_is_free");
}

TEST_P(Contract, NoticesALaunchBeyondTheSlots) {
  SchedulerInputs inputs;
  inputs.launch_valid = true;
  inputs.launch_warp = 24;
  expect_promise(violation_of(config_of(GetParam(), "paws"), inputs), "launch_slot_exists");
}

TEST_P(Contract, NoticesAFreeSlotThatIsIssuable) {
  SchedulerInputs inputs;
  inputs.issuable = 2;
  expect_promise(violation_of(config_of(GetParam(), "paws"), inputs), "free_slot_is_silent");
}

TEST_P(Contract, NoticesALaunchInTheCycleOfTheExit) {
  const auto rtl = make_rtl(config_of(GetParam(), "paws"), {.assertions = true});
  SchedulerInputs inputs;
  inputs.issue_en = true;
  inputs.launch_valid = true;
  rtl->decide(inputs);
  rtl->commit();
  inputs.launch_valid = false;
  inputs.issuable = inputs.exits = 1;
  while (!rtl->decide(inputs).issue_valid) rtl->commit();
  inputs.launch_valid = true;
  rtl->decide(inputs);
  try {
    rtl->commit();
    FAIL() << "a slot was launched while its warp ended";
  } catch (const ContractViolation& violation) {
    expect_promise(violation.what(), "launch_slot_is_free");
  }
}

TEST_P(Contract, NoticesALateEndThatIsNotBuilt) {
  SchedulerInputs inputs;
  inputs.end_valid = true;
  expect_promise(violation_of(config_of(GetParam(), "paws"), inputs), "late_end_is_built");
}

/// What the engine of the matrix with late ends says when `inputs` are the inputs of its second
/// cycle; warp 0 has been launched in the first.
std::string violation_with_late_ends(Level level, const SchedulerInputs& inputs) {
  const auto all = matrix_engines();
  const auto found = std::ranges::find_if(all, [level](const BuiltEngine& built) {
    return built.parameters.level == level && built.parameters.late_exit;
  });
  if (found == all.end()) throw std::logic_error("the matrix has no engine with late ends");
  const auto rtl = make_engine(*found, scheduler_of(found->parameters, "paws"));
  SchedulerInputs launch;
  launch.launch_valid = true;
  rtl->decide(launch);
  rtl->commit();
  try {
    rtl->decide(inputs);
    rtl->commit();
  } catch (const ContractViolation& violation) {
    return violation.what();
  }
  return "";
}

TEST_P(Contract, NoticesALateEndThatCannotBe) {
  SchedulerInputs inputs;
  inputs.end_valid = true;
  EXPECT_EQ(violation_with_late_ends(GetParam(), inputs), "");
  inputs.issuable = 1;
  expect_promise(violation_with_late_ends(GetParam(), inputs), "late_end_is_not_issuable");
  inputs.issuable = 0;
  inputs.end_warp = 1;
  expect_promise(violation_with_late_ends(GetParam(), inputs), "late_end_is_live");
}

/// What the group of `pattern` finds in a file of the project, from the text `begin` on to the next
/// `end`; each find once.
std::set<std::string> names_in(const std::string& file, const std::string& begin,
                               const std::string& end, const std::string& pattern) {
  std::ifstream stream(std::string(PAWS_SOURCE_DIR "/") + file);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  text.erase(0, std::min(text.find(begin), text.size()));
  text.erase(std::min(text.find(end, begin.size()), text.size()));
  const std::regex name(pattern);
  std::set<std::string> names;
  for (std::sregex_iterator found(text.begin(), text.end(), name), none; found != none; ++found) {
    names.insert((*found)[1]);
  }
  return names;
}

TEST(ContractNames, AreThoseOfTheDocument) {
  const auto assertions =
      names_in("rtl/paws_host_checks.sv", "module ", "endmodule", R"((\w+):\s*assert \()");
  const auto promises = names_in("docs/guide/integration.md", "## What the host promises", "\n## ",
                                 R"(\n\| `(\w+)` \|)");
  EXPECT_EQ(promises, assertions);
  EXPECT_EQ(promises.size(), 19U);
}

INSTANTIATE_TEST_SUITE_P(Levels, Contract, testing::Values(Level::two_level, Level::single),
                         [](const auto& level) {
                           return level.param == Level::single ? "single" : "two_level";
                         });

/// What the checked engine says of `policy` with `first` and then `second`; in the two cycles
/// before, warps 0 and 1 are launched, in the groups of `first`.
std::string violation_of_two(const std::string& policy, const SchedulerInputs& first,
                             const SchedulerInputs& second) {
  const auto rtl = make_rtl(config_of(Level::single, policy), {.assertions = true});
  try {
    for (const WarpId warp : {0U, 1U}) {
      SchedulerInputs launch;
      launch.launch_valid = true;
      launch.launch_warp = warp;
      launch.pair = first.pair;
      launch.row = first.row;
      launch.second = first.second;
      rtl->decide(launch);
      rtl->commit();
    }
    for (const SchedulerInputs* inputs : {&first, &second}) {
      rtl->decide(*inputs);
      rtl->commit();
    }
  } catch (const ContractViolation& violation) {
    return violation.what();
  }
  return "";
}

/// Warps 0 and 1 are members of one group.
SchedulerInputs one_group() {
  SchedulerInputs inputs;
  inputs.pair[0] = inputs.pair[1] = 5;
  inputs.row[0] = inputs.row[1] = 9;
  inputs.second = 1;
  return inputs;
}

TEST(ScaContract, NoticesTwoWarpsThatAreTheSameMember) {
  SchedulerInputs inputs = one_group();
  inputs.second = 0;
  expect_promise(violation_of_two("sca", inputs, inputs), "members_differ");
  EXPECT_EQ(violation_of_two("cggty", inputs, inputs), "") << "no other policy looks at groups";
}

TEST(ScaContract, NoticesALiveWarpThatChangesItsGroup) {
  for (const auto& change : {+[](SchedulerInputs& inputs) { inputs.pair[0] = 1; },
                             +[](SchedulerInputs& inputs) { inputs.row[1] = 1; },
                             +[](SchedulerInputs& inputs) { inputs.second ^= 3; }}) {
    SchedulerInputs inputs = one_group();
    change(inputs);
    expect_promise(violation_of_two("sca", one_group(), inputs), "group_is_held");
    EXPECT_EQ(violation_of_two("gto", one_group(), inputs), "")
        << "no other policy looks at groups";
  }
}

TEST(ScaContract, LetsFreeSlotsAndEndedWarpsBeInAnyGroup) {
  SchedulerInputs first = one_group();
  first.pair[2] = 5;
  first.row[2] = 9;
  first.issue_en = true;
  first.issuable = first.exits = 1;  // warp 0 ends
  SchedulerInputs second = one_group();
  second.second = 3;
  EXPECT_EQ(violation_of_two("sca", first, one_group()), "");
  second.pair[0] = 2;
  second.second = 1;
  EXPECT_EQ(violation_of_two("sca", first, second), "");
}

TEST(TwoLevelContract, NoticesAFreeSlotThatWaits) {
  SchedulerInputs inputs;
  inputs.waits = 2;
  expect_promise(violation_of(config_of(Level::two_level, "paws"), inputs), "free_slot_is_silent");
}

TEST(TwoLevelContract, NoticesAWarpThatIsIssuableAndWaits) {
  SchedulerInputs inputs;
  inputs.waits = 1;
  inputs.issuable = 1;
  expect_promise(violation_of(config_of(Level::two_level, "paws"), inputs),
                 "issuable_excludes_waits");
}

/// A two-level engine of the project with contract assertions, 24 warps and ready 6.
const BuiltEngine& checked_engine(bool held_length) {
  EngineParameters wanted =
      engine_parameters(config_of(Level::two_level, "paws"), Sorter::ranks, kDefaultPicker, true);
  wanted.held_length = held_length;
  const auto all = held_length ? matrix_engines() : standard_engines();
  const auto found =
      std::ranges::find(all, wanted, [](const BuiltEngine& built) { return built.parameters; });
  if (found == all.end()) throw std::logic_error("the matrix has no " + engine_name(wanted));
  return *found;
}

TEST(TwoLevelContract, NoticesAPolicyThatIsNotBuilt) {
  constexpr unsigned kNoPolicy = 15;  // the last code, which no policy has
  const std::unique_ptr<Scheduler> rtl(
      checked_engine(false).create(config_of(Level::two_level, "paws"), kNoPolicy));
  rtl->decide({});
  try {
    rtl->commit();
    FAIL() << "policy_i was 15";
  } catch (const ContractViolation& violation) {
    expect_promise(violation.what(), "policy_is_built");
  }
}

/// What a scheduler with HELD_LENGTH says when the length of warp 0 changes from the cycle of its
/// launch to the next, or, if it issues in between, to that after the issue.
std::string violation_of_change(bool issues_before) {
  const auto rtl =
      make_engine(checked_engine(/*held_length=*/true), config_of(Level::two_level, "paws"));
  SchedulerInputs inputs;
  inputs.issue_en = true;
  inputs.launch_valid = true;
  inputs.phase[0] = 7;
  const auto step = [&rtl, &inputs] {
    const SchedulerOutputs outputs = rtl->decide(inputs);
    rtl->commit();
    return outputs.issue_valid;
  };
  try {
    step();
    inputs.launch_valid = false;
    if (issues_before) {
      inputs.issuable = 1;
      while (!step()) {
      }
      inputs.issuable = 0;
    }
    inputs.phase[0] = 8;
    step();
  } catch (const ContractViolation& violation) {
    return violation.what();
  }
  return "";
}

TEST(TwoLevelContract, NoticesAHeldLengthThatChanges) {
  expect_promise(violation_of_change(/*issues_before=*/false), "length_is_held");
  EXPECT_EQ(violation_of_change(/*issues_before=*/true), "");
}

/// What the RTL says, in lockstep with the model, of a host that leaves the six warps of ready
/// without an instruction for `cycles`, while a seventh could issue. Once in between, in the
/// middle, one of them `is_served`.
std::string violation_of_silence(unsigned cycles, bool is_served) {
  const auto lockstep =
      make_lockstep(make_model(config_of(Level::two_level, "paws")),
                    make_rtl(config_of(Level::two_level, "paws"), {.assertions = true}), "", {});
  SchedulerInputs inputs;
  inputs.issue_en = true;
  const auto step = [&lockstep, &inputs] {
    lockstep->decide(inputs);
    lockstep->commit();
  };
  inputs.launch_valid = true;
  for (; inputs.launch_warp < 7; ++inputs.launch_warp) step();
  inputs.launch_valid = false;
  inputs.launch_warp = 0;
  for (int settles = 0; settles < 10; ++settles) step();
  try {
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
      inputs.issuable = is_served && cycle == cycles / 2 ? 0x41 : 0x40;
      step();
    }
  } catch (const ContractViolation& violation) {
    return violation.what();
  }
  return "";
}

TEST(TwoLevelContract, NoticesAReadyQueueThatIsNotServed) {
  constexpr unsigned kSilence = 10000;  // PAWS_SILENCE
  const std::string violation = violation_of_silence(kSilence + 1, /*is_served=*/false);
  expect_contains(violation, ".ready_is_served: host: ready silent for 10000 cycles");
  expect_contains(violation, "ready 000000000000000000111111, outside 000000000000000001000000");
  expect_contains(violation, "fetch credits");
  EXPECT_EQ(violation_of_silence(kSilence, false), "");
  EXPECT_EQ(violation_of_silence(2 * kSilence - 10, true), "");
}

TEST(TwoLevelContract, IsNotCheckedInSpeedBuilds) {
  const auto rtl = make_rtl(config_of(Level::two_level, "paws"));
  SchedulerInputs launch;
  launch.launch_valid = true;
  for (int cycle = 0; cycle < 2; ++cycle) {
    rtl->decide(launch);
    EXPECT_NO_THROW(rtl->commit());
  }
}

TEST(Lockstep, SaysInWhichCycleAPromiseWasBroken) {
  const SchedulerConfig config = config_of(Level::two_level, "paws");
  const auto lockstep = make_lockstep(config, "the seed");
  SchedulerInputs inputs;
  inputs.issuable = 1;
  try {
    lockstep->decide(inputs);
    lockstep->commit();
    FAIL() << "a free slot was issuable";
  } catch (const ContractViolation& violation) {
    expect_contains(violation.what(), "in cycle 0");
    expect_contains(violation.what(), "issuable         0");
    expect_contains(violation.what(), "reproduce with: the seed");
  }
}

}  // namespace
}  // namespace paws
