// SPDX-License-Identifier: MIT
#include "sim/launch/run.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

#include "sim/launch/arguments.h"
#include "sim/launch/contents.h"
#include "sim/launch/kernel_name.h"
#include "sim/launch/stored_params.h"
#include "workloads/references/references.h"

namespace paws {
namespace {

// Limits of CUDA launches, compute capability 3.0 and later ("CUDA C++ Programming Guide",
// "Technical Specifications per Compute Capability").
constexpr std::int64_t kMaxGridX = 0x7fffffff;
constexpr std::int64_t kMaxGridYZ = 65535;
constexpr std::int64_t kMaxBlockXY = 1024;
constexpr std::int64_t kMaxBlockZ = 64;
constexpr std::int64_t kMaxShared = std::int64_t{1} << 20;
constexpr std::int64_t kMaxRegisters = 255;

/// A buffer or symbol in memory.
struct Region {
  Buffer description;         ///< with the count resolved
  std::uint64_t address = 0;  ///< global; of a constant symbol: offset in the constant bank
  std::byte* data = nullptr;
  bool constant = false;

  [[nodiscard]] std::span<std::byte> bytes() const { return {data, description.bytes()}; }
};

class Runner {
 public:
  Runner(const Workload& workload, std::span<const ir::Module> modules, KernelRunner& kernels,
         DeviceMemory& memory, const RunOptions& options)
      : workload_(workload),
        modules_(modules),
        kernels_(kernels),
        memory_(memory),
        options_(options),
        variables_(workload.variables) {}

  WorkloadReport run() {
    for (const ir::Module& module : modules_) memory_.load(module);
    for (const Buffer& buffer : workload_.buffers) place(buffer);
    for (std::size_t i = 0; i < regions_.size(); ++i) names_[regions_[i].description.name] = i;
    check_contents();
    check_steps(workload_.steps);
    for (const Region& region : regions_) {
      write_layers(region.description.contents, region.description,
                   buffer_seed(workload_.seed, region.description.name), variables_, region.bytes(),
                   sources_);
    }
    std::vector<Values> expected;
    for (const Expectation& each : workload_.expectations) expected.push_back(expect(each));

    run_steps(workload_.steps);

    for (std::size_t i = 0; i < expected.size(); ++i) {
      check(workload_.expectations[i], expected[i]);
    }
    save();
    return std::move(report_);
  }

 private:
  // --- buffers ---

  void place(const Buffer& buffer) {
    Region region;
    region.description = buffer;
    if (!buffer.symbol) {
      region.address =
          buffer.address ? place_at(buffer) : memory_.allocate(buffer.name, buffer.bytes());
      region.data = memory_.at(region.address, buffer.bytes());
    } else {
      const ir::Variable& variable =
          find_variable(modules_named(buffer.module), buffer.variable, buffer.where);
      const auto [known, added] = symbol_names_.try_emplace(&variable, buffer.name);
      if (!added) {
        buffer.where.fail("symbol " + in_quotes(buffer.name) + " is the same variable as symbol " +
                          in_quotes(known->second));
      }
      if (buffer.count == 0) region.description.count = variable.bytes / size_of(buffer.type);
      if (region.description.count == 0 || region.description.bytes() > variable.bytes) {
        buffer.where.fail("symbol " + in_quotes(buffer.name) + " has " +
                          std::to_string(variable.bytes) + " bytes, the description " +
                          std::to_string(buffer.count) + " of " + to_string(buffer.type));
      }
      region.constant = variable.space == ir::Space::constant;
      region.address = variable.address;
      region.data = region.constant ? memory_.constant(region.address, region.description.bytes())
                                    : memory_.at(region.address, region.description.bytes());
    }
    regions_.push_back(std::move(region));
  }

  /// At the address that the description gives.
  std::uint64_t place_at(const Buffer& buffer) {
    if (!memory_.allocate_at(*buffer.address, buffer.name, buffer.bytes())) {
      buffer.where.fail("buffer " + in_quotes(buffer.name) +
                        ": there is something else at its address, or no global memory");
    }
    return *buffer.address;
  }

  /// The module that a launch or symbol names, or all.
  [[nodiscard]] std::span<const ir::Module> modules_named(
      const std::optional<std::size_t>& module) const {
    return module ? modules_.subspan(*module, 1) : modules_;
  }

  /// The loader checked that every name exists.
  Region& region(const std::string& name) { return regions_[names_.at(name)]; }

  // --- launches ---

