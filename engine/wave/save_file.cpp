// SPDX-License-Identifier: MIT
#include "engine/wave/save_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <sstream>
#include <string_view>

#include "model/phase_field.h"

namespace paws {
namespace {

constexpr std::uint64_t kCycle = 1000;  // ps
// Width of the wave that shall show all cycles, in frames: GTKWave zooms to 2^-z time units a frame
// of 200 pixels.
constexpr double kFrames = 6;
constexpr unsigned kShownPlaces = 6;  // of active: the rest is in a closed group

// GTKWave's trace flags.
constexpr const char* kBinary = "@28";
constexpr const char* kHex = "@22";
constexpr const char* kDecimal = "@24";
constexpr const char* kTranslatedDecimal = "@2024";
constexpr const char* kGroupBegin = "@800200";
constexpr const char* kClosedGroupBegin = "@c00200";
constexpr const char* kGroupEnd = "@1000200";
constexpr const char* kClosedGroupEnd = "@1401200";

/// Lines "number name" for numbers that have one.
std::string translation(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += std::to_string(i) + ' ' + names[i] + '\n';
  }
  return text;
}

std::string range(unsigned bits) {
  std::ostringstream text;
  text << '[' << bits - 1 << ":0]";
  return text.str();
}

/// "name[index]".
std::string element(const std::string& name, unsigned index) {
  std::ostringstream text;
  text << name << '[' << index << ']';
  return text.str();
}

class SaveFile {
 public:
  SaveFile(const std::string& base, const SchedulerConfig& config)
      : base_(base), config_(config), warp_bits_(std::bit_width(config.warps - 1)) {}

  void head(std::uint64_t first, std::uint64_t last) {
    const double span = static_cast<double>((last - first + 1) * kCycle);
    text_ << "[dumpfile] \"" << base_ << ".fst\"\n"
          << "[savefile] \"" << base_ << ".gtkw\"\n"
          << "[timestart] " << first * kCycle << "\n"
          << "[size] 1600 1000\n[pos] -1 -1\n"
          << "*-" << std::max(1.0, std::log2(span / kFrames)) << " -1\n"
          << "[sst_expanded] 0\n[signals_width] 330\n";
    signal(kBinary, "clk", "wave_top.clk");
    signal(kDecimal, "cycle", "wave_top.cycle" + range(64));
  }

  void scheduler(unsigned number) {
    scope_ = element("wave_top.scheduler", number) + ".";
    const std::string title = "scheduler " + std::to_string(number) + ": ";
    translated("states", title + "state", scope_ + "core.state[2:0]");
    inputs(title);
    outputs(title);
    if (config_.level == Level::two_level) {
      const unsigned depth = config_.warps > config_.ready ? config_.warps - config_.ready : 1;
      queue(title, "ready queue", "ready", 0, config_.ready, true);
      queue(title, "active queue", "active", 0, std::min(depth, kShownPlaces), true);
      if (depth > kShownPlaces) {
        queue(title, "active queue, further", "active", kShownPlaces, depth, false);
      }
      queue(title, "collector", "collector", 0, config_.warps, false);
      group(kGroupBegin, title + "pending");
      signal(kBinary, "pending_q", scope_ + "u_scheduler.pending_q" + range(config_.warps));
      group(kGroupEnd, title + "pending");
    }
    registers(title);
    core(title);
  }

  [[nodiscard]] std::string text() const { return text_.str(); }
  /// The same for Surfer ("Commands" of its documentation): one word behind each command.
  [[nodiscard]] std::string commands() const { return commands_.str() + "zoom_fit\n"; }

 private:
  void inputs(const std::string& title) {
    group(kGroupBegin, title + "inputs");
    const std::string mask = range(config_.warps);
    signal(kBinary, "issue_en", scope_ + "inputs.issue_en");
    for (const char* name : {"issuable", "waits", "long_outstanding", "exits"}) {
      signal(kHex, name, scope_ + "inputs." + name + mask);
    }
    signal(kBinary, "launch_valid", scope_ + "inputs.launch_valid");
    signal(kDecimal, "launch_warp", scope_ + "inputs.launch_warp" + range(warp_bits_));
    group(kGroupEnd, title + "inputs");
  }

  void outputs(const std::string& title) {
    group(kGroupBegin, title + "outputs");
    signal(kBinary, "issue_valid", scope_ + "outputs.issue_valid");
    signal(kDecimal, "issue_warp", scope_ + "outputs.issue_warp" + range(warp_bits_));
    signal(kBinary, "quiet", scope_ + "outputs.quiet");
    group(kGroupEnd, title + "outputs");
  }

  /// Places of a queue, its head first.
  void queue(const std::string& title, const std::string& label, const std::string& name,
             unsigned from, unsigned to, bool open) {
    group(open ? kGroupBegin : kClosedGroupBegin, title + label);
    for (unsigned k = from; k < to; ++k) {
      const std::string place = element(name, k);
      translated("warps", place, scope_ + "queues." + place + ".warp[7:0]");
    }
    group(open ? kGroupEnd : kClosedGroupEnd, title + label);
  }

