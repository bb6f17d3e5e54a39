// SPDX-License-Identifier: MIT
// paws gpu: a GPU configuration, whole, with units.

#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/say.h"
#include "sim/cli/version.h"
#include "sim/config/gpgpusim.h"
#include "sim/run/simulation.h"

namespace paws::cli {

void add_gpu(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("gpu", "Print a GPU configuration with its units");
  auto request = std::make_shared<SimulationRequest>();
  command
      ->add_option(
          "gpu", request->gpu,
          fmt::format("preset ({}) or configuration file", fmt::join(preset_names(), ", ")))
      ->capture_default_str();
  command->add_option("--set", request->settings, "change a key, key=value; may be repeated")
      ->allow_extra_args(false);
  auto from = std::make_shared<std::string>();
  command->add_option(
      "--from", *from,
      "a configuration file of GPGPU-Sim: print it as one of this program, with what "
      "became of each option");
  command->callback([command, request, from, &status] {
    if (!from->empty()) {
      refuse(*command, {"gpu", "--set"}, "with --from");
      say("{}", from_gpgpusim(*from));
      status = 0;
      return;
    }
    const GpuConfig config = gpu_of(*request);
    const Provenance made_by = provenance_of(*request, "", {});
    say("# {}; {}{}{}\n{}", version_line(), made_by.gpu, made_by.settings.empty() ? "" : " with ",
        made_by.settings, to_toml(config));
    status = 0;
  });
}

}  // namespace paws::cli
