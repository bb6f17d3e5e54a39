// SPDX-License-Identifier: MIT
#include "sim/tests/micro/benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <map>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "engine/rtl_engine.h"
#include "model/registry.h"
#include "sim/gpu/gpu.h"
#include "sim/launch/modules.h"
#include "sim/launch/run.h"
#include "sim/support/error.h"
#include "sim/tests/micro/formula.h"

namespace paws::micro {
namespace {

namespace fs = std::filesystem;

// --- the table ---

/// One TOML table with its known keys; every complaint has file and line.
class Reader {
 public:
  Reader(const toml::node& node, std::initializer_list<std::string_view> known)
      : table_(node.as_table()), line_(node.source().begin.line) {
    if (table_ == nullptr) fail("expected a table");
    for (const auto& [key, value] : *table_) {
      if (std::find(known.begin(), known.end(), key.str()) == known.end()) {
        fail(fmt::format("unknown key '{}'", key.str()));
      }
    }
  }

  [[noreturn]] void fail(const std::string& cause) const {
    throw InputError(PAWS_MICRO_DIR "/benchmarks.toml", line_, cause);
  }

  [[nodiscard]] const toml::node* find(std::string_view key) const { return table_->get(key); }

  template <typename Value>
  [[nodiscard]] Value need(std::string_view key) const {
    return find(key) == nullptr ? fail_missing<Value>(key) : value<Value>(*find(key), key);
  }

  template <typename Value>
  [[nodiscard]] Value get(std::string_view key, Value otherwise) const {
    return find(key) == nullptr ? otherwise : value<Value>(*find(key), key);
  }

  template <typename Value>
  [[nodiscard]] Value value(const toml::node& node, std::string_view key) const {
    const auto found = node.value<Value>();
    if (!found) fail(fmt::format("'{}' has the wrong type", key));
    return *found;
  }

  /// The elements of an array; none when the key is absent.
  [[nodiscard]] std::vector<const toml::node*> list(std::string_view key) const {
    std::vector<const toml::node*> out;
    if (const toml::node* node = find(key)) {
      if (!node->is_array()) fail(fmt::format("'{}' must be an array", key));
      for (const toml::node& each : *node->as_array()) out.push_back(&each);
    }
    return out;
  }

 private:
  template <typename Value>
  [[noreturn]] Value fail_missing(std::string_view key) const {
    fail(fmt::format("'{}' is missing", key));
  }

  const toml::table* table_;
  unsigned long line_;
};

bool is_gpu_key(const std::string& name) {
  GpuConfig config;
  const auto keys = config.keys();
  return std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return key.name == name; });
}

Benchmark read_benchmark(const toml::node& node, const std::string& section) {
  const Reader table(node, {"name", "what", "workload", "scheduler", "gpu", "vary", "sizes",
                            "settings", "sweep", "values", "drawn", "measure", "unit", "expect",
                            "limit", "tolerance", "source", "rtl"});
  Benchmark out;
  out.section = section;
  out.name = table.need<std::string>("name");
  out.what = table.need<std::string>("what");
  out.workload = table.need<std::string>("workload");
  out.scheduler = table.get<std::string>("scheduler", "single:rr");
  out.gpu = table.get<std::string>("gpu", "m2090");
  out.measure = table.need<std::string>("measure");
  out.unit = table.need<std::string>("unit");
  out.expect = table.need<std::string>("expect");
  out.source = table.need<std::string>("source");
  out.tolerance = table.need<double>("tolerance");
  out.limit = table.get("limit", false);
  out.rtl = table.get("rtl", false);

  const auto vary = table.list("vary");
  if (vary.size() != 3) table.fail("'vary' must be [size, shorter, longer]");
  out.varied = table.value<std::string>(*vary[0], "vary");
  out.shorter = table.value<std::int64_t>(*vary[1], "vary");
  out.longer = table.value<std::int64_t>(*vary[2], "vary");

  Point common;
  if (const toml::node* sizes = table.find("sizes")) {
    if (!sizes->is_table()) table.fail("'sizes' must be a table");
    for (const auto& [name, value] : *sizes->as_table()) {
      common.sizes.emplace_back(name.str(), table.value<std::int64_t>(value, "sizes"));
    }
  }
  for (const toml::node* setting : table.list("settings")) {
    common.settings.push_back(table.value<std::string>(*setting, "settings"));
  }
  out.swept = table.get<std::string>("sweep", "");
  out.drawn = table.get("drawn", false);
  if (out.drawn && out.swept.empty()) table.fail("'drawn' needs 'sweep'");
  if (out.swept.empty()) {
    out.points = {common};
    return out;
  }
  for (const toml::node* value : table.list("values")) {
    Point point = common;
    point.x = table.value<double>(*value, "values");
    point.label = fmt::format("{} = {}", out.swept, point.x);
    if (is_gpu_key(out.swept)) {
      point.settings.push_back(fmt::format("{}={}", out.swept, point.x));
    } else {
      point.sizes.emplace_back(out.swept, table.value<std::int64_t>(*value, "values"));
    }
    out.points.push_back(std::move(point));
  }
  if (out.points.empty()) table.fail("'sweep' needs 'values'");
  return out;
}

