// SPDX-License-Identifier: MIT
// docs/evidence/microbenchmarks.md: the table with what was measured.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/tests/micro/benchmark.h"

namespace paws::micro {

/// The lines of one benchmark's rows; `results` has one entry per point.
std::vector<std::string> rows(const Benchmark& benchmark, const std::vector<Result>& results);

/// The whole page.
std::string page(const Table& table,
                 const std::function<std::vector<Result>(const Benchmark&)>& results);

/// The first of `rows` that `page` lacks, none if it has them one after the other: the same text,
/// and numbers that differ by kStaleShare at most, so that a change elsewhere which moves a
/// measurement by less leaves the page as it is.
inline constexpr double kStaleShare = 0.03;
std::optional<std::string> missing_row(const std::string& page,
                                       const std::vector<std::string>& rows);

/// `page` with the cells that hold measurements and expected values blanked: what of it depends on
/// the table alone.
std::string without_numbers(const std::string& page);

}  // namespace paws::micro
