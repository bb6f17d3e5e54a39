// SPDX-License-Identifier: MIT
// A traced program: the launches that a list of Accel-Sim's (kernelslist.g) names, in its order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/config/frontend_settings.h"
#include "sim/exec/device_memory.h"
#include "sim/exec/kernel_runner.h"
#include "sim/ir/kernel.h"
#include "sim/sass/traced_code.h"

namespace paws::sass {

/// Whether `word` is the path of a list of traces (.g) or of one trace (.traceg, .traceg.xz).
bool is_trace(const std::string& word);

/// What results call it: the folder of a list, or the trace's own name.
std::string name_of_trace(const std::filesystem::path& file);

class TracedProgram {
 public:
  /// Reads all traces once: what is wrong in any of them is found here. Launches of one name are
  /// launches of one kernel, and its code is that of all their traces. Throws InputError,
  /// Interrupted when `interrupted` says so (may be null).
  TracedProgram(const std::filesystem::path& file, const FrontendSettings& settings,
                std::function<bool()> interrupted);

  /// name_of_trace().
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The kernels, in the order of their first launches, with their phases.
  [[nodiscard]] const ir::Module& module() const { return module_; }
  [[nodiscard]] std::size_t launches() const { return launches_.size(); }

  /// Runs the launches one after the other; each is in memory while it runs. `module` is module()
  /// or a copy of it. Copies of data to the device and streams change nothing.
  void run(const ir::Module& module, KernelRunner& runner) const;

 private:
  struct Launch {
    std::filesystem::path trace;
    std::size_t kernel = 0;  ///< in module_
    exec::LaunchShape shape;
    Location where;  ///< in the list, or the trace
  };

  void read_list(const std::filesystem::path& file);
  void add_launch(const std::filesystem::path& trace, const Location& where);

  std::string name_;
  std::function<bool()> interrupted_;
  std::vector<Launch> launches_;
  std::map<std::string, std::size_t> numbers_;  ///< of kernels, by name
  std::vector<TracedCode> code_;                ///< by kernel
  std::vector<std::string> kernel_names_;
  std::vector<std::uint32_t> registers_;  ///< per thread, the most of any launch
  ir::Module module_;
};

}  // namespace paws::sass
