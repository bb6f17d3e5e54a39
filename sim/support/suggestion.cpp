#include "sim/support/suggestion.h"

#include <algorithm>
#include <numeric>

namespace paws {
namespace {

std::size_t levenshtein(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  if (known.empty()) return "";
  const auto nearest = std::min_element(
      known.begin(), known.end(),
      [&](const auto& a, const auto& b) { return levenshtein(name, a) < levenshtein(name, b); });
  if (levenshtein(name, *nearest) <= std::max<std::size_t>(1, name.size() / 3)) {
    return "; did you mean \"" + *nearest + "\"?";
  }
  std::string list = "; known: ";
  for (const std::string& each : known) list += (&each == &known.front() ? "" : ", ") + each;
  return list;
}

}  // namespace paws
