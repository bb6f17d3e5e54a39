// SPDX-License-Identifier: MIT
#include "sim/config/gpgpusim.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/support/error.h"
#include "sim/support/input_file.h"

namespace paws {
namespace {

struct Option {
  std::string name;
  std::string value;  ///< words with a blank between them
  unsigned long line = 0;
};

/// The options of a file, in their order. # begins a comment, and a value in quotes may have
/// several lines.
class OptionReader {
 public:
  OptionReader(const std::string& file, const std::string& text) : file_(file), text_(text) {}

  std::vector<Option> read() {
    while (skip_to_word()) {
      const unsigned long line = line_;
      const bool quoted = text_[at_] == '"';
      const std::string word = quoted ? quoted_word() : plain_word();
      const bool named = !quoted && word.size() > 1 && word[0] == '-' &&
                         std::isdigit(static_cast<unsigned char>(word[1])) == 0;
      if (named) {
        check_value();
        options_.push_back({word, "", line});
      } else if (options_.empty()) {
        throw InputError(file_, line, fmt::format("'{}' is not an option of GPGPU-Sim", word));
      } else {
        std::string& value = options_.back().value;
        value += (value.empty() ? "" : " ") + word;
      }
    }
    check_value();
    return options_;
  }

 private:
  [[nodiscard]] bool at_space() const {
    return std::isspace(static_cast<unsigned char>(text_[at_])) != 0;
  }

  /// False at the end of the file.
  bool skip_to_word() {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '#') at_ = text_.find('\n', at_);
      if (at_ == std::string::npos) return false;
      if (text_[at_] == '\n') ++line_;
      if (!at_space()) return true;
    }
    return false;
  }

  std::string plain_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !at_space() && text_[at_] != '#') ++at_;
    return text_.substr(begin, at_ - begin);
  }

  /// Without its quotes; white space becomes a blank.
  std::string quoted_word() {
    const unsigned long line = line_;
    std::string word;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (!at_space()) {
        word += text_[at_];
      } else if (!word.empty() && word.back() != ' ') {
        word += ' ';
      }
    }
    if (at_ == text_.size()) throw InputError(file_, line, "the quotation mark is not closed");
    ++at_;
    return word;
  }

  /// Of the last option, which is complete.
  void check_value() const {
    if (!options_.empty() && options_.back().value.empty()) {
      throw InputError(file_, options_.back().line,
                       fmt::format("{} has no value", options_.back().name));
    }
  }

  const std::string& file_;
  const std::string& text_;
  std::size_t at_ = 0;
  unsigned long line_ = 1;
  std::vector<Option> options_;
};

constexpr unsigned kCacheLine = 128;   // of data caches
constexpr unsigned kMostWays = 64;     // of l1.ways and others
constexpr unsigned kMostQueue = 1024;  // of dram.queue
constexpr unsigned kWarp = 32;

/// Writes the file of the machine, option by option.
class Conversion {
 public:
  Conversion(const std::string& file, const std::vector<Option>& options) : file_(file) {
    for (const Option& option : options) options_[option.name] = option;
    base_ = sub_cores() ? "a100" : "m2090";
    config_ = load_gpu(base_);
  }

  std::string convert(const std::vector<Option>& options);

  /// The keys get these values, unless an option above has said so.
  template <typename Value>
  void take(const std::string& key, Value value) {
    const auto [said, fresh] = lines_.try_emplace(key, option_->line);
    if (!fresh) {
      const std::string with = fmt::format("{}, with line {}", key, said->second);
      if (said->second != option_->line) note(with);
      return;
    }
    try {
      set_key(config_, fmt::format("{}={}", key, value));
    } catch (const InputError& error) {
      throw wrong(std::string_view(error.what()).substr(std::string_view("--set ").size()));
    }
    keys_ += fmt::format("{} = {}\n", key, value);
  }
  void note(const std::string& text) { notes_ += (notes_.empty() ? "" : "; ") + text; }

  [[nodiscard]] const GpuConfig& config() const { return config_; }
  [[nodiscard]] const std::string& value() const { return option_->value; }

