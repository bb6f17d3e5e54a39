// SPDX-License-Identifier: MIT
#include "sim/memory/dram_channel.h"

#include <algorithm>
#include <utility>

#include "sim/memory/clock.h"

namespace paws::memory {

DramChannel::DramChannel(const DramSettings& settings, unsigned line_bytes)
    : settings_(settings),
      row_bytes_(settings.row_bytes),
      bank_count_(settings.banks),
      period_fs_(period_fs(settings.clock_mhz)),
      line_bytes_(line_bytes),
      banks_(settings.banks) {}

DramChannel::Place DramChannel::place_of(std::uint64_t local_address) const {
  const std::uint64_t row_index = row_bytes_.quotient(local_address);
  const std::uint64_t row = bank_count_.quotient(row_index);
  // Rows of one stride are spread over the banks, as memory controllers do with an XOR of row bits.
  return {static_cast<std::size_t>(bank_count_.remainder(row_index ^ row)), row};
}

DramChannel::Plan DramChannel::plan(const Waiting& waiting, std::uint64_t now_fs) const {
  const auto& [transfer, place] = waiting;
  const Bank& bank = banks_[place.bank];
  Plan plan;
  plan.row_hit = bank.open && bank.row == place.row;
  std::uint64_t column = std::max(now_fs, bank.column_ready_fs);
  if (!plan.row_hit) {
    plan.activate_fs = now_fs;
    if (bank.open) {
      const std::uint64_t precharge = std::max(
          {now_fs, bank.activated_fs + settings_.tras * period_fs_, bank.precharge_ready_fs});
      plan.activate_fs = precharge + settings_.trp * period_fs_;
    }
    if (any_activate_) {
      plan.activate_fs =
          std::max(plan.activate_fs, last_activate_fs_ + settings_.trrd * period_fs_);
    }
    column = plan.activate_fs + settings_.trcd * period_fs_;
  }
  if (!transfer.write) column = std::max(column, read_ready_fs_);
  const std::uint64_t bus_ready =
      bus_free_fs_ + (transfer.write != last_write_ ? settings_.turnaround : 0) * period_fs_;
  plan.data_fs = std::max(column + settings_.tcl * period_fs_, bus_ready);
  return plan;
}

std::pair<std::size_t, DramChannel::Plan> DramChannel::best(std::uint64_t now_fs) const {
  const std::size_t window =
      std::min<std::size_t>({queue_.size(), settings_.queue, settings_.reorder});
  // No data can come before this; among row hits the oldest goes first.
  const std::uint64_t earliest = std::max(now_fs + settings_.tcl * period_fs_, bus_free_fs_);
  std::size_t chosen = 0;
  Plan best = plan(queue_.front(), now_fs);
  for (std::size_t i = 1; i < window && !(best.row_hit && best.data_fs == earliest); ++i) {
    const Plan other = plan(queue_[i], now_fs);
    if (std::pair(other.data_fs, !other.row_hit) < std::pair(best.data_fs, !best.row_hit)) {
      best = other;
      chosen = i;
    }
  }
  return {chosen, best};
}

DramChannel::Decision DramChannel::decide(std::uint64_t now_fs) {
  const auto [chosen, best] = this->best(now_fs);
  const Place place = queue_[chosen].place;
  Decision decision;
  decision.transfer = queue_[chosen].transfer;
  decision.row_hit = best.row_hit;
  queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(chosen));

  Bank& bank = banks_[place.bank];
  if (!best.row_hit) {
    any_activate_ = true;
    last_activate_fs_ = best.activate_fs;
    bank.open = true;
    bank.row = place.row;
    bank.activated_fs = best.activate_fs;
  }
  last_write_ = decision.transfer.write;
  const std::uint64_t burst = burst_fs(decision.transfer.sectors);
  bus_free_fs_ = best.data_fs + burst;
  bank.column_ready_fs = best.data_fs - settings_.tcl * period_fs_ + burst;
  const std::uint64_t recovery = last_write_ ? settings_.twr * period_fs_ : 0;
  bank.precharge_ready_fs = std::max(bank.precharge_ready_fs, bus_free_fs_ + recovery);
  if (last_write_ && settings_.twtr != 0) {
    read_ready_fs_ = bus_free_fs_ + settings_.twtr * period_fs_;
  }
  decision.done_fs = bus_free_fs_;
  const std::uint64_t lead =
      std::uint64_t{settings_.trp + settings_.trcd + settings_.tcl} * period_fs_;
  decision.next_fs = std::max(now_fs + period_fs_, bus_free_fs_ > lead ? bus_free_fs_ - lead : 0);
  return decision;
}

}  // namespace paws::memory
