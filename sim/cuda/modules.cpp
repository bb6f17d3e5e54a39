// SPDX-License-Identifier: MIT
#include "sim/cuda/modules.h"

#include <errno.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/cuda/fat_binary.h"
#include "sim/support/error.h"

namespace paws::cuda {
namespace {

const ir::Variable* variable_named(const ir::Module& module, const std::string& name) {
  const auto found = std::find_if(module.variables.begin(), module.variables.end(),
                                  [&name](const auto& each) { return each.name == name; });
  return found == module.variables.end() ? nullptr : &*found;
}

}  // namespace

Modules::Modules(DeviceMemory& memory, const FrontendSettings& settings, unsigned capability)
    : memory_(memory), settings_(settings), capability_(capability) {}

Module* Modules::add(const std::byte* container) {
  Module& module = modules_.emplace_back();
  module.container = container;
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
  variables_[host] = std::move(variable);
}

void Modules::read_ptx(Module& module) const {
  const std::size_t bytes = fat_binary_bytes(module.container);
  const FatBinary binary = read_fat_binary({module.container, bytes}, module.name);
  const PtxImage* image = choose_ptx(binary, capability_);
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
  for (auto& [host, variable] : variables_) {
    if (variable.module != &module || variable.managed == nullptr) continue;
    const ir::Variable* found = variable_named(module.variables, variable.name);
    if (found == nullptr) continue;
    std::byte* data = memory_.at(found->address, found->bytes);
    *variable.managed = data;
    // The host passes its own address of the variable to kernels.
    memory_.adopt({variable.name, reinterpret_cast<std::uint64_t>(data), found->bytes, data});
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

const ir::Kernel& Modules::compile(Function& function, unsigned threads) {
  if (function.kernel != nullptr && threads <= function.threads) return *function.kernel;
  frontend::FrontendOptions options{settings_};
  options.wanted = [&function](const std::string& name) { return name == function.name; };
  options.launched_threads = [threads](const std::string&) { return threads; };
  options.taken = function.module->taken;
  ir::Module module = frontend::compile_text(function.module->text, function.module->name, options);
  const ir::Kernel* kernel = module.find(function.name);
  if (kernel == nullptr) {
    throw InputError(function.module->name, "no kernel '" + function.name + "'");
  }
  const bool same = function.kernel != nullptr &&
                    function.kernel->registers_per_thread == kernel->registers_per_thread &&
                    function.kernel->spilled_registers == kernel->spilled_registers;
  function.threads = threads;
  if (same) return *function.kernel;
  compiled_.push_back(std::move(module));
  function.compiled = &compiled_.back();
  function.kernel = compiled_.back().find(function.name);
  return *function.kernel;
}

bool Modules::find_variable(const void* host, VariablePlace& place) {
  const auto found = variables_.find(host);
  if (found == variables_.end()) return false;
  const ir::Variable* variable =
      variable_named(found->second.module->variables, found->second.name);
  if (variable == nullptr) return false;
  place.constant = variable->space == ir::Space::constant;
  place.bytes = variable->bytes;
  place.address = variable->address + (place.constant ? ir::kConstWindow : 0);
  place.data = place.constant ? memory_.constant(variable->address, variable->bytes)
                              : memory_.at(variable->address, variable->bytes);
  return true;
}

}  // namespace paws::cuda
