// SPDX-License-Identifier: MIT
#include "tb/formal/prover/waves.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace paws::formal {
namespace {

using Bits = std::map<std::size_t, std::uint32_t>;  ///< variable of the graph, by index

/// The signals of a graph, by name.
std::map<std::string, Bits> signals(const Aiger& graph) {
  std::map<std::string, Bits> found;
  const auto add = [&](const std::string& name, std::uint32_t variable) {
    if (name.empty()) return;
    const std::size_t bracket = name.rfind('[');
    if (bracket == std::string::npos || name.back() != ']') {
      found[name][0] = variable;
    } else {
      found[name.substr(0, bracket)][std::stoul(name.substr(bracket + 1))] = variable;
    }
  };
  std::uint32_t variable = 1;
  for (const auto& name : graph.input_names) add(name, variable++);
  for (const auto& name : graph.latch_names) add(name, variable++);
  return found;
}

}  // namespace

void write_waves(const Aiger& graph, const Trace& trace, std::ostream& file) {
  const auto found = signals(graph);
  file << "$timescale 1ns $end\n$scope module top $end\n";
  std::size_t number = 0;
  for (const auto& [name, bits] : found) {
    const std::size_t width = bits.rbegin()->first + 1;
    file << "$var wire " << width << " n" << number++ << ' ' << name;
    if (width > 1) file << " [" << width - 1 << ":0]";
    file << " $end\n";
  }
  file << "$upscope $end\n$enddefinitions $end\n";
  for (std::size_t cycle = 0; cycle < trace.size(); cycle++) {
    file << '#' << cycle << '\n';
    number = 0;
    for (const auto& [name, bits] : found) {
      std::string value(bits.rbegin()->first + 1, 'x');  // a bit that the graph does not have
      for (const auto& [index, variable] : bits) {
        value[value.size() - 1 - index] = trace[cycle][variable] != 0 ? '1' : '0';
      }
      file << 'b' << value << " n" << number++ << '\n';
    }
  }
  file << '#' << trace.size() << '\n';
}

}  // namespace paws::formal
