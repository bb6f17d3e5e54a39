// SPDX-License-Identifier: MIT
#include "sim/frontend/schedule.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "sim/frontend/latency.h"
#include "sim/frontend/liveness.h"

namespace paws::frontend {
namespace {

using ir::Op;
using ir::Operand;

/// Longer blocks are scheduled in windows of this many instructions: the work grows with the
/// square.
constexpr std::size_t kWindow = 4096;

bool reads_clock(const ir::Instruction& instruction) {
  return std::any_of(instruction.src.begin(), instruction.src.end(), [](const Operand& operand) {
    return operand.kind == Operand::Kind::special &&
           (operand.special == ir::Special::clock || operand.special == ir::Special::clock_hi ||
            operand.special == ir::Special::clock64 || operand.special == ir::Special::globaltimer);
  });
}

/// Nothing passes these: clocks measure what stands between them, delays are where they are.
bool is_fixed(const ir::Instruction& instruction) {
  return instruction.op == Op::nop || instruction.op == Op::print || reads_clock(instruction);
}

bool is_access(const ir::Instruction& instruction) {
  return ir::accesses_memory(instruction.op) || ir::touches_texels(instruction.op) ||
         instruction.op == Op::copy_async;
}

/// Loads whose data cannot change while the kernel runs. Of a texture that somebody writes CUDA
/// says that a fetch of the same launch is not defined.
bool is_constant_load(const ir::Instruction& instruction) {
  if (instruction.op == Op::tex) return true;
  return instruction.op == Op::ld && !instruction.volatile_access &&
         (instruction.space == ir::Space::constant || instruction.space == ir::Space::param ||
          instruction.read_only);
}

/// Ordered against every access, whatever its address.
bool is_fence(const ir::Instruction& instruction) {
  return ir::facts(instruction.op).flow == ir::Flow::order ||
         (is_access(instruction) && instruction.volatile_access);
}

/// Each lane has a share of rows of other lanes.
bool is_row_access(const ir::Instruction& instruction) {
  return instruction.op == Op::ldmatrix || instruction.op == Op::stmatrix;
}

/// Lanes of a warp meet for it.
bool is_exchange(const ir::Instruction& instruction) { return ir::exchanges_lanes(instruction.op); }

bool spaces_overlap(ir::Space a, ir::Space b) {
  return a == b || a == ir::Space::generic || b == ir::Space::generic;
}

bool disjoint(const ir::Instruction& a, const ir::Instruction& b) {
  if (is_row_access(a) || is_row_access(b)) return false;
  const auto bytes = [](const ir::Instruction& i) {
    return static_cast<std::int64_t>(i.vector) * ir::size_of(i.type);
  };
  // Differences, because offsets may be anywhere in 64 bits.
  const auto gap = static_cast<std::int64_t>(static_cast<std::uint64_t>(b.offset) -
                                             static_cast<std::uint64_t>(a.offset));
  return gap >= bytes(a) || -gap >= bytes(b);
}

struct Edge {
  std::uint32_t to = 0;
  std::uint32_t latency = 0;
};

/// The dependences of one block. Nodes are places in the block's code.
class DependenceGraph {
 public:
  DependenceGraph(const std::vector<ir::Instruction>& code, const ScheduleOptions& options)
      : code_(code), options_(options), edges_(code.size()), predecessors_(code.size(), 0) {
    for (std::uint32_t i = 0; i < code.size(); ++i) add(i);
  }

  [[nodiscard]] const std::vector<Edge>& edges(std::uint32_t node) const { return edges_[node]; }
  [[nodiscard]] const std::vector<std::uint32_t>& predecessors() const { return predecessors_; }

 private:
  void connect(std::uint32_t from, std::uint32_t to, std::uint32_t latency) {
    if (from == to) return;
    edges_[from].push_back({to, latency});
    ++predecessors_[to];
  }

