// SPDX-License-Identifier: MIT
#include "sim/sass/traced_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/frontend/phase_codes.h"
#include "sim/sass/line_source.h"
#include "sim/sass/opcodes.h"
#include "sim/sass/traced_launch.h"
#include "sim/sass/words.h"
#include "sim/support/error.h"

namespace paws::sass {
namespace {

namespace fs = std::filesystem;

/// "MemcpyHtoD,0x00007f0000000000,4096": an address and bytes.
bool is_copy(std::string_view line) {
  const std::size_t first = line.find(',');
  const std::size_t second = line.find(',', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return false;
  const std::string_view address = line.substr(first + 1, second - first - 1);
  return number_of<std::uint64_t>(address, 16) && number_of<std::uint64_t>(line.substr(second + 1));
}

/// Follows a warp through its trace and checks that its lanes end as they must.
class WarpWalk {
 public:
  explicit WarpWalk(TracedCode& code) : code_(code) {}

  void begin(exec::LaneMask lanes) {
    live_ = lanes;
    branched_ = false;
  }

  void step(const TraceReader& reader, const TracedCode::Entry& entry) {
    const Record& record = reader.record();
    if ((record.mask & ~live_) != 0) {
      reader.fail("lanes that the warp does not have or that have ended execute an instruction");
    }
    if (branched_) code_.jumped(last_pc_, record.pc);
    const ir::Op op = entry.operation.op;
    branched_ = op == ir::Op::bra || op == ir::Op::brx;
    last_pc_ = record.pc;
    if (ends_lanes(entry.operation)) live_ &= ~record.mask;
  }

  void end(const TraceReader& reader) const {
    if (live_ == 0) return;
    reader.fail("warp " + std::to_string(reader.warp()) +
                " ends with lanes that have not executed EXIT");
  }

 private:
  TracedCode& code_;
  exec::LaneMask live_ = 0;
  bool branched_ = false;  ///< the last instruction was a branch
  std::uint32_t last_pc_ = 0;
};

}  // namespace

bool is_trace(const std::string& word) {
  return word.ends_with(".g") || word.ends_with(".traceg") || word.ends_with(".traceg.xz");
}

std::string name_of_trace(const fs::path& file) {
  if (file.extension() == ".g") {
    return fs::absolute(file).lexically_normal().parent_path().filename().string();
  }
  const std::string name = file.filename().string();
  return name.substr(0, name.find(".traceg"));
}

TracedProgram::TracedProgram(const fs::path& file, const FrontendSettings& settings,
                             std::function<bool()> interrupted)
    : name_(name_of_trace(file)), interrupted_(std::move(interrupted)) {
  if (file.extension() == ".g") {
    read_list(file);
  } else {
    add_launch(file, {file.string(), 0});
  }
  if (launches_.empty()) throw InputError(file.string(), "the list names no kernel");
  module_.file = file.string();
  for (std::size_t i = 0; i < code_.size(); ++i) {
    ir::Kernel& kernel = module_.kernels.emplace_back(code_[i].build(kernel_names_[i], settings));
    kernel.registers_per_thread = registers_[i];
    kernel.registers_given = true;
    module_.entries.push_back(kernel.name);
  }
  frontend::assign_codes({&module_, 1}, settings);
}

void TracedProgram::read_list(const fs::path& file) {
  LineSource lines(file);
  std::string_view line;
  while (lines.next(line)) {
    while (line.ends_with(' ')) line.remove_suffix(1);
    if (line.empty()) continue;
    const Location where{lines.name(), lines.line()};
    if (line.starts_with("Memcpy")) {
      if (!is_copy(line)) where.fail("'Memcpy...,address,bytes' should stand here");
    } else if (line.starts_with("kernel")) {
      fs::path trace = file.parent_path() / line;
      // Traces are often compressed after the list was made.
      std::error_code ignored;  // a name that is too long names no file
      if (!fs::exists(trace, ignored) && fs::exists(trace.string() + ".xz", ignored))
        trace += ".xz";
      if (!fs::exists(trace, ignored))
        where.fail(fmt::format("the trace {} is not there", trace.string()));
      add_launch(trace, where);
    } else {
      where.fail(fmt::format("'{}' is neither a copy nor a kernel: not a list of traces",
                             line.substr(0, 40)));
    }
  }
}

void TracedProgram::add_launch(const fs::path& trace, const Location& where) {
  TraceReader reader(trace);
  const Header& header = reader.header();
  const auto [number, added] = numbers_.try_emplace(header.kernel, code_.size());
  if (added) {
    code_.emplace_back();
    kernel_names_.push_back(header.kernel);
    registers_.push_back(0);
  }
  TracedCode& code = code_[number->second];
  registers_[number->second] = std::max(registers_[number->second], header.registers);
  code.declare(header, {trace.string(), 0});
  Launch& launch = launches_.emplace_back();
  launch.trace = trace;
  launch.kernel = number->second;
  launch.shape = {header.grid, header.block, header.shared_bytes, header.registers};
  launch.where = where.line != 0 ? where : Location{};
  Details details;
  WarpWalk warp(code);
  for (auto event = reader.next(); event != TraceReader::Event::end; event = reader.next()) {
    if (event == TraceReader::Event::block) {
      if (interrupted_ && interrupted_()) {
        throw Interrupted("interrupted while reading " + trace.string());
      }
      continue;
    }
    if (event == TraceReader::Event::warp) {
      warp.begin(lanes_of(header.block, reader.warp()));
      continue;
    }
    const TracedCode::Entry& entry = code.define(reader, details);
    warp.step(reader, entry);
    if (reader.last_of_warp()) warp.end(reader);
    const Record& record = reader.record();
    if (record.mask == 0 || !has_addresses(entry.operation)) continue;
    const ir::Space space =
        resolve(entry.operation.space, header.windows, record.mask, details.addresses);
    if (space == ir::Space::local) {
      code.accessed_local(record.mask, entry.operation, details.addresses);
    }
  }
}

void TracedProgram::run(const ir::Module& module, KernelRunner& runner) const {
  DeviceMemory none;
  for (const Launch& launch : launches_) {
    const TracedLaunch trace(launch.trace, code_[launch.kernel], interrupted_);
    KernelLaunch next;
    next.module = &module;
    next.kernel = &module.kernels[launch.kernel];
    next.shape = launch.shape;
    next.source = &trace;
    next.where = launch.where;
    runner.run(next, none);
  }
}

}  // namespace paws::sass
