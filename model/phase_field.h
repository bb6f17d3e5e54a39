// The field in which a scheduler holds a phase length or distance.
#pragma once

#include <algorithm>

#include "model/scheduler.h"

namespace paws {

/// `phase` (cycles), or the largest value that fits `config.phase_bits` bits if that is smaller.
inline unsigned saturate_phase(const SchedulerConfig& config, unsigned phase) {
  return std::min(phase, (1U << config.phase_bits) - 1U);
}

}  // namespace paws
