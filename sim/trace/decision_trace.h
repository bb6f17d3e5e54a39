// SPDX-License-Identifier: MIT
// Decision traces as files: written by `paws run --decisions`, read by everything that looks at a
// run afterwards. docs/guide/traces.md defines the format.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/trace/codec.h"
#include "sim/trace/events.h"
#include "sim/trace/parts.h"

namespace paws::trace {

/// Records cores into one file.
class DecisionWriter {
 public:
  /// Throws InputError if `path` cannot be written.
  DecisionWriter(const std::string& path, RunInfo run, std::vector<std::uint32_t> cores);

  /// Where the events of `cores[index]` go. One thread at a time per core.
  [[nodiscard]] Sink& sink(std::size_t index);
  /// Completes the file; `error` is why the run ended early, if it did. Without this call nothing
  /// is left behind. Throws InputError.
  void finish(const std::optional<std::string>& error);

 private:
  void write_chunk(std::size_t index, std::string_view bytes);

  RunInfo run_;
  std::vector<std::uint32_t> cores_;
  PartedFile file_;
  std::vector<std::unique_ptr<Encoder>> encoders_;
};

/// Whether `path` is a file that begins as a decision trace does.
bool is_decision_trace(const std::string& path);

class DecisionReader {
 public:
  /// Reads what the file says of itself and checks that it is complete. Throws InputError, with one
  /// line, for a file that is missing, foreign, of another version, or cut off.
  explicit DecisionReader(const std::string& path);
  ~DecisionReader();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const RunInfo& run() const { return run_; }
  /// Recorded cores, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& cores() const { return cores_; }
  /// Why the recorded run ended early, if it did.
  [[nodiscard]] const std::optional<std::string>& error() const { return error_; }

  /// The events of `core` from the beginning; independent of other decoders. Throws InputError if
  /// the core was not recorded.
  [[nodiscard]] Decoder open(std::uint32_t core) const;
  /// Passes all events of `core` to `sink`.
  void read(std::uint32_t core, Sink& sink) const;

 private:
  struct Chunk {
    std::uint64_t at;  ///< of the packed bytes in the file
    std::uint32_t raw, packed, checksum;
  };

  std::string path_;
  RunInfo run_;
  std::vector<std::uint32_t> cores_;
  std::optional<std::string> error_;
  std::map<std::uint32_t, std::vector<Chunk>> chunks_;
};

}  // namespace paws::trace
