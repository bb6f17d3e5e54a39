// SPDX-License-Identifier: MIT
#include "sim/explain/text.h"

#include <fmt/format.h>

#include <utility>

namespace paws::explain {
namespace {

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] += 'A' - 'a';
  return text;
}

}  // namespace

std::string cycles_in_words(std::uint64_t from, std::uint64_t to) {
  return from == to ? fmt::format("cycle {}", from) : fmt::format("cycles {} to {}", from, to);
}

std::string in_words(const SceneWarp& warp) {
  const std::string key = warp.key.empty() ? "" : fmt::format(" ({})", warp.key);
  return fmt::format("warp {}{}: {}", warp.slot, key, warp.doing);
}

std::string in_words(const Scene& scene, const SchedulerConfig& config, std::uint64_t from,
                     std::uint64_t to) {
  std::string text = fmt::format("{}: {}. Reason: {}.\n", capital(cycles_in_words(from, to)),
                                 scene.decision, scene.reason);
  const std::vector<std::string> names = queue_names(config);
  for (std::size_t queue = 0; queue < scene.queues.size(); ++queue) {
    const std::vector<SceneWarp>& warps = scene.queues[queue];
    text += fmt::format("  {}:{}\n", capital(names[queue]), warps.empty() ? " none" : "");
    for (const SceneWarp& warp : warps) text += fmt::format("    {}\n", in_words(warp));
  }
  if (!scene.moves.empty()) text += fmt::format("  At the end of the cycle: {}.\n", scene.moves);
  return text;
}

WarpStory::WarpStory(const SchedulerConfig& config, WarpId warp, Print print)
    : config_(config), warp_(warp), print_(std::move(print)) {}

std::string WarpStory::said_of(const Scene& scene) const {
  for (std::size_t queue = 0; queue < scene.queues.size(); ++queue) {
    for (const SceneWarp& warp : scene.queues[queue]) {
      if (warp.slot != warp_) continue;
      std::string text = "warp " + std::to_string(warp_);
      if (config_.level == Level::two_level) {
        const std::string name = queue_names(config_)[queue];
        text += " in " + name.substr(0, name.find(','));
      }
      text += " " + warp.doing;
      if (scene.issued == warp_) text += ": " + scene.reason;
      if (warp.condition == trace::Condition::can_issue) {
        text += fmt::format(", but {}: {}", scene.decision, scene.reason);
      }
      return text;
    }
  }
  return fmt::format("there is no warp {}", warp_);
}

void WarpStory::take(std::uint64_t from, std::uint64_t to, const Scene& scene) {
  const std::string said = said_of(scene);
  if (said != said_ || from != to_ + 1) {
    finish();
    said_ = said;
    from_ = from;
  }
  to_ = to;
}

void WarpStory::finish() {
  if (!said_.empty()) {
    print_(fmt::format("{}: {}.\n", capital(cycles_in_words(from_, to_)), said_));
  }
  said_.clear();
}

}  // namespace paws::explain