  /// Part `index` of the value of `name`, of those that , : = or blanks divide; `otherwise` if the
  /// file does not have the option.
  [[nodiscard]] double number(const std::string& name, std::size_t index, double otherwise) const {
    const auto found = options_.find(name);
    return found == options_.end() ? otherwise : part(found->second, index);
  }
  /// The same of the option that is converted; a whole number.
  [[nodiscard]] std::int64_t whole(std::size_t index = 0) const {
    return whole_part(*option_, index);
  }
  [[nodiscard]] std::int64_t whole(const std::string& name, std::int64_t otherwise) const {
    const auto found = options_.find(name);
    return found == options_.end() ? otherwise : whole_part(found->second, 0);
  }
  /// Parts of the value of the option that is converted.
  [[nodiscard]] std::vector<std::string> parts() const { return parts_of(option_->value); }

  [[nodiscard]] bool sub_cores() const { return whole("-gpgpu_sub_core_model", 0) != 0; }
  [[nodiscard]] std::int64_t capability() const {
    constexpr int kMajor = 10;
    return kMajor * whole("-gpgpu_compute_capability_major", 2) +
           whole("-gpgpu_compute_capability_minor", 0);
  }
  [[nodiscard]] std::int64_t slices() const {
    return whole("-gpgpu_n_mem", config_.dram.channels) *
           whole("-gpgpu_n_sub_partition_per_mchannel", 1);
  }
  /// Core cycles as cycles of clock `index` of -gpgpu_clock_domains.
  [[nodiscard]] std::int64_t in_clock(std::size_t index, std::int64_t cycles) const {
    const double core = number("-gpgpu_clock_domains", 0, 1);
    return std::llround(static_cast<double>(cycles) * number("-gpgpu_clock_domains", index, 1) /
                        core);
  }
  /// Of units that all schedulers share, if so many take an instruction in so many cycles each.
  [[nodiscard]] std::int64_t shared_interval(std::int64_t interval,
                                             const std::string& units) const {
    const std::int64_t number = sub_cores() ? 1 : std::max<std::int64_t>(1, whole(units, 1));
    return std::max<std::int64_t>(1, (interval + number - 1) / number);
  }

  [[nodiscard]] InputError wrong(std::string_view why) const {
    return {file_, option_->line, fmt::format("{} {}: {}", option_->name, option_->value, why)};
  }

 private:
  static std::vector<std::string> parts_of(const std::string& value) {
    std::vector<std::string> parts(1);
    for (const char letter : value) {
      if (std::string_view(",:= ").find(letter) == std::string_view::npos) {
        parts.back() += letter;
      } else if (!parts.back().empty()) {
        parts.emplace_back();
      }
    }
    return parts;
  }

  [[nodiscard]] double part(const Option& option, std::size_t index) const {
    const std::vector<std::string> parts = parts_of(option.value);
    const std::string text = index < parts.size() ? parts[index] : "";
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    constexpr double kMost = 1e9;
    if (error == std::errc{} && at == end && number >= 0 && number <= kMost) return number;
    throw no_number(option, index, "a number");
  }
  [[nodiscard]] std::int64_t whole_part(const Option& option, std::size_t index) const {
    const double number = part(option, index);
    if (number != std::floor(number)) throw no_number(option, index, "a whole number");
    return std::llround(number);
  }
  [[nodiscard]] InputError no_number(const Option& option, std::size_t index,
                                     const char* expected) const {
    return {
        file_, option.line,
        fmt::format("{} {}: part {} must be {}", option.name, option.value, index + 1, expected)};
  }

  const std::string& file_;
  std::map<std::string, Option> options_;  // the last one of a name counts, as in GPGPU-Sim
  std::string base_;
  GpuConfig config_;
  std::map<std::string, unsigned long> lines_;  // of the options that have said keys
  const Option* option_ = nullptr;              // that is converted
  std::string keys_, notes_;                    // of it
};

