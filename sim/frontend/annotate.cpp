// SPDX-License-Identifier: MIT
#include "sim/frontend/annotate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace paws::frontend {

std::string annotate(const std::string& text, const ir::Module& module, bool codes) {
  std::map<std::uint32_t, std::string> before;  // line -> pragmas
  for (const ir::Kernel& kernel : module.kernels) {
    for (std::size_t i = 0; i < kernel.phases.size(); ++i) {
      const ir::Phase& phase = kernel.phases[i];
      before[kernel.code[phase.first].line] +=
          fmt::format("\t.pragma \"paws.phase kernel={} phase={} length={}{}\";\n", kernel.name,
                      i + 1, phase.length, codes ? fmt::format(" code={}", phase.code) : "");
    }
  }
  std::string annotated;
  std::uint32_t line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const auto pragmas = before.find(++line);
    if (pragmas != before.end()) annotated += pragmas->second;
    annotated.append(text, begin, end - begin);
    begin = end;
  }
  return annotated;
}

double AnnotationCost::per_phase(unsigned bits) const {
  if (instructions == 0) return 0;
  return static_cast<double>((phases + jump_targets) * bits) /
         (64.0 * static_cast<double>(instructions));
}

AnnotationCost annotation_cost(const ir::Module& module, unsigned bits) {
  AnnotationCost cost;
  for (const ir::Kernel& kernel : module.kernels) {
    cost.instructions += kernel.code.size();
    cost.phases += kernel.phases.size();
    std::set<std::uint32_t> targets;
    for (const ir::Instruction& instruction : kernel.code) {
      if (instruction.op == ir::Op::bra) targets.insert(instruction.target);
      targets.insert(instruction.table.begin(), instruction.table.end());
    }
    for (const ir::Phase& phase : kernel.phases) targets.erase(phase.first);
    targets.erase(static_cast<std::uint32_t>(kernel.code.size()));
    cost.jump_targets += targets.size();
    ++cost.kernels;
    const bool fits = std::all_of(
        kernel.phases.begin(), kernel.phases.end(),
        [bits](const ir::Phase& phase) { return phase.length < std::uint32_t{1} << bits; });
    cost.kernels_that_fit += fits ? 1 : 0;
    std::map<std::uint16_t, std::set<std::uint32_t>> lengths;
    for (const ir::Phase& phase : kernel.phases) lengths[phase.code].insert(phase.length);
    cost.kernels_in_order += std::all_of(lengths.begin(), lengths.end(),
                                         [](const auto& code) { return code.second.size() == 1; })
                                 ? 1
                                 : 0;
  }
  return cost;
}

}  // namespace paws::frontend
