// SPDX-License-Identifier: MIT
// What a check of a kernel finds: one entry per instruction and kind, with its first occurrence.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/exec/warp_executor.h"
#include "sim/ir/kernel.h"

namespace paws::sanitize {

/// docs/guide/check.md defines each.
enum class Kind : std::uint8_t {
  uninitialised_shared_read,
  shared_race,
  undefined_shuffle,
  divergent_barrier,
  division_by_zero,
  global_race
};
inline constexpr std::size_t kKinds = 6;
/// As in JSON: "shared-race".
std::string to_string(Kind kind);

/// Whether it may be what the author wants, so that a run with it does not fail.
inline bool is_warning(Kind kind) { return kind == Kind::global_race; }

/// "(x,y,z)"
std::string to_string(const exec::Dim3& at);

/// A line of PTX, and the line of the source that it comes from, where the PTX says so.
struct Place {
  std::uint32_t line = 0;   ///< of the PTX file
  std::string source_file;  ///< empty: not known
  std::uint32_t source_line = 0;
};
Place place_of(const ir::Kernel& kernel, std::uint32_t pc);
/// "line 61 (softmax.cu:24)"
std::string to_string(const Place& place);

/// The other side of a finding: of a race in shared memory the earlier access, of one in global
/// memory the one that writes.
struct Other {
  Place place;
  exec::Dim3 thread;
  std::optional<exec::Dim3> block{};  ///< none: that of the finding
};

struct Finding {
  Kind kind{};
  std::string kernel;
  std::string file;  ///< PTX
  Place place;
  std::uint64_t launch = 0;  ///< of the first occurrence, from 1
  exec::Dim3 block;
  exec::Dim3 thread;
  std::optional<std::uint64_t> address;  ///< global, or of shared memory the block's byte
  std::string cause;
  std::optional<Other> other;
  std::uint64_t count = 0;  ///< occurrences: executions by one thread
};
/// One line: PTX position, kernel, block, thread, cause, count.
std::string to_string(const Finding& finding);

/// The findings of a run, in order of kernel launch and PTX line.
struct Report {
  std::vector<Finding> findings;
  /// No finding but warnings.
  [[nodiscard]] bool clean() const;
};
/// "no findings", "3 findings: 2 shared-race, 1 undefined-shuffle"
std::string summary(const Report& report);

}  // namespace paws::sanitize
