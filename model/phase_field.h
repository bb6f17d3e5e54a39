// SPDX-License-Identifier: MIT
// What a scheduler makes of a phase length or distance before it stores or compares it.
#pragma once

#include <algorithm>
#include <bit>

#include "model/scheduler.h"

namespace paws {

/// The largest phase (cycles) that fits `config.phase_bits` bits.
inline unsigned largest_phase(const SchedulerConfig& config) {
  return (1U << config.phase_bits) - 1U;
}

/// The key of `phase` (cycles): first it saturates to the phase field, and then only its
/// `config.key_precision` leading significant bits count; the others are taken to be zero.
inline unsigned phase_key(const SchedulerConfig& config, unsigned phase) {
  const unsigned held = std::min(phase, largest_phase(config));
  const auto significant = static_cast<unsigned>(std::bit_width(held));
  const unsigned ignored =
      significant > config.key_precision ? significant - config.key_precision : 0;
  return held >> ignored << ignored;
}

/// Bits of the code in which hardware stores such a key: docs/reference/microarchitecture.md,
/// "Keys".
inline unsigned phase_key_bits(const SchedulerConfig& config) {
  const unsigned precision = std::min(config.key_precision, config.phase_bits);
  const unsigned codes = (config.phase_bits - precision + 2) << (precision - 1);
  return static_cast<unsigned>(std::bit_width(codes - 1));
}

}  // namespace paws
