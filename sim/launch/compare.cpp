// SPDX-License-Identifier: MIT
#include "sim/launch/compare.h"

#include <cmath>

namespace paws {
namespace {

bool real_passes(ElementType type, double actual, double expected, const Tolerance& tolerance) {
  const double rounded = round_to(type, expected);
  if (actual == rounded || (std::isnan(actual) && std::isnan(expected))) return true;
  if (!std::isfinite(actual) || !std::isfinite(expected)) return false;
  const double error = std::abs(actual - expected);
  if (tolerance.absolute && error <= *tolerance.absolute) return true;
  if (tolerance.relative && error <= *tolerance.relative * std::abs(expected)) return true;
  return tolerance.ulp && ulps_apart(type, actual, rounded) <= *tolerance.ulp;
}

/// |a - b| without overflow; u64 values stand as two's complement.
std::uint64_t distance(std::int64_t a, std::int64_t b, ElementType type) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  const bool greater = type == ElementType::u64 ? ua > ub : a > b;
  return greater ? ua - ub : ub - ua;
}

class Comparer {
 public:
  Comparer(const std::string& buffer, ElementType type, std::span<const std::byte> actual)
      : buffer_(buffer), type_(type), actual_(actual) {}

  void mismatch(std::uint64_t index, const std::string& expected, const std::string& error) {
    if (++result.mismatches > kShownMismatches) return;
    result.first.push_back(buffer_ + "[" + std::to_string(index) + "]: expected " + expected +
                           ", got " + format_element(type_, actual_.data(), index) + " (off by " +
                           error + ")");
  }

  Comparison result;

 private:
  const std::string& buffer_;
  ElementType type_;
  std::span<const std::byte> actual_;
};

}  // namespace

Comparison compare(const std::string& buffer, ElementType type, std::span<const std::byte> actual,
                   const Values& expected, const Tolerance& tolerance) {
  Comparer comparer(buffer, type, actual);
  const std::uint64_t count = actual.size() / size_of(type);
  comparer.result.compared = count;
  const Values got = read_values(type, actual.data(), count);

  if (is_float(type)) {
    const auto& want = std::get<std::vector<double>>(expected);
    const auto& have = std::get<std::vector<double>>(got);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!real_passes(type, have[i], want[i], tolerance)) {
        comparer.mismatch(i, format_real(want[i]), format_real(std::abs(have[i] - want[i])));
      }
    }
    return comparer.result;
  }

  const auto& want = std::get<std::vector<std::int64_t>>(expected);
  const auto& have = std::get<std::vector<std::int64_t>>(got);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t apart = distance(have[i], want[i], type);
    const bool passes =
        apart == 0 || (tolerance.absolute && static_cast<double>(apart) <= *tolerance.absolute);
    if (passes) continue;
    const std::string shown = type == ElementType::u64
                                  ? std::to_string(static_cast<std::uint64_t>(want[i]))
                                  : std::to_string(want[i]);
    comparer.mismatch(i, shown, std::to_string(apart));
  }
  return comparer.result;
}

}  // namespace paws
