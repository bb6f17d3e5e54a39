// SPDX-License-Identifier: MIT
// The microbenchmarks of docs/evidence/agreement.md: the table with what was measured.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/tests/micro/benchmark.h"

namespace paws::micro {

/// One benchmark's row; `results` has one entry per point. It has all points, or that which is
/// furthest from its expectation where a figure shows them.
std::string row(const Benchmark& benchmark, const std::vector<Result>& results);

/// Where the page, whose text is given, has what page() makes: first character and length, between
/// the two marks. Throws InputError without them.
std::pair<std::size_t, std::size_t> place(const std::string& text);

/// All sections, below the page's title.
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
