// SPDX-License-Identifier: MIT
// The sub-warp packer of a core with large warps: cuts the active threads of a large warp into
// sub-warps of at most one thread per lane, one sub-warp in a cycle (Narasiman et al., MICRO 2011,
// section 3.1).
#pragma once

#include <cstdint>
#include <memory>

#include "model/large_warp.h"

namespace paws {

/// How sub-warps are formed; the codes of load_mode_i.
enum class PackMode : std::uint8_t {
  packed,  ///< each lane gives the thread of its lowest row that is left
  rows,    ///< the lowest row that is left (accesses to global memory)
  once,    ///< as packed, but the first sub-warp is the only one (unconditional jumps)
};
inline constexpr unsigned kPackModes = 3;

struct SubwarpPackerConfig {
  unsigned lanes = 32;  ///< 1 to 32
  unsigned rows = 8;    ///< 1 to 32
  unsigned modes = 7;   ///< those that exist, bit m for code m; `packed` always does
  bool operator==(const SubwarpPackerConfig&) const = default;
};

/// One cycle.
struct SubwarpPackerInputs {
  bool load_valid = false;  ///< a large warp comes: promised only after a cycle without `busy`
  PackMode load_mode = PackMode::packed;
  LargeWarpMask load_mask{};  ///< its active threads: promised not to be empty
  bool take = true;           ///< the back end accepts the sub-warp of the cycle
  bool operator==(const SubwarpPackerInputs&) const = default;
};

struct SubwarpPackerOutputs {
  bool valid = false;  ///< there is a sub-warp
  LaneBits mask = 0;   ///< its lanes
  LaneRows row{};      ///< of each lane's thread
  bool last = false;   ///< it is the last of its large warp
  bool busy = false;   ///< the next cycle must not bring a large warp
  bool operator==(const SubwarpPackerOutputs&) const = default;
};

/// A cycle is decide(), which may be repeated with other inputs, followed by commit(), the clock
/// edge, which uses the inputs of the last decide(). The first sub-warp is there in the cycle of
/// the load. A sub-warp that is not taken stays as it is.
class SubwarpPacker {
 public:
  virtual ~SubwarpPacker() = default;
  virtual void reset() = 0;  ///< nothing is loaded
  virtual SubwarpPackerOutputs decide(const SubwarpPackerInputs& inputs) = 0;
  virtual void commit() = 0;
};

/// The golden model. Throws std::logic_error for a configuration that cannot be.
std::unique_ptr<SubwarpPacker> make_subwarp_packer(const SubwarpPackerConfig& config);

}  // namespace paws