  [[nodiscard]] std::uint32_t result_latency(std::uint32_t node) const {
    const ir::Instruction& instruction = code_[node];
    if (ir::returns_data(instruction.op)) {
      switch (instruction.space) {
        case ir::Space::global:
        case ir::Space::local:
        case ir::Space::generic:
          return options_.load_latency;
        case ir::Space::shared:
          return options_.shared_load_latency;
        default:
          break;
      }
    }
    return latency_of(instruction, options_.latencies);
  }

  void add(std::uint32_t node) {
    const ir::Instruction& instruction = code_[node];
    // Before the registers, because a load may overwrite its own address.
    const std::uint32_t base = base_writer(instruction);
    add_registers(node);
    if (last_fixed_ != kNone) connect(last_fixed_, node, 0);
    // The last instruction of a block stays the last one if it leaves the block.
    const bool last = node + 1 == code_.size() && ends_block(instruction);
    if (is_fixed(instruction) || last) {
      for (std::uint32_t i = last_fixed_ == kNone ? 0 : last_fixed_; i < node; ++i) {
        connect(i, node, 0);
      }
      last_fixed_ = node;
    }
    if (is_access(instruction) || is_fence(instruction) || meets_lanes(instruction)) {
      add_memory(node, base);
    }
  }

  void add_registers(std::uint32_t node) {
    const ir::Instruction& instruction = code_[node];
    const auto read = [&](ir::RegId reg) {
      RegisterUse& use = uses_[reg];
      if (use.writer != kNone) connect(use.writer, node, result_latency(use.writer));
      use.readers.push_back(node);
    };
    for_each_read(instruction, read);
    // Where the guard is false the old value stays, so it is read as well.
    if (instruction.guard != ir::kNoReg) for_each_write(instruction, read);
    for_each_write(instruction, [&](ir::RegId reg) {
      RegisterUse& use = uses_[reg];
      for (const std::uint32_t reader : use.readers) connect(reader, node, 0);
      if (use.writer != kNone) connect(use.writer, node, 1);
      use.readers.clear();
      use.writer = node;
    });
  }

  /// With lanes apart, others may wait for what comes before it.
  [[nodiscard]] bool meets_lanes(const ir::Instruction& instruction) const {
    return options_.lanes_apart && is_exchange(instruction);
  }

  void add_memory(std::uint32_t node, std::uint32_t base) {
    const ir::Instruction& instruction = code_[node];
    if (is_constant_load(instruction)) return;
    for (const MemoryNode& earlier : memory_) {
      const Operand& a = code_[earlier.node].src[0];
      const Operand& b = instruction.src[0];
      const bool same_base =
          a.kind == b.kind && a.reg == b.reg && a.imm == b.imm && earlier.base_writer == base;
      const bool meets = meets_lanes(code_[earlier.node]) || meets_lanes(instruction);
      if (meets || ordered_by_memory(code_[earlier.node], instruction, same_base)) {
        connect(earlier.node, node, 0);
      }
    }
    if (is_fence(instruction) || meets_lanes(instruction))
      memory_.clear();  // what follows is ordered by the fence
    memory_.push_back({node, base});
  }

  /// Which write of the block an address register's value comes from.
  [[nodiscard]] std::uint32_t base_writer(const ir::Instruction& instruction) const {
    const Operand& base = instruction.src[0];
    if (!is_access(instruction) || base.kind != Operand::Kind::reg) return kNone;
    const auto use = uses_.find(base.reg);
    return use == uses_.end() ? kNone : use->second.writer;
  }

  struct RegisterUse {
    std::uint32_t writer = kNone;        // the last node that wrote it
    std::vector<std::uint32_t> readers;  // since then
  };
  struct MemoryNode {
    std::uint32_t node = 0;
    std::uint32_t base_writer = kNone;
  };