  /// The state of the scheduler as the hardware holds it; rtl/paws_public.vlt says how to read it.
  void registers(const std::string& title) {
    group(kClosedGroupBegin, title + "registers");
    const std::string bits = range(warp_bits_);
    auto hardware = [this](const char* flags, const std::string& name, const std::string& width) {
      signal(flags, name, scope_ + "u_scheduler." + name + width);
    };
    if (has_order(config_)) {
      hardware(kBinary, "waiting_q", range(config_.warps));
      hardware(kBinary, "subject_q", range(config_.compares * config_.warps));
      hardware(kBinary, "u_order.lower_q", range(config_.warps * (config_.warps - 1) / 2));
    } else if (config_.level == Level::single) {
      hardware(kBinary, "gen_last.last_valid_q", "");
      hardware(kDecimal, "gen_last.last_warp_q", bits);
      for (unsigned w = 0; w < config_.warps; ++w) {
        hardware(kDecimal, element("gen_min.gen_search.u_age.rank_q", w), bits);
      }
    } else {
      hardware(kBinary, "u_ready.valid_q", range(config_.ready));
      for (unsigned k = 0; k < config_.ready; ++k) {
        hardware(kDecimal, element("u_ready.warp_q", k), bits);
      }
      if (config_.ready > 1) {
        hardware(kBinary, "u_ready.gen_order.first_q",
                 range(config_.ready * (config_.ready - 1) / 2));
      }
      hardware(kBinary, "gen_sorted.u_entrant.valid_q", "");
      hardware(kBinary, "gen_sorted.u_entrant.slot_q", range(config_.warps));
      hardware(kBinary, "gen_sorted.gen_rank.u_active.member_q", range(config_.warps));
      hardware(kBinary, "u_collector.member_q", range(config_.warps));
      // Numbers of the warps, in slices: bit b of all of them.
      for (unsigned b = 0; b < warp_bits_; ++b) {
        hardware(kBinary, element("u_places.place_q", b), range(config_.warps));
      }
      for (unsigned b = 0; b < warp_bits_; ++b) {
        hardware(kBinary, element("gen_age.u_age.rank_q", b), range(config_.warps));
      }
      for (unsigned b = 0; b < phase_key_bits(config_); ++b) {
        hardware(kBinary, element("gen_phase.gen_store.u_phase.length_q", b), range(config_.warps));
      }
    }
    group(kClosedGroupEnd, title + "registers");
  }

  void core(const std::string& title) {
    group(kGroupBegin, title + "core, what the warps do");
    for (unsigned w = 0; w < config_.warps; ++w) {
      translated("conditions", "warp " + std::to_string(w), warp(w) + "condition[3:0]");
    }
    group(kGroupEnd, title + "core, what the warps do");
    for (unsigned w = 0; w < config_.warps; ++w) {
      const std::string label = title + "core, warp " + std::to_string(w);
      group(kClosedGroupBegin, label);
      translated("conditions", "condition", warp(w) + "condition[3:0]");
      if (config_.level == Level::two_level) {
        translated("places", "queue", warp(w) + "place[2:0]");
      }
      for (const char* name : {"pc", "phase", "block", "in_block", "in_flight"}) {
        signal(kDecimal, name, warp(w) + name + range(32));
      }
      signal(kDecimal, config_.level == Level::two_level ? "phase length" : "phase distance",
             warp(w) + "phase_length" + range(16));
      group(kClosedGroupEnd, label);
    }
  }

  [[nodiscard]] std::string warp(unsigned number) const {
    return scope_ + element("core.warp", number) + ".";
  }

  void group(std::string_view flags, const std::string& name) {
    text_ << flags << "\n-" << name << '\n';
    if (flags == kClosedGroupBegin) in_closed_ = true;
    if (flags == kClosedGroupEnd) in_closed_ = false;
    if (flags != kGroupBegin) return;
    std::string word = name;
    std::replace(word.begin(), word.end(), ' ', '_');
    commands_ << "divider_add " << word << '\n';
  }

  void signal(const char* flags, const std::string& alias, const std::string& name) {
    text_ << flags << "\n+{" << alias << "} " << name << '\n';
    show(name);
  }

  /// Surfer's names of variables are without the range of bits.
  void show(const std::string& name) {
    if (in_closed_) return;
    const std::size_t colon = name.rfind(':');
    commands_ << "variable_add "
              << (colon == std::string::npos ? name : name.substr(0, name.rfind('[', colon)))
              << '\n';
  }

  void translated(const char* names, const std::string& alias, const std::string& signal_name) {
    text_ << kTranslatedDecimal << "\n^1 " << base_ << '.' << names << ".txt\n+{" << alias << "} "
          << signal_name << '\n';
    show(signal_name);
  }

  std::string base_;
  SchedulerConfig config_;
  unsigned warp_bits_;
  std::string scope_;  ///< of the scheduler that is being written
  std::ostringstream text_;
  std::ostringstream commands_;
  bool in_closed_ = false;  ///< in a group that is closed at first
};

}  // namespace

std::vector<SaveFileContents> save_files(const std::string& base, const SchedulerConfig& config,
                                         unsigned schedulers, const WaveNames& names,
                                         std::uint64_t first, std::uint64_t last) {
  SaveFile save(base, config);
  save.head(first, last);
  for (unsigned s = 0; s < schedulers; ++s) save.scheduler(s);
  return {{base + ".gtkw", save.text()},
          {base + ".sucl", save.commands()},
          {base + ".states.txt", translation(names.states)},
          {base + ".conditions.txt", translation(names.conditions)},
          {base + ".places.txt", translation(names.places)},
          {base + ".warps.txt", "255 -\n"}};
}

}  // namespace paws
