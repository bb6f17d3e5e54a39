// SPDX-License-Identifier: MIT
// Scenes of several schedulers as a page in which one steps through cycles.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/explain/scene.h"

namespace paws::explain {

/// Cycles that a page may have.
inline constexpr std::uint64_t kMostCycles = 5000;

/// One scheduler's scenes, as the page reads them.
class Column {
 public:
  explicit Column(const trace::RunInfo& run);

  void take(std::uint64_t from, std::uint64_t to, const Scene& scene);
  /// Strings, and for each stretch of equal cycles what is new in it.
  [[nodiscard]] nlohmann::json json() const;

 private:
  /// Number of `text` in the page's list of strings.
  std::size_t number(const std::string& text);

  trace::RunInfo run_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> strings_;
  nlohmann::json stretches_ = nlohmann::json::array();
  std::vector<std::vector<WarpId>> slots_;         ///< in the queues of the last stretch
  std::vector<std::array<std::size_t, 3>> warps_;  ///< by slot: condition, key, doing
};

/// HTML that needs nothing else: no other file, no network. `facts` says what was run.
std::string to_html(const std::string& title, const std::string& facts,
                    const trace::CycleRange& range, const std::vector<Column>& columns);

}  // namespace paws::explain