  const std::vector<ir::Instruction>& code_;
  const ScheduleOptions& options_;
  std::vector<std::vector<Edge>> edges_;
  std::vector<std::uint32_t> predecessors_;
  std::unordered_map<ir::RegId, RegisterUse> uses_;
  std::vector<MemoryNode> memory_;
  std::uint32_t last_fixed_ = kNone;
};

/// Registers live while a block is filled, and what an instruction would change.
class Pressure {
 public:
  Pressure(const BasicBlock& block, const RegisterSet& in, const RegisterSet& out,
           const std::vector<ir::Register>& registers)
      : registers_(registers), live_(in), out_(out) {
    for (const ir::Instruction& instruction : block.code) {
      for_each_read(instruction, [&](ir::RegId reg) { ++reads_left_[reg]; });
    }
    for (auto reg = live_.find_first(); reg != RegisterSet::npos; reg = live_.find_next(reg)) {
      current_ += static_cast<int>(ir::machine_registers(registers_[reg].type));
    }
  }

  [[nodiscard]] int current() const { return current_; }

  /// Change of the number of live registers if `instruction` came next.
  [[nodiscard]] int change(const ir::Instruction& instruction) {
    int change = 0;
    for_each_read(instruction, [&](ir::RegId reg) { --reads_left_[reg]; });
    for_each_read(instruction, [&](ir::RegId reg) {
      if (reads_left_[reg] == 0 && live_.test(reg) && !out_.test(reg) && !counted(reg)) {
        change -= width(reg);
        counted_.push_back(reg);
      }
    });
    for_each_write(instruction, [&](ir::RegId reg) {
      if (!live_.test(reg) || counted(reg)) change += width(reg);
    });
    for_each_read(instruction, [&](ir::RegId reg) { ++reads_left_[reg]; });
    counted_.clear();
    return change;
  }

  void issue(const ir::Instruction& instruction) {
    for_each_read(instruction, [&](ir::RegId reg) {
      if (--reads_left_[reg] == 0 && live_.test(reg) && !out_.test(reg)) {
        live_.reset(reg);
        current_ -= width(reg);
      }
    });
    for_each_write(instruction, [&](ir::RegId reg) {
      if (live_.test(reg) || (reads_left_[reg] == 0 && !out_.test(reg))) return;
      live_.set(reg);
      current_ += width(reg);
    });
  }

 private:
  [[nodiscard]] int width(ir::RegId reg) const {
    return static_cast<int>(ir::machine_registers(registers_[reg].type));
  }
  [[nodiscard]] bool counted(ir::RegId reg) const {
    return std::find(counted_.begin(), counted_.end(), reg) != counted_.end();
  }

  const std::vector<ir::Register>& registers_;
  RegisterSet live_;
  const RegisterSet& out_;
  std::unordered_map<ir::RegId, unsigned> reads_left_;
  std::vector<ir::RegId> counted_;
  int current_ = 0;
};

class BlockScheduler {
 public:
  BlockScheduler(BasicBlock& block, const RegisterSet& in, const RegisterSet& out,
                 const std::vector<ir::Register>& registers, const ScheduleOptions& options)
      : block_(block),
        options_(options),
        graph_(block.code, options),
        pressure_(block, in, out, registers),
        waiting_for_(graph_.predecessors()),
        earliest_(block.code.size(), 0),
        height_(block.code.size(), 0) {}

  void run() {
    const auto count = static_cast<std::uint32_t>(block_.code.size());
    // Edges lead forwards, so one pass backwards finds the longest way to the block's end.
    for (std::uint32_t node = count; node-- > 0;) {
      for (const Edge& edge : graph_.edges(node)) {
        height_[node] = std::max(height_[node], edge.latency + height_[edge.to]);
      }
    }
    for (std::uint32_t node = 0; node < count; ++node) {
      if (waiting_for_[node] == 0) ready_.push_back(node);
    }
    std::vector<std::uint32_t> order;
    std::uint64_t cycle = 0;
    while (!ready_.empty()) {
      const std::size_t chosen = choose(cycle);
      const std::uint32_t node = ready_[chosen];
      ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(chosen));
      cycle = std::max(cycle, earliest_[node]);
      pressure_.issue(block_.code[node]);
      order.push_back(node);
      for (const Edge& edge : graph_.edges(node)) {
        earliest_[edge.to] = std::max(earliest_[edge.to], cycle + edge.latency);
        if (--waiting_for_[edge.to] == 0) ready_.push_back(edge.to);
      }
      ++cycle;
    }
    std::vector<ir::Instruction> code;
    code.reserve(count);
    for (const std::uint32_t node : order) code.push_back(std::move(block_.code[node]));
    block_.code = std::move(code);
  }