  void check_steps(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (const auto* launch = std::get_if<LaunchStep>(&step.action)) {
        check_launch(*launch, step.where);
      } else if (const auto* together = std::get_if<Concurrent>(&step.action)) {
        for (const Concurrent::Launch& each : together->launches) {
          check_launch(each.launch, each.where);
        }
      } else if (const auto* fill = std::get_if<Fill>(&step.action)) {
        check_addresses(fill->value);
      } else if (const auto* repeat = std::get_if<Repeat>(&step.action)) {
        check_steps(repeat->steps);
      } else if (const auto* until = std::get_if<UntilClear>(&step.action)) {
        check_steps(until->steps);
      }
    }
  }

  void check_launch(const LaunchStep& launch, const Location& where) {
    const FoundKernel found = find_kernel(modules_named(launch.module), launch.kernel, where);
    check_arguments(launch, where, *found.kernel);
    for (const Datum& argument : launch.arguments) check_addresses(argument);
    resolved_[&launch] = found;
  }

  /// Of everything whose addresses are written before the first launch.
  void check_contents() {
    const auto check_layers = [this](const std::vector<Layer>& layers) {
      for (const Layer& layer : layers) {
        for (const Datum& datum : layer.data) check_addresses(datum);
      }
    };
    for (const Region& region : regions_) check_layers(region.description.contents);
    for (const Expectation& each : workload_.expectations) {
      if (const auto* layers = std::get_if<std::vector<Layer>>(&each.expected)) {
        check_layers(*layers);
      }
    }
  }

  void check_addresses(const Datum& datum) {
    for_each_address(datum, [this](const Datum& address) {
      if (!region(address.buffer).constant) return;
      address.where.fail(in_quotes(address.buffer) +
                         " is in constant memory and has no address to pass");
    });
  }

  BufferAddress address(const std::string& buffer) {
    const Region& found = region(buffer);
    return {found.address, found.description.bytes()};
  }

  exec::Dim3 dimensions(const std::vector<Expression>& sizes, const std::string& what,
                        std::int64_t max_x, std::int64_t max_y, std::int64_t max_z) const {
    const auto size = [&](std::size_t i, std::int64_t max) {
      if (i >= sizes.size()) return std::uint32_t{1};
      return static_cast<std::uint32_t>(sizes[i].evaluate(
          variables_, what + " " + std::string(1, static_cast<char>('x' + i)), 1, max));
    };
    return {size(0, max_x), size(1, max_y), size(2, max_z)};
  }

  KernelLaunch make(const LaunchStep& launch, const Location& where) {
    const FoundKernel& found = resolved_.at(&launch);
    const ir::Kernel& kernel = *found.kernel;
    KernelLaunch out;
    out.module = found.module;
    out.kernel = found.kernel;
    out.where = where;
    out.shape.grid = dimensions(launch.grid, "grid", kMaxGridX, kMaxGridYZ, kMaxGridYZ);
    out.shape.block = dimensions(launch.block, "block", kMaxBlockXY, kMaxBlockXY, kMaxBlockZ);
    out.shape.dynamic_shared =
        static_cast<std::uint32_t>(launch.shared.evaluate(variables_, "\"shared\"", 0, kMaxShared));
    out.shape.registers = static_cast<std::uint32_t>(
        launch.registers.evaluate(variables_, "\"registers\"", 0, kMaxRegisters));
    check_block(out.shape.block, kernel, launch, where);
    out.params = pack_arguments(launch, kernel, variables_, sources_.address);
    return out;
  }

  void run_launches(const std::vector<KernelLaunch>& launches) {
    for (const KernelLaunch& launch : launches) {
      if (options_.progress) options_.progress(report_.launches, launch);
      ++report_.launches;
    }
    kernels_.run_together(launches, memory_);
  }

  static void check_block(const exec::Dim3& block, const ir::Kernel& kernel,
                          const LaunchStep& launch, const Location& where) {
    const std::uint64_t limit = kernel.max_threads != 0
                                    ? std::min<std::uint64_t>(kernel.max_threads, kMaxBlockThreads)
                                    : kMaxBlockThreads;
    if (block.count() > limit) {
      where.fail("kernel " + in_quotes(launch.kernel) + ": a block of " +
                 std::to_string(block.count()) + " threads, allowed are " + std::to_string(limit) +
                 (limit < kMaxBlockThreads ? " (.maxntid of " + kernel.file + ")" : ""));
    }
    const auto& required = kernel.required_block;
    if (required[0] != 0 &&
        (block.x != required[0] || block.y != required[1] || block.z != required[2])) {
      where.fail("kernel " + in_quotes(launch.kernel) + " requires blocks of " +
                 std::to_string(required[0]) + " x " + std::to_string(required[1]) + " x " +
                 std::to_string(required[2]) + " threads");
    }
  }

  // --- steps ---

