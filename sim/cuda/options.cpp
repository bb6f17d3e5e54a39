// SPDX-License-Identifier: MIT
#include "sim/cuda/options.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "sim/support/error.h"

namespace paws::cuda {
namespace {

[[noreturn]] void fail_launches(const std::string& text) {
  throw InputError("--launches " + text +
                   ": expected numbers from 1 and ranges, such as 3,10-20 or 50-");
}

/// Reads a number at `at` and moves behind it.
std::uint64_t number(const std::string& text, const char*& at) {
  std::uint64_t value = 0;
  const auto [next, error] = std::from_chars(at, text.data() + text.size(), value);
  if (error != std::errc{} || value == 0) fail_launches(text);
  at = next;
  return value;
}

/// Throws InputError if a name of `json` cannot be told to the runtime.
void check_utf8(const nlohmann::json& json) {
  for (const char* key : {"gpu", "timeline", "reports", "captures"}) {
    try {
      static_cast<void>(json.at(key).dump());
    } catch (const nlohmann::json::type_error&) {
      throw InputError(json.at(key).get<std::string>(),
                       "the name is not UTF-8, as those of a GPU's file and of the folders of "
                       "captures and of temporary files must be here");
    }
  }
}

template <typename Value>
void read(const nlohmann::json& json, const char* name, Value& value) {
  if (json.contains(name)) value = json.at(name).get<Value>();
}

template <typename Value>
void read(const nlohmann::json& json, const char* name, std::optional<Value>& value) {
  if (json.contains(name)) value = json.at(name).get<Value>();
}

}  // namespace

LaunchSelection::LaunchSelection(const std::string& text) : text_(text) {
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (true) {
    const std::uint64_t first = number(text, at);
    std::uint64_t last = first;
    if (at != end && *at == '-') {
      ++at;
      const bool open = at == end || *at == ',';
      last = open ? std::numeric_limits<std::uint64_t>::max() : number(text, at);
    }
    if (last < first) fail_launches(text);
    ranges_.emplace_back(first, last);
    if (at == end) break;
    if (*at != ',') fail_launches(text);
    ++at;
  }
}

bool LaunchSelection::holds(std::uint64_t launch) const {
  return ranges_.empty() || std::any_of(ranges_.begin(), ranges_.end(), [&](const auto& range) {
           return range.first <= launch && launch <= range.second;
         });
}

bool LaunchSelection::misses(std::uint64_t launches) const {
  return std::any_of(ranges_.begin(), ranges_.end(),
                     [launches](const auto& range) { return range.first > launches; });
}

std::string to_text(const CudaOptions& options) {
  const SimulationRequest& request = options.request;
  nlohmann::json json{{"gpu", request.gpu},
                      {"scheduler", request.scheduler},
                      {"engine", request.engine},
                      {"blocks", request.blocks},
                      {"throttle", request.throttle},
                      {"set", request.settings},
                      {"commit", request.commit},
                      {"threads", request.options.threads},
                      {"check", request.check},
                      {"queues", request.queues},
                      {"profile", request.profile},
                      {"warps", request.warps},
                      {"timeline", options.recording.timeline},
                      {"from", options.recording.range.from},
                      {"to", options.recording.range.to},
                      {"cores", options.recording.cores},
                      {"timing", request.timing},
                      {"quick", request.quick},
                      {"print", options.print},
                      {"tolerate", options.tolerate},
                      {"simulated_time", options.simulated_time},
                      {"timed", options.timed.text()},
                      {"captured", options.captured.text()},
                      {"reports", options.reports.string()},
                      {"captures", options.captures.string()}};
  if (options.sample) json["sample"] = options.sample->text();
  if (options.blocks) json["sample_blocks"] = options.blocks->text();
  if (request.max_cycles) json["max_cycles"] = *request.max_cycles;
  if (request.max_instructions) json["max_instructions"] = *request.max_instructions;
  check_utf8(json);
  return json.dump();
}

CudaOptions options_from(const std::string& text) {
  CudaOptions options;
  SimulationRequest& request = options.request;
  request.options.threads = std::max(1U, std::thread::hardware_concurrency());
  if (text.empty()) return options;
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    read(json, "gpu", request.gpu);
    read(json, "scheduler", request.scheduler);
    read(json, "engine", request.engine);
    read(json, "blocks", request.blocks);
    read(json, "throttle", request.throttle);
    read(json, "set", request.settings);
    read(json, "commit", request.commit);
    read(json, "threads", request.options.threads);
    read(json, "check", request.check);
    read(json, "queues", request.queues);
    read(json, "profile", request.profile);
    read(json, "warps", request.warps);
    read(json, "timeline", options.recording.timeline);
    read(json, "from", options.recording.range.from);
    read(json, "to", options.recording.range.to);
    read(json, "cores", options.recording.cores);
    read(json, "timing", request.timing);
    read(json, "quick", request.quick);
    read(json, "max_cycles", request.max_cycles);
    read(json, "max_instructions", request.max_instructions);
    read(json, "print", options.print);
    read(json, "tolerate", options.tolerate);
    read(json, "simulated_time", options.simulated_time);
    std::string word;
    read(json, "timed", word);
    if (!word.empty()) options.timed = LaunchSelection(word);
    word.clear();
    read(json, "sample", word);
    if (!word.empty()) options.sample.emplace(word);
    word.clear();
    read(json, "sample_blocks", word);
    if (!word.empty()) options.blocks.emplace(word);
    word.clear();
    read(json, "captured", word);
    if (!word.empty()) options.captured = LaunchSelection(word);
    word.clear();
    read(json, "reports", word);
    options.reports = word;
    word.clear();
    read(json, "captures", word);
    options.captures = word;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(std::string(kOptionsVariable) + ": " + error.what());
  }
  return options;
}

}  // namespace paws::cuda
