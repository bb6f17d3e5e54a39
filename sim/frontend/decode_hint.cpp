// SPDX-License-Identifier: MIT
#include <array>

#include "sim/frontend/decode_warp_data.h"
#include "sim/frontend/modifier_reader.h"

namespace paws::frontend {
namespace {

struct Hint {
  std::string_view root;
  std::string_view first;  ///< modifier; empty: any
  unsigned operands;
};
/// A launch starts when those before it are done, registers are given once and for all, and caches
/// have one policy.
constexpr std::array kHints{
    Hint{"griddepcontrol", "wait", 0},
    Hint{"griddepcontrol", "launch_dependents", 0},
    Hint{"setmaxnreg", "inc", 1},
    Hint{"setmaxnreg", "dec", 1},
    Hint{"discard", "", 2},
    Hint{"applypriority", "", 2},
};

}  // namespace

std::optional<Decoded> decode_hint(const ptx::Instruction& source, const std::string& file) {
  Decoded decoded;
  decoded.instruction.line = source.line;
  ModifierReader reader(source, file);
  if (source.root == "createpolicy") {
    decoded.pseudo = Decoded::Pseudo::policy;
    decoded.instruction.op = ir::Op::mov;
    decoded.instruction.type = ir::Type::b64;
    if (!reader.take("fractional") && !reader.take("range") && !reader.take("cvt")) {
      reader.unsupported("expected .fractional, .range or .cvt");
    }
    return decoded;
  }
  bool known = false;
  for (const Hint& hint : kHints) {
    if (hint.root != source.root) continue;
    known = true;
    if (!hint.first.empty() && hint.first != reader.peek()) continue;
    decoded.min_sources = decoded.max_sources = hint.operands;
    return decoded;
  }
  if (known) reader.unsupported(fmt::format(".{} is not modelled", reader.peek()));
  return std::nullopt;
}

}  // namespace paws::frontend
