// SPDX-License-Identifier: MIT
// Scenes of several schedulers as a page in which one steps through cycles.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
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
  /// Texts, states of warps, and for each stretch of equal cycles what is new in it.
  [[nodiscard]] nlohmann::json json() const;

 private:
  using State = std::array<std::size_t, 3>;  ///< texts: condition, key, doing
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  /// Numbers in the lists of the page.
  std::size_t text(const std::string& words);
  std::size_t state(const SceneWarp& warp);

  trace::RunInfo run_;
  std::map<std::string, std::size_t> text_numbers_;
  std::vector<std::string> texts_;
  std::map<State, std::size_t> state_numbers_;
  std::vector<State> states_;
  nlohmann::json stretches_ = nlohmann::json::array();
  std::vector<std::vector<WarpId>> slots_;  ///< in the queues of the last stretch
  std::vector<std::size_t> last_;           ///< state of each slot
};

/// HTML that needs nothing else: no other file, no network. `facts` says what was run.
std::string to_html(const std::string& title, const std::string& facts,
                    const trace::CycleRange& range, const std::vector<Column>& columns);

}  // namespace paws::explain
