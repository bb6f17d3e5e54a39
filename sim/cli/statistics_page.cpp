// SPDX-License-Identifier: MIT
#include "sim/cli/statistics_page.h"

#include <fmt/format.h>

#include "sim/cli/simulation.h"
#include "sim/observe/phase_sampler.h"
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

What every number means. `paws list --statistics > docs/statistics.md` makes this page from the
tables that make the output (`sim/stats/statistics_table.cpp`, `sim/cli/simulation.cpp`,
`sim/observe/phase_sampler.cpp`).

```
paws run matmul                                  # a summary
paws run matmul --stats                          # all, as lines name = value, each launch first
paws run matmul --json result.json               # all, by name
paws compare matmul bfs --csv table.csv          # all, a line per run
paws run matmul --sample samples.csv --interval 100 --sample-core 0   # over time
paws run matmul --queues --stats                 # what the queues hold (slower)
```

A name is GPGPU-Sim's where the meaning is the same, so that scripts made for its output read
`--stats`; where the meaning differs, so does the name. Instructions are those of the lowered
kernel ([frontend.md](frontend.md)).

After every launch of every run these hold, exactly, or the run ends with an error
(`sim/stats/conservation.h`): requests in are replies out at the cores, the crossbar, the L2 and
DRAM; lookups are hits, misses and pending hits; no instruction, MSHR or request is left; scheduler
states sum to the enabled cycles; instructions issued are instructions executed; blocks started are
blocks ended; and Little's law: requests outstanding summed over cycles are latencies summed over
requests, warps in a queue summed over cycles are stays summed over warps.

## The run itself
In the JSON and the CSV, beside the statistics below. The CSV leaves out what differs from run to
run. The JSON has `kernels` too, a list of how each kernel fills a core, and
`check` of a run with `--check` ([check.md](check.md)). Of a workload with
several modules, the entries of `kernels` and `per_launch` have the kernel's `module`. `paws compare` adds `speed_vs_rr`: the cycles under round robin of the same level ÷ the
run's; empty (JSON: null) when that was not run.

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
`--sample FILE` writes a line per core and sampled cycle: every multiple of `--interval`, and the
last cycle of each launch, so that the columns counted since the sample before add up to the run's.
There are as many `s` columns as schedulers in a core, and `phase_` columns as phases in the kernel
that has most; `paws phases` shows the phases. Warps per phase are PAWS Fig. 6 and 7, `warps` Fig. 13.

| column | meaning |
|---|---|
)";
  for (const observe::SampleColumn& column : observe::sample_columns(1, 1)) {
    text += fmt::format("| `{}` | {} |\n", column.name, column.definition);
  }
  return text;
}

}  // namespace paws::cli
