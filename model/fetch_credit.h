// SPDX-License-Identifier: MIT
// Fetch credits: counts the free places in the i-buffer of each warp, so that a front end fetches
// only what has a place (docs/reference/host_modules.md, "Fetch credits").
#pragma once

#include <memory>

#include "model/scheduler.h"

namespace paws {

struct FetchCreditConfig {
  unsigned warps = 8;  ///< 1 to 64
  unsigned depth = 2;  ///< places in the i-buffer of a warp, 1 to 255
};

struct FetchCreditInputs {
  bool fetch_valid = false;  ///< an instruction of fetch_warp is fetched
  WarpId fetch_warp = 0;
  WarpMask taken = 0;  ///< an instruction leaves the i-buffer of the warp
  WarpMask flush = 0;  ///< the i-buffer becomes empty, and what was fetched is dropped
};

struct FetchCreditOutputs {
  WarpMask may_fetch = 0;  ///< the warp has a free place
};

/// A cycle is decide(), which may be repeated with other inputs, followed by commit(), the clock
/// edge, which uses the inputs of the last decide() and throws std::logic_error if they break a
/// promise. The output is of the state alone.
class FetchCredit {
 public:
  virtual ~FetchCredit() = default;
  virtual void reset() = 0;  ///< all places are free
  virtual FetchCreditOutputs decide(const FetchCreditInputs& inputs) = 0;
  virtual void commit() = 0;
};

/// The golden model.
std::unique_ptr<FetchCredit> make_fetch_credit(const FetchCreditConfig& config);

}  // namespace paws
