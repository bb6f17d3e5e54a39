// SPDX-License-Identifier: MIT
#include "model/port_line.h"

namespace paws {

std::string port_line(const SchedulerConfig& config, unsigned policy_code, std::uint64_t cycle,
                      bool reset, const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                      Masks masks) {
  std::string line = std::to_string(cycle);
  const auto add = [&line](std::uint64_t number) { line += ' ' + std::to_string(number); };
  const auto add_mask = [&](WarpMask mask) {
    if (masks == Masks::decimal) return add(mask);
    line += ' ';
    for (unsigned slot = config.warps; slot-- != 0;) line += (mask >> slot & 1) != 0 ? '1' : '0';
  };
  const auto add_slots = [&](const auto& numbers) {
    for (unsigned slot = 0; slot < config.warps; ++slot) add(numbers[slot]);
  };
  add(reset ? 0 : 1);
  add(policy_code);
  add(inputs.issue_en ? 1 : 0);
  for (const WarpMask mask :
       {inputs.issuable, inputs.waits, inputs.long_outstanding, inputs.exits}) {
    add_mask(mask);
  }
  add(inputs.launch_valid ? 1 : 0);
  add(inputs.launch_warp);
  add(outputs.issue_valid ? 1 : 0);
  add(outputs.issue_warp);
  add(outputs.quiet ? 1 : 0);
  add_slots(inputs.phase);
  if (config.level == Level::two_level) return line;
  add(inputs.second);
  add_mask(inputs.yields);
  add_slots(inputs.pair);
  add_slots(inputs.row);
  return line;
}

std::string port_header(const SchedulerConfig& config) {
  std::string header =
      "# cycle rst_ni policy issue_en issuable waits long_outstanding exit launch_valid "
      "launch_warp issue_valid issue_warp quiet";
  const auto add_slots = [&](const std::string& name) {
    for (unsigned slot = 0; slot < config.warps; ++slot) {
      header += ' ' + name + '[' + std::to_string(slot) + ']';
    }
  };
  add_slots("phase");
  if (config.level == Level::two_level) return header;
  header += " second yield";
  add_slots("pair");
  add_slots("row");
  return header;
}

}  // namespace paws