// --- a run ---

struct Run {
  GpuStatistics statistics;
  Variables sizes;
};

GpuConfig config_of(const Benchmark& benchmark, const Point& point) {
  GpuConfig config = load_gpu(benchmark.gpu);
  for (const std::string& setting : point.settings) set_key(config, setting);
  check(config);
  return config;
}

Run run(const Benchmark& benchmark, const Point& point, std::int64_t length, Engine engine) {
  const GpuConfig config = config_of(benchmark, point);
  LoadOptions load;
  load.ptx_directories = {PAWS_PTX_DIR};
  load.variables.insert(point.sizes.begin(), point.sizes.end());
  load.variables[benchmark.varied] = length;
  const Workload workload =
      load_workload(fs::path(PAWS_MICRO_DIR) / (benchmark.workload + ".toml"), load);
  const std::vector<ir::Module> modules = compile_modules(workload, {config.frontend});
  const core::SchedulerFactory factory =
      engine == Engine::rtl
          ? core::SchedulerFactory([](const SchedulerConfig& each) { return make_rtl(each); })
          : core::SchedulerFactory([](const SchedulerConfig& each) { return make_model(each); });
  Gpu gpu(config, scheduler_config(config, benchmark.scheduler), factory, {});
  DeviceMemory memory;
  const WorkloadReport report = run_workload(workload, modules, gpu, memory);
  if (report.verified != true) {
    throw InputError(
        fmt::format("{}: wrong results: {}", benchmark.name, fmt::join(report.messages, "; ")));
  }
  return {gpu.statistics(), workload.variables};
}

/// What a formula may name of the statistics. Means and shares are formed by the formulas, from
/// differences of sums.
std::map<std::string, double> counters(const GpuStatistics& statistics) {
  const CoreStatistics& cores = statistics.cores;
  const memory::Statistics& memory = statistics.memory;
  return {{"cycles", static_cast<double>(statistics.cycles)},
          {"warp_cycles", static_cast<double>(cores.warp_cycles)},
          {"load_transactions", static_cast<double>(cores.l1_accesses - cores.l1_store_accesses)},
          {"store_transactions", static_cast<double>(cores.store_transactions)},
          {"load_latency", static_cast<double>(memory.load_latency)}};
}

double value_of_key(const GpuConfig& config, const std::string& name) {
  GpuConfig copy = config;
  for (const GpuConfig::Key& key : copy.keys()) {
    if (key.name == name) {
      return std::visit([](const auto* field) { return static_cast<double>(*field); }, key.field);
    }
  }
  throw InputError(fmt::format("no counter, size or key is called '{}'", name));
}

}  // namespace

Table load_table() {
  const std::string file = PAWS_MICRO_DIR "/benchmarks.toml";
  toml::table root;
  try {
    root = toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    throw InputError(file, error.source().begin.line, std::string(error.description()));
  }
  Table out;
  for (const toml::node* node : Reader(root, {"section"}).list("section")) {
    const Reader section(*node, {"name", "text", "benchmark"});
    out.sections.push_back(
        {section.need<std::string>("name"), section.get<std::string>("text", "")});
    for (const toml::node* each : section.list("benchmark")) {
      out.benchmarks.push_back(read_benchmark(*each, out.sections.back().name));
    }
  }
  return out;
}

bool Result::passes(const Benchmark& benchmark) const {
  const double margin = benchmark.tolerance * expected;
  if (benchmark.limit) return measured <= expected && measured >= expected - margin;
  return std::abs(measured - expected) <= margin;
}

Result measure(const Benchmark& benchmark, const Point& point, Engine engine) {
  const Run shorter = run(benchmark, point, benchmark.shorter, engine);
  const Run longer = run(benchmark, point, benchmark.longer, engine);
  const GpuConfig config = config_of(benchmark, point);

  // A size that does not follow the length keeps its value; one that does stands for its growth.
  std::map<std::string, double> sizes;
  for (const auto& [name, value] : longer.sizes) {
    const std::int64_t before = shorter.sizes.at(name);
    sizes[name] = static_cast<double>(value == before ? value : value - before);
  }
  auto size_or_key = [&](const std::string& name) {
    const auto size = sizes.find(name);
    return size != sizes.end() ? size->second : value_of_key(config, name);
  };
  const auto before = counters(shorter.statistics);
  const auto after = counters(longer.statistics);
  Result result;
  result.expected = evaluate(benchmark.expect, size_or_key);
  result.measured = evaluate(benchmark.measure, [&](const std::string& name) {
    const auto counter = after.find(name);
    return counter != after.end() ? counter->second - before.at(name) : size_or_key(name);
  });
  result.cycles = longer.statistics.cycles;
  return result;
}

}  // namespace paws::micro