/// <kind>:<sets>:<line>:<ways>,<letters>,<kind of MSHR>:<MSHRs>:<merges>,...; older files have no
/// kind and fewer letters.
struct Cache {
  explicit Cache(const Conversion& conversion) : sectored(conversion.parts().front() == "S") {
    const bool old = std::isdigit(static_cast<unsigned char>(conversion.value().front())) != 0;
    const std::size_t first = old ? 0 : 1;
    sets = conversion.whole(first);
    line = conversion.whole(first + 1);
    ways = conversion.whole(first + 2);
    const std::vector<std::string> parts = conversion.parts();
    const auto behind =
        parts.begin() + static_cast<std::ptrdiff_t>(std::min(first + 3, parts.size()));
    const auto found = std::find_if(behind, parts.end(), [](const std::string& part) {
      return std::isdigit(static_cast<unsigned char>(part.front())) != 0;
    });
    const auto at = static_cast<std::size_t>(found - parts.begin());
    mshrs = conversion.whole(at);
    merges = conversion.whole(at + 1);
    if (bytes() == 0) throw conversion.wrong("the cache has no line");
  }
  [[nodiscard]] std::int64_t bytes() const { return sets * line * ways; }

  bool sectored;
  std::int64_t sets = 0, line = 0, ways = 0, mshrs = 0, merges = 0;
};

/// A data cache below `name` ("l1."), `copies` of which make it up.
void take_cache(Conversion& conversion, const std::string& name, std::int64_t copies) {
  const Cache cache(conversion);
  if (cache.line != kCacheLine) {
    throw conversion.wrong(fmt::format("lines of data caches have {} bytes", kCacheLine));
  }
  conversion.take(name + "bytes", cache.bytes() * copies);
  if (cache.ways > kMostWays) {
    conversion.note(fmt::format("{} ways of {}, the most", kMostWays, cache.ways));
  }
  conversion.take(name + "ways", std::min<std::int64_t>(cache.ways, kMostWays));
  conversion.take(name + "mshrs", cache.mshrs);
  conversion.take(name + "mshr_merges", cache.merges);
  conversion.take(name + "sectored", cache.sectored);
}

void take_instruction_cache(Conversion& conversion) {
  conversion.take("icache.l15_bytes", 0);
  conversion.take("icache.prefetch", 0);
  if (conversion.whole("-gpgpu_perfect_inst_const_cache", 0) != 0) {
    conversion.note("-gpgpu_perfect_inst_const_cache");
    conversion.take("icache.bytes", 0);
    return;
  }
  const Cache cache(conversion);
  conversion.take("icache.bytes", cache.bytes());
  conversion.take("icache.ways", cache.ways);
  conversion.take("icache.line_bytes", cache.line);
  conversion.take("icache.mshrs", cache.mshrs);
}

/// "nbk=16:CCD=2:...", or the numbers alone in the order below.
void take_dram_timing(Conversion& conversion) {
  struct Timing {
    const char* name;
    const char* key;  // empty: not modelled
  };
  constexpr std::array<Timing, 14> kTimings{{{"nbk", "dram.banks"},
                                             {"CCD", ""},
                                             {"RRD", "dram.trrd"},
                                             {"RCD", "dram.trcd"},
                                             {"RAS", "dram.tras"},
                                             {"RP", "dram.trp"},
                                             {"RC", ""},
                                             {"CL", "dram.tcl"},
                                             {"WL", ""},
                                             {"CDLR", "dram.turnaround"},
                                             {"WR", ""},
                                             {"nbkgrp", ""},
                                             {"CCDL", ""},
                                             {"RTPL", ""}}};
  const std::vector<std::string> parts = conversion.parts();
  const bool named = conversion.value().find('=') != std::string::npos;
  for (std::size_t i = 0; i < kTimings.size(); ++i) {
    const Timing& timing = kTimings.at(i);
    if (*timing.key == '\0') continue;
    const auto found = std::find(parts.begin(), parts.end(), timing.name);
    const auto at = named ? static_cast<std::size_t>(found - parts.begin()) + 1 : i;
    if (!named || found != parts.end()) conversion.take(timing.key, conversion.whole(at));
  }
  conversion.note("CCD, RC, WL, WR and bank groups are not modelled");
}

