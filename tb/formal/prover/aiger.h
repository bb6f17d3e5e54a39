// SPDX-License-Identifier: MIT
// And-inverter graphs as Yosys writes them (write_aiger -symbols): binary AIGER 1.9.
//
// Source: A. Biere, K. Heljanko, S. Wieringa, AIGER 1.9 And Beyond, Johannes Kepler University
// Linz, 2011.
#pragma once

#include <cstdint>
#include <istream>
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

  [[nodiscard]] std::uint32_t variables() const;
  [[nodiscard]] bool is_input(std::uint32_t variable) const;
  [[nodiscard]] bool is_latch(std::uint32_t variable) const;
  [[nodiscard]] const Latch& latch(std::uint32_t variable) const;
  [[nodiscard]] const And& gate(std::uint32_t variable) const;
};

/// Throws std::runtime_error that says what is wrong with the file, or which part is not known
/// here.
[[nodiscard]] Aiger read_aiger(std::istream& file);

}  // namespace paws::formal
