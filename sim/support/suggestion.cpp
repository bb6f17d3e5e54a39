// SPDX-License-Identifier: MIT
#include "sim/support/suggestion.h"

#include <algorithm>
#include <array>
#include <utility>

namespace paws {
namespace {

/// Edit distance with neighbours swapped counting once (optimal string alignment).
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      std::size_t& best = table[i][j];
      if (i == 0 || j == 0) {
        best = i + j;
        continue;
      }
      best = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1,
                       table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        best = std::min(best, table[i - 2][j - 2] + 1);
      }
    }
  }
  return table[a.size()][b.size()];
}

/// What types of ours are called elsewhere.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kElsewhere{{
    {"i8", "s8"},
    {"i16", "s16"},
    {"i32", "s32"},
    {"i64", "s64"},
    {"int", "s32"},
    {"uint", "u32"},
    {"long", "s64"},
    {"half", "f16"},
    {"float", "f32"},
    {"double", "f64"},
}};

}  // namespace

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known) {
  for (const auto& [other, ours] : kElsewhere) {
    const auto same = std::find(known.begin(), known.end(), ours);
    if (name == other && same != known.end()) return *same;
  }
  const auto found = std::min_element(
      known.begin(), known.end(),
      [&](const auto& a, const auto& b) { return edits(name, a) < edits(name, b); });
  if (found == known.end() || edits(name, *found) > std::max<std::size_t>(1, name.size() / 3)) {
    return std::nullopt;
  }
  return *found;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  if (known.empty()) return "";
  if (const auto near = nearest(name, known)) return "; did you mean \"" + *near + "\"?";
  std::string list = "; known: ";
  for (const std::string& each : known) list += (&each == &known.front() ? "" : ", ") + each;
  return list;
}

}  // namespace paws
