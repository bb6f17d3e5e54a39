// SPDX-License-Identifier: MIT
#include "sim/explain/page.h"

#include <fmt/format.h>

#include "sim/explain/text.h"
#include "sim/support/html.h"

namespace paws::explain {

extern const char* const kExplainPage;  // page.html

namespace {

/// Of the classes and signs of page.html.
const char* class_of(trace::Condition condition) {
  static constexpr std::array<const char*, trace::kConditions> kNames{
      "free", "fetch", "memory", "barrier", "operand", "outside", "unit", "can", "issue"};
  return kNames[static_cast<std::size_t>(condition)];
}

}  // namespace

Column::Column(const trace::RunInfo& run) : run_(run), last_(run.scheduler.warps, kNone) {}

std::size_t Column::text(const std::string& words) {
  const auto [place, added] = text_numbers_.emplace(words, texts_.size());
  if (added) texts_.push_back(words);
  return place->second;
}

std::size_t Column::state(const SceneWarp& warp) {
  const State state{text(class_of(warp.condition)), text(warp.key), text(warp.doing)};
  const auto [place, added] = state_numbers_.emplace(state, states_.size());
  if (added) states_.push_back(state);
  return place->second;
}

void Column::take(std::uint64_t from, std::uint64_t to, const Scene& scene) {
  std::vector<std::vector<WarpId>> slots;
  nlohmann::json changes = nlohmann::json::array();
  for (const std::vector<SceneWarp>& queue : scene.queues) {
    std::vector<WarpId>& there = slots.emplace_back();
    for (const SceneWarp& warp : queue) {
      there.push_back(warp.slot);
      const std::size_t now = state(warp);
      if (now == last_[warp.slot]) continue;
      last_[warp.slot] = now;
      changes.push_back(warp.slot);
      changes.push_back(now);
    }
  }
  const nlohmann::json queues = slots == slots_ ? nlohmann::json(0) : nlohmann::json(slots);
  slots_ = std::move(slots);
  stretches_.push_back({from, to, text(scene.launch), text(scene.decision), text(scene.reason),
                        text(scene.moves), scene.phase, queues, std::move(changes)});
}

nlohmann::json Column::json() const {
  return {{"scheduler", scheduler_name(run_.scheduler)},
          {"rule", sentences_of(run_.scheduler)},
          {"queues", queue_names(run_.scheduler)},
          {"warps", run_.scheduler.warps},
          {"places", run_.scheduler.level == Level::two_level ? run_.scheduler.ready : 0},
          {"texts", texts_},
          {"states", states_},
          {"stretches", stretches_}};
}

std::string to_html(const std::string& title, const std::string& facts,
                    const trace::CycleRange& range, const std::vector<Column>& columns) {
  nlohmann::json data = {{"from", range.from}, {"to", range.to}};
  for (const Column& column : columns) data["columns"].push_back(column.json());
  std::string text = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) {
    text.replace(at, 1, "\\u003c");  // no end of the script in a string
  }
  std::string page = kExplainPage;
  fill(page, "title", escaped(title));
  fill(page, "heading", escaped(title));
  fill(page, "facts", escaped(facts));
  fill(page, "data", text);
  return page;
}

}  // namespace paws::explain
