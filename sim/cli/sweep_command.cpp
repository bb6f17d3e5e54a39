// SPDX-License-Identifier: MIT
// paws sweep: hands over to scripts/sweep, which runs this program for each of its runs.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/commands.h"
#include "sim/support/error.h"
#include "sim/support/installation.h"

namespace paws::cli {
namespace {

/// Becomes the script. Throws InputError when it cannot.
[[noreturn]] void hand_over(std::vector<std::string> words) {
  const std::string script = (project_folder() / "scripts/sweep").string();
  setenv("PAWS", std::filesystem::read_symlink("/proc/self/exe").c_str(), 1);
  words.insert(words.begin(), script);
  std::vector<char*> arguments(words.size());
  std::transform(words.begin(), words.end(), arguments.begin(),
                 [](std::string& word) { return word.data(); });
  arguments.push_back(nullptr);
  execv(script.c_str(), arguments.data());
  throw InputError(script, std::string("cannot be started: ") + std::strerror(errno));
}

}  // namespace

void add_sweep(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "sweep", "Run workloads under all combinations of settings and schedulers");
  command->set_help_flag();
  command->prefix_command();
  command->callback([command] { hand_over(command->remaining()); });
}

}  // namespace paws::cli
