// SPDX-License-Identifier: MIT
// What random hosts do with the inputs that SCA and CGGTY alone look at: the places of warps in
// groups, which hold while a warp lives, and the warps that yield.
#pragma once

#include <cstdint>
#include <random>

#include "model/scheduler.h"

namespace paws::test {

class GroupPlaces {
 public:
  GroupPlaces(const SchedulerConfig& config, std::uint64_t seed);

  /// Sets pair, row, second and yields of the coming cycle, in which `live` are the live warps.
  /// Those of a free slot, and of one that is launched in the cycle, mean nothing and may be any.
  void set(SchedulerInputs& inputs, WarpMask live);

 private:
  struct Place {
    unsigned pair = 0;
    unsigned row = 0;
    bool second = false;

    bool operator==(const Place&) const = default;
  };
  /// Which places warps get, for a while.
  enum class Style : std::uint8_t {
    any,      ///< full and lone groups of few or many pairs
    partner,  ///< beside a live warp, if one is alone
    lone,     ///< an odd block: in groups of their own while there is one
    same,     ///< where the last warp ended
    styles
  };

  unsigned below(unsigned limit) { return static_cast<unsigned>((random_() >> 32) % limit); }
  void change_weather();
  [[nodiscard]] Place place_of(const SchedulerInputs& inputs, WarpId warp) const;
  static void put(SchedulerInputs& inputs, WarpId warp, const Place& place);
  /// Whether a live warp is there.
  [[nodiscard]] bool taken(const SchedulerInputs& inputs, const Place& place) const;
  Place any_place();
  /// A place as the style says, which may be taken.
  Place draw(const SchedulerInputs& inputs);
  /// A place that is not taken.
  Place free_place(const SchedulerInputs& inputs);

  SchedulerConfig config_;
  std::mt19937_64 random_;
  WarpMask live_ = 0;
  Place last_ended_;
  unsigned weather_left_ = 0;  ///< cycles
  Style style_ = Style::any;
  unsigned pairs_ = 1;    ///< that any_place() knows
  unsigned rows_ = 1;     ///< the same
  unsigned yield_ = 0;    ///< eighths of the warps that yield
  unsigned changes_ = 0;  ///< eighths of the cycles in which they change
  /// Free slots keep the place of the warp that ended there, as if it still counted.
  bool ended_stay_ = false;
};

}  // namespace paws::test
