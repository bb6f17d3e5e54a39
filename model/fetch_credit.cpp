// SPDX-License-Identifier: MIT
#include "model/fetch_credit.h"

#include <array>
#include <stdexcept>
#include <string>

#include "model/warp_mask.h"

namespace paws {
namespace {

class GoldenFetchCredit final : public FetchCredit {
 public:
  explicit GoldenFetchCredit(const FetchCreditConfig& config) : config_(config) {}

  void reset() override { fetched_.fill(0); }

  FetchCreditOutputs decide(const FetchCreditInputs& inputs) override {
    inputs_ = inputs;
    FetchCreditOutputs outputs;
    for (WarpId warp = 0; warp < config_.warps; ++warp) {
      if (has_place(warp)) outputs.may_fetch |= mask_of(warp);
    }
    return outputs;
  }

  void commit() override {
    check();
    if (inputs_.fetch_valid) ++fetched_[inputs_.fetch_warp];
    for_each_warp(inputs_.taken, [&](WarpId warp) { --fetched_[warp]; });
    for_each_warp(inputs_.flush, [&](WarpId warp) { fetched_[warp] = 0; });
  }

 private:
  [[nodiscard]] bool has_place(WarpId warp) const { return fetched_[warp] < config_.depth; }

  void check() const {
    const auto fail = [](const std::string& what) {
      throw std::logic_error("fetch credit: the host broke a promise: " + what);
    };
    const WarpMask named = inputs_.taken | inputs_.flush;
    if (beyond(named, config_.warps) ||
        (inputs_.fetch_valid && inputs_.fetch_warp >= config_.warps)) {
      fail("a slot that does not exist");
    }
    if (inputs_.fetch_valid && !has_place(inputs_.fetch_warp) &&
        !contains(inputs_.flush, inputs_.fetch_warp)) {
      fail("a fetch without a free place");
    }
    for_each_warp(inputs_.taken, [&](WarpId warp) {
      if (fetched_[warp] == 0) fail("an instruction is taken that was not fetched");
    });
  }

  FetchCreditConfig config_;
  std::array<unsigned, kMaxWarps> fetched_{};  // and not taken
  FetchCreditInputs inputs_;
};

}  // namespace

std::unique_ptr<FetchCredit> make_fetch_credit(const FetchCreditConfig& config) {
  return std::make_unique<GoldenFetchCredit>(config);
}

}  // namespace paws
