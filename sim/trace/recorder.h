// SPDX-License-Identifier: MIT
// Turns what a core shows its observer into the events of a trace.
//
// Which cycles a core steps is the simulator's business (skipping on or off, windows of host
// threads); the trace must not tell. So a step in which nothing can have changed, issue_en aside,
// counts as skipped here, and stretches that meet are one.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "sim/core/observer.h"
#include "sim/ir/kernel.h"
#include "sim/trace/events.h"

namespace paws::trace {

class Recorder final : public core::CoreObserver {
 public:
  /// `sinks` outlive the recorder. It writes to nothing else.
  explicit Recorder(std::vector<Sink*> sinks) : sinks_(std::move(sinks)) {}

  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t cycle) override;
  void decided(const core::SchedulerView& view) override;
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void stepped(std::uint64_t cycle) override;
  void skipped(std::uint64_t from, std::uint64_t to) override;
  void end(std::uint64_t cycle) override;

 private:
  /// Passes the skipped stretch on, if there is one.
  void flush();

  std::vector<Sink*> sinks_;
  const core::Core* core_ = nullptr;
  /// By kernel name: launches of one kernel share what is told of it.
  std::map<std::string, std::shared_ptr<const KernelInfo>> kernels_;
  std::uint32_t launches_ = 0;
  CoreStep step_;
  CoreStep last_;  ///< the last one passed on, or the state after reset
  std::uint64_t skipped_from_ = 0, skipped_to_ = 0;
};

}  // namespace paws::trace
