// SPDX-License-Identifier: MIT
// Waves: the FST holds what was recorded, cycle by cycle, and the save file names what is in it.
// The traced RTL is built for the test, at a small size, and kept.

#include "sim/trace/wave.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "sim/tests/trace/support.h"

namespace paws::trace {
namespace {

/// Values of every signal at every time, from the text of a VCD file.
struct Vcd {
  std::set<std::string> names;
  std::map<std::string, std::map<std::uint64_t, std::string>> changes;  ///< by name and time

  [[nodiscard]] std::uint64_t value(const std::string& name, std::uint64_t time) const {
    const auto& of_name = changes.at(name);
    const auto after = of_name.upper_bound(time);
    return std::stoull(std::prev(after)->second, nullptr, 2);
  }
};

Vcd parse(std::istream& stream) {
  Vcd vcd;
  std::map<std::string, std::vector<std::string>> by_id;
  std::vector<std::string> scopes;
  std::uint64_t time = 0;
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "$scope") {
      words >> word >> word;
      scopes.push_back(word);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      std::string id, part, name;
      for (const std::string& scope : scopes) name += scope + ".";
      words >> part >> part >> id;
      while (words >> part && part != "$end") name += part;
      vcd.names.insert(name);
      by_id[id].push_back(name);
    } else if (word.starts_with('#')) {
      time = std::stoull(word.substr(1));
    } else if (word.starts_with('b')) {
      std::string id;
      words >> id;
      for (const std::string& name : by_id[id]) vcd.changes[name][time] = word.substr(1);
    } else if (word.starts_with('0') || word.starts_with('1')) {
      for (const std::string& name : by_id[word.substr(1)]) {
        vcd.changes[name][time] = word.substr(0, 1);
      }
    }
  }
  return vcd;
}

class Wave : public TraceTest {
 protected:
  static GpuRun small(const std::string& scheduler) {
    GpuRun run = busy(scheduler);
    run.config.core.warps = 16;
    run.config.core.blocks = 4;
    run.config.scheduler.ready = 2;
    run.config.scheduler.phase_bits = 5;
    run.config.scheduler.key_precision = 3;
    run.config.scheduler.wake_oldest = true;
    return run;
  }

  [[nodiscard]] Vcd read_fst() const {
    const std::string text = file("wave.vcd");
    const std::string command = "fst2vcd " + file("wave.fst") + " > " + text + " 2> /dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::ifstream stream(text);
    return parse(stream);
  }

  void check(const std::string& scheduler);
  void check_commands(const Vcd& vcd) const;
};

/// Each variable that Surfer is told to show is in the wave, which it names without the bits.
void Wave::check_commands(const Vcd& vcd) const {
  std::set<std::string> names;
  for (const std::string& name : vcd.names) {
    const std::size_t colon = name.rfind(':');
    names.insert(colon == std::string::npos ? name : name.substr(0, name.rfind('[', colon)));
  }
  std::ifstream commands(file("wave.sucl"));
  std::size_t shown = 0;
  std::string last;
  for (std::string line; std::getline(commands, line); last = line) {
    std::istringstream words(line);
    std::string command, name, more;
    words >> command >> name >> more;
    EXPECT_TRUE(more.empty()) << line;
    if (command == "variable_add") {
      EXPECT_TRUE(names.contains(name)) << line;
      ++shown;
    } else if (command != "zoom_fit") {
      EXPECT_EQ(command, "divider_add");
      EXPECT_TRUE(name.starts_with("scheduler_")) << line;
    }
  }
  EXPECT_GT(shown, 30U);
  EXPECT_EQ(last, "zoom_fit");
}

