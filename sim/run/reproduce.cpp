// SPDX-License-Identifier: MIT
#include "sim/run/reproduce.h"

#include <string_view>

namespace paws {
namespace {

constexpr const char* kTrace = "mismatch.dec";

}  // namespace

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,+-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char letter : word) {
    if (letter == '\'') {
      text += "'\\''";
    } else {
      text += letter;
    }
  }
  return text + "'";
}

namespace {

/// The run of `request` with `engine`.
std::string run_command(const SimulationRequest& request, const std::string& engine) {
  std::string command = "build/paws run " + shell_word(request.workload);
  const auto add = [&command](const char* option, const std::string& value) {
    command.append(" --").append(option).append(" ").append(shell_word(value));
  };
  add("gpu", request.gpu);
  add("scheduler", request.scheduler);
  add("engine", engine);
  if (request.blocks != kRoundRobinBlocks) add("blocks", request.blocks);
  if (request.throttle != kNoThrottle) add("throttle", request.throttle);
  for (const std::string& setting : request.settings) add("set", setting);
  if (!request.load.size.empty()) add("size", request.load.size);
  for (const auto& [name, value] : request.load.variables) {
    add("define", name + "=" + std::to_string(value));
  }
  for (const std::string& file : request.load.ptx) add("ptx", file);
  if (request.load.seed) add("seed", std::to_string(*request.load.seed));
  return command;
}

}  // namespace

std::string mismatch_command(const SimulationRequest& request) {
  return run_command(request, "model") + " --trace-core all --decisions " + kTrace + " && " +
         mismatch_command(kTrace, request.scheduler);
}

std::string rerun_command(const SimulationRequest& request) {
  return run_command(request, "lockstep");
}

std::string mismatch_command(const std::string& file, const std::string& scheduler) {
  return "build/paws replay " + shell_word(file) + " --engine lockstep --scheduler " +
         shell_word(scheduler);
}

}  // namespace paws
