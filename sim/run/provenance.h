// SPDX-License-Identifier: MIT
// What made a result: the one list of it, which every file and every text of a run repeats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace paws {

struct SimulationRequest;

/// The version of the project (CMakeLists.txt).
std::string project_version();

struct Provenance {
  std::string version;
  std::string commit;  ///< "unknown" outside a git repository
  std::string workload;
  std::string gpu;       ///< preset or file
  std::string settings;  ///< those that differ from the preset, "key=value key=value"
  std::string size;      ///< of the launch description; empty: its default
  std::string defines;   ///< "name=value name=value"
  std::string seed;      ///< of random buffers; empty: unknown, or there are none
  std::string scheduler, engine, block_scheduler, throttle;

  /// By name, in this order, all of them.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> fields() const;
};

/// Of a request; `seed` is the one that the workload has in the end, if it has one. Throws
/// InputError as gpu_of().
Provenance provenance_of(const SimulationRequest& request, const std::string& workload,
                         std::optional<std::uint64_t> seed);

/// The same, each on its line, for comments: "# name: value". Empty ones are left out.
std::string as_comment(const Provenance& made_by);

/// The same in one line: "name: value, name: value".
std::string as_line(const Provenance& made_by);

/// A CSV table with a constant column for each field behind its own columns.
std::string with_provenance(const std::string& csv, const Provenance& made_by);

/// A field of CSV: in quotes where it needs them (RFC 4180).
std::string csv_field(const std::string& text);

}  // namespace paws
