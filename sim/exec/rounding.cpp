// SPDX-License-Identifier: MIT
#include "sim/exec/rounding.h"

#include <cfenv>

namespace paws::exec {
namespace {

class RoundingMode {
 public:
  explicit RoundingMode(ir::Round round) { std::fesetround(host_mode(round)); }
  ~RoundingMode() { std::fesetround(FE_TONEAREST); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;

 private:
  static int host_mode(ir::Round round) {
    switch (round) {
      case ir::Round::rz:
        return FE_TOWARDZERO;
      case ir::Round::rm:
        return FE_DOWNWARD;
      case ir::Round::rp:
        return FE_UPWARD;
      default:
        return FE_TONEAREST;
    }
  }
};

}  // namespace

// The call goes through a pointer, so no arithmetic of the handler can move out of the mode's
// reach.
void run_rounded(const Decoded& in, WarpContext& ctx) {
  const RoundingMode mode(in.ir->round);
  in.inner(in, ctx);
}

Handler directed(const ir::Instruction& in, Decoded& out, Handler handler) {
  const bool is_directed =
      in.round == ir::Round::rz || in.round == ir::Round::rm || in.round == ir::Round::rp;
  if (handler == nullptr || !is_directed) return handler;
  out.inner = handler;
  return &run_rounded;
}

}  // namespace paws::exec
