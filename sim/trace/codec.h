// SPDX-License-Identifier: MIT
// The events of one core as bytes: delta-coded, about three bytes per scheduler and cycle before
// compression. docs/guide/traces.md, "The format of a decision trace", is the definition;
// kFormatVersion changes with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/events.h"

namespace paws::trace {

inline constexpr std::uint32_t kFormatVersion = 5;

/// Writes events to bytes. Each time some 256 KiB have come together, and in close(), they go to
/// `take`.
class Encoder final : public Sink {
 public:
  using Take = std::function<void(std::string_view bytes)>;
  Encoder(const RunInfo& run, Take take);

  void begin(const LaunchInfo& launch) override;
  void step(const CoreStep& step) override;
  void skipped(std::uint64_t from, std::uint64_t to) override;
  void end(std::uint64_t cycle) override;
  /// Nothing follows.
  void close();

 private:
  void number(std::uint64_t value);
  void text(const std::string& value);
  void kernel(const KernelInfo& kernel);
  void scheduler(SchedulerStep& before, const SchedulerStep& now);
  std::uint8_t warps(const WarpLevels& before, const WarpLevels& now, std::string& into) const;
  void flush_if_full();

  RunInfo run_;
  Take take_;
  std::string bytes_;
  std::string changes_;  ///< scratch
  std::map<const KernelInfo*, std::uint64_t> kernels_;
  std::vector<std::shared_ptr<const KernelInfo>> kept_;  ///< so that no address comes twice
  std::vector<SchedulerStep> last_;
};

/// Reads them back.
class Decoder {
 public:
  /// `more` gives the next piece of bytes, empty at the end. `file` is for messages.
  Decoder(const RunInfo& run, std::string file, std::function<std::string()> more);

  /// Passes the next event to `sink`; false when there is none. Throws InputError for what no
  /// encoder wrote.
  bool next(Sink& sink);
  /// That the events so far are of.
  [[nodiscard]] std::uint64_t cycles() const { return cycle_; }

 private:
  /// Whether there is a byte.
  bool more();
  std::uint8_t byte();
  std::uint64_t number();
  WarpMask mask();
  std::string text();
  void kernel();
  void scheduler(SchedulerStep& step);
  void warps(WarpLevels& levels);
  [[noreturn]] void fail(const std::string& cause) const;

  RunInfo run_;
  std::string file_;
  std::function<std::string()> more_;
  std::string bytes_;
  std::size_t at_ = 0;
  std::vector<std::shared_ptr<const KernelInfo>> kernels_;
  std::uint32_t launches_ = 0;
  bool running_ = false;       ///< between begin and end
  std::uint64_t cycle_ = 0;    ///< of the next event
  std::size_t code_size_ = 0;  ///< of the launch's kernel
  CoreStep step_;
};

}  // namespace paws::trace
