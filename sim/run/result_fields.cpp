// SPDX-License-Identifier: MIT
#include "sim/run/result_fields.h"

#include "sim/run/findings_json.h"
#include "sim/stats/statistics_table.h"

namespace paws {
namespace {

nlohmann::json json_of(const StatisticValue& value) {
  return std::visit([](auto number) { return nlohmann::json(number); }, value);
}

/// `core` is null when the monitors of several cores have found the limit.
nlohmann::json json_of(const BlockLimit& limit) {
  return {{"limit", limit.limit},
          {"core", limit.core ? nlohmann::json(*limit.core) : nlohmann::json(nullptr)},
          {"cycle", limit.cycle}};
}

template <typename Figures>
void add_statistics(nlohmann::json& json, const StatisticGroup<Figures>& group,
                    const Figures& figures) {
  for (const Statistic<Figures>& statistic : group.statistics) {
    // Of what differs from run to run, host_seconds says it all.
    if (statistic.of_host) continue;
    if (const auto value = statistic.value(figures)) json[statistic.name] = json_of(*value);
  }
}

}  // namespace

const std::vector<RunField>& run_fields() {
  using Result = const SimulationResult&;
  using Json = nlohmann::json;
  static const std::vector<RunField> fields{
      {"workload", "Name of the workload.", [](Result r) { return Json(r.workload); }},
      {"gpu", "Name of the GPU configuration.", [](Result r) { return Json(r.gpu); }},
      {"version", "Version of the project.", [](Result r) { return Json(r.made_by.version); }},
      {"commit", "Commit of the project; `unknown` if it was built outside a git repository.",
       [](Result r) { return Json(r.made_by.commit); }},
      {"settings", "Keys of the GPU configuration that differ from the preset, `key=value`.",
       [](Result r) { return Json(r.made_by.settings); }},
      {"size", "The size of the launch description (`--size`); empty: the default one.",
       [](Result r) { return Json(r.made_by.size); }},
      {"defines", "Size variables that were changed (`--define`), `name=value`.",
       [](Result r) { return Json(r.made_by.defines); }},
      {"seed",
       "Seed of the workload's random buffers; null if it has none, or was not read to its end.",
       [](Result r) { return r.seed ? Json(*r.seed) : Json(nullptr); }},
      {"timing", "Whether the run simulated schedulers and cycles (`--timing`).",
       [](Result r) { return Json(r.timed); }},
      {"verified",
       "Whether the results are right; null if the workload has no expected results, or is a trace "
       "of machine code.",
       [](Result r) { return r.verified ? Json(*r.verified) : Json(nullptr); }},
      {"launches", "Kernel launches.", [](Result r) { return Json(r.launches); }},
      {"instructions", "Thread instructions (gpu_tot_sim_insn).",
       [](Result r) { return Json(r.thread_instructions); }},
      {"warp_instructions", "Warp instructions (gpgpu_n_tot_w_icount).",
       [](Result r) { return Json(r.warp_instructions); }},
      {"host_seconds", "Host seconds that the simulation took.",
       [](Result r) { return Json(r.host_seconds); }, false, true},
      {"scheduler", "Level and policy of the scheduler.",
       [](Result r) { return Json(r.scheduler); }, true},
      {"policy_parameters", "Parameters of the policy, each with its value; null if it has none.",
       [](Result r) {
         return r.policy_parameters.empty() ? Json(nullptr) : Json(r.policy_parameters);
       },
       true},
      {"engine", "The engine that made the decisions: rtl, model or lockstep.",
       [](Result r) { return Json(r.engine); }, true},
      {"block_scheduler", "The block scheduler (`--blocks`).",
       [](Result r) { return Json(r.blocks); }, true},
      {"throttle", "What holds warps back from issue (`--throttle`).",
       [](Result r) { return Json(r.throttle); }, true},
      {"cycles", "Core cycles (gpu_tot_sim_cycle).",
       [](Result r) { return Json(r.statistics.cycles); }, true},
      {"ipc", "Thread instructions per core cycle (gpu_tot_ipc).",
       [](Result r) { return Json(r.statistics.ipc()); }, true},
      {"blocks", "Thread blocks completed.",
       [](Result r) { return Json(r.statistics.cores.blocks); }, true}};
  return fields;
}

nlohmann::json to_json(const SimulationResult& result) {
  nlohmann::json json;
  for (const RunField& field : run_fields()) {
    if (result.timed || !field.needs_timing) json[field.name] = field.value(result);
  }
  nlohmann::json& kernels = json["kernels"] = nlohmann::json::array();
  for (const KernelOccupancy& kernel : result.kernels) {
    kernels.push_back({{"kernel", kernel.kernel},
                       {"threads_per_block", kernel.threads},
                       {"registers_per_thread", kernel.registers.held},
                       {"spilled_registers", kernel.registers.spilled},
                       {"register_bound", kernel.registers.bound},
                       {"shared_bytes", kernel.shared_bytes},
                       {"blocks_per_core", kernel.occupancy.blocks},
                       {"limit", kernel.occupancy.limit}});
    if (!kernel.module.empty()) kernels.back()["module"] = kernel.module;
  }
  if (result.check) json["check"] = to_json(*result.check);
  if (!result.timed) return json;
  const RunFigures figures{result.statistics, result.host_seconds};
  for (const auto& group : run_statistics()) add_statistics(json, group, figures);
  nlohmann::json& launches = json["per_launch"] = nlohmann::json::array();
  for_each_launch(result.statistics, [&](const LaunchFigures& launch) {
    const std::string& module = result.launch_modules[launches.size()];
    nlohmann::json entry;
    entry["kernel_name"] = launch.launch.kernel;
    if (!module.empty()) entry["module"] = module;
    for (const BlockLimit& limit : launch.launch.limits)
      entry["block_limits"].push_back(json_of(limit));
    add_statistics(entry, launch_statistics(), launch);
    launches.push_back(std::move(entry));
  });
  return json;
}

std::vector<std::pair<std::string, std::string>> to_columns(const SimulationResult& result) {
  std::vector<std::pair<std::string, std::string>> columns;
  auto add = [&columns](const std::string& name, const nlohmann::json& value) {
    std::string text;
    if (value.is_string()) {
      text = value.get<std::string>();
    } else if (!value.is_null()) {
      text = value.dump();
    }
    columns.emplace_back(name, std::move(text));
  };
  for (const RunField& field : run_fields()) {
    if (!field.of_host) add(field.name, field.value(result));
  }
  const RunFigures figures{result.statistics, result.host_seconds};
  for (const auto& group : run_statistics()) {
    for (const Statistic<RunFigures>& statistic : group.statistics) {
      if (statistic.of_host) continue;
      const auto value = statistic.value(figures);
      add(statistic.name, value ? json_of(*value) : nlohmann::json(nullptr));
    }
  }
  return columns;
}

}  // namespace paws
