// SPDX-License-Identifier: MIT
#include "sim/cli/statistics_page.h"

#include <fmt/format.h>

#include "sim/observe/phase_sampler.h"
#include "sim/run/result_fields.h"
#include "sim/stats/statistics_table.h"

namespace paws::cli {
namespace {

template <typename Figures>
std::string section(const StatisticGroup<Figures>& group) {
  std::string text = fmt::format("\n## {}\n{}\n\n| name | unit | meaning |\n|---|---|---|\n",
                                 group.heading, group.text);
  for (const Statistic<Figures>& statistic : group.statistics) {
    text +=
        fmt::format("| `{}` | {} | {} |\n", statistic.name, statistic.unit, statistic.definition);
  }
  return text;
}

}  // namespace

std::string statistics_page() {
  std::string text = R"(# Statistics

<!-- Made by `paws list --statistics`; do not edit. -->

This page defines every number that `paws run` and `paws compare` report. It is for readers of this
output and for scripts that process it. The [glossary](glossary.md) explains words of this project, such
as engine and lockstep.

```
paws run matmul                                  # a summary
paws run matmul --stats                          # all, as lines name = value, each launch first
paws run matmul --json result.json               # all, by name
paws compare matmul bfs --csv table.csv          # all, a line per run
paws run matmul --sample samples.csv --interval 100 --sample-core 0   # over time
paws run matmul --queues --stats                 # what the queues hold (slower)
```

The command `paws list --statistics > docs/reference/statistics.md` makes this page. It reads the same tables
as the output: `sim/stats/statistics_table.cpp`, `sim/run/result_fields.cpp` and
`sim/observe/phase_sampler.cpp`.

A statistic has GPGPU-Sim's name only if it has GPGPU-Sim's meaning. So scripts that read
GPGPU-Sim's output can read the listing of `--stats` too. "Instructions" are instructions of the
lowered kernel ([frontend.md](frontend.md)).

JSON and CSV are UTF-8. A byte of a name that is not becomes U+FFFD, and a warning says so.

The simulator checks these equations after every launch (`sim/stats/conservation.h`). They hold
exactly. If one does not hold, the run ends with an error.

* Requests in = replies out, at the cores, the crossbar, the L2 and DRAM.
* Lookups = hits + misses + pending hits.
* At the end of a launch no instruction, MSHR or request is outstanding. Only DRAM writes may still
  wait.
* Scheduler states sum to the enabled cycles.
* Start-up, steady state and tail sum to the core cycles, to the instructions issued and to the live
  warps, summed over cycles.
* Instructions issued = instructions executed. Blocks started = blocks ended.
* Little's law for memory: requests outstanding, summed over cycles = latencies, summed over requests.
* Little's law for queues: warps in a queue, summed over cycles = stays, summed over warps.

## The run itself
The JSON and the CSV have these fields in addition to the statistics below. The CSV omits the values
that differ from run to run (`host_seconds` and the statistics of the host). Some files have more:

* The JSON has `kernels`, a list that says how each kernel fills a core. With `--check` it has `check`
  ([check.md](../guide/check.md)). If a workload has several modules, each entry of `kernels` and `per_launch`
  names its `module`.
* An entry of `per_launch` has `block_limits` if LCS has found some ([block schedulers](block_scheduling.md)): each with
  the `limit` in blocks per core, the `core` whose block monitor has found it (null: the median of several), and the
  `cycle` of the launch from which on it holds.
* `paws run --profile` adds `profile` to the JSON, from which `paws report` makes its [page](../guide/report.md): a list of
  kernels with `name`, `file` and `code`, which has a list per instruction: text, line in the PTX, file and line of the
  source, issues, waits (by reason: instruction, barrier, memory, arithmetic, unit, disabled, not selected, outside),
  threads on the path, threads that executed, look-ups in the L1, misses, accesses of shared memory, conflicts, number of
  the unit, initiation interval. `--sample` adds `warps`: stretches of `width` core cycles, each with the sums over its
  cycles of live warps, of those that wait for memory, of those that have their operands, and of issues. `--report` adds
  both. They are for this version; scripts read `--profile p.json` ([profiles](../guide/profile.md)).
* `paws compare` adds `noise_seed`, that of the [perturbation](simulator.md#perturbations-and-other-keys); 0: none.
* `paws compare` adds `speed_vs_rr`: the cycles under round robin of the same level, equally perturbed, ÷ the cycles of
  the run. It is empty (JSON: null) if round robin was not run or failed.
* `paws compare` adds `failure`: why the simulation has no result, for example an illegal access. It is empty
  (JSON: null) for a simulation with a result. Of a simulation that failed, only what made it is given
  in addition: `workload`, `gpu`, `version`, `commit`, `settings`, `size`, `defines`, `seed`, `scheduler`, `engine`,
  `block_scheduler`, `throttle` and `noise_seed`.

| name | meaning |
|---|---|
)";
  for (const RunField& field : run_fields()) {
    text += fmt::format("| `{}` | {} |\n", field.name, field.definition);
  }
  text += section(launch_statistics());
  for (const auto& group : run_statistics()) text += section(group);
  text += R"(
## Samples
`--sample FILE` writes a CSV file with one line per core and sampled cycle. Every multiple of
`--interval` is sampled. The last cycle of each launch is sampled too, so that the counts "since the
previous sample" add up to the count of the run.

The file has `s` columns for each scheduler of a core. It has one `phase_` column for each
[phase](glossary.md) of the kernel with the most phases; `paws phases` shows the phases. Warps per
phase are Fig. 6 and 7 of the PAWS paper, `warps` is Fig. 13. Behind them, each line repeats what made the file:
`version`, `commit`, `workload`, `gpu`, `settings`, `size`, `defines`, `seed`, `scheduler`, `engine`, `block_scheduler` and
`throttle`. Timelines (`otherData`), decision traces (`made_by`) and machine-code traces
(`-paws made by`) have the same names.

| column | meaning |
|---|---|
)";
  for (const observe::SampleColumn& column : observe::sample_columns(1, 1)) {
    text += fmt::format("| `{}` | {} |\n", column.name, column.definition);
  }
  return text;
}

}  // namespace paws::cli
