// SPDX-License-Identifier: MIT
// The words of the program. Each adds itself to the command line and returns the exit status of
// its work through `status`.
#pragma once

#include <CLI/CLI.hpp>

namespace paws::cli {

void add_list(CLI::App& app, int& status);
void add_run(CLI::App& app, int& status);
void add_compare(CLI::App& app, int& status);
void add_sweep(CLI::App& app);
void add_phases(CLI::App& app, int& status);
void add_annotate(CLI::App& app, int& status);
void add_decisions(CLI::App& app, int& status);
void add_replay(CLI::App& app, int& status);
void add_diff(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_gpu(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
void add_cuda(CLI::App& app, int& status);
void add_capture(CLI::App& app, int& status);

}  // namespace paws::cli
