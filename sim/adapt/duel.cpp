// SPDX-License-Identifier: MIT
#include "sim/adapt/duel.h"

#include <algorithm>
#include <array>

namespace paws::adapt {

Duel::Duel(const Setup& setup)
    : setup_(setup),
      controls_(setup.cores, nullptr),
      ordered_(setup.cores, setup.first),
      seen_(setup.cores, 0),
      followers_(setup.first) {}

std::unique_ptr<core::PolicyControl> Duel::control(std::uint32_t core) {
  auto made = std::make_unique<OrderedPolicy>();
  controls_[core] = made.get();
  return made;
}

std::optional<SwitchedPolicy> Duel::led_by(std::uint32_t core) const {
  const unsigned group = setup_.settings.group;
  if (core % group == 0) return SwitchedPolicy::gto;
  if (core % group == group / 2) return SwitchedPolicy::rr;
  return std::nullopt;
}

SwitchedPolicy Duel::wanted(std::uint32_t core) const {
  const auto led = led_by(core);
  if (!led || (resting() && *led != followers_ && !(probing_ && core == probe_))) {
    return followers_;
  }
  return *led;
}

void Duel::begin(const void* kernel, std::uint64_t cycle,
                 std::span<const core::CoreActivity> cores) {
  if (kernel_ != nullptr) winners_[kernel_] = followers_;
  kernel_ = kernel;
  const auto winner = winners_.find(kernel);
  followers_ = winner == winners_.end() ? setup_.first : winner->second;
  selector_ = 0;
  saturated_ = rested_ = 0;
  probing_ = false;
  epoch_end_ = cycle + setup_.settings.epoch;
  for (std::uint32_t i = 0; i < setup_.cores; ++i) {
    seen_[i] = cores[i].issues;
    ordered_[i] = wanted(i);
    controls_[i]->order_first(ordered_[i]);
  }
}

void Duel::judge(std::span<const core::CoreActivity> cores) {
  std::array<std::uint64_t, kSwitchedPolicies> issues{};
  std::array<std::uint64_t, kSwitchedPolicies> leaders{};
  for (std::uint32_t i = 0; i < setup_.cores; ++i) {
    const auto led = led_by(i);
    if (!led || ordered_[i] != *led || cores[i].live_warps == 0) continue;
    const auto of = static_cast<std::size_t>(*led);
    issues[of] += cores[i].issues - seen_[i];
    ++leaders[of];
    controls_[i]->count_epoch();
  }
  constexpr auto kRr = static_cast<std::size_t>(SwitchedPolicy::rr);
  constexpr auto kGto = static_cast<std::size_t>(SwitchedPolicy::gto);
  if (leaders[kRr] == 0 || leaders[kGto] == 0) return;
  const std::uint64_t rr = issues[kRr] * leaders[kGto];
  const std::uint64_t gto = issues[kGto] * leaders[kRr];
  if (rr == gto) return;
  const int step = static_cast<int>(setup_.settings.step);
  selector_ = std::clamp(selector_ + ((rr > gto) != setup_.swapped ? step : -step), kSelectorLeast,
                         kSelectorMost);
}

void Duel::end_epoch(std::span<const core::CoreActivity> cores) {
  if (!resting() || probing_) judge(cores);
  const int hysteresis = static_cast<int>(setup_.settings.hysteresis);
  if (selector_ > hysteresis) followers_ = SwitchedPolicy::rr;
  if (selector_ < -hysteresis) followers_ = SwitchedPolicy::gto;
  saturated_ = at_end() ? std::min(saturated_ + 1, setup_.settings.saturated) : 0;
  rested_ = resting() ? rested_ + 1 : 0;
  probing_ = resting() && rested_ % setup_.settings.probe == 0;
  probe_.reset();
  for (std::uint32_t i = 0; probing_ && !probe_ && i < setup_.cores; ++i) {
    if (const auto led = led_by(i); led && *led != followers_) probe_ = i;
  }
  for (std::uint32_t i = 0; i < setup_.cores; ++i) {
    seen_[i] = cores[i].issues;
    if (wanted(i) == ordered_[i]) continue;
    ordered_[i] = wanted(i);
    controls_[i]->order(ordered_[i], epoch_end_ + setup_.latency);
  }
  epoch_end_ += setup_.settings.epoch;
}

}  // namespace paws::adapt
