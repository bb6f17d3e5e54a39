// SPDX-License-Identifier: MIT
#include "tb/formal/prover/aiger.h"

#include <array>
#include <cctype>
#include <cstddef>
#include <sstream>
#include <stdexcept>

namespace paws::formal {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::runtime_error("AIGER: " + why); }

std::string line_of(std::istream& file) {
  std::string line;
  if (!std::getline(file, line)) refuse("the file ends too early");
  return line;
}

Literal literal_of(const std::string& text, std::uint32_t variables) {
  std::istringstream words(text);
  Literal literal = 0;
  if (!(words >> literal) || literal / 2 >= variables) refuse("no literal of the graph: " + text);
  return literal;
}

/// A difference of literals: seven bits in each byte, the lowest first.
std::uint32_t difference_of(std::istream& file) {
  std::uint32_t value = 0;
  for (unsigned shift = 0; shift < 32; shift += 7) {
    const int byte = file.get();
    if (byte < 0) refuse("the file ends within the gates");
    value |= (static_cast<std::uint32_t>(byte) & 127U) << shift;
    if (byte < 128) return value;
  }
  refuse("a gate with a difference of more than 32 bits");
}

void read_names(std::istream& file, Aiger& graph) {
  graph.input_names.resize(graph.inputs);
  graph.latch_names.resize(graph.latches.size());
  std::string line;
  while (std::getline(file, line) && line != "c") {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || space < 2 ||
        std::isdigit(static_cast<unsigned char>(line[1])) == 0) {
      refuse("no symbol: " + line);
    }
    auto* names = line[0] == 'i'   ? &graph.input_names
                  : line[0] == 'l' ? &graph.latch_names
                                   : nullptr;
    const std::size_t index = std::stoul(line.substr(1, space - 1));
    if (names == nullptr) continue;
    if (index >= names->size()) refuse("a symbol of nothing: " + line);
    (*names)[index] = line.substr(space + 1);
  }
}

}  // namespace

std::uint32_t Aiger::variables() const {
  return 1 + inputs + static_cast<std::uint32_t>(latches.size() + ands.size());
}
bool Aiger::is_input(std::uint32_t variable) const { return variable >= 1 && variable <= inputs; }
bool Aiger::is_latch(std::uint32_t variable) const {
  return variable > inputs && variable <= inputs + latches.size();
}
const Latch& Aiger::latch(std::uint32_t variable) const { return latches[variable - inputs - 1]; }
const And& Aiger::gate(std::uint32_t variable) const {
  return ands[variable - inputs - latches.size() - 1];
}

Aiger read_aiger(std::istream& file) {
  std::istringstream header(line_of(file));
  std::string kind;
  // Variables, inputs, latches, outputs, gates; bad, constraints, justice, fairness.
  std::array<std::uint32_t, 9> count{};
  header >> kind;
  for (auto& value : count) header >> value;
  if (kind != "aig") refuse("a file that does not begin with 'aig'");
  const auto [variables, inputs, latches, outputs, ands, bad, constraints, justice, fairness] =
      count;
  if (variables != inputs + latches + ands) refuse("the counts of the header do not add up");
  if (justice != 0 || fairness != 0) refuse("justice and fairness are not known here");

  Aiger graph;
  graph.inputs = inputs;
  for (std::uint32_t i = 0; i < latches; i++) {
    const std::string line = line_of(file);
    const Literal own = 2 * (1 + inputs + i);
    std::istringstream words(line);
    Literal next = 0, initial = 0;
    words >> next;
    words >> initial;  // left out: 0
    if (initial > 1 && initial != own) refuse("no first value of a latch: " + line);
    graph.latches.push_back({literal_of(line, variables + 1), initial == own, initial == 1});
  }
  for (std::uint32_t i = 0; i < outputs; i++) line_of(file);
  for (std::uint32_t i = 0; i < bad; i++)
    graph.bad.push_back(literal_of(line_of(file), variables + 1));
  for (std::uint32_t i = 0; i < constraints; i++) {
    graph.constraints.push_back(literal_of(line_of(file), variables + 1));
  }
  for (std::uint32_t i = 0; i < ands; i++) {
    const Literal own = 2 * (1 + inputs + latches + i);
    const std::uint32_t first = difference_of(file);
    if (first == 0 || first > own) refuse("a gate that depends on itself");
    const Literal left = own - first;
    const std::uint32_t second = difference_of(file);
    if (second > left) refuse("a gate without its second operand");
    graph.ands.push_back({left, left - second});
  }
  read_names(file, graph);
  return graph;
}

}  // namespace paws::formal
