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
  const std::byte* container = nullptr;  ///< null: of a kind that is not known
  bool linked = false;                   ///< by nvcc -rdc=true: its PTX is not in the container
  std::string name;                      ///< for messages: "program#1.ptx"
  std::string text;                      ///< the PTX
  unsigned architecture = 0;             ///< of the PTX: 75
  bool loaded = false;
  ir::Module variables;                      ///< without kernels
  frontend::TakenMemory taken;               ///< before it
  std::byte* in_cooperative_grid = nullptr;  ///< a word; null: the module does not ask
};

/// A kernel for blocks of some size.
struct Compiled {
  std::shared_ptr<const ir::Module> module;
  const ir::Kernel* kernel = nullptr;
};

/// A kernel, as the program launches it.
struct Function {
  Module* module = nullptr;
  std::string name;  ///< in the PTX
  /// By the threads of a block. Blocks of another size may leave more registers to a thread, and
  /// what has been asked for before must not matter. Equal results are shared.
  std::map<unsigned, Compiled> compiled;
};

/// A __device__, __constant__ or __managed__ variable.
struct DeviceVariable {
  Module* module = nullptr;
  std::string name;  ///< in the PTX
  std::uint64_t bytes = 0;
  void** managed = nullptr;        ///< the host's pointer to a managed one
  std::byte* shadow = nullptr;     ///< the host's variable in place of such a pointer
  std::uint64_t host_address = 0;  ///< of a managed one that has been loaded
};

/// Where a variable lies.
struct VariablePlace {
  bool constant = false;
  std::uint64_t address = 0;  ///< generic; of a managed one, that of the host
  std::byte* data = nullptr;
  std::uint64_t bytes = 0;
};

class Modules {
 public:
  Modules(DeviceMemory& memory, const FrontendSettings& settings, unsigned capability);

  /// A fat binary that registers itself.
  /// A null `container` is refused when it is read; `linked` is what Module says.
  Module* add(const std::byte* container, bool linked);
  void add_function(Module* module, const void* host, const std::string& name);
  void add_variable(Module* module, const void* host, DeviceVariable variable);

  /// Host memory where variables of the program lie that are managed.
  void add_managed_section(std::byte* begin, std::byte* end);
  [[nodiscard]] bool in_managed_section(const void* host) const;

  /// Reads what has been registered since the last call: every module's variables are in memory
  /// then. Throws InputError for code that cannot be read or is not there.
  void load();

  /// Gives the variables the values from the source again.
  void reset();

  /// Null: the program has no such kernel.
  [[nodiscard]] Function* function(const void* host);

  /// The kernel for blocks of so many threads. Throws InputError for PTX that is not supported.
  const Compiled& compile(Function& function, unsigned threads);

  /// Of a thread, from the next launch on: kernels with recursive functions are compiled again.
  void set_stack_bytes(std::uint32_t bytes);
  [[nodiscard]] std::uint32_t stack_bytes() const { return stack_bytes_; }

  /// Tells the module's kernels whether they run in a cooperative launch.
  static void set_cooperative(const Module& module, bool cooperative);

  /// Under which address the host knows a managed variable; 0: it is not managed.
  [[nodiscard]] std::uint64_t host_address(const Module& module, const std::string& name) const;

  /// False: the program has no such variable.
  bool find_variable(const void* host, VariablePlace& place);

  [[nodiscard]] const std::deque<Module>& all() const { return modules_; }

 private:
  void load(Module& module);
  /// Of a managed variable that is in memory: the host knows it from now on.
  void give_to_host(DeviceVariable& variable);
  void read_ptx(Module& module) const;

  DeviceMemory& memory_;
  FrontendSettings settings_;
  unsigned capability_;
  std::uint32_t stack_bytes_ = frontend::kDefaultStackBytes;
  std::vector<std::map<unsigned, Compiled>> replaced_;  ///< the machine may remember their kernels
  std::deque<Module> modules_;
  std::size_t loaded_ = 0;
  std::deque<Function> functions_;
  std::map<const void*, Function*> by_host_;
  std::map<const void*, DeviceVariable> variables_;
  std::map<const void*, const void*> managed_sections_;  // begin and end
};

}  // namespace paws::cuda
