// SPDX-License-Identifier: MIT
// paws: runs CUDA kernels on a simulated GPU whose warp schedulers are RTL.
//
// Exit status: 0 when everything asked for was done and every check held, 1 for a wrong result or a
// lockstep mismatch, 2 for bad usage or bad input, 130 and 143 when interrupted by Ctrl-C or
// SIGTERM.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "sim/cli/commands.h"
#include "sim/cli/interrupt.h"
#include "sim/support/error.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app{"Warp schedulers as hardware: CUDA kernels, cycle by cycle, on RTL."};
  app.require_subcommand(1);
  int status = 0;
  paws::cli::add_list(app, status);
  paws::cli::add_run(app, status);
  paws::cli::add_compare(app, status);
  paws::cli::add_phases(app, status);
  paws::cli::add_annotate(app, status);
  paws::cli::add_decisions(app, status);
  paws::cli::add_replay(app, status);
  paws::cli::add_diff(app, status);
  paws::cli::add_gpu(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return status;
}

int fail(const char* what, int status) {
  std::fprintf(stderr, "paws: %s\n", what);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const paws::Interrupted& interrupted) {
    return fail(interrupted.what(), paws::cli::interrupted_status());
  } catch (const paws::CheckError& error) {
    return fail(error.what(), 1);
  } catch (const std::logic_error& error) {
    // An invariant of the simulator itself: conservation, or a promise to the scheduler.
    return fail(error.what(), 1);
  } catch (const std::exception& error) {
    return fail(error.what(), 2);
  }
}
