// SPDX-License-Identifier: MIT
#include "model/scheduler_fields.h"

#include <array>

namespace paws {
namespace {

/// Single-level RR is fair by itself, and fetch groups have a timeout of their own.
bool needs_age_limit(const SchedulerConfig& config) {
  return config.level == Level::two_level || (config.policy != "rr" && !has_fetch_groups(config));
}

}  // namespace

std::span<const SchedulerField> scheduler_fields() {
  using Config = SchedulerConfig;
  static const std::array fields{
      SchedulerField{.name = "warps",
                     .rtl = "WARPS",
                     .member = &Config::warps,
                     .low = 4,
                     .high = kMaxWarps,
                     .unit = "warps",
                     .meaning = "warp slots of one scheduler",
                     .said = "{} warps",
                     .of_machine = true},
      SchedulerField{.name = "ready",
                     .rtl = "READY",
                     .member = &Config::ready,
                     .low = 1,
                     .high = kMaxWarps,
                     .unit = "warps",
                     .meaning = "ready queue of one scheduler",
                     .said = "ready {}",
                     .two_level = true},
      SchedulerField{.name = "phase_bits",
                     .rtl = "PHASE_W",
                     .member = &Config::phase_bits,
                     .low = 2,
                     .high = 16,
                     .unit = "bits",
                     .meaning = "phase field; longer phases saturate",
                     .said = "{}-bit phases"},
      SchedulerField{
          .name = "key_precision",
          .rtl = "PRECISION",
          .member = &Config::key_precision,
          .low = 1,
          .high = 16,
          .unit = "bits",
          .meaning =
              "leading significant bits of a phase that PAWS compares; from phase_bits on all",
          .said = "keys of {} leading bits",
          .heeded_by = knows_lengths},
      SchedulerField{.name = "age_limit",
                     .rtl = "AGE_LIMIT",
                     .member = &Config::age_limit,
                     .low = 0,
                     .high = 65535,
                     .unit = "issues",
                     .meaning = "after so many, warps that were passed over go first; 0: never",
                     .said = "age limit {}",
                     .heeded_by = needs_age_limit},
      SchedulerField{.name = "pair_bits",
                     .rtl = "PAIR_W",
                     .member = &Config::pair_bits,
                     .low = 1,
                     .high = 5,
                     .unit = "bits",
                     .meaning = "SCA: number of a pair of blocks",
                     .said = "{}-bit pairs",
                     .of_machine = true,
                     .single_level = true,
                     .heeded_by = knows_groups},
      SchedulerField{.name = "group",
                     .rtl = "GROUP",
                     .member = &Config::group,
                     .low = 1,
                     .high = kMaxWarps,
                     .unit = "warps",
                     .meaning = "single:group: consecutive warp slots of a fetch group",
                     .said = "groups of {}",
                     .single_level = true,
                     .heeded_by = has_fetch_groups},
      SchedulerField{.name = "group_timeout",
                     .rtl = "TIMEOUT",
                     .member = &Config::group_timeout,
                     .low = 0,
                     .high = 65535,
                     .unit = "issues",
                     .meaning = "single:group: after so many in succession a fetch group comes "
                                "last; 0: never",
                     .said = "group timeout {}",
                     .single_level = true,
                     .heeded_by = has_fetch_groups},
      SchedulerField{.name = "compares",
                     .rtl = "COMPARES",
                     .member = &Config::compares,
                     .low = 1,
                     .high = 2,
                     .unit = "warps",
                     .meaning = "single:paws-ordered: warps that are placed in one cycle",
                     .said = "{} placed per cycle",
                     .single_level = true,
                     .heeded_by = has_order},
      SchedulerField{.name = "tie_by_arrival",
                     .rtl = "TIE_ARRIVAL",
                     .member = &Config::tie_by_arrival,
                     .meaning = "two-level PAWS: equal lengths by arrival instead of by age",
                     .said = "ties by arrival",
                     .two_level = true,
                     .heeded_by = knows_lengths},
      SchedulerField{.name = "wake_oldest",
                     .rtl = "WAKE_OLDEST",
                     .member = &Config::wake_oldest,
                     .meaning = "two-level: of the warps that wake in one cycle the oldest is "
                                "sorted in first, not the lowest slot",
                     .said = "wakes by age",
                     .two_level = true},
  };
  return fields;
}

bool is_switch(const SchedulerField& field) {
  return std::holds_alternative<bool SchedulerConfig::*>(field.member);
}

unsigned value_of(const SchedulerConfig& config, const SchedulerField& field) {
  return std::visit([&](auto member) { return static_cast<unsigned>(config.*member); },
                    field.member);
}

void set_value(SchedulerConfig& config, const SchedulerField& field, unsigned value) {
  if (const auto* number = std::get_if<unsigned SchedulerConfig::*>(&field.member)) {
    config.** number = value;
  } else {
    config.*std::get<bool SchedulerConfig::*>(field.member) = value != 0;
  }
}

bool has_field(const SchedulerConfig& config, const SchedulerField& field) {
  return config.level == Level::two_level ? !field.single_level : !field.two_level;
}

bool makes_difference(const SchedulerConfig& config, const SchedulerField& field) {
  if (!has_field(config, field) || value_of(config, field) == 0) return false;
  if (field.single_level) return heeds(config, field);
  return field.name != "key_precision" || config.key_precision < config.phase_bits;
}

bool heeds(const SchedulerConfig& config, const SchedulerField& field) {
  return has_field(config, field) && (field.heeded_by == nullptr || field.heeded_by(config));
}

}  // namespace paws
