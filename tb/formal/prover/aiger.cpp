// SPDX-License-Identifier: MIT
#include "tb/formal/prover/aiger.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <sstream>
#include <stdexcept>

namespace paws::formal {
namespace {

void require(bool holds, const std::string& else_what) {
  if (!holds) throw std::runtime_error("AIGER: " + else_what);
}

std::istringstream line_of(std::istream& file) {
  std::string line;
  require(static_cast<bool>(std::getline(file, line)), "the file ends too early");
  return std::istringstream(line);
}

Literal literal_of(std::istream& words, std::uint32_t variables) {
  Literal literal = 0;
  require((words >> literal) && literal / 2 <= variables, "no literal of the graph");
  return literal;
}

}  // namespace

Aiger read_aiger(std::istream& file) {
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
  const auto read = [&](std::uint32_t number, std::vector<Literal>& literals) {
    while (literals.size() < number) {
      std::istringstream words = line_of(file);
      literals.push_back(literal_of(words, variables));
    }
  };
  read(bad, graph.bad);
  read(constraints, graph.constraints);
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

void write_waves(const Aiger& graph, const Trace& trace, std::ostream& file) {
  std::map<std::string, std::map<std::size_t, std::uint32_t>> signals;  // variables, by index
  std::uint32_t variable = 1;
  for (const auto* names : {&graph.input_names, &graph.latch_names}) {
    for (const std::string& name : *names) {
      const std::size_t bracket = name.ends_with(']') ? name.rfind('[') : std::string::npos;
      const bool vector = bracket != std::string::npos;
      auto& bits = signals[name.substr(0, bracket)];
      bits[vector ? std::stoul(name.substr(bracket + 1)) : 0] = variable++;
    }
  }
  signals.erase("");
  file << "$timescale 1ns $end\n$scope module top $end\n";
  std::size_t number = 0;
  for (const auto& [name, bits] : signals) {
    const std::size_t width = bits.rbegin()->first + 1;
    file << "$var wire " << width << " n" << number++ << ' ' << name;
    if (width > 1) file << " [" << width - 1 << ":0]";
    file << " $end\n";
  }
  file << "$upscope $end\n$enddefinitions $end\n";
  for (std::size_t cycle = 0; cycle < trace.size(); cycle++) {
    file << '#' << cycle << '\n';
    number = 0;
    for (const auto& [name, bits] : signals) {
      std::string value(bits.rbegin()->first + 1, 'x');  // a bit that the graph does not have
      for (const auto& [index, of] : bits)
        value[value.size() - 1 - index] = trace[cycle][of] != 0 ? '1' : '0';
      file << 'b' << value << " n" << number++ << '\n';
    }
  }
  file << '#' << trace.size() << '\n';
}

}  // namespace paws::formal
