// SPDX-License-Identifier: MIT
#include "sim/stats/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace paws {

double student_quantile(std::size_t freedom) {
  struct Row {
    std::size_t freedom;
    double quantile;
  };
  constexpr std::array<Row, 20> kRows{
      {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},  {5, 2.571},   {6, 2.447},  {7, 2.365},
       {8, 2.306},  {9, 2.262},  {10, 2.228}, {12, 2.179}, {15, 2.131},  {20, 2.086}, {25, 2.060},
       {30, 2.042}, {40, 2.021}, {60, 2.000}, {80, 1.990}, {100, 1.984}, {120, 1.980}}};
  double found = 0;
  for (const Row& row : kRows) {
    if (row.freedom <= freedom) found = row.quantile;
  }
  return found;
}

Estimate mean_of(const std::vector<double>& samples) {
  const auto number = static_cast<double>(samples.size());
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / number;
  double squares = 0;
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  const double half =
      student_quantile(samples.size() - 1) * std::sqrt(squares / (number - 1) / number);
  return {mean, mean - half, mean + half};
}

Estimate mean_ratio_of(const std::vector<double>& ratios) {
  std::vector<double> logarithms(ratios.size());
  std::transform(ratios.begin(), ratios.end(), logarithms.begin(),
                 [](double ratio) { return std::log(ratio); });
  const Estimate of_logarithms = mean_of(logarithms);
  return {std::exp(of_logarithms.mean), std::exp(of_logarithms.low), std::exp(of_logarithms.high)};
}

}  // namespace paws
