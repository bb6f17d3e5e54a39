// SPDX-License-Identifier: MIT
// paws: runs CUDA kernels on a simulated GPU whose warp schedulers are RTL.
//
// Exit status: 0 when everything asked for was done and every check held, 1 for a wrong result or a
// lockstep mismatch, 2 for bad usage or bad input, 130 and 143 when interrupted by Ctrl-C or
// SIGTERM. Of several simulations that fail (compare), the largest status.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <sstream>

#include "sim/cli/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/failure.h"
#include "sim/cli/say.h"
#include "sim/cli/version.h"
#include "sim/support/error.h"
#include "sim/support/installation.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app{"Warp schedulers as hardware: CUDA kernels, cycle by cycle, on RTL."};
  app.require_subcommand(1);
  int status = 0;
  paws::cli::add_list(app, status);
  paws::cli::add_run(app, status);
  paws::cli::add_compare(app, status);
  paws::cli::add_sweep(app);
  paws::cli::add_phases(app, status);
  paws::cli::add_annotate(app, status);
  paws::cli::add_decisions(app, status);
  paws::cli::add_replay(app, status);
  paws::cli::add_diff(app, status);
  paws::cli::add_explain(app, status);
  paws::cli::add_gpu(app, status);
  paws::cli::add_report(app, status);
  paws::cli::add_cuda(app, status);
  paws::cli::add_capture(app, status);
  app.set_version_flag("--version", paws::cli::version_line());
  for (CLI::App* command : app.get_subcommands({})) {
    command->set_version_flag("--version", paws::cli::version_line());
    command->parse_complete_callback([command] { paws::cli::check_values(*command); });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // for help or the version
    std::ostringstream text;
    app.exit(asked, text, text);
    paws::cli::put(stdout, text.str());
  } catch (const std::exception&) {
    if (const auto unknown = paws::cli::unknown_word(app)) throw paws::InputError(*unknown);
    throw;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    paws::use_installation();
    paws::cli::check_streams();
    const int status = run(argc, argv);
    paws::cli::check_all_is_said();
    return status;
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s\nRun with --help for more information.\n", error.what());
    return 2;
  } catch (const std::exception&) {
    const paws::cli::Failure failure = paws::cli::failure_of(std::current_exception());
    std::fprintf(stderr, "paws: %s\n", failure.cause.c_str());
    return failure.status;
  }
}
