// SPDX-License-Identifier: MIT
#include "engine/lockstep/block_monitor_lockstep.h"

#include <bit>
#include <cstdint>
#include <exception>
#include <sstream>
#include <utility>

#include "engine/block_monitor/rtl_block_monitor.h"
#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"

namespace paws {
namespace {

std::string text_of(const BlockMonitorOutputs& outputs) {
  return std::string(outputs.busy ? "busy" : "not busy") +
         (outputs.done ? ", done" : ", not done") + ", limit " + std::to_string(outputs.limit);
}

std::string slots_of(std::uint32_t mask) {
  if (mask == 0) return " none";
  std::string text;
  for (; mask != 0; mask &= mask - 1) text += ' ' + std::to_string(std::countr_zero(mask));
  return text;
}

std::string text_of(const BlockMonitorInputs& inputs, unsigned ports) {
  std::ostringstream text;
  text << "  restart  " << (inputs.restart ? 1 : 0) << "\n  starts  " << slots_of(inputs.starts)
       << "\n  issues  ";
  for (unsigned port = 0; port < ports; ++port) {
    text << ' ';
    if (inputs.issues[port]) {
      text << unsigned{*inputs.issues[port]};
    } else {
      text << '-';
    }
  }
  text << "\n  ends    " << slots_of(inputs.ends) << '\n';
  return text.str();
}

class BlockMonitorLockstep final : public BlockMonitor {
 public:
  BlockMonitorLockstep(const BlockMonitorConfig& config, std::unique_ptr<BlockMonitor> reference,
                       std::unique_ptr<BlockMonitor> subject, std::string seed_text)
      : config_(config),
        reference_(std::move(reference)),
        subject_(std::move(subject)),
        seed_text_(std::move(seed_text)) {
    compare("after reset");
  }

  void clock(const BlockMonitorInputs& inputs) override {
    inputs_ = inputs;
    try {
      reference_->clock(inputs);
      subject_->clock(inputs);
    } catch (const std::exception& error) {
      throw ContractViolation(describe("contract violated", error.what() + std::string("\n")));
    }
    compare("after the clock edge");
    ++cycle_;
  }

  [[nodiscard]] BlockMonitorOutputs outputs() const override { return reference_->outputs(); }

 private:
  void compare(const char* when) const {
    const BlockMonitorOutputs expected = reference_->outputs();
    const BlockMonitorOutputs actual = subject_->outputs();
    if (expected == actual) return;
    throw LockstepMismatch(describe(std::string("outputs differ ") + when,
                                    "outputs\n  golden model  " + text_of(expected) +
                                        "\n  RTL           " + text_of(actual) + '\n'));
  }

  [[nodiscard]] std::string describe(const std::string& what, const std::string& details) const {
    return "lockstep: " + what + " in clocked cycle " + std::to_string(cycle_) +
           "\nblock monitor of " + paws::text_of(config_) + "\ninputs\n" +
           text_of(inputs_, config_.ports) + details + "reproduce with: " + seed_text_;
  }

  BlockMonitorConfig config_;
  std::unique_ptr<BlockMonitor> reference_;
  std::unique_ptr<BlockMonitor> subject_;
  std::string seed_text_;
  BlockMonitorInputs inputs_;
  std::uint64_t cycle_ = 0;
};

}  // namespace

std::unique_ptr<BlockMonitor> make_block_monitor_lockstep(const BlockMonitorConfig& config,
                                                          const std::string& seed_text) {
  return make_block_monitor_lockstep(config, make_block_monitor(config),
                                     make_rtl_block_monitor(config, /*checked=*/true), seed_text);
}

std::unique_ptr<BlockMonitor> make_block_monitor_lockstep(const BlockMonitorConfig& config,
                                                          std::unique_ptr<BlockMonitor> reference,
                                                          std::unique_ptr<BlockMonitor> subject,
                                                          const std::string& seed_text) {
  return std::make_unique<BlockMonitorLockstep>(config, std::move(reference), std::move(subject),
                                                seed_text);
}

}  // namespace paws
