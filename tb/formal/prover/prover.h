// SPDX-License-Identifier: MIT
// One question per assertion: can it be broken in a cycle, if assumptions hold until then?
//
// *Step*: the cycles before it are any in which all assertions hold. *Base*: they are the first
// ones. A question starts with the logic in front of its assertion alone. What is known besides
// (assumptions, the assertions of earlier cycles, those already proved of the same cycle) comes in
// when an answer breaks it: all of it at once does not end at 24 warps. Two forms of a question are
// tried: of the last cycle alone, where registers may hold anything, and of all cycles.
//
// Questions of one line of the properties are alike, so they share a solver for a while, and what
// proved the last one begins the next.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tb/formal/prover/aiger.h"

namespace paws::formal {

struct Task {
  std::uint32_t depth = 1;  ///< cycles before the one that is asked about
  bool base = false;        ///< from the first cycle, not from any
  bool alone = false;       ///< no assertion is known to another: they are opposites of covers
};

enum class Verdict {
  kProved,   ///< it holds
  kBroken,   ///< a trace breaks it and nothing that is known
  kUnknown,  ///< nothing is known after so many answers
};

/// The values of a trace, 0 or 1: one row per cycle, one value per variable of the graph.
using Trace = std::vector<std::vector<std::uint8_t>>;

/// Asks about assertions in turn; what is proved is known to the later ones.
class Prover {
 public:
  /// `classes`: a number per assertion, the same for those of one line; empty: they are one class.
  Prover(const Aiger& graph, Task task, std::vector<std::uint32_t> classes = {});
  ~Prover();

  /// Asks about assertion `index`; gives up after so many answers of the solver, each of which may
  /// take the longer the more they are.
  Verdict ask(std::uint32_t index, int answers);

  /// The trace of the last kBroken.
  [[nodiscard]] const Trace& trace() const;

  /// Whether any trace meets all assumptions: else every proof is empty.
  bool assumptions_can_hold();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace paws::formal
