// SPDX-License-Identifier: MIT
#include "sim/ptx/header.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace paws::ptx {
namespace {

/// Last minor version of every major one, 1 to 9 (PTX ISA, "Release History").
constexpr std::array<unsigned, 9> kLastMinor{5, 3, 2, 3, 0, 5, 8, 8, 2};

/// PTX ISA, "PTX Module Directives: .target".
constexpr std::array kArchitectures{10, 11, 12, 13,  20,  21,  30,  32,  35, 37, 50,
                                    52, 53, 60, 61,  62,  70,  72,  75,  80, 86, 87,
                                    88, 89, 90, 100, 101, 103, 110, 120, 121};
constexpr int kFirstWithVariants = 90;  ///< sm_90a; families, "f", since sm_100

/// The leading number of `text`, which loses it; -1 when there is none that fits.
int take_number(std::string_view& text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool is_architecture(std::string_view word) {
  constexpr std::string_view kPrefix = "sm_";
  if (!word.starts_with(kPrefix)) return false;
  word.remove_prefix(kPrefix.size());
  const int number = take_number(word);
  if (std::find(kArchitectures.begin(), kArchitectures.end(), number) == kArchitectures.end()) {
    return false;
  }
  return word.empty() || (number >= kFirstWithVariants && (word == "a" || word == "f"));
}

}  // namespace

std::string directive_warning(std::string_view name) {
  // Hints about calls, which are inlined.
  constexpr std::array<std::string_view, 3> kHints{"noreturn", "abi_preserve",
                                                   "abi_preserve_control"};
  if (std::find(kHints.begin(), kHints.end(), name) != kHints.end()) return {};
  return std::string(".").append(name).append(" is not modelled and ignored");
}

std::string version_warning(std::string_view number) {
  std::string_view rest = number;
  const int major = take_number(rest);
  rest.remove_prefix(std::min<std::size_t>(1, rest.size()));
  const int minor = take_number(rest);
  const auto majors = static_cast<int>(kLastMinor.size());
  if (major >= 1 && major <= majors && minor >= 0 &&
      static_cast<unsigned>(minor) <= kLastMinor.at(static_cast<unsigned>(major) - 1)) {
    return {};
  }
  const std::string newest = std::to_string(majors) + "." + std::to_string(kLastMinor.back());
  return "unknown .version " + std::string(number) + " (known: 1.0 to " + newest +
         "); the file is read as " + newest;
}

std::string target_warning(std::string_view word) {
  constexpr std::array<std::string_view, 4> kOptions{"texmode_unified", "texmode_independent",
                                                     "texmode_raw", "debug"};
  if (word == "map_f64_to_f32") {
    return ".target map_f64_to_f32 is not modelled; f64 keeps double precision";
  }
  if (is_architecture(word) ||
      std::find(kOptions.begin(), kOptions.end(), word) != kOptions.end()) {
    return {};
  }
  return "unknown .target " + std::string(word) + " (known: sm_" +
         std::to_string(kArchitectures.front()) + " to sm_" +
         std::to_string(kArchitectures.back()) + "); ignored, the simulated GPU is what --gpu says";
}

}  // namespace paws::ptx
