// SPDX-License-Identifier: MIT
#include "model/subwarp_packer.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace paws {
namespace {

/// Threads that are still to go, and how they go.
struct Load {
  LargeWarpMask threads{};
  PackMode mode = PackMode::packed;
};

bool is_empty(const LargeWarpMask& threads) {
  return std::ranges::all_of(threads, [](LaneBits row) { return row == 0; });
}

class GoldenSubwarpPacker final : public SubwarpPacker {
 public:
  explicit GoldenSubwarpPacker(const SubwarpPackerConfig& config) : config_(config) {
    const bool packs = (config.modes & 1U) != 0;
    if (config.lanes == 0 || config.lanes > kMaxLanes || config.rows == 0 ||
        config.rows > kMaxRows || !packs || config.modes >> kPackModes != 0) {
      throw std::logic_error("a sub-warp packer cannot be so");
    }
  }

  void reset() override {
    rest_ = {};
    next_ = {};
    broken_ = nullptr;
  }

  SubwarpPackerOutputs decide(const SubwarpPackerInputs& inputs) override {
    broken_ = broken_promise(inputs);
    Load load = inputs.load_valid ? Load{inputs.load_mask, inputs.load_mode} : rest_;
    next_ = load;
    if (is_empty(load.threads)) return {};
    SubwarpPackerOutputs outputs = cut_subwarp(load);
    outputs.last = is_empty(load.threads);
    outputs.busy = !inputs.take || !outputs.last;
    if (inputs.take) next_ = load;
    return outputs;
  }

  void commit() override {
    if (broken_ != nullptr) {
      throw std::logic_error(std::string("sub-warp packer: the host broke a promise: ") + broken_);
    }
    rest_ = next_;
  }

 private:
  /// Takes a sub-warp out of `load`: each lane gives the first thread of its column. By rows all
  /// lanes give their thread of the first row that has one.
  [[nodiscard]] SubwarpPackerOutputs cut_subwarp(Load& load) const {
    SubwarpPackerOutputs outputs{.valid = true};
    for (unsigned row = 0; row < config_.rows; ++row) {
      const LaneBits first = load.threads[row] & ~outputs.mask;
      load.threads[row] &= ~first;
      outputs.mask |= first;
      for (LaneBits lanes = first; lanes != 0; lanes &= lanes - 1) {
        outputs.row[std::countr_zero(lanes)] = static_cast<std::uint8_t>(row);
      }
      if (load.mode == PackMode::rows && first != 0) break;
    }
    if (load.mode == PackMode::once) load.threads = {};  // it has gone for all of them
    return outputs;
  }
  /// What of `inputs` the host has promised not to do, or nullptr.
  [[nodiscard]] const char* broken_promise(const SubwarpPackerInputs& inputs) const {
    if (!inputs.load_valid) return nullptr;
    if (!is_empty(rest_.threads)) return "a load while threads are left";
    if (is_empty(inputs.load_mask)) return "a load without a thread";
    if ((config_.modes >> static_cast<unsigned>(inputs.load_mode) & 1U) == 0) {
      return "a mode that does not exist";
    }
    for (unsigned row = 0; row < kMaxRows; ++row) {
      const unsigned width = row < config_.rows ? config_.lanes : 0;
      if (std::uint64_t{inputs.load_mask[row]} >> width != 0) {
        return "a thread in a row or lane that does not exist";
      }
    }
    return nullptr;
  }

  SubwarpPackerConfig config_;
  Load rest_;                     // of the large warp that was loaded last
  Load next_;                     // rest_ after the cycle
  const char* broken_ = nullptr;  // promise of the last decide()
};

}  // namespace

std::unique_ptr<SubwarpPacker> make_subwarp_packer(const SubwarpPackerConfig& config) {
  return std::make_unique<GoldenSubwarpPacker>(config);
}

}  // namespace paws
