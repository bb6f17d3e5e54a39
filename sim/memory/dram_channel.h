// SPDX-License-Identifier: MIT
// One DRAM channel: banks with row buffers and a first-ready, first-come-first-served scheduler, or
// one that takes transfers in the order in which they came (dram.reorder).
//
// The channel commits to one line transfer at a time and works out when its precharge, activate and
// column commands can go. It decides early enough that a row can be opened in one bank while the
// data bus still serves another.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/memory/sectors.h"
#include "sim/support/divisor.h"

namespace paws::memory {

class DramChannel {
 public:
  struct Transfer {
    std::uint64_t local_address = 0;  ///< byte address within the channel
    std::uint64_t line = 0;           ///< global line address, for the caller
    bool write = false;
    SectorMask sectors = kAllSectors;  ///< of the line, that are transferred
  };

  struct Decision {
    Transfer transfer;
    bool row_hit = false;
    std::uint64_t done_fs = 0;  ///< the last byte has left the data pins
    std::uint64_t next_fs = 0;  ///< when to call decide() again if more are queued
  };

  DramChannel(const DramSettings& settings, unsigned line_bytes);

  void push(const Transfer& transfer) {
    queue_.push_back({transfer, place_of(transfer.local_address)});
  }
  [[nodiscard]] bool empty() const { return queue_.empty(); }
  [[nodiscard]] std::size_t waiting() const { return queue_.size(); }
  [[nodiscard]] std::size_t queued_writes() const {
    return static_cast<std::size_t>(
        std::count_if(queue_.begin(), queue_.end(),
                      [](const Waiting& waiting) { return waiting.transfer.write; }));
  }
  /// Whether the queue has a place. push() does not ask: a dirty victim goes along with the miss
  /// that evicts it, so that up to two transfers take the last place.
  [[nodiscard]] bool has_room() const { return queue_.size() < settings_.queue; }

  /// Chooses the next transfer at time `now_fs`: among the first `queue` waiting, or the first
  /// `reorder` if these are fewer, the one whose data can come first, of these one that hits an
  /// open row, of these the oldest. Must not be called while empty().
  Decision decide(std::uint64_t now_fs);

  /// Time the data bus is driven for `sectors` of a line.
  [[nodiscard]] std::uint64_t burst_fs(SectorMask sectors = kAllSectors) const {
    const unsigned bytes = line_bytes_ * static_cast<unsigned>(std::popcount(sectors)) /
                           static_cast<unsigned>(std::popcount(kAllSectors));
    return (bytes + settings_.bytes_per_clock - 1) / settings_.bytes_per_clock * period_fs_;
  }

 private:
  struct Bank {
    bool open = false;
    std::uint64_t row = 0;
    std::uint64_t activated_fs = 0;
    std::uint64_t column_ready_fs = 0;
    std::uint64_t precharge_ready_fs = 0;  ///< as far as data and write recovery say
  };
  struct Place {
    std::size_t bank;
    std::uint64_t row;
  };
  struct Waiting {
    Transfer transfer;
    Place place;
  };
  /// When a transfer would go if it were chosen.
  struct Plan {
    bool row_hit = false;
    std::uint64_t activate_fs = 0;  ///< of its row, unless it is a hit
    std::uint64_t data_fs = 0;      ///< begin of its data
  };
  [[nodiscard]] Place place_of(std::uint64_t local_address) const;
  [[nodiscard]] Plan plan(const Waiting& waiting, std::uint64_t now_fs) const;
  /// The transfer to be chosen, with its plan.
  [[nodiscard]] std::pair<std::size_t, Plan> best(std::uint64_t now_fs) const;

  DramSettings settings_;
  Divisor row_bytes_, bank_count_;
  std::uint64_t period_fs_;
  unsigned line_bytes_;
  std::vector<Bank> banks_;
  std::vector<Waiting> queue_;
  std::uint64_t bus_free_fs_ = 0;
  std::uint64_t read_ready_fs_ = 0;  ///< no read command before: tWTR after written data
  std::uint64_t last_activate_fs_ = 0;
  bool any_activate_ = false;
  bool last_write_ = false;
};

}  // namespace paws::memory
