// SPDX-License-Identifier: MIT
#include "model/length_store.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace paws {
namespace {

class GoldenLengthStore final : public LengthStore {
 public:
  explicit GoldenLengthStore(const LengthStoreConfig& config)
      : config_(config), entries_(config.entries) {}

  LengthStoreOutputs decide(const LengthStoreInputs& inputs) override {
    inputs_ = inputs;
    return {.length = read_};
  }

  void commit() override {
    check();
    const std::uint64_t place = offset() >> config_.shift;
    read_ = place < config_.entries ? entries_[place] : largest();
    if (inputs_.write_valid) entries_[inputs_.write_index] = inputs_.write_length;
  }

 private:
  /// Of the program counter from the base on, in bytes.
  [[nodiscard]] std::uint64_t offset() const {
    return (inputs_.pc - inputs_.base) & (~std::uint64_t{0} >> (64 - config_.pc_bits));
  }
  [[nodiscard]] std::uint16_t largest() const {
    return static_cast<std::uint16_t>((1U << config_.length_bits) - 1);
  }
  void check() const {
    const auto fail = [](const std::string& what) {
      throw std::logic_error("length store: the host broke a promise: " + what);
    };
    if (!inputs_.write_valid) return;
    if (inputs_.write_index >= config_.entries) fail("an entry that does not exist");
    if (inputs_.write_length > largest()) fail("a length that does not fit");
  }

  LengthStoreConfig config_;
  std::vector<std::optional<std::uint16_t>> entries_;  // nothing before the first write
  std::optional<std::uint16_t> read_;
  LengthStoreInputs inputs_;
};

}  // namespace

std::unique_ptr<LengthStore> make_length_store(const LengthStoreConfig& config) {
  return std::make_unique<GoldenLengthStore>(config);
}

}  // namespace paws