void Wave::check(const std::string& scheduler) {
  const GpuRun run = small(scheduler);
  const std::uint64_t from = busy_cycle(run);
  const std::uint64_t to = from + 500;
  Collected seen;
  {
    WaveWriter wave(file("wave.fst"), info(run), from, to);
    watch(run, [&](std::uint32_t core) {
      return core == 0 ? std::vector<Sink*>{&seen, &wave} : std::vector<Sink*>{};
    });
    EXPECT_TRUE(wave.finish());
  }
  const Vcd vcd = read_fst();

  std::size_t compared = 0, issues = 0;
  for (const Collected::Event& event : seen.events) {
    const auto* step = std::get_if<CoreStep>(&event);
    if (step == nullptr || step->cycle < from || step->cycle > to) continue;
    const std::uint64_t time = step->cycle * 1000;
    ASSERT_EQ(vcd.value("wave_top.cycle[63:0]", time), step->cycle);
    ASSERT_EQ(vcd.value("wave_top.clk", time), 1U);
    ASSERT_EQ(vcd.value("wave_top.clk", time + 500), 0U);
    for (unsigned s = 0; s < 2; ++s) {
      const SchedulerStep& now = step->schedulers[s];
      const std::string scope = "wave_top.scheduler[" + std::to_string(s) + "].";
      ASSERT_EQ(vcd.value(scope + "inputs.issuable[7:0]", time), now.inputs.issuable);
      ASSERT_EQ(vcd.value(scope + "inputs.waits[7:0]", time), now.inputs.waits);
      ASSERT_EQ(vcd.value(scope + "outputs.issue_valid", time), now.outputs.issue_valid ? 1 : 0);
      ASSERT_EQ(vcd.value(scope + "outputs.issue_warp[2:0]", time), now.outputs.issue_warp);
      ASSERT_EQ(vcd.value(scope + "outputs.quiet", time), now.outputs.quiet ? 1 : 0);
      ASSERT_EQ(vcd.value(scope + "core.state[2:0]", time), static_cast<unsigned>(now.state));
      for (unsigned w = 0; w < 8; ++w) {
        const std::string warp = scope + "core.warp[" + std::to_string(w) + "].";
        ASSERT_EQ(vcd.value(warp + "pc[31:0]", time), now.warps.pc[w]);
        ASSERT_EQ(vcd.value(warp + "block[31:0]", time), now.warps.block[w]);
        ASSERT_EQ(vcd.value(warp + "in_flight[31:0]", time), now.warps.in_flight[w]);
      }
      issues += now.outputs.issue_valid ? 1 : 0;
    }
    ++compared;
  }
  EXPECT_GT(compared, 100U);
  EXPECT_GT(issues, 20U);
  for (const auto& [name, changes] : vcd.changes) {
    EXPECT_GE(changes.begin()->first, from * 1000) << name;
    EXPECT_LE(changes.rbegin()->first, to * 1000 + 500) << name;
  }

  std::ifstream save(file("wave.gtkw"));
  std::size_t shown = 0;
  for (std::string line; std::getline(save, line);) {
    const std::size_t at = line.find("wave_top.");
    if (line.starts_with("+{") && at != std::string::npos) {
      EXPECT_TRUE(vcd.names.contains(line.substr(at))) << line;
      ++shown;
    } else if (line.starts_with("^1 ")) {
      EXPECT_TRUE(std::filesystem::exists(folder_ / line.substr(3))) << line;
    }
  }
  EXPECT_GT(shown, 50U);
  check_commands(vcd);
  EXPECT_NE(bytes_of(file("wave.conditions.txt")).find("outside ready"), std::string::npos);
}

TEST_F(Wave, TwoLevelShowsWhatWasRecorded) { check("two-level:paws"); }

TEST_F(Wave, SingleLevelShowsWhatWasRecorded) { check("single:gto"); }

TEST_F(Wave, AFullDiskIsOneMessageAndLeavesNothing) {
  const GpuRun run = small("two-level:paws");
  const std::uint64_t from = busy_cycle(run);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  for (const rlim_t bytes : {100, 4096, 20000}) {
    const std::string message = error_of([&] {
      WaveWriter wave(file("wave.fst"), info(run), from, from + 500);
      const rlimit little{bytes, before.rlim_max};
      setrlimit(RLIMIT_FSIZE, &little);
      watch(run, [&](std::uint32_t core) {
        return core == 0 ? std::vector<Sink*>{&wave} : std::vector<Sink*>{};
      });
      (void)wave.finish();
    });
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(message, file("wave.fst") + ": cannot be written: no space is left, here or in /tmp");
    const auto folder = std::filesystem::path(file("wave.fst")).parent_path();
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      EXPECT_NE(entry.path().filename().string().find("wave.fst"), 0U) << entry.path();
    }
  }
}

TEST_F(Wave, RefusesWhatItCannotShow) {
  auto message = [&](const std::string& path, const std::string& scheduler) {
    return error_of([&] { WaveWriter(path, info(busy(scheduler)), 0, 10); });
  };
  EXPECT_EQ(message(file("w.fst"), "two-level:longest"),
            "scheduler 'two-level:longest' lives in the model alone: there is no RTL to show");
  EXPECT_EQ(message(file("w.vcd"), "two-level:rr"),
            file("w.vcd") + ": a wave's name must end in .fst");
  EXPECT_EQ(message(file("no/w.fst"), "two-level:rr"),
            file("no/w.fst") + ": cannot be written: No such file or directory");
}

}  // namespace
}  // namespace paws::trace