 private:
  /// Pressure change, arrival, urgency, place in the block: the smallest goes first.
  using Key = std::tuple<int, std::uint64_t, std::uint64_t, std::uint32_t>;

  /// Place in ready_ of the instruction to issue next.
  std::size_t choose(std::uint64_t cycle) {
    const bool save = pressure_.current() >= static_cast<int>(options_.pressure_limit);
    std::size_t best = 0;
    Key best_key;
    for (std::size_t i = 0; i < ready_.size(); ++i) {
      const std::uint32_t node = ready_[i];
      const int change = save ? pressure_.change(block_.code[node]) : 0;
      // Of those whose operands have arrived the most urgent, else the one that is next to have
      // them. Equals go in program order.
      const std::uint64_t arrival = save ? 0 : std::max(cycle, earliest_[node]);
      const std::uint64_t urgency = std::numeric_limits<std::uint64_t>::max() - height_[node];
      const Key key{change, arrival, urgency, node};
      if (i == 0 || key < best_key) {
        best = i;
        best_key = key;
      }
    }
    return best;
  }

  BasicBlock& block_;
  const ScheduleOptions& options_;
  DependenceGraph graph_;
  Pressure pressure_;
  std::vector<std::uint32_t> waiting_for_;
  std::vector<std::uint64_t> earliest_;
  std::vector<std::uint64_t> height_;
  std::vector<std::uint32_t> ready_;
};

}  // namespace

bool ordered_by_memory(const ir::Instruction& earlier, const ir::Instruction& later,
                       bool same_base) {
  if (is_fixed(earlier) || is_fixed(later)) return true;
  const bool both =
      (is_access(earlier) || is_fence(earlier)) && (is_access(later) || is_fence(later));
  if (!both || is_constant_load(earlier) || is_constant_load(later)) return false;
  if (is_fence(earlier) || is_fence(later)) return true;
  const auto only_loads = [](Op op) { return op == Op::ld || op == Op::suld; };
  if (only_loads(earlier.op) && only_loads(later.op)) return false;
  // A copy reads global memory and writes shared memory.
  const bool earlier_copies = earlier.op == Op::copy_async;
  if (earlier_copies || later.op == Op::copy_async) {
    const ir::Instruction& other = earlier_copies ? later : earlier;
    return other.op != Op::ld || other.space != ir::Space::global;
  }
  if (!spaces_overlap(earlier.space, later.space)) return false;
  return !(same_base && earlier.space == later.space && disjoint(earlier, later));
}

void schedule(Program& program, const ScheduleOptions& options) {
  const Liveness liveness = compute_liveness(program);
  const std::vector<ir::Register>& registers = program.kernel.registers;
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    std::vector<ir::Instruction>& code = program.blocks[b].code;
    RegisterSet out = liveness.out[b];
    // From the last window to the first, so that each knows what is live behind it.
    for (std::size_t end = code.size(); end > 0;) {
      const std::size_t begin = (end - 1) / kWindow * kWindow;
      RegisterSet in = out;
      for (std::size_t i = end; i-- > begin;) step_back(code[i], in);
      const auto first = code.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto last = code.begin() + static_cast<std::ptrdiff_t>(end);
      BasicBlock window;
      window.code.assign(std::make_move_iterator(first), std::make_move_iterator(last));
      BlockScheduler(window, in, out, registers, options).run();
      std::move(window.code.begin(), window.code.end(), first);
      out = std::move(in);
      end = begin;
    }
  }
}

}  // namespace paws::frontend
