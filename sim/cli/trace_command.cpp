// SPDX-License-Identifier: MIT
// paws trace: a workload's machine code, as executed, in Accel-Sim's format.

#include <fmt/format.h>

#include <memory>

#include "sim/cli/commands.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/warnings.h"
#include "sim/run/trace_writing.h"

namespace paws::cli {
namespace {

struct WriteArguments {
  SimulationRequest request;
  std::string folder;
};

int write(WriteArguments& arguments) {
  note_interrupts();
  arguments.request.options.interrupted = interrupted;
  arguments.request.warn = warn;
  const WrittenTraces written = write_traces(arguments.request, arguments.folder);
  fmt::print("workload            {}\n", written.workload);
  fmt::print("list                {}\n", written.list.string());
  fmt::print("kernel launches     {}\n", written.launches);
  fmt::print("warp instructions   {}\n", written.warp_instructions);
  if (written.verified) fmt::print("results             {}\n", *written.verified ? "PASS" : "FAIL");
  for (const std::string& message : written.messages) fmt::print(stderr, "paws: {}\n", message);
  return written.verified.value_or(true) ? 0 : 1;
}

}  // namespace

void add_trace(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "trace", "Write what a workload's kernels execute as traces of machine code");
  auto arguments = std::make_shared<WriteArguments>();
  SimulationRequest& request = arguments->request;
  command
      ->add_option("workload", request.workload,
                   "name of a workload (paws list) or path of a launch description")
      ->required();
  command->add_option("-o,--output", arguments->folder, "folder for kernelslist.g and its traces")
      ->required();
  command
      ->add_option("--gpu", request.gpu,
                   "for whose latencies and registers to compile: preset or file")
      ->capture_default_str();
  command
      ->add_option("--set", request.settings,
                   "change a key of the GPU configuration, key=value; "
                   "may be repeated")
      ->allow_extra_args(false);
  add_load_options(*command, request);
  command
      ->add_option("--max-instructions", request.max_instructions,
                   "warp instructions after which a kernel launch is taken to spin for ever, "
                   "instead of the launch description's")
      ->default_str(std::to_string(exec::FunctionalRunner::kDefaultMaxInstructions))
      ->check(CLI::PositiveNumber);
  command->callback([arguments, &status] { status = write(*arguments); });
}

}  // namespace paws::cli