void take_scheduler(Conversion& conversion) {
  const std::vector<std::string> parts = conversion.parts();
  if (parts.front() == "lrr") {
    conversion.note("--scheduler single:rr");
  } else if (parts.front() == "gto") {
    conversion.note("--scheduler single:gto");
  } else if (parts.front() == "two_level_active") {
    conversion.take("scheduler.ready", conversion.whole(1));
    conversion.note("--scheduler two-level:rr");
  } else {
    conversion.note("none of `paws list` has its rule");
  }
}

/// Latencies and intervals are listed as ADD, MAX, MUL, MAD, DIV, SHFL.
constexpr std::size_t kMul = 2;
constexpr std::size_t kDiv = 4;
constexpr std::size_t kShfl = 5;
constexpr int kAround = 6;  // cycles of GPGPU-Sim's stages around a unit
/// One way to the L2: with 120 cycles of the ROP queue a hit takes 182 core cycles, as in GPGPU-Sim
/// 4.2 (docs/evidence/agreement.md, in cycles of twice the clock).
constexpr int kWay = 27;

using Apply = void (*)(Conversion&);

/// Options that say a part of the machine.
const std::map<std::string, Apply>& mapped() {
  const auto cores = [](Conversion& c) {
    c.take("cores", c.whole("-gpgpu_n_clusters", 10) * c.whole("-gpgpu_n_cores_per_cluster", 3));
  };
  const auto slices = [](Conversion& c) { c.take("l2.slices", c.slices()); };
  const auto width = [](Conversion& c) {
    c.take("dram.bytes_per_clock", c.whole("-gpgpu_dram_buswidth", 4) *
                                       c.whole("-gpgpu_n_mem_per_ctrlr", 1) *
                                       c.whole("-dram_data_command_freq_ratio", 2));
  };
  const auto capability = [](Conversion& c) {
    constexpr int kKepler = 35;
    c.take("device.capability", c.capability());
    c.take("core.thread_registers", c.capability() >= kKepler ? 255 : 63);
  };
  const auto shared_latency = [](Conversion& c) { c.take("core.shared_latency", c.whole()); };
  const auto l2_latency = [](Conversion& c) { c.take("l2.latency", c.in_clock(1, c.whole())); };
  static const std::map<std::string, Apply> options{
      {"-gpgpu_n_clusters", cores},
      {"-gpgpu_n_cores_per_cluster", cores},
      {"-gpgpu_n_mem",
       [](Conversion& c) {
         c.take("dram.channels", c.whole());
         c.take("l2.slices", c.slices());
       }},
      {"-gpgpu_n_sub_partition_per_mchannel", slices},
      {"-gpgpu_clock_domains",
       [](Conversion& c) {
         c.take("core.clock_mhz", c.number("-gpgpu_clock_domains", 0, 0));
         c.take("interconnect.clock_mhz", c.number("-gpgpu_clock_domains", 1, 0));
         c.take("dram.clock_mhz", c.number("-gpgpu_clock_domains", 3, 0));
         if (c.number("-gpgpu_clock_domains", 1, 0) != c.number("-gpgpu_clock_domains", 2, 0)) {
           c.note("the L2 has the clock of the interconnect");
         }
       }},
      {"-gpgpu_shader_registers", [](Conversion& c) { c.take("core.registers", c.whole()); }},
      {"-gpgpu_shader_core_pipeline",
       [](Conversion& c) {
         if (c.whole(1) != kWarp) throw c.wrong(fmt::format("a warp has {} threads", kWarp));
         c.take("core.threads", c.whole());
         c.take("core.warps", c.whole() / kWarp);
       }},
      {"-gpgpu_shader_cta", [](Conversion& c) { c.take("core.blocks", c.whole()); }},
      {"-gpgpu_simd_model", [](Conversion& c) { c.take("core.yield_after", 0); }},
      {"-gpgpu_num_sched_per_core",
       [](Conversion& c) {
         c.take("core.schedulers", c.whole());
         c.take("core.issue_interval", 1);
         c.take("scheduler.compares", 2);
       }},
      {"-gpgpu_sub_core_model",
       [](Conversion& c) {
         c.take("core.sub_cores", c.sub_cores());
         if (c.sub_cores()) c.take("core.register_banks", 0);
       }},
      {"-gpgpu_num_reg_banks",
       [](Conversion& c) {
         if (c.sub_cores()) {
           c.note("not modelled: register banks of sub-cores");
         } else {
           c.take("core.register_banks", c.whole());
         }
       }},
      {"-gpgpu_operand_collector_num_units_sp",
       [](Conversion& c) {
         const std::int64_t schedulers =
             std::max<std::int64_t>(1, c.whole("-gpgpu_num_sched_per_core", 1));
         c.take("core.alu_collectors", std::max<std::int64_t>(1, c.whole() / schedulers));
       }},
      {"-gpgpu_operand_collector_num_units_sfu",
       [](Conversion& c) { c.take("core.sfu_collectors", c.whole()); }},
      {"-gpgpu_operand_collector_num_units_dp",
       [](Conversion& c) { c.take("core.double_collectors", c.whole()); }},
      {"-gpgpu_operand_collector_num_units_mem",
       [](Conversion& c) { c.take("core.memory_collectors", c.whole()); }},
      {"-gpgpu_shmem_warp_parts", [](Conversion& c) { c.take("core.memory_interval", c.whole()); }},
      {"-gpgpu_shmem_num_banks", [](Conversion& c) { c.take("core.shared_banks", c.whole()); }},
      {"-gpgpu_shmem_size",
       [](Conversion& c) {
         c.take("core.shared_bytes", c.whole());
         c.take("core.shared_reserved", 0);
       }},
      {"-gpgpu_cache:dl1",
       [](Conversion& c) {
         take_cache(c, "l1.", 1);
         c.take("l1.array_bytes",
                Cache(c).bytes() + c.whole("-gpgpu_shmem_size", c.config().core.shared_bytes));
       }},
      {"-gpgpu_l1_latency", [](Conversion& c) { c.take("l1.latency", c.whole()); }},
      {"-gpgpu_smem_latency", shared_latency},
      {"-smem_latency", shared_latency},
      {"-gpgpu_cache:dl2", [](Conversion& c) { take_cache(c, "l2.", c.slices()); }},
      {"-gpgpu_l2_rop_latency", l2_latency},
      {"-rop_latency", l2_latency},
      {"-gpgpu_dram_partition_queues", [](Conversion& c) { c.take("l2.queue", c.whole()); }},
      {"-gpgpu_cache:il1", take_instruction_cache},
      {"-gpgpu_tex_cache:l1",
       [](Conversion& c) {
         const Cache cache(c);
         c.take("texture.bytes", cache.bytes());
         c.take("texture.line_bytes", cache.line);
         c.take("texture.ways", cache.ways);
         c.take("texture.mshrs", cache.mshrs);
       }},
      {"-network_mode",
       [](Conversion& c) {
         c.note("an estimate");
         c.take("interconnect.latency", kWay);
       }},
      {"-icnt_flit_size", [](Conversion& c) { c.take("interconnect.flit_bytes", c.whole()); }},
      {"-icnt_in_buffer_limit",
       [](Conversion& c) { c.take("interconnect.buffer_flits", c.whole()); }},
      {"-dram_latency",
       [](Conversion& c) { c.take("dram.fixed_latency", c.in_clock(3, c.whole())); }},
      {"-gpgpu_dram_scheduler",
       [](Conversion& c) { c.take("dram.reorder", c.whole() == 0 ? 1 : kMostQueue); }},
      {"-gpgpu_frfcfs_dram_sched_queue_size",
       [](Conversion& c) { c.take("dram.queue", c.whole() == 0 ? kMostQueue : c.whole()); }},
      {"-gpgpu_dram_buswidth", width},
      {"-gpgpu_n_mem_per_ctrlr", width},
      {"-dram_data_command_freq_ratio", width},
      {"-gpgpu_dram_timing_opt", take_dram_timing},
      {"-gpgpu_scheduler", take_scheduler},
      {"-gpgpu_compute_capability_major", capability},
      {"-gpgpu_compute_capability_minor", capability},
      {"-gpgpu_kernel_launch_latency",
       [](Conversion& c) {
         c.take("device.launch_latency_us",
                static_cast<double>(c.whole()) / c.number("-gpgpu_clock_domains", 0, 1));
       }},
      {"-ptx_opcode_latency_int",
       [](Conversion& c) {
         c.take("latency.integer", c.whole());
         c.take("latency.integer_mul", c.whole(kMul));
         c.take("latency.integer_div", c.whole(kDiv));
         c.take("subroutine.integer_div", 1);
         if (c.parts().size() > kShfl) c.take("latency.warp", c.whole(kShfl));
         c.note("core.pipeline_latency: an estimate of issue, collection and write-back");
         c.take("core.pipeline_latency", kAround);
       }},
      {"-ptx_opcode_latency_fp",
       [](Conversion& c) {
         c.take("latency.f32", c.whole());
         c.take("latency.f32_div", c.whole(kDiv));
         c.take("subroutine.f32_div", 1);
       }},
      {"-ptx_opcode_latency_dp",
       [](Conversion& c) {
         c.take("latency.f64", c.whole());
         c.take("latency.f64_div", c.whole(kDiv));
         c.take("subroutine.f64_div", 1);
       }},
      {"-ptx_opcode_latency_sfu", [](Conversion& c) { c.take("latency.special", c.whole()); }},
      {"-ptx_opcode_initiation_int",
       [](Conversion& c) {
         c.take("core.half_rate_interval", c.whole(kMul));
         c.take("core.integer_divide_interval", c.whole(kDiv));
       }},
      {"-ptx_opcode_initiation_fp",
       [](Conversion& c) {
         c.take("core.alu_interval", c.whole());
         c.take("core.divide_interval", c.whole(kDiv));
       }},
      {"-ptx_opcode_initiation_dp",
       [](Conversion& c) {
         c.take("core.double_interval", c.shared_interval(c.whole(), "-gpgpu_num_dp_units"));
       }},
      {"-ptx_opcode_initiation_sfu", [](Conversion& c) {
         c.take("core.sfu_interval", c.shared_interval(c.whole(), "-gpgpu_num_sfu_units"));
       }}};
  return options;
}