  void run_steps(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      std::visit([&](const auto& action) { run_step(action, step.where); }, step.action);
    }
  }

  void run_step(const LaunchStep& launch, const Location& where) {
    run_launches({make(launch, where)});
  }

  void run_step(const Concurrent& together, const Location& /*where*/) {
    std::vector<KernelLaunch> launches;
    for (const Concurrent::Launch& each : together.launches) {
      launches.push_back(make(each.launch, each.where));
    }
    check_writes(launches);
    run_launches(launches);
  }

  /// Buffers that a launch writes, by the addresses among its arguments.
  struct Written {
    std::set<const Region*> stores, atomics;
  };
  [[nodiscard]] Written written(const KernelLaunch& launch) const {
    const auto regions = [&](const std::set<std::uint32_t>& places) {
      std::set<const Region*> found;
      for (const std::uint32_t place : places) {
        std::uint64_t address = 0;
        if (place + sizeof address > launch.params.size()) continue;
        std::memcpy(&address, launch.params.data() + place, sizeof address);
        for (const Region& region : regions_) {
          const std::uint64_t bytes = region.description.bytes();
          if (!region.constant && address - region.address < bytes) found.insert(&region);
        }
      }
      return found;
    };
    const StoredParams params = stored_params(*launch.kernel);
    return {regions(params.stores), regions(params.atomics)};
  }

