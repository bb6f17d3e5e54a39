// SPDX-License-Identifier: MIT
// docs/evidence/microbenchmarks.md: the table with what was measured.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/tests/micro/benchmark.h"

namespace paws::micro {

/// One benchmark's row; `results` has one entry per point. It has all points, or that which is
/// furthest from its expectation where a figure shows them.
std::string row(const Benchmark& benchmark, const std::vector<Result>& results);

/// The whole page.
std::string page(const Table& table,
                 const std::function<std::vector<Result>(const Benchmark&)>& results);

/// Whether `page` has the row: the same text, and numbers that differ by kStaleShare at most, so
/// that a change elsewhere which moves a measurement by less leaves the page as it is.
inline constexpr double kStaleShare = 0.03;
bool has_row(const std::string& page, const std::string& row);

/// `page` with the cells that hold measurements and expected values blanked: what of it depends on
/// the table alone.
std::string without_numbers(const std::string& page);

}  // namespace paws::micro
