// SPDX-License-Identifier: MIT
// And-inverter graphs as Yosys writes them (write_aiger -ascii -symbols): AIGER 1.9.
//
// Source: A. Biere, K. Heljanko, S. Wieringa, AIGER 1.9 And Beyond, Johannes Kepler University
// Linz, 2011.
#pragma once

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

namespace paws::formal {

/// Twice a variable, plus 1 if it is inverted; 0 is false and 1 is true.
using Literal = std::uint32_t;

struct Latch {
  Literal next = 0;      ///< of the following cycle
  bool free = false;     ///< holds anything in the first cycle
  bool initial = false;  ///< else what it holds there
};

struct And {
  Literal left = 0, right = 0;
};

/// Variables are numbered: the constant 0, then inputs, latches and gates, operands before their
/// gate.
struct Aiger {
  std::uint32_t inputs = 0;
  std::vector<Latch> latches;
  std::vector<And> ands;
  std::vector<Literal> bad;                           ///< true where an assertion is broken
  std::vector<Literal> constraints;                   ///< true where an assumption holds
  std::vector<std::string> input_names, latch_names;  ///< empty: it has none

  [[nodiscard]] std::uint32_t first_gate() const {
    return 1 + inputs + static_cast<std::uint32_t>(latches.size());
  }
  [[nodiscard]] std::uint32_t variables() const {
    return first_gate() + static_cast<std::uint32_t>(ands.size());
  }
};

/// The values of a trace, 0 or 1: one row per cycle, one value per variable of the graph.
using Trace = std::vector<std::vector<std::uint8_t>>;

/// Throws std::runtime_error that says what is wrong with the file, or which part is not known.
[[nodiscard]] Aiger read_aiger(std::istream& file);

/// Writes inputs and latches that have a name as a VCD; bits `name[i]` become one vector.
void write_waves(const Aiger& graph, const Trace& trace, std::ostream& file);

}  // namespace paws::formal