  /// Launches that run together must not write the same buffer, unless all do so by atomics: which
  /// of them is the last to write is not defined.
  void check_writes(const std::vector<KernelLaunch>& launches) const {
    std::vector<Written> all;
    all.reserve(launches.size());
    for (const KernelLaunch& launch : launches) {
      const Written& now = all.emplace_back(written(launch));
      for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        const KernelLaunch& other = launches[i];
        const auto both = [&](const std::set<const Region*>& a, const std::set<const Region*>& b) {
          for (const Region* region : a) {
            if (!b.contains(region)) continue;
            launch.where.fail("kernel " + in_quotes(launch.kernel->name) + " and kernel " +
                              in_quotes(other.kernel->name) + " of line " +
                              std::to_string(other.where.line) +
                              " run together and both write buffer " +
                              in_quotes(region->description.name) + ", in no order");
          }
        };
        both(now.stores, all[i].stores);
        both(now.stores, all[i].atomics);
        both(now.atomics, all[i].stores);
      }
    }
  }

  void run_step(const Fill& fill, const Location& where) {
    const Region& target = region(fill.buffer);
    const Layer layer{Layer::Kind::fill, {fill.value}, {}, {}, fill.selection, where};
    write_layers({layer}, target.description, 0, variables_, target.bytes(), sources_);
  }

  void run_step(const Copy& copy, const Location& where) {
    const Buffer& from = region(copy.from).description;
    const Buffer& to = region(copy.to).description;
    const Expression one(1, where);
    const Range source = select({copy.offset, one, copy.count}, from.count, from.name, variables_);
    const Range target = select({copy.to_offset, one, {}}, to.count, to.name, variables_);
    if (source.count > target.count) {
      where.fail("copies " + std::to_string(source.count) + " elements of " + in_quotes(copy.from) +
                 ", " + in_quotes(copy.to) + " has room for " + std::to_string(target.count));
    }
    const unsigned size = size_of(from.type);
    std::memmove(region(copy.to).data + target.offset * size,
                 region(copy.from).data + source.offset * size, source.count * size);
  }

  void run_step(const Swap& swap, const Location&) {
    std::swap(names_.at(swap.first), names_.at(swap.second));
  }

  void run_step(const Repeat& repeat, const Location&) {
    const std::int64_t count = repeat.count.evaluate(variables_, "\"repeat\"", 0,
                                                     std::numeric_limits<std::int64_t>::max());
    for (std::int64_t i = 0; i < count; ++i) {
      if (!repeat.index.empty()) variables_[repeat.index] = i;
      run_steps(repeat.steps);
    }
    variables_.erase(repeat.index);
  }

  void run_step(const UntilClear& until, const Location& where) {
    const std::int64_t max = until.max_iterations.evaluate(
        variables_, "\"max_iterations\"", 1, std::numeric_limits<std::int64_t>::max());
    for (std::int64_t i = 0;; ++i) {
      if (i == max) {
        where.fail("buffer " + in_quotes(until.flag) + " is still not clear after " +
                   std::to_string(max) + " iterations (max_iterations)");
      }
      if (!until.index.empty()) variables_[until.index] = i;
      run_steps(until.steps);
      const std::span<std::byte> flag = region(until.flag).bytes();
      if (std::all_of(flag.begin(), flag.end(), [](std::byte b) { return b == std::byte{0}; })) {
        break;
      }
    }
    variables_.erase(until.index);
  }

  // --- results ---

  /// Expected values from the buffers' initial contents.
  Values expect(const Expectation& expectation) {
    const Buffer& buffer = region(expectation.buffer).description;
    if (const auto* layers = std::get_if<std::vector<Layer>>(&expectation.expected)) {
      std::vector<std::byte> bytes(buffer.bytes());
      write_layers(*layers, buffer, buffer_seed(workload_.seed, buffer.name), variables_, bytes,
                   sources_);
      return read_values(buffer.type, bytes.data(), buffer.count);
    }
    const auto& reference = std::get<ReferenceCall>(expectation.expected);
    return fit(call(reference, expectation.where), buffer, reference.function, expectation.where);
  }

  Values call(const ReferenceCall& call, const Location& where) {
    const references::Reference& reference = *references::find(call.function);
    std::vector<references::Input> inputs;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      inputs.push_back(input(call.inputs[i], reference.inputs[i]));
    }
    try {
      return reference.function(inputs);
    } catch (const std::invalid_argument& error) {
      where.fail("reference " + in_quotes(call.function) + ": " + error.what());
    }
  }

  references::Input input(const std::variant<std::string, Scalar>& given, references::Kind kind) {
    if (const auto* scalar = std::get_if<Scalar>(&given)) {
      const Number number = scalar->evaluate(variables_);
      if (kind != references::Kind::real) return std::get<std::int64_t>(number);
      return std::visit([](auto value) { return static_cast<double>(value); }, number);
    }
    const Region& source = region(std::get<std::string>(given));
    return std::visit([](auto values) { return references::Input(std::move(values)); },
                      read_values(source.description.type, source.data, source.description.count));
  }

  static Values fit(Values values, const Buffer& buffer, const std::string& function,
                    const Location& where) {
    if (is_float(buffer.type) != std::holds_alternative<std::vector<double>>(values)) {
      where.fail("reference " + in_quotes(function) + " gives " +
                 (is_float(buffer.type) ? "integers" : "floating-point numbers") + ", buffer " +
                 in_quotes(buffer.name) + " has " + to_string(buffer.type));
    }
    const std::size_t count = std::visit([](const auto& list) { return list.size(); }, values);
    if (count != buffer.count) {
      where.fail("reference " + in_quotes(function) + " gives " + std::to_string(count) +
                 " values, buffer " + in_quotes(buffer.name) + " has " +
                 std::to_string(buffer.count));
    }
    return values;
  }

  void check(const Expectation& expectation, const Values& expected) {
    const Region& result = region(expectation.buffer);
    CheckReport out;
    out.buffer = expectation.buffer;
    out.comparison = compare(expectation.buffer, result.description.type, result.bytes(), expected,
                             expectation.tolerance);
    const Comparison& comparison = out.comparison;
    if (comparison.mismatches != 0) {
      report_.messages.push_back("buffer " + in_quotes(out.buffer) + ": " +
                                 std::to_string(comparison.mismatches) + " of " +
                                 std::to_string(comparison.compared) + " elements are wrong");
      report_.messages.insert(report_.messages.end(), comparison.first.begin(),
                              comparison.first.end());
    }
    report_.verified = report_.verified.value_or(true) && comparison.mismatches == 0;
    report_.checks.push_back(std::move(out));
  }

  void save() {
    for (const Buffer& buffer : workload_.buffers) {
      if (!buffer.save) continue;
      const Region& source = region(buffer.name);
      SaveFile file = *buffer.save;
      file.file = options_.output_directory / file.file;
      save_contents(file, source.description.type, source.bytes());
      report_.saved.push_back(file.file);
    }
  }

  const Workload& workload_;
  std::span<const ir::Module> modules_;
  KernelRunner& kernels_;
  DeviceMemory& memory_;
  const RunOptions& options_;
  Variables variables_;
  std::vector<Region> regions_;
  std::map<std::string, std::size_t> names_;  // a swap exchanges what two names denote
  std::map<const ir::Variable*, std::string> symbol_names_;  // symbols' names
  std::map<const LaunchStep*, FoundKernel> resolved_;
  const ContentSources sources_{
      [this](const Layer& layer) { return call(layer.call, layer.where); },
      [this](const std::string& buffer) { return address(buffer); }};
  WorkloadReport report_;
};

}  // namespace

WorkloadReport run_workload(const Workload& workload, std::span<const ir::Module> modules,
                            KernelRunner& runner, DeviceMemory& memory, const RunOptions& options) {
  return Runner(workload, modules, runner, memory, options).run();
}

}  // namespace paws
