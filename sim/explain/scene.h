// SPDX-License-Identifier: MIT
// What one scheduler did in a cycle, and why: what `paws explain` says and draws.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/explain/rules.h"
#include "sim/trace/condition.h"
#include "sim/trace/events.h"
#include "sim/trace/shadow.h"
#include "sim/trace/timeline.h"

namespace paws::explain {

struct SceneWarp {
  WarpId slot = 0;
  trace::Condition condition = trace::Condition::free;
  std::string key;    ///< what the scheduler compares: "length 95, launch 2"; may be empty
  std::string doing;  ///< "waits for the operands of add.u32 %r1, %r2, %r3 (line 87, phase 2)"

  bool operator==(const SceneWarp&) const = default;
};

struct Scene {
  std::string launch;    ///< which of the run, and its kernel
  std::string decision;  ///< "warp 7 issues add.u32 %r1, %r2, %r3 (line 87, phase 2)"
  std::string reason;
  std::string moves;  ///< at the end of the cycle; may be empty
  std::optional<WarpId> issued;
  unsigned phase = 0;  ///< of the instruction issued, from 1
  /// queue_names() of them, each warp in its place.
  std::vector<std::vector<SceneWarp>> queues;

  bool operator==(const Scene&) const = default;
};

/// "ready, head first", ... of two levels; of a single level one row with its order.
std::vector<std::string> queue_names(const SchedulerConfig& config);

/// The scene of a cycle that `shadow` has entered.
Scene scene_of(const trace::Shadow& shadow, const trace::SchedulerStep& step,
               const trace::LaunchInfo& launch);

/// Makes scenes of the events of a core.
class Scenes final : public trace::Sink {
 public:
  /// Cycles from..to, both included, are alike.
  using Take = std::function<void(std::uint64_t from, std::uint64_t to, const Scene& scene)>;
  /// Of scheduler `number` of the core in `range`, in order. Cycles between launches have none.
  Scenes(const trace::RunInfo& run, unsigned number, const trace::CycleRange& range, Take take);

  void begin(const trace::LaunchInfo& launch) override;
  void step(const trace::CoreStep& step) override;
  void skipped(std::uint64_t from, std::uint64_t to) override;
  void end(std::uint64_t cycle) override;
  /// The last scene is passed on.
  void finish();
  /// No more scenes will come.
  [[nodiscard]] bool done() const { return next_ > range_.to; }
  /// That there were so far.
  [[nodiscard]] std::uint64_t cycles() const { return next_; }

 private:
  void add(std::uint64_t from, std::uint64_t to);

  unsigned number_;
  trace::CycleRange range_;
  Take take_;
  trace::LaunchInfo launch_;
  trace::Shadow shadow_;
  Scene now_;   ///< of the last cycle in the range
  Scene kept_;  ///< of from_..to_, not passed on yet
  std::uint64_t from_ = 0, to_ = 0;
  bool keeps_ = false;
  std::uint64_t next_ = 0;  ///< first cycle behind the events so far
};

}  // namespace paws::explain
