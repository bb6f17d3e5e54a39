// SPDX-License-Identifier: MIT
#include "sim/run/profile_json.h"

#include <cstddef>
#include <utility>

namespace paws {

nlohmann::json to_json(const observe::Profile& profile) {
  nlohmann::json json = nlohmann::json::array();
  for (const observe::ProfiledKernel& kernel : profile.kernels) {
    nlohmann::json code = nlohmann::json::array();
    for (const observe::ProfiledInstruction& instruction : kernel.code) {
      const observe::LineCounts& counts = instruction.counts;
      code.push_back({instruction.text, instruction.line, instruction.source_file,
                      instruction.source_line, counts.issues, counts.waits, counts.path_threads,
                      counts.thread_instructions, counts.l1_accesses, counts.l1_misses,
                      counts.shared_accesses, counts.shared_conflict_cycles, instruction.unit,
                      instruction.interval});
    }
    json.push_back({{"name", kernel.name}, {"file", kernel.file}, {"code", std::move(code)}});
  }
  return json;
}

nlohmann::json to_json(const observe::WarpSeries& warps) {
  nlohmann::json stretches = nlohmann::json::array();
  for (const observe::WarpCounts& each : warps.stretches) {
    stretches.push_back({each.live, each.memory, each.ready, each.issues});
  }
  return {{"width", warps.width}, {"stretches", std::move(stretches)}};
}

observe::WarpSeries warps_from(const nlohmann::json& json) {
  observe::WarpSeries warps;
  json.at("width").get_to(warps.width);
  for (const nlohmann::json& each : json.at("stretches")) {
    warps.stretches.push_back({each.at(0), each.at(1), each.at(2), each.at(3)});
  }
  return warps;
}

observe::Profile profile_from(const nlohmann::json& json) {
  observe::Profile profile;
  for (const nlohmann::json& entry : json) {
    observe::ProfiledKernel& kernel = profile.kernels.emplace_back();
    entry.at("name").get_to(kernel.name);
    entry.at("file").get_to(kernel.file);
    for (const nlohmann::json& row : entry.at("code")) {
      observe::ProfiledInstruction& instruction = kernel.code.emplace_back();
      observe::LineCounts& counts = instruction.counts;
      std::size_t at = 0;
      const auto read = [&row, &at](auto& value) { row.at(at++).get_to(value); };
      read(instruction.text);
      read(instruction.line);
      read(instruction.source_file);
      read(instruction.source_line);
      read(counts.issues);
      read(counts.waits);
      read(counts.path_threads);
      read(counts.thread_instructions);
      read(counts.l1_accesses);
      read(counts.l1_misses);
      read(counts.shared_accesses);
      read(counts.shared_conflict_cycles);
      read(instruction.unit);
      read(instruction.interval);
    }
  }
  return profile;
}

}  // namespace paws
