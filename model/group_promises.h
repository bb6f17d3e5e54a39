// SPDX-License-Identifier: MIT
// What the host promises about the groups of warps that SCA looks at
// (docs/reference/microarchitecture.md, "Promises of the host").
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "model/live_warps.h"
#include "model/scheduler.h"

namespace paws {

class GroupPromises {
 public:
  struct Broken {
    std::string what;
    WarpId warp = 0;
  };

  void clear() { known_ = 0; }
  /// The inputs of a decide(); those of the last one count.
  void see(const SchedulerInputs& inputs) { seen_ = {inputs.pair, inputs.row, inputs.second}; }
  /// Ends a cycle in which `live` were the live warps: what is wrong with their places, or nothing.
  std::optional<Broken> check(const SchedulerConfig& config, const LiveWarps& live);

 private:
  /// Where each warp is.
  struct Places {
    std::array<std::uint8_t, kMaxWarps> pair{};
    std::array<std::uint8_t, kMaxWarps> row{};
    WarpMask second = 0;

    [[nodiscard]] bool has_at(WarpId warp, const Places& others, WarpId other) const;
    bool operator==(const Places&) const = default;
  };

  Places seen_;
  Places fixed_;        // of the warps in known_
  WarpMask known_ = 0;  // warps that were live in an earlier cycle
};

}  // namespace paws
