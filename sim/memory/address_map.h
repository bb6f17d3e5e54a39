// SPDX-License-Identifier: MIT
// Where a line lies: in which L2 slice, in which DRAM channel, and where in each.
#pragma once

#include <cstdint>

#include "sim/support/divisor.h"

namespace paws::memory {

/// Consecutive pieces of 256 bytes go to the slices in turn, and which slice is first changes from
/// turn to turn as if at random: a stride that is a multiple of a turn still reaches all slices.
/// Fermi hashes addresses over its partitions to this end ("partition camping" of the GPUs before
/// it); its function is not published. Slice s belongs to channel s mod channels.
class AddressMap {
 public:
  AddressMap(unsigned slices, unsigned channels) : slices_(slices), channels_(channels) {}

  [[nodiscard]] std::uint32_t slice_of(std::uint64_t line) const {
    const std::uint64_t piece = line / kInterleaveBytes;
    const std::uint64_t turn = slices_.quotient(piece);
    const std::uint64_t slice = piece - turn * slices_.value() + first_of(turn);
    return static_cast<std::uint32_t>(slice < slices_.value() ? slice : slice - slices_.value());
  }
  [[nodiscard]] std::uint32_t channel_of(std::uint64_t line) const {
    return channel_of_slice(slice_of(line));
  }
  [[nodiscard]] std::uint32_t channel_of_slice(std::uint32_t slice) const {
    return static_cast<std::uint32_t>(channels_.remainder(slice));
  }

  /// Byte address among those of its channel.
  [[nodiscard]] std::uint64_t in_channel(std::uint64_t line) const {
    return within(line, channels_);
  }

  /// Byte address among those of its part when pieces are dealt to `parts`. A turn gives each slice
  /// one piece, and each channel the pieces of its slices, whose places among the turn's pieces
  /// differ by multiples of the number of channels: no two lines of a part share an address.
  [[nodiscard]] static std::uint64_t within(std::uint64_t line, const Divisor& parts) {
    return parts.quotient(line / kInterleaveBytes) * kInterleaveBytes + line % kInterleaveBytes;
  }

 private:
  static constexpr unsigned kInterleaveBytes = 256;

  [[nodiscard]] std::uint64_t first_of(std::uint64_t turn) const {
    std::uint64_t hash = turn * 0x9e37'79b9'7f4a'7c15ULL;
    hash = (hash ^ hash >> 29) * 0xbf58'476d'1ce4'e5b9ULL;  // SplitMix64
    return slices_.remainder(hash >> 32);
  }

  Divisor slices_, channels_;
};

}  // namespace paws::memory
