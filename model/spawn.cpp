// SPDX-License-Identifier: MIT
#include "model/spawn.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/warp_mask.h"

namespace paws {
namespace {

class SpawnQueue final : public Spawn {
 public:
  explicit SpawnQueue(unsigned warps) : warps_(warps) {}

  void reset() override { line_.clear(); }

  SpawnOutputs decide(const SpawnInputs& inputs) override {
    inputs_ = inputs;
    SpawnOutputs outputs;
    outputs.busy = line_.size() > 1;
    for (const WarpId warp : line_) outputs.waiting |= mask_of(warp);
    outputs.end_valid = inputs.end_valid && !waits(inputs.end_warp);
    const std::vector<WarpId> first = line_.empty() ? coming() : staying();
    outputs.launch_valid = !first.empty();
    if (outputs.launch_valid) outputs.launch_warp = first.front();
    outputs_ = outputs;
    return outputs;
  }

  void commit() override {
    check();
    std::vector<WarpId> next = staying();
    for (const WarpId warp : coming()) next.push_back(warp);
    if (outputs_.launch_valid) std::erase(next, outputs_.launch_warp);
    line_ = next;
  }

 private:
  [[nodiscard]] bool waits(WarpId warp) const {
    return std::ranges::find(line_, warp) != line_.end();
  }
  /// Those that wait, without one that ends.
  [[nodiscard]] std::vector<WarpId> staying() const {
    std::vector<WarpId> warps = line_;
    if (inputs_.end_valid) std::erase(warps, inputs_.end_warp);
    return warps;
  }
  /// Those of the mask, the lowest slot first.
  [[nodiscard]] std::vector<WarpId> coming() const {
    std::vector<WarpId> warps;
    for_each_warp(inputs_.spawn, [&](WarpId warp) { warps.push_back(warp); });
    return warps;
  }
  void check() const {
    const auto fail = [](const std::string& what) {
      throw std::logic_error("spawn: the host broke a promise: " + what);
    };
    if (inputs_.spawn != 0 && outputs_.busy) fail("a mask while two or more warps wait");
    if ((inputs_.spawn & outputs_.waiting) != 0) fail("a slot is spawned that waits");
    if (inputs_.end_valid && contains(inputs_.spawn, inputs_.end_warp)) {
      fail("a warp ends in the cycle of its spawn");
    }
    if (beyond(inputs_.spawn, warps_)) fail("a slot that does not exist");
  }

  unsigned warps_;
  std::vector<WarpId> line_;  // those that wait, the next to be launched first
  SpawnInputs inputs_;
  SpawnOutputs outputs_;
};

}  // namespace

std::unique_ptr<Spawn> make_spawn(unsigned warps) { return std::make_unique<SpawnQueue>(warps); }

}  // namespace paws