/// Options that say none, and why; those that begin so.
struct Unmapped {
  std::string_view begin;
  const char* why;
};
constexpr const char* kNoMachine = "nothing of the machine's timing";
constexpr const char* kOthers = "in the intervals of the units";
constexpr std::array kUnmapped{
    Unmapped{"-gpgpu_num_sp_units", "not modelled: each scheduler has ALUs of its own"},
    Unmapped{"-gpgpu_num_int_units", "not modelled: core.sub_cores has them"},
    Unmapped{"-gpgpu_num_sfu_units", kOthers},
    Unmapped{"-gpgpu_num_dp_units", kOthers},
    Unmapped{"-gpgpu_num_tensor_core_units", "not taken: see tensor.interval"},
    Unmapped{"-gpgpu_tensor_core_avail", "not taken: see tensor.interval"},
    Unmapped{"-ptx_opcode_latency_tes", "not taken: tensor.latency is of another shape"},
    Unmapped{"-ptx_opcode_latency_tensor", "not taken: tensor.latency is of another shape"},
    Unmapped{"-ptx_opcode_initiation_tensor", "not taken: tensor.interval is of another shape"},
    Unmapped{"-specialized_unit_", "not modelled: further units"},
    Unmapped{"-trace_opcode_latency_", "not modelled: [latency] has a key for each operation"},
    Unmapped{"-gpgpu_pipeline_widths", "not modelled: widths of pipeline registers"},
    Unmapped{"-gpgpu_enable_specialized_operand_collector", "not modelled: generic collectors"},
    Unmapped{"-gpgpu_operand_collector_", "not modelled: generic collectors, ports of collectors"},
    Unmapped{"-gpgpu_reg_file_port_throughput", "not modelled: a bank has one port"},
    Unmapped{"-gpgpu_reg_bank_use_warp_id", "not modelled: mapping of registers to banks"},
    Unmapped{"-gpgpu_max_insn_issue_per_warp", "not modelled: a scheduler issues one in a cycle"},
    Unmapped{"-gpgpu_dual_issue_diff_exec_units",
             "not modelled: a scheduler issues one in a cycle"},
    Unmapped{"-gpgpu_inst_fetch_throughput", "not modelled: see core.fetch"},
    Unmapped{"-gpgpu_perfect_inst_const_cache", "in -gpgpu_cache:il1; constants always hit"},
    Unmapped{"-gpgpu_const_cache:l1", "not modelled: constants always hit"},
    Unmapped{"-gpgpu_cache:dl1Pref", "not modelled: one division of L1 and shared memory"},
    Unmapped{"-gpgpu_shmem_sizeDefault", "not modelled: one division of L1 and shared memory"},
    Unmapped{"-gpgpu_shmem_size_Pref", "not modelled: one division of L1 and shared memory"},
    Unmapped{"-gpgpu_shmem_option", "not modelled: one division of L1 and shared memory"},
    Unmapped{"-gpgpu_adaptive_cache_config", "not modelled: one division of L1 and shared memory"},
    Unmapped{"-gpgpu_unified_l1d_size", "not modelled: one division of L1 and shared memory"},
    Unmapped{"-gpgpu_shmem_per_block", "not modelled: a block may have all"},
    Unmapped{"-gpgpu_registers_per_block", "not modelled: a block may have all"},
    Unmapped{"-gpgpu_ignore_resources_limitation", "not modelled: limits always hold"},
    Unmapped{"-gpgpu_shmem_limited_broadcast", "not modelled: every word is broadcast"},
    Unmapped{"-gpgpu_coalesce_arch", "not modelled: an access has a transaction for each line"},
    Unmapped{"-gpgpu_l1_banks", "not modelled: banks of the L1"},
    Unmapped{"-gpgpu_l1_cache_write_ratio", "not modelled: the L1 writes through"},
    Unmapped{"-gpgpu_gmem_skip_L1D", "not modelled: loads go to the L1"},
    Unmapped{"-gmem_skip_L1D", "not modelled: loads go to the L1"},
    Unmapped{"-gpgpu_flush_l1_cache", "as here if 1: the L1 is empty when a kernel begins"},
    Unmapped{"-gpgpu_flush_l2_cache", "not modelled: the L2 keeps its lines"},
    Unmapped{"-gpgpu_cache:dl2_texture_only", "as here if 0: the L2 serves all accesses"},
    Unmapped{"-gpgpu_perf_sim_memcpy", "not modelled: copies do not fill the L2"},
    Unmapped{"-gpgpu_perfect_mem", "not modelled: memory takes its time"},
    Unmapped{"-gpgpu_n_cluster_ejection_buffer_size", "not modelled: a core takes what arrives"},
    Unmapped{"-gpgpu_n_ldst_response_buffer_size", "not modelled: a core takes what arrives"},
    Unmapped{"-gpgpu_memory_partition_indexing", "not modelled: slices take 256 bytes in turn"},
    Unmapped{"-gpgpu_mem_addr", "not modelled: slices take 256 bytes in turn"},
    Unmapped{"-inter_config_file", "not read: the interconnect is a crossbar"},
    Unmapped{"-icnt_", "not modelled: the interconnect is a crossbar"},
    Unmapped{"-gpgpu_dram_return_queue_size", "not modelled: a channel gives back at once"},
    Unmapped{"-gpgpu_dram_burst_length", "not modelled: a line takes the time of its bytes"},
    Unmapped{"-dram_bnk", "not modelled: order of banks, bank groups"},
    Unmapped{"-dram_dual_bus_interface", "not modelled: one command in a clock"},
    Unmapped{"-dram_elimnate_rw_turnaround", "not modelled: dram.turnaround always holds"},
    Unmapped{"-dram_seperate_write_queue_enable", "not modelled: one queue"},
    Unmapped{"-dram_write_queue_size", "not modelled: one queue"},
    Unmapped{"-Seperate_Write_Queue_Enable", "not modelled: one queue"},
    Unmapped{"-Write_Queue_Size", "not modelled: one queue"},
    Unmapped{"-gpgpu_TB_launch_latency", "not modelled: kernels launch no kernels"},
    Unmapped{"-gpgpu_cdp_enabled", "not modelled: kernels launch no kernels"},
    Unmapped{"-gpgpu_runtime_sync_depth_limit", "not modelled: kernels launch no kernels"},
    Unmapped{"-gpgpu_runtime_pending_launch_count_limit",
             "not modelled: kernels launch no kernels"},
    Unmapped{"-gpgpu_max_concurrent_kernel", "see --blocks"},
    Unmapped{"-gpgpu_concurrent_kernel_sm", "see --blocks"},
    Unmapped{"-gpgpu_stack_size_limit", kNoMachine},
    Unmapped{"-gpgpu_heap_size_limit", kNoMachine},
    Unmapped{"-gpgpu_clock_gated_lanes", kNoMachine},
    Unmapped{"-gpgpu_occupancy_sm_number", kNoMachine},
    Unmapped{"-gpgpu_ptx_", kNoMachine},
    Unmapped{"-gpgpu_memlatency_stat", kNoMachine},
    Unmapped{"-gpgpu_runtime_stat", kNoMachine},
    Unmapped{"-gpgpu_max_cycle", kNoMachine},
    Unmapped{"-gpgpu_max_insn", kNoMachine},
    Unmapped{"-gpgpu_max_cta", kNoMachine},
    Unmapped{"-gpgpu_max_completed_cta", kNoMachine},
    Unmapped{"-gpgpu_deadlock_detect", kNoMachine},
    Unmapped{"-gpgpu_cflog_interval", kNoMachine},
    Unmapped{"-gpgpu_stat", kNoMachine},
    Unmapped{"-gpgpu_sm_", kNoMachine},
    Unmapped{"-liveness_message_freq", kNoMachine},
    Unmapped{"-enable_ptx_file_line_stats", kNoMachine},
    Unmapped{"-ptx_line_stats_filename", kNoMachine},
    Unmapped{"-save_embedded_ptx", kNoMachine},
    Unmapped{"-keep", kNoMachine},
    Unmapped{"-checkpoint", kNoMachine},
    Unmapped{"-resume", kNoMachine},
    Unmapped{"-visualizer_", kNoMachine},
    Unmapped{"-trace", kNoMachine},
    Unmapped{"-power_", kNoMachine},
    Unmapped{"-steady_", kNoMachine},
    Unmapped{"-gpuwattch_", kNoMachine},
    Unmapped{"-accelwattch_", kNoMachine},
    Unmapped{"-hw_perf_", kNoMachine},
    Unmapped{"-aggregate_power_stats", kNoMachine},
    Unmapped{"-dvfs_enabled", kNoMachine},
};

