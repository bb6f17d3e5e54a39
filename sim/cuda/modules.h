// SPDX-License-Identifier: MIT
// The device code of the program: fat binaries as they register themselves, their kernels and
// variables by the addresses under which the host knows them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/config/frontend_settings.h"
#include "sim/exec/device_memory.h"
#include "sim/frontend/frontend.h"
#include "sim/ir/kernel.h"

namespace paws::cuda {

/// A fat binary. What it holds is read when the program first needs the device.
struct Module {
  const std::byte* container = nullptr;
  std::string name;  ///< for messages: "program#1.ptx"
  std::string text;  ///< the PTX
  bool loaded = false;
  ir::Module variables;         ///< without kernels
  frontend::TakenMemory taken;  ///< before it
};

/// A kernel, as the program launches it.
struct Function {
  Module* module = nullptr;
  std::string name;  ///< in the PTX
  int dynamic_shared_limit = 0;
  const ir::Module* compiled = nullptr;  ///< null: not yet
  const ir::Kernel* kernel = nullptr;
  unsigned threads = 0;  ///< of the largest block that it is compiled for
};

/// A __device__, __constant__ or __managed__ variable.
struct DeviceVariable {
  Module* module = nullptr;
  std::string name;  ///< in the PTX
  std::uint64_t bytes = 0;
  void** managed = nullptr;  ///< the host's pointer to it
};

/// Where a variable lies.
struct VariablePlace {
  bool constant = false;
  std::uint64_t address = 0;  ///< generic
  std::byte* data = nullptr;
  std::uint64_t bytes = 0;
};

class Modules {
 public:
  Modules(DeviceMemory& memory, const FrontendSettings& settings, unsigned capability);

  /// A fat binary that registers itself.
  Module* add(const std::byte* container);
  void add_function(Module* module, const void* host, const std::string& name);
  void add_variable(Module* module, const void* host, DeviceVariable variable);

  /// Reads what has been registered since the last call: every module's variables are in memory
  /// then. Throws InputError for code that cannot be read or is not there.
  void load();

  /// Gives the variables the values from the source again.
  void reset();

  /// Null: the program has no such kernel.
  [[nodiscard]] Function* function(const void* host);

  /// The kernel for blocks of so many threads. Throws InputError for PTX that is not supported.
  const ir::Kernel& compile(Function& function, unsigned threads);

  /// False: the program has no such variable.
  bool find_variable(const void* host, VariablePlace& place);

  [[nodiscard]] const std::deque<Module>& all() const { return modules_; }

 private:
  void load(Module& module);
  void read_ptx(Module& module) const;

  DeviceMemory& memory_;
  FrontendSettings settings_;
  unsigned capability_;
  std::deque<Module> modules_;
  std::size_t loaded_ = 0;
  std::deque<Function> functions_;
  std::map<const void*, Function*> by_host_;
  std::map<const void*, DeviceVariable> variables_;
  std::deque<ir::Module> compiled_;
};

}  // namespace paws::cuda
