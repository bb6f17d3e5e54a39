// SPDX-License-Identifier: MIT
#include "sim/frontend/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/ir/disassemble.h"

namespace paws::frontend {
namespace {

/// Smallest and largest PTX line of a phase: scheduling leaves no order among lines.
std::pair<std::uint32_t, std::uint32_t> lines_of(const ir::Kernel& kernel, const ir::Phase& phase) {
  const auto first = kernel.code.begin() + phase.first;
  const auto last = kernel.code.begin() + phase.last + 1;
  const auto [low, high] = std::minmax_element(
      first, last, [](const auto& a, const auto& b) { return a.line < b.line; });
  return {low->line, high->line};
}

std::pair<std::uint32_t, std::uint32_t> extremes(const ir::Kernel& kernel) {
  if (kernel.phases.empty()) return {0, 0};
  const auto [low, high] =
      std::minmax_element(kernel.phases.begin(), kernel.phases.end(),
                          [](const auto& a, const auto& b) { return a.length < b.length; });
  return {low->length, high->length};
}

}  // namespace

nlohmann::json phase_report(const ir::Kernel& kernel, bool codes) {
  nlohmann::json phases = nlohmann::json::array();
  for (std::size_t i = 0; i < kernel.phases.size(); ++i) {
    const ir::Phase& phase = kernel.phases[i];
    const auto [first_line, last_line] = lines_of(kernel, phase);
    phases.push_back({{"phase", i + 1},
                      {"first", phase.first},
                      {"last", phase.last},
                      {"first_line", first_line},
                      {"last_line", last_line},
                      {"instructions", phase.last - phase.first + 1},
                      {"length", phase.length}});
    if (codes) phases.back()["code"] = phase.code;
  }
  const auto [shortest, longest] = extremes(kernel);
  return {{"kernel", kernel.name},
          {"file", kernel.file},
          {"instructions", kernel.code.size()},
          {"registers_per_thread", kernel.registers_per_thread},
          {"spilled_registers", kernel.spilled_registers},
          {"register_bound", kernel.register_bound},
          {"shared_bytes", kernel.shared_bytes},
          {"local_bytes", kernel.local_bytes},
          {"phases", std::move(phases)},
          {"longest", longest},
          {"shortest", shortest}};
}

std::string phase_table(const ir::Kernel& kernel, bool verbose, bool codes) {
  std::string text;
  const auto out = std::back_inserter(text);
  const auto [shortest, longest] = extremes(kernel);
  fmt::format_to(out, "{}: {} instructions, {} phases, longest {}, shortest {} cycles\n",
                 kernel.name, kernel.code.size(), kernel.phases.size(), longest, shortest);
  fmt::format_to(out, "{} registers per thread{}, {} bytes shared, {} bytes local\n\n",
                 kernel.registers_per_thread,
                 kernel.spilled_registers == 0
                     ? ""
                     : fmt::format(" ({} more spilled; bound: {})", kernel.spilled_registers,
                                   kernel.register_bound),
                 kernel.shared_bytes, kernel.local_bytes);
  const auto code = [codes](const auto& entry) {
    return codes ? fmt::format(" {:>4}", entry) : std::string();
  };
  fmt::format_to(out, "{:>5} {:>13} {:>13} {:>12} {:>6}{}\n", "phase", "instructions",
                 kernel.listing.empty() ? "PTX lines" : "trace lines", "count", "length",
                 code("code"));
  for (std::size_t i = 0; i < kernel.phases.size(); ++i) {
    const ir::Phase& phase = kernel.phases[i];
    const auto [first_line, last_line] = lines_of(kernel, phase);
    fmt::format_to(out, "{:>5} {:>13} {:>13} {:>12} {:>6}{}\n", i + 1,
                   fmt::format("{}-{}", phase.first, phase.last),
                   fmt::format("{}-{}", first_line, last_line), phase.last - phase.first + 1,
                   phase.length, code(phase.code));
  }
  if (!verbose) return text;
  fmt::format_to(out, "\n{:>5} {:>6} {:>5} {:>7} {:>5} {:>6} {:>8}{}  {}\n", "pc", "line", "block",
                 "latency", "phase", "length", "distance", code("code"), "instruction");
  for (std::uint32_t pc = 0; pc < kernel.code.size(); ++pc) {
    const ir::Instruction& instruction = kernel.code[pc];
    fmt::format_to(out, "{:>5} {:>6} {:>5} {:>7} {:>5} {:>6} {:>8}{} {}{}\n", pc, instruction.line,
                   instruction.block, instruction.latency, instruction.phase + 1,
                   kernel.phases[instruction.phase].length, instruction.distance,
                   code(instruction.distance_code), instruction.long_op ? "*" : " ",
                   ir::disassemble(kernel, pc));
  }
  return text;
}

}  // namespace paws::frontend
