// SPDX-License-Identifier: MIT
#include "sim/gpu/sampled_blocks.h"

#include <algorithm>
#include <utility>

namespace paws {

SampledBlocks::SampledBlocks(std::uint64_t blocks, std::uint64_t wave,
                             const std::function<bool(std::uint64_t wave)>& timed,
                             RunForValues run_for_values)
    : blocks_(blocks),
      wave_(wave),
      run_for_values_(std::move(run_for_values)),
      waves_((blocks + wave - 1) / wave) {
  for (std::size_t i = 0; i < waves_.size(); ++i) {
    waves_[i].timed = i == 0 || i + 1 == waves_.size() || timed(i + 1);
    if (!waves_[i].timed) continue;
    timed_waves_.push_back(i);
    timed_ += std::min(wave_, blocks_ - i * wave_);
  }
}

void SampledBlocks::begin(std::uint64_t cycle, std::uint64_t issued) {
  since_ = cycle;
  issued_ = issued;
}

std::uint64_t SampledBlocks::reach(std::uint64_t place, std::uint64_t cycle,
                                   const std::function<std::uint64_t()>& issued) {
  // The last wave alone may be smaller, so all in front of a timed one are whole.
  const std::size_t wave = timed_waves_[place / wave_];
  if (wave > present_) {
    end_wave(cycle, issued());
    while (++present_ < wave) {
      if (waves_[present_].timed) continue;  // its blocks have been passed over: of a later wave
      const std::uint64_t first = present_ * wave_;
      waves_[present_].warp_instructions = run_for_values_(first, first + wave_, wave - present_);
    }
  }
  return wave * wave_ + place % wave_;
}

std::vector<Wave> SampledBlocks::end(std::uint64_t cycle, std::uint64_t issued) {
  end_wave(cycle, issued);
  return std::move(waves_);
}

void SampledBlocks::end_wave(std::uint64_t cycle, std::uint64_t issued) {
  waves_[present_].cycles = cycle - since_;
  waves_[present_].warp_instructions = issued - issued_;
  since_ = cycle;
  issued_ = issued;
}

}  // namespace paws
