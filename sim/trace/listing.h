// SPDX-License-Identifier: MIT
// Decision traces as text.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/trace/events.h"
#include "sim/trace/shadow.h"

namespace paws::trace {

struct ListingOptions {
  std::uint64_t from = 0;
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max();  ///< inclusive
  std::optional<unsigned> scheduler;                             ///< none: all
  bool verbose = false;  ///< disabled cycles in which nothing moves too, and inputs and queues
};

/// One line per scheduler and cycle: decision, reason, instruction, movements between the queues.
class Listing final : public Sink {
 public:
  using Print = std::function<void(const std::string& line)>;
  Listing(const RunInfo& run, const ListingOptions& options, Print print);

  void begin(const LaunchInfo& launch) override;
  void step(const CoreStep& step) override;
  void skipped(std::uint64_t from, std::uint64_t to) override;
  void end(std::uint64_t cycle) override;
  /// Nothing more will be printed.
  [[nodiscard]] bool done() const { return done_; }

 private:
  void line(const CoreStep& step, unsigned number);

  RunInfo run_;
  ListingOptions options_;
  Print print_;
  LaunchInfo launch_;
  std::vector<Shadow> shadows_;
  bool done_ = false;
};

/// One line of ports (port_line()) per scheduler and cycle, for test benches in other languages.
/// rst_ni is 0 in the cycle before a launch. Every cycle has a line, skipped ones too.
class PortListing final : public Sink {
 public:
  using Print = Listing::Print;
  PortListing(const RunInfo& run, const ListingOptions& options, unsigned policy_code, Print print);

  void begin(const LaunchInfo& launch) override;
  void step(const CoreStep& step) override;
  void skipped(std::uint64_t from, std::uint64_t to) override;
  void end(std::uint64_t /*cycle*/) override {}
  [[nodiscard]] bool done() const { return done_; }

 private:
  void line(std::uint64_t cycle, unsigned number, const SchedulerStep& step, bool reset) const;

  RunInfo run_;
  ListingOptions options_;
  unsigned policy_code_;
  Print print_;
  CoreStep last_;
  bool done_ = false;
};

}  // namespace paws::trace
