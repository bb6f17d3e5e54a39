// SPDX-License-Identifier: MIT
// Where the blocks of a launch come from that is not executed for its values.
#pragma once

#include <memory>

#include "sim/exec/resident_block.h"

namespace paws::exec {

/// Of one launch; lives as long as that runs.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  /// For one block slot of a core. Called by any thread.
  [[nodiscard]] virtual std::unique_ptr<ResidentBlock> make_block() const = 0;
};

}  // namespace paws::exec
