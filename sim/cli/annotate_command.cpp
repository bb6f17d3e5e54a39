// SPDX-License-Identifier: MIT
// paws annotate: phase lengths into PTX, and what they would cost in machine code.

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <memory>

#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/cli/output_file.h"
#include "sim/cli/say.h"
#include "sim/cli/warnings.h"
#include "sim/frontend/annotate.h"
#include "sim/run/compile.h"
#include "sim/run/simulation.h"
#include "sim/support/error.h"

namespace paws::cli {
namespace {

struct AnnotateArguments {
  std::string word;  ///< PTX file or workload
  std::string kernel;
  std::string output;
  SimulationRequest request;
};

int annotate(const AnnotateArguments& arguments) {
  check_writable(arguments.output);
  const GpuConfig config = gpu_of(arguments.request);
  const std::vector<ir::Module> modules = compile_named(arguments.word, arguments.kernel, config);
  if (modules.size() > 1) {
    throw InputError(fmt::format("'{}' has {} modules: name the PTX file to annotate",
                                 arguments.word, modules.size()));
  }
  const ir::Module& module = modules.front();
  if (!module.kernels.front().listing.empty()) {
    throw InputError(arguments.word, "is a trace of machine code; phases are annotated in PTX");
  }
  if (same_file(arguments.output, module.file)) {
    throw InputError(arguments.output, "is the file to be annotated; -o takes another");
  }
  for (const std::string& warning : module.warnings) warn(warning);
  std::ifstream stream(module.file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const bool coded = config.frontend.phase_code != 0;
  write_file(arguments.output, frontend::annotate(text, module, coded));

  const unsigned bits = coded ? config.frontend.phase_code : config.scheduler.phase_bits;
  const frontend::AnnotationCost cost = frontend::annotation_cost(module, bits);
  constexpr double kPercent = 100;
  say("kernels                               {}\n", cost.kernels);
  say("instructions                          {}\n", cost.instructions);
  say("phases                                {}\n", cost.phases);
  say("jump targets inside a phase           {}\n", cost.jump_targets);
  say("distance on every instruction         8 bits {:.1f} %, {} bits {:.1f} % of the code\n",
      kPercent * frontend::AnnotationCost::per_instruction(8), bits,
      kPercent * frontend::AnnotationCost::per_instruction(bits));
  say("length per phase and jump target      {} bits {:.2f} % of the code\n", bits,
      kPercent * cost.per_phase(bits));
  const std::uint64_t whole = coded ? cost.kernels_in_order : cost.kernels_that_fit;
  say("{}   {} of {} ({:.0f} %)\n",
      coded ? "kernels with a code for each length"
            : fmt::format("kernels whose phases fit in {:2} bits", bits),
      whole, cost.kernels,
      cost.kernels == 0
          ? 0
          : kPercent * static_cast<double>(whole) / static_cast<double>(cost.kernels));
  return 0;
}

}  // namespace

void add_annotate(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("annotate", "Write phase lengths into PTX and say what they would cost");
  auto arguments = std::make_shared<AnnotateArguments>();
  add_compile_options(*command, arguments->word, arguments->kernel, arguments->request);
  command->add_option("-o,--output", arguments->output, "annotated PTX")->required();
  command->callback([arguments, &status] { status = annotate(*arguments); });
}

}  // namespace paws::cli
