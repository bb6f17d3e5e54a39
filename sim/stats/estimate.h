// SPDX-License-Identifier: MIT
// Means of perturbed runs and their intervals, as scripts/lib/estimate.py has them.
#pragma once

#include <cstddef>
#include <vector>

namespace paws {

/// A mean and its 95 % confidence interval, by Student's t.
struct Estimate {
  double mean = 0, low = 0, high = 0;

  [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
};

/// The two-sided 95 % quantile of Student's t for one degree of freedom or more: that of the next
/// lower number in the table of estimate.cpp, which is on the safe side.
double student_quantile(std::size_t freedom);

/// Of the arithmetic mean of two samples or more.
Estimate mean_of(const std::vector<double>& samples);

/// Of the geometric mean of two positive ratios or more.
Estimate mean_ratio_of(const std::vector<double>& ratios);

}  // namespace paws
