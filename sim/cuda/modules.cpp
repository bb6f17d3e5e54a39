// SPDX-License-Identifier: MIT
#include "sim/cuda/modules.h"

#include <errno.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "sim/cuda/fat_binary.h"
#include "sim/support/error.h"

namespace paws::cuda {
namespace {

/// The variable behind cooperative_groups::grid_group::is_valid() (include/cooperative_groups.h).
constexpr const char* kInCooperativeGrid = "paws_in_cooperative_grid";

const ir::Variable* variable_named(const ir::Module& module, const std::string& name) {
  const auto found = std::find_if(module.variables.begin(), module.variables.end(),
                                  [&name](const auto& each) { return each.name == name; });
  return found == module.variables.end() ? nullptr : &*found;
}

}  // namespace

Modules::Modules(DeviceMemory& memory, const FrontendSettings& settings, unsigned capability)
    : memory_(memory), settings_(settings), capability_(capability) {}

Module* Modules::add(const std::byte* container, bool linked) {
  Module& module = modules_.emplace_back();
  module.container = container;
  module.linked = linked;
  module.name = fmt::format("{}#{}.ptx", program_invocation_short_name, modules_.size());
  return &module;
}

void Modules::add_function(Module* module, const void* host, const std::string& name) {
  Function& function = functions_.emplace_back();
  function.module = module;
  function.name = name;
  by_host_[host] = &function;
}

void Modules::add_variable(Module* module, const void* host, DeviceVariable variable) {
  variable.module = module;
  DeviceVariable& added = variables_[host] = std::move(variable);
  // Managed variables make the device ready one by one: the first has loaded the module.
  if (module->loaded) give_to_host(added);
}

void Modules::add_managed_section(std::byte* begin, std::byte* end) {
  managed_sections_[begin] = end;
}

bool Modules::in_managed_section(const void* host) const {
  const auto above = managed_sections_.upper_bound(host);
  return above != managed_sections_.begin() && host < std::prev(above)->second;
}

void Modules::give_to_host(DeviceVariable& variable) {
  if (variable.managed == nullptr && variable.shadow == nullptr) return;
  const ir::Variable* found = variable_named(variable.module->variables, variable.name);
  if (found == nullptr) return;
  if (variable.shadow != nullptr) memory_.move(found->address, variable.shadow);
  std::byte* data = memory_.at(found->address, found->bytes);
  if (variable.managed != nullptr) *variable.managed = data;
  // The host passes its own address of the variable to kernels.
  variable.host_address = reinterpret_cast<std::uint64_t>(data);
  memory_.adopt({variable.name, variable.host_address, found->bytes, data});
}

void Modules::read_ptx(Module& module) const {
  if (module.container == nullptr) {
    throw InputError(module.name, "the program's device code is of a kind that is not known");
  }
  const std::size_t bytes = fat_binary_bytes(module.container);
  const FatBinary binary = read_fat_binary({module.container, bytes}, module.name);
  const PtxImage* image = choose_ptx(binary, capability_);
  if (image == nullptr && module.linked) {
    throw InputError(module.name,
                     "the program has relocatable device code, which is linked as machine code and "
                     "not supported: build it with nvcc -rdc=false");
  }
  if (image == nullptr) {
    std::string codes;
    for (const unsigned code : binary.machine_code) codes += fmt::format(" sm_{}", code);
    throw InputError(
        module.name,
        fmt::format("the program has no PTX, only machine code ({}): build it with nvcc -gencode "
                    "arch=compute_75,code=compute_75",
                    codes.empty() ? "none" : codes.substr(1)));
  }
  module.text = image->text;
  module.architecture = image->architecture;
}

void Modules::load() {
  while (loaded_ < modules_.size()) {
    Module& module = modules_[loaded_];
    ++loaded_;
    load(module);
  }
}

void Modules::load(Module& module) {
  read_ptx(module);
  frontend::FrontendOptions options{settings_};
  options.wanted = [](const std::string&) { return false; };
  // Behind everything that has an address by now.
  module.taken = {memory_.next() - ir::kGlobalBase, memory_.constant_bytes()};
  options.taken = module.taken;
  module.variables = frontend::compile_text(module.text, module.name, options);
  memory_.load(module.variables);
  module.loaded = true;
  if (const ir::Variable* word = variable_named(module.variables, kInCooperativeGrid)) {
    module.in_cooperative_grid = memory_.at(word->address, word->bytes);
  }
  for (auto& [host, variable] : variables_) {
    if (variable.module == &module) give_to_host(variable);
  }
}

void Modules::reset() {
  for (const Module& module : modules_) {
    for (const ir::Variable& variable : module.variables.variables) {
      std::byte* data = variable.space == ir::Space::constant
                            ? memory_.constant(variable.address, variable.bytes)
                            : memory_.at(variable.address, variable.bytes);
      if (data == nullptr) continue;
      std::memset(data, 0, variable.bytes);
      std::copy(variable.initial.begin(), variable.initial.end(), data);
    }
  }
}

Function* Modules::function(const void* host) {
  const auto found = by_host_.find(host);
  if (found != by_host_.end()) return found->second;
  // Since CUDA 12 a handle of the kernel may stand for it.
  const auto handle = std::find_if(functions_.begin(), functions_.end(),
                                   [host](const Function& each) { return &each == host; });
  return handle == functions_.end() ? nullptr : &*handle;
}

const Compiled& Modules::compile(Function& function, unsigned threads) {
  if (const auto known = function.compiled.find(threads); known != function.compiled.end()) {
    return known->second;
  }
  // A larger block leaves fewer registers to a thread. If it has the code of the smallest one, so
  // have all between; a program may ask for the occupancy of every size.
  if (const auto larger = function.compiled.upper_bound(threads);
      threads > 1 && larger != function.compiled.end()) {
    const Compiled smallest = compile(function, 1);
    if (larger->second.module == smallest.module) return function.compiled[threads] = smallest;
  }
  frontend::FrontendOptions options{settings_};
  options.wanted = [&function](const std::string& name) { return name == function.name; };
  options.launched_threads = [threads](const std::string&) { return threads; };
  options.taken = function.module->taken;
  options.stack_bytes = stack_bytes_;
  Compiled compiled;
  compiled.module = std::make_shared<const ir::Module>(
      frontend::compile_text(function.module->text, function.module->name, options));
  compiled.kernel = compiled.module->find(function.name);
  if (compiled.kernel == nullptr) {
    throw InputError(function.module->name, "no kernel '" + function.name + "'");
  }
  for (const auto& [others, other] : function.compiled) {
    if (other.kernel->registers_per_thread == compiled.kernel->registers_per_thread &&
        other.kernel->spilled_registers == compiled.kernel->spilled_registers) {
      compiled = other;
      break;
    }
  }
  return function.compiled[threads] = std::move(compiled);
}

void Modules::set_stack_bytes(std::uint32_t bytes) {
  if (bytes == stack_bytes_) return;
  stack_bytes_ = bytes;
  for (Function& function : functions_) {
    const auto calls = [](const auto& each) { return !each.second.kernel->called.empty(); };
    if (std::none_of(function.compiled.begin(), function.compiled.end(), calls)) continue;
    replaced_.push_back(std::exchange(function.compiled, {}));
  }
}

void Modules::set_cooperative(const Module& module, bool cooperative) {
  if (module.in_cooperative_grid == nullptr) return;
  const std::uint32_t word = cooperative ? 1 : 0;
  std::memcpy(module.in_cooperative_grid, &word, sizeof(word));
}

std::uint64_t Modules::host_address(const Module& module, const std::string& name) const {
  for (const auto& [host, variable] : variables_) {
    if (variable.module == &module && variable.name == name) return variable.host_address;
  }
  return 0;
}

bool Modules::find_variable(const void* host, VariablePlace& place) {
  auto found = variables_.find(host);
  if (found == variables_.end()) {
    // In a program of nvcc, a managed variable is what the registered pointer points to.
    const auto address = reinterpret_cast<std::uint64_t>(host);
    found = std::find_if(variables_.begin(), variables_.end(), [address](const auto& each) {
      return address != 0 && each.second.host_address == address;
    });
  }
  if (found == variables_.end()) return false;
  const ir::Variable* variable =
      variable_named(found->second.module->variables, found->second.name);
  if (variable == nullptr) return false;
  place.constant = variable->space == ir::Space::constant;
  place.bytes = variable->bytes;
  place.address = variable->address + (place.constant ? ir::kConstWindow : 0);
  // The host can use no other address of a managed variable, and kernels know this one, too.
  if (found->second.host_address != 0) place.address = found->second.host_address;
  place.data = place.constant ? memory_.constant(variable->address, variable->bytes)
                              : memory_.at(variable->address, variable->bytes);
  return true;
}

}  // namespace paws::cuda