/// For a comment of TOML, which is UTF-8 without control characters.
std::string printable(std::string text) {
  for (char& letter : text) {
    if (std::isprint(static_cast<unsigned char>(letter)) == 0) letter = '?';
  }
  return text;
}

std::string Conversion::convert(const std::vector<Option>& options) {
  std::string text = fmt::format(
      "# GPU of a configuration of GPGPU-Sim, {}, as far as the model has it: paws gpu --from.\n"
      "# What no line says is that of the base.\nbase = \"{}\"\n",
      printable(file_), base_);
  for (const Option& option : options) {
    option_ = &option;
    keys_.clear();
    notes_.clear();
    const Option& last = options_.at(option.name);
    const auto rule = mapped().find(option.name);
    const auto* const none = std::find_if(
        kUnmapped.begin(), kUnmapped.end(),
        [&option](const Unmapped& unmapped) { return option.name.starts_with(unmapped.begin); });
    if (last.line != option.line) {
      note(fmt::format("line {} replaces it", last.line));
    } else if (rule != mapped().end()) {
      rule->second(*this);
    } else {
      note(none == kUnmapped.end() ? "not known" : none->why);
    }
    text += fmt::format("\n# line {}: {}{}{}\n{}", option.line,
                        printable(option.name + " " + option.value), notes_.empty() ? "" : ": ",
                        notes_, keys_);
  }
  try {
    check(config_);
  } catch (const InputError& error) {
    throw InputError(file_, error.what());
  }
  return text;
}

}  // namespace

std::string from_gpgpusim(const std::string& file) {
  if (const auto why = why_unreadable(file)) throw InputError(file, *why);
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const std::vector<Option> options = OptionReader(file, text).read();
  if (options.empty()) throw InputError(file, "has no options of GPGPU-Sim");
  return Conversion(file, options).convert(options);
}

}  // namespace paws
