#include "sim/memory/dram_channel.h"

#include <algorithm>

#include "sim/memory/clock.h"

namespace paws::memory {

DramChannel::DramChannel(const DramSettings& settings, unsigned line_bytes)
    : settings_(settings),
      period_fs_(period_fs(settings.clock_mhz)),
      burst_fs_((line_bytes + settings.bytes_per_clock - 1) / settings.bytes_per_clock *
                period_fs_),
      banks_(settings.banks) {}

DramChannel::Place DramChannel::place_of(std::uint64_t local_address) const {
  const std::uint64_t row_index = local_address / settings_.row_bytes;
  const std::uint64_t row = row_index / settings_.banks;
  // Rows of one stride are spread over the banks, as memory controllers do with an XOR of row bits.
  return {static_cast<std::size_t>((row_index ^ row) % settings_.banks), row};
}

DramChannel::Decision DramChannel::decide(std::uint64_t now_fs) {
  const std::size_t window = std::min<std::size_t>(queue_.size(), settings_.queue);
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < window; ++i) {
    const Place place = place_of(queue_[i].local_address);
    const Bank& bank = banks_[place.bank];
    if (bank.open && bank.row == place.row) {
      chosen = i;
      break;
    }
  }
  Decision decision;
  decision.transfer = queue_[chosen];
  queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(chosen));

  const Place place = place_of(decision.transfer.local_address);
  Bank& bank = banks_[place.bank];
  decision.row_hit = bank.open && bank.row == place.row;
  if (!decision.row_hit) {
    std::uint64_t activate = now_fs;
    if (bank.open) {
      const std::uint64_t precharge =
          std::max({now_fs, bank.activated_fs + settings_.tras * period_fs_, bank.data_end_fs});
      activate = precharge + settings_.trp * period_fs_;
    }
    if (any_activate_) {
      activate = std::max(activate, last_activate_fs_ + settings_.trrd * period_fs_);
    }
    any_activate_ = true;
    last_activate_fs_ = activate;
    bank.open = true;
    bank.row = place.row;
    bank.activated_fs = activate;
    bank.column_ready_fs = activate + settings_.trcd * period_fs_;
  }
  const std::uint64_t column = std::max(now_fs, bank.column_ready_fs);
  const std::uint64_t bus_ready =
      bus_free_fs_ +
      (decision.transfer.write != last_write_ ? settings_.turnaround : 0) * period_fs_;
  const std::uint64_t data = std::max(column + settings_.tcl * period_fs_, bus_ready);
  last_write_ = decision.transfer.write;
  bus_free_fs_ = data + burst_fs_;
  bank.column_ready_fs = data - settings_.tcl * period_fs_ + burst_fs_;
  bank.data_end_fs = bus_free_fs_;
  decision.done_fs = bus_free_fs_;
  const std::uint64_t lead =
      std::uint64_t{settings_.trp + settings_.trcd + settings_.tcl} * period_fs_;
  decision.next_fs = std::max(now_fs + period_fs_, bus_free_fs_ > lead ? bus_free_fs_ - lead : 0);
  return decision;
}

}  // namespace paws::memory
