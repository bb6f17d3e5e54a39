// SPDX-License-Identifier: MIT
#include "sim/frontend/phase_codes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>

namespace paws::frontend {
namespace {

/// A deeper nest says little more about how often the code runs.
constexpr unsigned kDeepest = 4;

std::vector<WeightedLength> sorted(std::span<const WeightedLength> lengths) {
  std::map<std::uint32_t, double> weights;
  for (const WeightedLength& each : lengths) weights[each.length] += each.weight;
  std::vector<WeightedLength> result;
  result.reserve(weights.size());
  for (const auto& [length, weight] : weights) result.push_back({length, weight});
  return result;
}

/// Lengths of phases and distances of instructions.
struct Drawn {
  std::vector<WeightedLength> lengths;
  std::vector<WeightedLength> distances;

  /// Adds those of a kernel, whose instructions run as often as `frequencies` says.
  void add(const ir::Kernel& kernel, std::span<const double> frequencies) {
    for (const ir::Phase& phase : kernel.phases) {
      lengths.push_back({phase.length, frequencies[phase.first]});
    }
    for (std::uint32_t pc = 0; pc < kernel.code.size(); ++pc) {
      distances.push_back({kernel.code[pc].distance, frequencies[pc]});
    }
  }
};

/// The best cut of the first lengths into a number of classes.
struct Cut {
  double cost = std::numeric_limits<double>::infinity();
  std::size_t last_class = 0;  ///< where it begins
};

}  // namespace

std::vector<std::uint32_t> class_borders(std::span<const WeightedLength> lengths, unsigned bits) {
  const std::vector<WeightedLength> all = sorted(lengths);
  const std::size_t count = all.size();
  const std::size_t classes = std::min(count, std::size_t{1} << bits);
  if (count == 0) return {};
  // cuts[k][n]: of the first n lengths into k + 1 classes. A class grows downwards from its longest
  // member; each length that it takes in meets all that are in it.
  std::vector<std::vector<Cut>> cuts(classes, std::vector<Cut>(count + 1));
  for (std::size_t end = 1; end <= count; ++end) {
    double cost = 0;
    double weight = 0;
    double moment = 0;  // sum of weight times length
    for (std::size_t begin = end; begin-- > 0;) {
      const WeightedLength& taken = all[begin];
      cost += taken.weight * (moment - weight * taken.length);
      weight += taken.weight;
      moment += taken.weight * taken.length;
      if (begin == 0) cuts[0][end] = {cost, 0};
      for (std::size_t k = 1; k < classes; ++k) {
        const double sum = cuts[k - 1][begin].cost + cost;
        if (sum < cuts[k][end].cost) cuts[k][end] = {sum, begin};
      }
    }
  }
  std::vector<std::uint32_t> borders(classes);
  for (std::size_t k = classes, end = count; k-- > 0; end = cuts[k][end].last_class) {
    borders[k] = all[end - 1].length;
  }
  return borders;
}

std::uint16_t code_of(std::uint32_t length, std::span<const std::uint32_t> borders) {
  return static_cast<std::uint16_t>(std::lower_bound(borders.begin(), borders.end(), length) -
                                    borders.begin());
}

std::vector<double> static_frequencies(const ir::Kernel& kernel) {
  std::vector<unsigned> depth(kernel.code.size());
  // By the target of its backward branches: a loop with several ways back is one.
  std::map<std::uint32_t, std::uint32_t> loops;
  const auto jump = [&](std::uint32_t from, std::uint32_t to) {
    if (to <= from) loops[to] = std::max(loops[to], from);
  };
  for (std::uint32_t pc = 0; pc < kernel.code.size(); ++pc) {
    const ir::Instruction& instruction = kernel.code[pc];
    if (instruction.op == ir::Op::bra) jump(pc, instruction.target);
    for (const std::uint32_t target : instruction.table) jump(pc, target);
  }
  for (const auto& [first, last] : loops) {
    for (std::uint32_t pc = first; pc <= last; ++pc) ++depth[pc];
  }
  std::vector<double> frequencies;
  frequencies.reserve(depth.size());
  for (const unsigned each : depth) {
    frequencies.push_back(std::pow(10.0, std::min(each, kDeepest)));
  }
  return frequencies;
}

void assign_codes(std::span<ir::Kernel* const> kernels, unsigned bits) {
  if (bits == 0) return;
  Drawn drawn;
  for (const ir::Kernel* const kernel : kernels) {
    std::vector<double> frequencies = static_frequencies(*kernel);
    if (kernels.size() > 1) {
      const double all = std::accumulate(frequencies.begin(), frequencies.end(), 0.0);
      for (double& each : frequencies) each /= all;
    }
    drawn.add(*kernel, frequencies);
  }
  const std::vector<std::uint32_t> of_lengths = class_borders(drawn.lengths, bits);
  const std::vector<std::uint32_t> of_distances = class_borders(drawn.distances, bits);
  for (ir::Kernel* const kernel : kernels) {
    for (ir::Phase& phase : kernel->phases) phase.code = code_of(phase.length, of_lengths);
    for (ir::Instruction& instruction : kernel->code) {
      instruction.distance_code = code_of(instruction.distance, of_distances);
    }
  }
}

void assign_codes(std::span<ir::Module> modules, const FrontendSettings& settings) {
  std::vector<ir::Kernel*> kernels;
  for (ir::Module& module : modules) {
    for (ir::Kernel& kernel : module.kernels) kernels.push_back(&kernel);
  }
  if (settings.common_code) {
    assign_codes(kernels, settings.phase_code);
    return;
  }
  for (ir::Kernel*& kernel : kernels) assign_codes({&kernel, 1}, settings.phase_code);
}

}  // namespace paws::frontend
