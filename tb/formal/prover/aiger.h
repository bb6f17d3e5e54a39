// SPDX-License-Identifier: MIT
// And-inverter graphs as Yosys writes them (write_aiger -ascii -symbols): AIGER 1.9.
//
// Source: A. Biere, K. Heljanko, S. Wieringa, AIGER 1.9 And Beyond, Johannes Kepler University
// Linz, 2011.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <ostream>
#include <sstream>
#include <stdexcept>
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

inline void require(bool holds, const std::string& else_what) {
  if (!holds) throw std::runtime_error("AIGER: " + else_what);
}

inline std::istringstream line_of(std::istream& file) {
  std::string line;
  require(static_cast<bool>(std::getline(file, line)), "the file ends too early");
  return std::istringstream(line);
}

inline Literal literal_of(std::istream& words, std::uint32_t variables) {
  Literal literal = 0;
  require((words >> literal) && literal / 2 <= variables, "no literal of the graph");
  return literal;
}

/// Throws std::runtime_error that says what is wrong with the file, or which part is not known.
[[nodiscard]] inline Aiger read_aiger(std::istream& file) {
  std::istringstream header = line_of(file);
  std::string kind;
  // Variables, inputs, latches, outputs, gates; bad, constraints, justice, fairness.
  std::array<std::uint32_t, 9> count{};
  header >> kind;
  for (auto& value : count) header >> value;
  require(kind == "aag", "a file that does not begin with 'aag'");
  const auto [variables, inputs, latches, outputs, ands, bad, constraints, justice, fairness] =
      count;
  require(variables == inputs + latches + ands, "the counts of the header do not add up");
  require(justice == 0 && fairness == 0, "justice and fairness are not known here");

  Aiger graph;
  graph.inputs = inputs;
  for (std::uint32_t i = 0; i < inputs; i++) line_of(file);
  for (std::uint32_t i = 0; i < latches; i++) {
    std::istringstream words = line_of(file);
    Literal initial = 0;  // left out: 0
    literal_of(words, variables);
    const Literal next = literal_of(words, variables);
    words >> initial;
    graph.latches.push_back({next, initial > 1, initial == 1});
  }
  for (std::uint32_t i = 0; i < outputs; i++) line_of(file);
  for (std::uint32_t i = 0; i < bad + constraints; i++) {
    std::istringstream words = line_of(file);
    (i < bad ? graph.bad : graph.constraints).push_back(literal_of(words, variables));
  }
  for (std::uint32_t i = 0; i < ands; i++) {
    std::istringstream words = line_of(file);
    const Literal own = literal_of(words, variables), left = literal_of(words, variables);
    graph.ands.push_back({left, literal_of(words, variables)});
    require(own / 2 + 1 == graph.variables() && std::max(left, graph.ands.back().right) < own,
            "a gate that does not follow its operands");
  }
  graph.input_names.resize(inputs);
  graph.latch_names.resize(latches);
  for (std::string line; std::getline(file, line) && line != "c";) {
    auto& names = line[0] == 'i' ? graph.input_names : graph.latch_names;
    std::istringstream words(line.substr(1));
    std::size_t index = 0;
    words >> index;
    if (line[0] != 'i' && line[0] != 'l') continue;
    require(words && index < names.size(), "a symbol of nothing: " + line);
    words >> names[index];
  }
  return graph;
}

/// Writes inputs and latches that have a name as a VCD, bit by bit: viewers make vectors of
/// `name [i]`.
inline void write_waves(const Aiger& graph, const Trace& trace, std::ostream& file) {
  std::vector<std::string> names{""};  // by variable
  for (const auto* some : {&graph.input_names, &graph.latch_names})
    names.insert(names.end(), some->begin(), some->end());
  file << "$timescale 1ns $end\n$scope module top $end\n";
  for (std::size_t variable = 0; variable < names.size(); variable++) {
    std::string name = names[variable];
    if (name.empty()) continue;
    if (name.ends_with(']')) name.insert(name.rfind('['), 1, ' ');
    file << "$var wire 1 n" << variable << ' ' << name << " $end\n";
  }
  file << "$upscope $end\n$enddefinitions $end\n";
  for (std::size_t cycle = 0; cycle < trace.size(); cycle++) {
    file << '#' << cycle << '\n';
    for (std::size_t variable = 0; variable < names.size(); variable++) {
      if (!names[variable].empty())
        file << (trace[cycle][variable] != 0 ? "1n" : "0n") << variable << '\n';
    }
  }
  file << '#' << trace.size() << '\n';
}

}  // namespace paws::formal
