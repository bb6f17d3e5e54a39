// SPDX-License-Identifier: MIT
#include "sim/riscv/machine_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace paws::riscv {
namespace {

std::pair<std::uint32_t, std::uint32_t> extremes(const Function& function) {
  const auto [low, high] = std::ranges::minmax_element(function.phases, {}, &Phase::length);
  return {low->length, high->length};
}

}  // namespace

std::size_t unknown_instructions(const Function& function) {
  return static_cast<std::size_t>(
      std::ranges::count(function.code, Kind::other, &Instruction::kind));
}

nlohmann::json phase_report(const Function& function) {
  nlohmann::json phases = nlohmann::json::array();
  for (std::size_t i = 0; i < function.phases.size(); ++i) {
    const Phase& phase = function.phases[i];
    phases.push_back({{"phase", i + 1},
                      {"first", function.code[phase.first].address},
                      {"last", function.code[phase.last].address},
                      {"instructions", phase.last - phase.first + 1},
                      {"length", phase.length}});
  }
  const auto [shortest, longest] = extremes(function);
  return {{"function", function.name},
          {"address", function.code.front().address},
          {"instructions", function.code.size()},
          {"unknown", unknown_instructions(function)},
          {"phases", std::move(phases)},
          {"longest", longest},
          {"shortest", shortest}};
}

std::string phase_table(const Function& function, bool verbose) {
  std::string text;
  const auto out = std::back_inserter(text);
  const auto [shortest, longest] = extremes(function);
  fmt::format_to(out, "{}: {} instructions, {} phases, longest {}, shortest {} cycles\n\n",
                 function.name, function.code.size(), function.phases.size(), longest, shortest);
  fmt::format_to(out, "{:>5} {:>21} {:>12} {:>6}\n", "phase", "addresses", "count", "length");
  for (std::size_t i = 0; i < function.phases.size(); ++i) {
    const Phase& phase = function.phases[i];
    fmt::format_to(out, "{:>5} {:>21} {:>12} {:>6}\n", i + 1,
                   fmt::format("{:x}-{:x}", function.code[phase.first].address,
                               function.code[phase.last].address),
                   phase.last - phase.first + 1, phase.length);
  }
  if (!verbose) return text;
  fmt::format_to(out, "\n{:>10} {:>7} {:>5} {:>6} {:>8}  {}\n", "address", "latency", "phase",
                 "length", "distance", "instruction");
  for (const Instruction& instruction : function.code) {
    fmt::format_to(out, "{:>10x} {:>7} {:>5} {:>6} {:>8} {}{}\n", instruction.address,
                   instruction.latency, instruction.phase + 1,
                   function.phases[instruction.phase].length, instruction.distance,
                   instruction.long_op ? "*" : " ", instruction.text);
  }
  return text;
}

std::string annotations(const std::vector<Function>& functions) {
  std::string text = "address,length,distance,begins\n";
  for (const Function& function : functions) {
    for (std::size_t i = 0; i < function.code.size(); ++i) {
      const Instruction& instruction = function.code[i];
      const Phase& phase = function.phases[instruction.phase];
      fmt::format_to(std::back_inserter(text), "{:#x},{},{},{}\n", instruction.address,
                     phase.length, instruction.distance, phase.first == i ? 1 : 0);
    }
  }
  return text;
}

}  // namespace paws::riscv
