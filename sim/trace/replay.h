// SPDX-License-Identifier: MIT
// Drives schedulers with recorded inputs, without the GPU, and holds them to what was recorded.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/trace/events.h"

namespace paws::trace {

using EngineFactory = std::function<std::unique_ptr<Scheduler>(const SchedulerConfig&)>;

struct ReplayResult {
  std::uint64_t cycles = 0;             ///< of the core, skipped ones too
  std::uint64_t scheduler_cycles = 0;   ///< decided: stepped cycles times schedulers
  std::uint64_t issues = 0;             ///< recorded
  std::uint64_t different = 0;          ///< decisions of another policy that differ
  double seconds = 0;                   ///< of the schedulers alone, without reading the trace
  std::optional<std::string> mismatch;  ///< the first difference, over several lines

  ReplayResult& operator+=(const ReplayResult& other);
};

class Replay final : public Sink {
 public:
  /// Replays on engines of `config`, which is the recorded scheduler or, of a single-level one,
  /// another single-level policy for as many warps. In the second case each decision is compared
  /// and then the recorded one is forced upon the scheduler, so that it sees the same situations.
  Replay(const RunInfo& run, std::uint32_t core, const SchedulerConfig& config,
         const EngineFactory& factory);

  void begin(const LaunchInfo& launch) override;
  void step(const CoreStep& step) override;
  void skipped(std::uint64_t from, std::uint64_t to) override;
  void end(std::uint64_t cycle) override;

  /// What is still waiting is replayed; the result of everything so far.
  const ReplayResult& finish();
  /// A difference was found; what follows is not replayed.
  [[nodiscard]] bool done() const { return result_.mismatch.has_value(); }
  /// When an engine has thrown: the cycle that it was to replay, and all that says where that is.
  [[nodiscard]] std::uint64_t cycle() const;
  [[nodiscard]] std::string place() const;

 private:
  struct Item {
    std::uint64_t cycle;
    unsigned scheduler;
    SchedulerInputs inputs;
    SchedulerOutputs outputs;
  };

  void replay_batch();
  void follow(const Item& item);
  void force(const Item& item);
  [[nodiscard]] std::string place(const Item& item) const;
  [[nodiscard]] std::string describe(const Item& item, const SchedulerOutputs& replayed) const;

  RunInfo run_;
  std::uint32_t core_;
  SchedulerConfig config_;
  bool same_;  ///< the recorded scheduler, not another policy
  std::vector<std::unique_ptr<Scheduler>> engines_;
  std::vector<Item> batch_;  ///< decoded first, so that only the engines are timed
  std::size_t at_ = 0;       ///< of batch_, the item that is being replayed
  LaunchInfo launch_;
  ReplayResult result_;
};

}  // namespace paws::trace
