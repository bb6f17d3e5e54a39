// SPDX-License-Identifier: MIT
#include "sim/report/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "sim/profile/profile_table.h"

namespace paws::report {
namespace {

using core::Unit;

double statistic(const ReportedRun& run, const char* name) {
  return run.result.at(name).get<double>();
}

double cycles_of(const ReportedRun& run) { return statistic(run, "cycles"); }

double ratio(double part, double whole) { return whole == 0 ? 0 : part / whole; }

/// Bytes per core cycle.
double dram_peak(const GpuConfig& gpu) {
  return gpu.dram.channels * gpu.dram.bytes_per_clock * gpu.dram.clock_mhz / gpu.core.clock_mhz;
}

/// The same in one direction.
double l2_peak(const GpuConfig& gpu) {
  return gpu.l2.slices * gpu.interconnect.flit_bytes * gpu.interconnect.clock_mhz /
         gpu.core.clock_mhz;
}

Roof issue_roof(const ReportedRun& run, const GpuConfig& gpu) {
  const double most =
      static_cast<double>(gpu.cores) * gpu.core.schedulers / gpu.core.issue_interval;
  return {"issue slots", "Issue rate", 1 - statistic(run, "idle_fraction"),
          fmt::format("{:.2f} of {:g} warp instructions per core cycle",
                      ratio(statistic(run, "gpgpu_n_tot_w_icount"), cycles_of(run)), most)};
}

Roof dram_roof(const ReportedRun& run, const GpuConfig& gpu) {
  const double use = statistic(run, "bwutil");
  return {"DRAM", "DRAM bandwidth", use,
          fmt::format("{:.1f} of {:.1f} bytes per core cycle, {:.0f} % while transfers wait",
                      use * dram_peak(gpu), dram_peak(gpu), 100 * statistic(run, "dram_eff"))};
}

Roof l2_roof(const ReportedRun& run, const GpuConfig& gpu) {
  const double in = statistic(run, "l2_input_util");
  const double out = statistic(run, "l2_output_util");
  return {"L2", "L2 bandwidth", std::max(in, out),
          fmt::format("{:.1f} of {:.1f} bytes per core cycle {}", std::max(in, out) * l2_peak(gpu),
                      l2_peak(gpu), in > out ? "into the slices" : "out of the slices")};
}

/// It serves a transaction or a pass of shared memory in core.memory_interval cycles.
Roof load_store_roof(const ReportedRun& run, const GpuConfig& gpu) {
  const double shared =
      statistic(run, "shared_accesses") + statistic(run, "gpgpu_n_shmem_bkconflict");
  const double transactions = statistic(run, "L1D_total_cache_accesses") +
                              statistic(run, "bypass_transactions") +
                              statistic(run, "atomic_transactions");
  const double steps = cycles_of(run) * gpu.cores / gpu.core.memory_interval;
  return {
      "load-store unit", "Load-store unit", ratio(shared + transactions, steps),
      fmt::format("{:.2f} of {:g} steps per core cycle, {:.0f} % of them passes of shared "
                  "memory ({:.0f} % by bank conflicts)",
                  ratio(shared + transactions, cycles_of(run)),
                  static_cast<double>(gpu.cores) / gpu.core.memory_interval,
                  100 * ratio(shared, shared + transactions),
                  100 * ratio(statistic(run, "gpgpu_n_shmem_bkconflict"), shared + transactions))};
}

struct UnitName {
  Unit unit;
  const char* name;
  const char* limited;
  bool per_scheduler;  ///< on every machine; the others are with core.sub_cores
};
constexpr std::array kUnitNames{
    UnitName{Unit::alu, "ALUs", "ALUs", true},
    UnitName{Unit::fma, "FP32 lanes", "FP32 lanes", true},
    UnitName{Unit::sfu, "special function units", "Special function units", false},
    UnitName{Unit::fp64, "double precision", "Double precision", false},
    UnitName{Unit::tensor, "tensor cores", "Tensor cores", true}};

/// Cycles for which instructions have kept a unit busy.
struct BusyUnit {
  std::uint64_t cycles = 0;
  std::uint64_t most = 0;  ///< of one instruction,
  std::string text;        ///< which is this one
};

std::array<BusyUnit, core::kUnits> busy_units(const observe::Profile& profile) {
  std::array<BusyUnit, core::kUnits> busy;
  for (const observe::ProfiledKernel& kernel : profile.kernels) {
    for (const observe::ProfiledInstruction& each : kernel.code) {
      BusyUnit& unit = busy[static_cast<std::size_t>(each.unit)];
      const std::uint64_t cycles = each.counts.issues * each.interval;
      unit.cycles += cycles;
      if (cycles <= unit.most) continue;
      unit.most = cycles;
      unit.text = each.text;
    }
  }
  return busy;
}

void add_units(std::vector<Roof>& roofs, const ReportedRun& run, const GpuConfig& gpu) {
  const std::array<BusyUnit, core::kUnits> busy = busy_units(*run.profile);
  for (const UnitName& unit : kUnitNames) {
    const BusyUnit& counted = busy[static_cast<std::size_t>(unit.unit)];
    const auto cycles = static_cast<double>(counted.cycles);
    if (cycles == 0) continue;
    const double units = static_cast<double>(gpu.cores) *
                         (unit.per_scheduler || gpu.core.sub_cores ? gpu.core.schedulers : 1);
    const double use = ratio(cycles, units * cycles_of(run));
    roofs.push_back(
        {unit.name, unit.limited, use,
         fmt::format("{:.1f} of {:g} busy in a core cycle, {:.0f} % of that by {}", use * units,
                     units, 100 * static_cast<double>(counted.most) / cycles, counted.text)});
  }
}

/// By reason, the line with the most waits.
void add_worst_lines(Evidence& evidence, const ReportedRun& run) {
  const profile::ProfileTable table = profile::table_of(
      {{run.result.at("workload").get<std::string>(), run.scheduler, *run.profile}});
  std::array<std::uint64_t, observe::kWaits> most{};
  for (const profile::ProfileLine& line : profile::lines_of(table)) {
    for (std::size_t reason = 0; reason < most.size(); ++reason) {
      const std::uint64_t waited = line.counts.front().waits[reason];
      if (waited <= most[reason]) continue;
      most[reason] = waited;
      evidence.worst[reason] = {
          fmt::format("{}:{}", std::filesystem::path(line.file).filename().string(), line.line),
          ratio(static_cast<double>(waited), static_cast<double>(evidence.counts->warp_cycles()))};
    }
  }
}

/// Of the kernel that takes most cycles.
std::string room_of(const ReportedRun& run) {
  std::map<std::string, std::uint64_t> cycles;
  std::string longest;
  for (const nlohmann::json& launch : run.result.at("per_launch")) {
    const auto name = launch.at("kernel_name").get<std::string>();
    cycles[name] += launch.at("gpu_sim_cycle").get<std::uint64_t>();
    if (longest.empty() || cycles[name] > cycles[longest]) longest = name;
  }
  for (const nlohmann::json& kernel : run.result.at("kernels")) {
    if (kernel.at("kernel") != longest) continue;
    return fmt::format(
        "room for {} blocks of {} threads; limit: {}", kernel.at("blocks_per_core").get<unsigned>(),
        kernel.at("threads_per_block").get<unsigned>(), kernel.at("limit").get<std::string>());
  }
  return "no kernel";
}

}  // namespace

std::vector<Roof> roofs_of(const ReportedRun& run, const GpuConfig& gpu) {
  std::vector<Roof> roofs{issue_roof(run, gpu), dram_roof(run, gpu), l2_roof(run, gpu),
                          load_store_roof(run, gpu)};
  if (run.profile) add_units(roofs, run, gpu);
  return roofs;
}

Evidence evidence_of(const ReportedRun& run, const GpuConfig& gpu) {
  Evidence evidence;
  evidence.roofs = roofs_of(run, gpu);
  if (run.profile) {
    evidence.counts = run.profile->total();
    add_worst_lines(evidence, run);
  }
  const double active = statistic(run, "active_core_cycles");
  evidence.idle_cores = 1 - ratio(active, statistic(run, "core_cycles"));
  evidence.warps = ratio(statistic(run, "warp_cycles"), active);
  evidence.warp_slots = gpu.warp_slots();
  evidence.room = room_of(run);
  return evidence;
}

double dram_bytes(const ReportedRun& run, const GpuConfig& gpu) {
  return statistic(run, "bwutil") * dram_peak(gpu) * cycles_of(run);
}

double l2_bytes(const ReportedRun& run, const GpuConfig& gpu) {
  return (statistic(run, "l2_input_util") + statistic(run, "l2_output_util")) * l2_peak(gpu) *
         cycles_of(run);
}

}  // namespace paws::report
