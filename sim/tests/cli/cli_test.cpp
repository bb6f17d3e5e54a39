// SPDX-License-Identifier: MIT
// The program from outside: words, exit status, messages, output files.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <utility>

#include "sim/tests/support/temporary_folder.h"

namespace paws {
namespace {

namespace fs = std::filesystem;

struct Finished {
  int status = 0;
  std::string output;  ///< stdout and stderr
};

/// Runs the program with `arguments`, which a shell reads, by way of the command `by`.
Finished paws(const std::string& arguments, const std::string& by = "") {
  Finished finished;
  const std::string command = by + " " + PAWS_PROGRAM + " 2>&1 " + arguments;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer{};
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe)) {
    finished.output.append(buffer.data(), count);
  }
  const int raw = pclose(pipe);
  finished.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
  return finished;
}

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class Cli : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    return temporary_.write(name, text).string();
  }

  static std::string text_of(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }

  static std::string around(const std::string& before, const std::string& text,
                            const std::string& after) {
    std::string whole = before;
    whole += text;
    whole += after;
    return whole;
  }

  static std::ptrdiff_t commas_of_last_line(const std::string& text) {
    const std::size_t start = text.rfind('\n', text.size() - 2);
    return std::count(text.begin() + static_cast<std::ptrdiff_t>(start), text.end(), ',');
  }

  static nlohmann::json read_json(const fs::path& file) {
    std::ifstream stream(file);
    return nlohmann::json::parse(stream);
  }

  /// A kernel that adds 1 to each of `n` words, and its launch description.
  std::string increment(const std::string& body, const std::string& expect) {
    write("k.ptx",
          ".version 7.0\n.target sm_70\n.address_size 64\n"
          ".visible .entry k(.param .u64 a)\n{\n"
          ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
          "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\n"
          "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd3, %rd1, %rd2;\n" +
              body + "ret;\n}\n");
    return write("k.toml",
                 "name = \"k\"\nptx = \"k.ptx\"\n[[buffer]]\nname = \"a\"\ntype = \"u32\"\n"
                 "count = 64\n[[step]]\nkernel = \"k\"\ngrid = [1]\nblock = [64]\n"
                 "args = [{ buffer = \"a\" }]\n" +
                     expect);
  }
  std::string good_body() {
    return "ld.global.u32 %r2, [%rd3];\nadd.u32 %r3, %r2, 1;\nst.global.u32 [%rd3], %r3;\n";
  }

  const TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
};

TEST_F(Cli, ListNamesWorkloadsSchedulersAndEngines) {
  const Finished list = paws("list");
  EXPECT_EQ(list.status, 0);
  for (const char* word :
       {"vectoradd", "matmul", "reduction", "histogram", "bfs", "lud", "single:rr",
        "two-level:paws", "lcs+bcs", "ccws", "lockstep", "m2090", "c2050", "lee28"}) {
    EXPECT_NE(list.output.find(word), std::string::npos) << word;
  }
}

TEST_F(Cli, ListAsJsonHasAllThatTheTextHas) {
  const Finished document = paws("list --json");
  ASSERT_EQ(document.status, 0) << document.output;
  const nlohmann::json list = nlohmann::json::parse(document.output);
  const auto joined = [](const nlohmann::json& names) {
    std::string text;
    for (const std::string name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  };
  const auto line = [](std::string name, std::size_t width, const std::string& what) {
    name.resize(std::max<std::size_t>(name.size(), width), ' ');
    return "  " + name + " " + what + "\n";
  };
  std::string text = "workloads\n";
  for (const nlohmann::json& workload : list.at("workloads")) {
    text += line(workload.at("name"), 16, workload.at("description"));
  }
  text += "\nschedulers, and the warp that issues (single) or the order of promotion (two-level)\n";
  for (const nlohmann::json& scheduler : list.at("schedulers")) {
    const std::string rule = scheduler.at("rule");
    text += line(scheduler.at("name"), 22,
                 (scheduler.at("rtl") ? "RTL and model  " : "model only     ") + rule);
    for (const nlohmann::json& parameter : scheduler.at("parameters")) {
      const std::string name = parameter.at("name");
      const std::string meaning = parameter.at("meaning");
      text.append("    policy.").append(name).append(" = ").append(parameter.at("default").dump());
      text.append(", ").append(parameter.at("smallest").dump()).append(" to ");
      text.append(parameter.at("largest").dump()).append(": ").append(meaning).append("\n");
    }
    const std::string level = scheduler.at("level");
    const std::string policy = scheduler.at("policy");
    EXPECT_EQ(scheduler.at("name"), level + ":" + policy);
    EXPECT_TRUE(level == "single" || level == "two-level") << level;
  }
  for (const auto& [title, key] : {std::pair("block schedulers", "block_schedulers"),
                                   std::pair("throttles, under every scheduler", "throttles")}) {
    text += std::string("\n") + title + "\n";
    for (const nlohmann::json& entry : list.at(key)) {
      const std::string name = entry.at("name");
      const std::string parameter = entry.at("parameter");
      text += line(parameter.empty() ? name : name + ":" + parameter, 16, entry.at("rule"));
    }
  }
  text += "\nengines\n  " + joined(list.at("engines")) + "\n\nGPU presets\n  " +
          joined(list.at("presets")) + "\n";
  EXPECT_EQ(paws("list").output, text);
  EXPECT_EQ(text.find("random-limit"), std::string::npos) << "a negative control is no choice";
  EXPECT_EQ(paws("list --json --statistics").status, 2);
}

TEST_F(Cli, RunWritesTheKeysThatScriptsReadAndEnginesAgree) {
  std::vector<std::uint64_t> cycles;
  for (const std::string engine : {"rtl", "model", "lockstep"}) {
    const fs::path json = folder_ / (engine + ".json");
    const Finished run =
        paws("run vectoradd --define n=20000 --set cores=2 --scheduler two-level:gto --engine " +
             engine + " --json " + json.string());
    ASSERT_EQ(run.status, 0) << run.output;
    const nlohmann::json result = read_json(json);
    EXPECT_EQ(result.at("workload"), "vectoradd");
    EXPECT_EQ(result.at("gpu"), "m2090");
    EXPECT_EQ(result.at("scheduler"), "two-level:gto");
    EXPECT_EQ(result.at("engine"), engine);
    EXPECT_EQ(result.at("verified"), true);
    for (const char* key :
         {"instructions", "warp_instructions", "ipc", "idle_fraction", "host_seconds", "seed"}) {
      EXPECT_TRUE(result.contains(key)) << key;
    }
    cycles.push_back(result.at("cycles"));
  }
  EXPECT_EQ(cycles[0], cycles[1]);
  EXPECT_EQ(cycles[0], cycles[2]);
}

TEST_F(Cli, KernelsOfSeveralModulesAreToldApart) {
  const auto module = [this](const std::string& name, const std::string& constant) {
    return write(name,
                 ".version 7.0\n.target sm_70\n.address_size 64\n"
                 ".const .align 4 .u32 step = " +
                     constant +
                     ";\n.visible .entry k(.param .u64 a)\n{\n"
                     ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
                     "ld.param.u64 %rd1, [a];\nld.const.u32 %r1, [step];\n"
                     "ld.global.u32 %r2, [%rd1];\nadd.u32 %r3, %r2, %r1;\n"
                     "st.global.u32 [%rd1], %r3;\nret;\n}\n");
  };
  module("one.ptx", "3");
  module("two.ptx", "40");
  const auto step = [](const std::string& from) {
    return "[[step]]\nkernel = \"k\"\n" + from +
           "grid = 1\nblock = 1\nargs = [{ buffer = \"a\" }]\n";
  };
  const std::string head =
      "[[module]]\nptx = \"one.ptx\"\n[[module]]\nptx = \"two.ptx\"\n"
      "[[buffer]]\nname = \"a\"\ntype = \"u32\"\ncount = 1\n";
  const std::string file =
      write("w.toml", head + step("module = \"one\"\n") + step("module = \"two\"\n") +
                          "[[expect]]\nbuffer = \"a\"\nfill = 43\n");
  const fs::path json = folder_ / "result.json";
  const std::string options = " --set cores=1 --engine model";
  const Finished run = paws("run " + file + options + " --json " + json.string());
  EXPECT_EQ(run.status, 0) << run.output;
  EXPECT_NE(run.output.find("kernel              k, module two\n"), std::string::npos)
      << run.output;
  const nlohmann::json result = read_json(json);
  for (const char* list : {"kernels", "per_launch"}) {
    ASSERT_EQ(result.at(list).size(), 2U) << list;
    EXPECT_EQ(result.at(list).at(0).at("module"), "one") << list;
    EXPECT_EQ(result.at(list).at(1).at("module"), "two") << list;
  }

  const std::string other = module("other.ptx", "0");
  const Finished replaced = paws("run " + file + options + " --ptx two=" + other);
  EXPECT_EQ(replaced.status, 1) << replaced.output;
  EXPECT_NE(replaced.output.find("a[0]: expected 43, got 3 (off by 40)"), std::string::npos);
  const Finished unclear = paws("run " + file + options + " --ptx " + other);
  EXPECT_EQ(unclear.status, 2) << unclear.output;
  EXPECT_NE(unclear.output.find("has several modules, give MODULE=FILE; known: one, two"),
            std::string::npos)
      << unclear.output;
  const Finished ambiguous = paws("run " + write("b.toml", head + step("")) + options);
  EXPECT_EQ(ambiguous.status, 2) << ambiguous.output;
  EXPECT_NE(ambiguous.output.find("b.toml:9: several modules have a kernel \"k\""),
            std::string::npos)
      << ambiguous.output;
}

TEST_F(Cli, CompareListsTheWorkloadsOfASet) {
  const Finished list = paws("compare --set today --list");
  ASSERT_EQ(list.status, 0) << list.output;
  EXPECT_TRUE(list.output.starts_with("today: kernels ")) << list.output;
  std::size_t described = 0;
  for (const auto& file : fs::directory_iterator(fs::path(PAWS_WORKLOADS_DIR) / "today")) {
    if (file.path().extension() != ".toml") continue;
    ++described;
    const std::string name = "today/" + file.path().stem().string();
    EXPECT_TRUE(std::regex_search(list.output, std::regex("\n  " + name + " +.+; bounded by .+")))
        << name << "\n"
        << list.output;
  }
  EXPECT_EQ(lines(list.output), 1 + described) << list.output;
}

// On the set's GPU, with nothing but the name of the set; results are right and nothing races.
TEST_F(Cli, CompareRunsTheWorkloadsOfASet) {
  const fs::path csv = folder_ / "today.csv";
  const std::string some = "compare --set today --size small --schedulers single:gto --check ";
  const Finished run = paws(some + "--csv " + csv.string());
  ASSERT_EQ(run.status, 0) << run.output;
  EXPECT_NE(run.output.find(", gpu a100, "), std::string::npos) << run.output;
  EXPECT_EQ(lines(text_of(csv)), lines(paws("compare --set today --list").output));
  EXPECT_EQ(run.output.find("not checked"), std::string::npos) << run.output;
  // Settings stay settings, and what the command says goes before what the set says.
  const Finished without = paws(some + "--set tensor.interval=0");
  EXPECT_EQ(without.status, 2) << without.output;
  EXPECT_NE(without.output.find("needs tensor cores"), std::string::npos) << without.output;
  const Finished own = paws("compare vectoradd --set today --dry-run --gpu m2090 --engine rtl");
  EXPECT_EQ(own.status, 0) << own.output;
}

TEST_F(Cli, CompareGivesSpeedRelativeToRoundRobinOfTheSameLevel) {
  const fs::path json = folder_ / "compare.json";
  const Finished compare = paws(
      "compare reduction --define n=50000 --set cores=1 --engine model --json " + json.string());
  ASSERT_EQ(compare.status, 0) << compare.output;
  const nlohmann::json results = read_json(json);
  ASSERT_EQ(results.size(), 6U);
  for (const nlohmann::json& result : results) {
    const std::string scheduler = result.at("scheduler");
    const std::string level = scheduler.substr(0, scheduler.find(':'));
    for (const nlohmann::json& rr : results) {
      if (rr.at("scheduler") != level + ":rr") continue;
      EXPECT_DOUBLE_EQ(result.at("speed_vs_rr"),
                       rr.at("cycles").get<double>() / result.at("cycles").get<double>());
    }
  }
}

TEST_F(Cli, RunsWithSeedsArePairedAndTheirMeansHaveIntervals) {
  const fs::path json = folder_ / "runs.json";
  const fs::path csv = folder_ / "runs.csv";
  const std::string command =
      "compare reduction vectoradd --define n=20000 --set cores=2 --engine model "
      "--schedulers single:gto,single:rr --seeds 3 --json " +
      json.string() + " --csv " + csv.string() + " --jobs ";
  const Finished compare = paws(command + "1");
  ASSERT_EQ(compare.status, 0) << compare.output;
  EXPECT_EQ(compare.output, paws(command + "3").output);
  EXPECT_EQ(lines(text_of(csv)), 13U);

  const nlohmann::json runs = read_json(json);
  ASSERT_EQ(runs.size(), 12U);
  double cycles = 0;
  double logarithms = 0;
  for (unsigned i = 0; i < 3; ++i) {
    const nlohmann::json& gto = runs[i];
    const nlohmann::json& rr = runs[i + 3];
    EXPECT_EQ(gto.at("noise_seed"), i + 1);
    EXPECT_EQ(rr.at("noise_seed"), i + 1);
    EXPECT_EQ(gto.at("settings"), "cores=2 noise.seed=" + std::to_string(i + 1));
    EXPECT_DOUBLE_EQ(gto.at("speed_vs_rr"),
                     rr.at("cycles").get<double>() / gto.at("cycles").get<double>());
    cycles += gto.at("cycles").get<double>() / 3;
    logarithms += std::log(gto.at("speed_vs_rr").get<double>()) / 3;
  }
  EXPECT_NE(runs[0].at("cycles"), runs[1].at("cycles"));

  std::smatch row;
  ASSERT_TRUE(std::regex_search(
      compare.output, row,
      std::regex("reduction +single:gto +(\\d+) +(\\d+) +[\\d.]+ +[\\d.]+ +([\\d.]+)  "
                 "([\\d.]+)-([\\d.]+) ([= ])  PASS\n")))
      << compare.output;
  EXPECT_NEAR(std::stod(row[1]), cycles, 0.51);
  EXPECT_GT(std::stod(row[2]), 0);
  EXPECT_NEAR(std::stod(row[3]), std::exp(logarithms), 0.00051);
  EXPECT_LT(std::stod(row[4]), std::stod(row[3]));
  EXPECT_GT(std::stod(row[5]), std::stod(row[3]));
  EXPECT_EQ(row[6] == "=", std::stod(row[4]) <= 1 && std::stod(row[5]) >= 1) << compare.output;
  EXPECT_NE(compare.output.find("  1.000-1.000 =  PASS\n"), std::string::npos) << compare.output;
  EXPECT_NE(compare.output.find(", means of noise.seed 1 to 3, "), std::string::npos);
  EXPECT_EQ(compare.output.find("noise.seed=1"), std::string::npos) << compare.output;
}

TEST_F(Cli, ARowOfSeedsFailsWithAnyOfItsRuns) {
  const std::string launch = increment("mov.u64 %rd3, 16;\nst.global.u32 [%rd3], %r1;\n", "");
  const Finished run =
      paws("compare " + launch + " --engine model --schedulers single:gto,single:rr --seeds 2");
  EXPECT_EQ(run.status, 2);
  EXPECT_TRUE(std::regex_search(
      run.output, std::regex("k +single:rr +- +- +- +- +-  - +failed: .*global address 0x10")))
      << run.output;
  // One message.
  EXPECT_NE(run.output.find("paws: k under single:gto, single:rr: "), std::string::npos)
      << run.output;
}

TEST_F(Cli, ADryRunReadsTheWorkloadsAndSimulatesNothing) {
  const std::string spin = increment("again:\nbra.uni again;\n", "");
  const std::string command = "compare vectoradd " + spin + " --dry-run --engine model ";
  const Finished good = paws(command, "timeout 20");
  EXPECT_EQ(good.status, 0) << good.output;
  EXPECT_EQ(good.output, "");
  for (const std::string wrong : {"--set l1.bytes=5000", "--schedulers single:no", "--size none"}) {
    const Finished refused = paws(command + wrong, "timeout 20");
    EXPECT_EQ(refused.status, 2) << refused.output;
    EXPECT_EQ(lines(refused.output), 1U) << refused.output;
  }
}

TEST_F(Cli, ARowIsPrintedAsSoonAsItAndItsRoundRobinAreKnown) {
  const std::string command =
      "compare vectoradd reduction --define n=20000 --set cores=2 --engine model --jobs 1 "
      "--schedulers single:gto,single:rr";
  const Finished whole = paws(command);
  ASSERT_EQ(whole.status, 0) << whole.output;
  EXPECT_EQ(whole.output.find(" - "), std::string::npos) << whole.output;  // a speed in every row
  EXPECT_LT(whole.output.find("single:gto"), whole.output.find("single:rr"));

  // The first workload's rows are there although the second fails.
  const std::string launch = increment("mov.u64 %rd3, 16;\nst.global.u32 [%rd3], %r1;\n", "");
  const Finished broken = paws("compare vectoradd " + launch +
                               " --engine model --jobs 1 --schedulers single:gto,single:rr");
  EXPECT_NE(broken.status, 0);
  EXPECT_NE(broken.output.find("PASS"), std::string::npos) << broken.output;
}

TEST_F(Cli, ASimulationThatFailsCostsItsOwnRow) {
  const std::string launch = increment("mov.u64 %rd3, 16;\nst.global.u32 [%rd3], %r1;\n",
                                       "[size]\nq = 1\n[size.small]\nq = 2\n");
  const fs::path json = folder_ / "rows.json";
  const fs::path csv = folder_ / "rows.csv";
  const std::string command = "compare vectoradd " + launch +
                              " reduction --size small --engine model --schedulers "
                              "single:rr,single:gto --json " +
                              json.string() + " --csv " + csv.string() + " --jobs ";
  const Finished run = paws(command + "1");
  EXPECT_EQ(run.output, paws(command + "3").output);
  EXPECT_EQ(run.status, 2);
  const std::size_t failed = run.output.find("  failed: ");
  ASSERT_NE(failed, std::string::npos) << run.output;
  EXPECT_LT(run.output.find("PASS"), failed) << run.output;
  EXPECT_NE(run.output.find("PASS", failed), std::string::npos) << run.output;
  // One message for both schedulers.
  const std::size_t message = run.output.find("paws: k under single:rr, single:gto: ");
  ASSERT_NE(message, std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("paws: k under", message + 1), std::string::npos) << run.output;

  const nlohmann::json rows = read_json(json);
  ASSERT_EQ(rows.size(), 6U);
  for (const std::size_t row : {0, 1, 4, 5}) {
    EXPECT_TRUE(rows[row].at("failure").is_null());
    EXPECT_GT(rows[row].at("cycles"), 0);
    EXPECT_TRUE(rows[row].at("speed_vs_rr").is_number());
  }
  const std::string cause = rows[2].at("failure");
  EXPECT_NE(cause.find("k.ptx:14: "), std::string::npos) << cause;
  EXPECT_NE(run.output.find("failed: " + cause + "\n"), std::string::npos) << run.output;
  for (const char* name : {"version", "commit", "settings", "size", "defines", "seed",
                           "block_scheduler", "throttle"}) {
    EXPECT_TRUE(rows[2].contains(name)) << name;
  }
  EXPECT_TRUE(rows[2].at("seed").is_null());
  nlohmann::json row = rows[2];
  for (const char* name : {"version", "commit", "settings", "size", "defines", "seed",
                           "block_scheduler", "throttle"}) {
    row.erase(name);
  }
  EXPECT_EQ(row, nlohmann::json({{"workload", "k"},
                                 {"gpu", "m2090"},
                                 {"scheduler", "single:rr"},
                                 {"engine", "model"},
                                 {"noise_seed", 0},
                                 {"speed_vs_rr", nullptr},
                                 {"failure", cause}}));
  const std::string table = text_of(csv);
  EXPECT_EQ(lines(table), 7U);
  // The cause has commas, so it stands in quotes, and quotes in it are doubled.
  ASSERT_NE(cause.find(','), std::string::npos) << cause;
  EXPECT_NE(table.find(",\"" + cause.substr(0, cause.find('"'))), std::string::npos) << table;
}

TEST_F(Cli, ASimulationThatFailsForItsSizeCostsItsOwnRow) {
  const Finished run = paws("compare " + increment(good_body(), "") +
                            " vectoradd --size small --engine model --schedulers single:rr");
  EXPECT_EQ(run.status, 2) << run.output;
  EXPECT_NE(run.output.find("has no size \"small\""), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("PASS"), std::string::npos) << run.output;
}

TEST_F(Cli, ADescriptionCanLimitTheCyclesOfALaunch) {
  const std::string launch = increment("L: bra L;\n", "");
  write("k.toml", "max_cycles = 3000\n" + text_of(launch));
  for (const auto& [options, limit] : std::vector<std::pair<std::string, std::string>>{
           {"", "3000 cycles"},
           {" --max-cycles 4000", "4000 cycles"},
           {" --timing off", "48000 warp instructions"},
           {" --timing off --max-instructions 5000", "5000 warp instructions"}}) {
    const Finished spin = paws("run " + launch + options);
    EXPECT_EQ(spin.status, 2);
    EXPECT_NE(spin.output.find("not finished after " + limit), std::string::npos) << spin.output;
  }
}

TEST_F(Cli, MoreJobsThanSimulationsOrThreadsOfTheSystemAreNoError) {
  const std::string little = "vectoradd --define n=2000 --set cores=2 --engine model ";
  const std::string table = little + "--schedulers single:rr,single:gto";
  EXPECT_EQ(paws("compare --jobs 1000000 " + table).status, 0);
#ifndef __SANITIZE_ADDRESS__  // its shadow memory does not fit into such limits
  // Too little memory for the stack of a thread.
  const std::string poor = "ulimit -v 150000; ulimit -s 1000000; ";
  EXPECT_EQ(paws("compare --jobs 2 " + table, poor).status, 0);
  EXPECT_EQ(paws("run --threads 2 " + little, poor).status, 0);
#endif
}

TEST_F(Cli, ResultsDoNotDependOnTheNumberOfJobs) {
  const std::string command =
      "compare vectoradd reduction --define n=20000 --set cores=2 --engine model --jobs ";
  EXPECT_EQ(paws(command + "1").output, paws(command + "3").output);
}

TEST_F(Cli, EveryStatisticIsInTheListingTheJsonAndTheCsv) {
  const fs::path json = folder_ / "result.json";
  const fs::path csv = folder_ / "results.csv";
  const std::string small = " vectoradd --define n=20000 --set cores=2 --engine model --queues ";
  const Finished run = paws("run" + small + "--stats --json " + json.string());
  ASSERT_EQ(run.status, 0) << run.output;
  const nlohmann::json result = read_json(json);
  const Finished compare =
      paws("compare" + small + "--schedulers two-level:rr,two-level:paws --csv " + csv.string());
  ASSERT_EQ(compare.status, 0) << compare.output;
  const std::string table = text_of(csv);
  EXPECT_EQ(lines(table), 3U);
  const std::string names = around(",", table.substr(0, table.find('\n')), ",");
  for (const char* name :
       {"gpu_tot_sim_cycle", "gpu_tot_sim_insn", "gpu_tot_ipc", "gpu_tot_occupancy",
        "gpu_tot_issued_cta", "gpgpu_n_tot_w_icount", "idle_fraction", "scheduler_cycles_issued",
        "L1D_total_cache_accesses", "L2_total_cache_reservation_fails", "averagemflatency",
        "dram_eff", "bwutil", "Row_Buffer_Locality", "gpgpu_n_shmem_bkconflict", "alu_load",
        "cycles_neither", "promotions", "pending_wait_max"}) {
    EXPECT_TRUE(result.contains(name)) << name;
    EXPECT_NE(run.output.find(around("\n", name, " = ")), std::string::npos) << name;
    EXPECT_NE(names.find(around(",", name, ",")), std::string::npos) << name;
  }
  EXPECT_NE(names.find(",W32,"), std::string::npos);
  EXPECT_EQ(names.find("host_seconds"), std::string::npos);
  EXPECT_EQ(result.at("per_launch").size(), 1U);
  EXPECT_EQ(result.at("per_launch").at(0).at("gpu_sim_cycle"), result.at("cycles"));
  EXPECT_EQ(std::count(names.begin(), names.end(), ','), commas_of_last_line(table) + 2);
}

TEST_F(Cli, ResultsSayWhatMadeThem) {
  const fs::path json = folder_ / "made.json";
  const fs::path csv = folder_ / "made.csv";
  const fs::path timeline = folder_ / "timeline.json";
  const std::string what =
      " vectoradd --define n=2000 --seed 9 --set cores=2 --set core.clock_mhz=1301 "
      "--set core.schedulers=2 --engine model ";
  const Finished run =
      paws("run" + what + "--json " + json.string() + " --timeline " + timeline.string());
  ASSERT_EQ(run.status, 0) << run.output;
  // Two schedulers are the preset's: a setting that changes nothing does not differ.
  const std::string settings = "cores=2 core.clock_mhz=1301";
  for (const nlohmann::json& made :
       std::vector{read_json(json), read_json(timeline)["otherData"]}) {
    EXPECT_EQ(made.at("version"), PAWS_VERSION);
    EXPECT_FALSE(made.at("commit").get<std::string>().empty());
    EXPECT_EQ(made.at("settings"), settings);
    EXPECT_EQ(made.at("defines"), "n=2000");
    EXPECT_EQ(made.at("size"), "");
    EXPECT_EQ(made.at("gpu"), "m2090");
  }
  EXPECT_NE(run.output.find("settings            " + settings + "\n"), std::string::npos)
      << run.output;
  for (const char* line :
       {"seed                9", "block scheduler     rr", "throttle            none"}) {
    EXPECT_NE(run.output.find(std::string("\n") + line + "\n"), std::string::npos) << run.output;
  }

  const Finished compare = paws("compare" + what + "--schedulers single:rr --csv " + csv.string());
  ASSERT_EQ(compare.status, 0) << compare.output;
  EXPECT_NE(compare.output.find("settings " + settings), std::string::npos) << compare.output;
  EXPECT_NE(text_of(csv).find("," + settings + ",,n=2000,9,"), std::string::npos) << text_of(csv);

  const Finished gpu = paws("gpu m2090 --set core.warps=24 --set policy.epoch=7");
  EXPECT_EQ(gpu.status, 0) << gpu.output;
  EXPECT_NE(gpu.output.find("m2090 with core.warps=24 policy.epoch=7\n"), std::string::npos)
      << gpu.output;
}

TEST_F(Cli, TheVersionIsTheSameEverywhere) {
  const std::string line = "paws " + std::string(PAWS_VERSION) + " (commit ";
  for (const char* command : {"", "run ", "compare ", "cuda ", "capture ", "list ", "gpu ",
                              "phases ", "annotate ", "decisions ", "replay ", "diff ", "sweep "}) {
    const Finished version = paws(std::string(command) + "--version");
    EXPECT_EQ(version.status, 0) << command;
    EXPECT_EQ(version.output.find(line), 0U) << command << version.output;
  }
  const fs::path root = fs::path(PAWS_DOCS_DIR) / "..";
  EXPECT_NE(text_of(root / "rtl" / "paws.core")
                .find("\nname: \"paws:warp:schedulers:" + std::string(PAWS_VERSION) + "\"\n"),
            std::string::npos);
  EXPECT_NE(text_of(root / "Bender.yml").find("# Version " + std::string(PAWS_VERSION) + ": "),
            std::string::npos);
}

TEST_F(Cli, AConfigurationOfGpgpuSimIsAGpu) {
  const std::string config = write("gpgpusim.config", "-gpgpu_n_clusters 3\n-frobnicate 1\n");
  const Finished converted = paws("gpu --from " + config);
  ASSERT_EQ(converted.status, 0) << converted.output;
  EXPECT_NE(converted.output.find("\n# line 2: -frobnicate 1: not known\n"), std::string::npos);
  const std::string gpu = write("gpu.toml", converted.output);
  EXPECT_NE(paws("gpu " + gpu).output.find("\ncores = 9  #"), std::string::npos);
  EXPECT_EQ(paws("run vectoradd --define n=64 --engine model --gpu " + gpu).status, 0);
  EXPECT_EQ(paws("gpu m2090 --from " + config).output, "paws: gpu means nothing with --from\n");
}

TEST_F(Cli, ThePageOfStatisticsIsUpToDate) {
  const Finished page = paws("list --statistics");
  EXPECT_EQ(page.status, 0);
  EXPECT_EQ(page.output, text_of(fs::path(PAWS_DOCS_DIR) / "reference" / "statistics.md"))
      << "make it anew: build/paws list --statistics > docs/reference/statistics.md";
}

TEST_F(Cli, SamplesAreWrittenForTheCoreAskedFor) {
  const fs::path csv = folder_ / "samples.csv";
  const std::string small = "run vectoradd --define n=20000 --set cores=2 --engine model --sample ";
  ASSERT_EQ(paws(small + csv.string() + " --interval 250 --sample-core 1").status, 0);
  const std::string text = text_of(csv);
  EXPECT_EQ(text.find("core,launch,cycle,warps,"), 0U);
  EXPECT_NE(text.find(",phase_1,phase_2,version,commit,workload,gpu,settings,"), std::string::npos)
      << text.substr(0, 300);
  EXPECT_NE(text.find("\n1,1,0,"), std::string::npos) << text.substr(0, 300);
  EXPECT_NE(text.find(",vectoradd,m2090,cores=2,,n=20000,1,two-level:paws,model,"),
            std::string::npos)
      << text.substr(0, 600);
  EXPECT_NE(text.find("\n1,1,250,"), std::string::npos);
  EXPECT_EQ(text.find("\n0,"), std::string::npos);
}

TEST_F(Cli, TheLongestIntervalHasTheLastCycleOfEachLaunch) {
  const auto samples = [this](const std::string& interval) {
    const std::string file = (folder_ / "samples.csv").string();
    const Finished run =
        paws("run vectoradd --define n=4096 --set cores=1 --engine model --sample " + file +
                 " --interval " + interval,
             "timeout 60");
    EXPECT_EQ(run.status, 0) << run.output;
    return text_of(file);
  };
  EXPECT_EQ(samples("18446744073709551615"), samples("1000000000"));
}

TEST_F(Cli, AProfileNamesTheLinesAtWhichWarpsWait) {
  const std::string launch = increment(
      ".file 1 \"k.cu\"\n.loc 1 2 1\nld.global.u32 %r2, [%rd3];\n.loc 1 3 1\n"
      "add.u32 %r3, %r2, 1;\n.loc 1 4 1\nst.global.u32 [%rd3], %r3;\n",
      "");
  write("k.cu", "first\n  load();\n  add();\n  store();\n");
  const std::string run = "run " + launch + " --engine model --profile";
  const Finished finished = paws(run);
  EXPECT_EQ(finished.status, 0) << finished.output;
  // The addition waits for the load.
  EXPECT_TRUE(std::regex_search(
      finished.output,
      std::regex(
          "profile             the \\d+ of \\d+ lines at which warps waited longest, in % of "
          "\\d+ warp cycles\n.*\n +[\\d.]+ % +2 +0 +0 +32.0  k.cu:3  add\\(\\);\n +memory")))
      << finished.output;
  EXPECT_EQ(paws("run " + launch + " --engine model").output.find("profile"), std::string::npos);

  const Finished barrel = paws(run + " --gpu lwm2011 --scheduler single:rr");
  EXPECT_EQ(barrel.status, 2);
  EXPECT_NE(barrel.output.find("--profile: the cores of lwm2011 are barrels"), std::string::npos)
      << barrel.output;
  const Finished untimed = paws("run " + launch + " --profile --timing off");
  EXPECT_EQ(untimed.status, 2);
  EXPECT_NE(untimed.output.find("--profile means nothing with --timing off"), std::string::npos);
}

TEST_F(Cli, AProfileGoesToAFileOfTheFormatThatItsNameSays) {
  const std::string run = "run vectoradd --define n=4096 --set cores=2 --engine model ";
  const auto written = [&](const std::string& name) {
    const fs::path file = folder_ / name;
    const Finished finished = paws(run + "--profile " + file.string());
    EXPECT_EQ(finished.status, 0) << finished.output;
    EXPECT_EQ(finished.output.find("longest"), std::string::npos) << finished.output;
    return text_of(file);
  };
  EXPECT_EQ(written("p.csv").find("workload,kernel,file,pc,line,"), 0U);
  EXPECT_EQ(written("p.callgrind").find("# callgrind format\nversion: 1\n"), 0U);
  EXPECT_EQ(written("p.html").find("<!DOCTYPE html>"), 0U);
  const fs::path statistics = folder_ / "run.json";
  ASSERT_EQ(paws(run + "--json " + statistics.string()).status, 0);
  const nlohmann::json profile = nlohmann::json::parse(written("p.json"));
  const nlohmann::json& total = profile.at("total").at("two-level:paws");
  const nlohmann::json json = read_json(statistics);
  EXPECT_EQ(total.at("issues"), json.at("warp_instructions"));
  EXPECT_EQ(total.at("thread_instructions"), json.at("instructions"));

  EXPECT_NE(paws(run + "--profile=-").output.find("longest"), std::string::npos);
  const Finished both = paws(run + "--profile --json " + (folder_ / "new.json").string());
  EXPECT_NE(both.output.find("longest"), std::string::npos) << both.output;
  const Finished unknown = paws(run + "--profile " + (folder_ / "p.txt").string());
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.output.find("ends in .csv, .json, .callgrind or .html"), std::string::npos);
  EXPECT_EQ(lines(unknown.output), 1U) << unknown.output;
  const Finished nowhere = paws(run + "--profile /nowhere/p.csv");
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_EQ(lines(nowhere.output), 1U) << nowhere.output;
  const std::string one = (folder_ / "p.json").string();
  EXPECT_NE(paws(run + "--profile " + one + " --json " + one).output.find("name one file"),
            std::string::npos);
}

TEST_F(Cli, AComparisonHasTheProfilesOfItsSchedulersBesideEachOther) {
  const fs::path csv = folder_ / "p.csv";
  const fs::path statistics = folder_ / "s.json";
  const std::string compare =
      "compare vectoradd reduction --define n=4096 --set cores=2 --engine model "
      "--schedulers single:gto,two-level:rr --json " +
      statistics.string() + " --profile";
  ASSERT_EQ(paws(compare + " " + csv.string()).status, 0);
  EXPECT_NE(text_of(csv).find(",issues single:gto,"), std::string::npos);
  EXPECT_NE(text_of(csv).find(",issues two-level:rr,"), std::string::npos);
  EXPECT_NE(text_of(csv).find("\nreduction,"), std::string::npos);
  const fs::path json = folder_ / "p.json";
  ASSERT_EQ(paws(compare + " " + json.string()).status, 0);
  std::map<std::string, std::uint64_t> issues;  // by workload and scheduler
  const nlohmann::json profile = read_json(json);
  for (const nlohmann::json& row : profile.at("instructions")) {
    for (const auto& [scheduler, figures] : row.at("figures").items()) {
      issues[row.at("workload").get<std::string>() + scheduler] +=
          figures.at("issues").get<std::uint64_t>();
    }
  }
  const nlohmann::json runs = read_json(statistics);
  ASSERT_EQ(runs.size(), 4U);
  for (const nlohmann::json& run : runs) {
    EXPECT_EQ(
        issues[run.at("workload").get<std::string>() + run.at("scheduler").get<std::string>()],
        run.at("warp_instructions"));
  }
  const Finished text = paws(compare);
  EXPECT_TRUE(std::regex_search(
      text.output, std::regex("longest: warp cycles waited.*\n +single:gto +two-level:rr  line\n")))
      << text.output;
}

/// The figures of a report that are a run's, by scheduler and name.
std::map<std::string, std::map<std::string, std::string>> figures_of(const std::string& page) {
  std::map<std::string, std::map<std::string, std::string>> figures;
  const std::regex figure("data-scheduler=\"(.*?)\" data-name=\"(.*?)\" data-value=\"(.*?)\"");
  for (std::sregex_iterator at(page.begin(), page.end(), figure), end; at != end; ++at) {
    figures[(*at)[1]][(*at)[2]] = (*at)[3];
  }
  return figures;
}

TEST_F(Cli, AReportHasTheFiguresOfTheJson) {
  const fs::path html = folder_ / "run.html";
  const fs::path json = folder_ / "run.json";
  const std::string files = " --json " + json.string() + " --report " + html.string();
  const std::string small = " --size small --set cores=2 --engine model";
  const auto check = [&](const nlohmann::json& run) {
    const std::string scheduler = run.at("scheduler").get<std::string>();
    const auto figures = figures_of(text_of(html))[scheduler];
    EXPECT_GE(figures.size(), 13U) << scheduler;
    for (const auto& [name, value] : figures) EXPECT_EQ(run.at(name).dump(), value) << name;
  };
  const Finished run = paws("run bfs" + small + files);
  EXPECT_EQ(run.status, 0) << run.output;
  check(read_json(json));
  EXPECT_NE(text_of(html).find("run bfs --size small --set cores=2 --engine model --json "),
            std::string::npos);

  // One that runs kernels side by side, which samples and traces do not.
  EXPECT_EQ(paws("run cp_lps" + small + files).status, 0);
  check(read_json(json));

  const Finished compare =
      paws("compare bfs" + small + files + " --schedulers single:rr,single:gto,two-level:rr");
  EXPECT_EQ(compare.status, 0) << compare.output;
  for (const nlohmann::json& each : read_json(json)) check(each);
  EXPECT_EQ(figures_of(text_of(html)).at("two-level:rr").at("speed_vs_rr"), "1.0");
}

TEST_F(Cli, ASavedRunHasThePageOfTheRun) {
  const std::string json = (folder_ / "run.json").string();
  const fs::path at_run = folder_ / "at_run.html";
  const std::string run = "run bfs --size small --set cores=2 --engine model --json " + json;
  ASSERT_EQ(paws(run + " --sample " + (folder_ / "s.csv").string() + " --report " + at_run.string())
                .status,
            0);
  const Finished report = paws("report " + json);
  EXPECT_EQ(report.status, 0) << report.output;
  const fs::path page = folder_ / "run.html";
  EXPECT_EQ(report.output, page.string() + "\n");
  const std::regex command("<dt>command</dt><dd>[^<]*</dd>");
  EXPECT_EQ(std::regex_replace(text_of(page), command, ""),
            std::regex_replace(text_of(at_run), command, ""));
  EXPECT_EQ(text_of(page).find("class=\"missing\""), std::string::npos);

  // Without the options that count what the page shows, it names them.
  const fs::path bare = folder_ / "bare.html";
  for (const auto& [options, profile, sample] : {std::tuple{std::string(), 3U, 1U},
                                                 {" --profile=-", 0U, 1U},
                                                 {" --report " + at_run.string(), 0U, 0U}}) {
    ASSERT_EQ(paws(run + options).status, 0);
    ASSERT_EQ(paws("report " + json + " -o " + bare.string()).status, 0);
    const std::string text = text_of(bare);
    const auto count = [&text](const std::string& option) {
      const std::regex missing("was without <code>" + option + "</code>");
      return static_cast<unsigned>(
          std::distance(std::sregex_iterator(text.begin(), text.end(), missing), {}));
    };
    EXPECT_EQ(count("--profile"), profile) << options;
    EXPECT_EQ(count("--sample"), sample) << options;
    EXPECT_GE(figures_of(text).at("two-level:paws").size(), profile == 0 ? 13U : 11U);
  }
}

TEST_F(Cli, WhatIsNoSavedRunIsOneMessage) {
  const std::string json = (folder_ / "run.json").string();
  ASSERT_EQ(
      paws("run bfs --size small --set cores=2 --engine model --profile=- --json " + json).status,
      0);
  const std::string whole = text_of(json);
  const nlohmann::json result = nlohmann::json::parse(whole);
  const auto without = [&](const std::string& name) {
    nlohmann::json changed = result;
    changed.erase(name);
    return changed.dump();
  };
  const auto with = [&](const char* path, const nlohmann::json& value) {
    nlohmann::json changed = result;
    changed[nlohmann::json::json_pointer(path)] = value;
    return changed.dump();
  };
  struct Case {
    std::string content, message;
  };
  for (const Case& each : std::vector<Case>{
           {whole.substr(0, 200), ": the JSON is cut off here"},
           {"", ":1: the JSON is cut off here"},
           {"workload,gpu\n", ":1: is no JSON from here on"},
           {"{}", ": is not the result of a run: `paws report` reads what"},
           {"[" + whole + "]", ": is not the result of one run of a workload"},
           {with("/version", "0.1.0"), ": was written by paws 0.1.0, and this is paws "},
           {with("/timing", false), ": is the result of a run with --timing off"},
           {with("/gpu", "own"), ": the GPU own of the run is no preset: name its file with --gpu"},
           {with("/settings", "cores=no"), ": --set cores=no: the value must be"},
           {without("ipc"), ": is not the whole result of a run: key 'ipc' not found"},
           {with("/cycles", "many"), ": is not the whole result of a run: type must be number"},
           {with("/profile/0/code/0/12", 99), ": is not the whole result of a run: `profile`"},
           {with("/warps", {{"width", 0}, {"stretches", nlohmann::json::array()}}),
            ": is not the whole result of a run: `warps`"}}) {
    std::ofstream(json) << each.content;
    const Finished report = paws("report " + json);
    EXPECT_EQ(report.status, 2) << each.message;
    EXPECT_EQ(lines(report.output), 1U) << report.output;
    EXPECT_NE(report.output.find(json), std::string::npos) << report.output;
    EXPECT_NE(report.output.find(each.message), std::string::npos) << report.output;
    EXPECT_FALSE(fs::exists(folder_ / "run.html"));
  }
  std::ofstream(json) << with("/gpu", "own");
  EXPECT_NE(paws("report " + json + " --gpu a100").output.find("is of a run on own: --gpu a100"),
            std::string::npos);
  EXPECT_EQ(paws("report " + (folder_ / "none.json").string()).status, 2);
}

TEST_F(Cli, AReportIsOfOneWorkloadWithTiming) {
  const std::string file = " --report " + (folder_ / "r.html").string();
  for (const auto& [arguments, message] :
       {std::pair{"compare bfs km", "--report means nothing with several workloads"},
        {"run bfs --timing off", "--report means nothing with --timing off"},
        {"run bfs --gpu lwm2011 --scheduler single:rr",
         "--report: the cores of lwm2011 are barrels"},
        {"run bfs --report /nowhere/r.html --size small", "/nowhere/r.html"}}) {
    const std::string asked = arguments;
    const bool own = asked.find("--report") != std::string::npos;
    const Finished finished = paws(asked + (own ? "" : file));
    EXPECT_EQ(finished.status, 2) << arguments;
    EXPECT_EQ(lines(finished.output), 1U) << finished.output;
    EXPECT_NE(finished.output.find(message), std::string::npos) << finished.output;
    EXPECT_FALSE(fs::exists(folder_ / "r.html"));
  }
}

TEST_F(Cli, ResultsDoNotDependOnTheNumberOfThreads) {
  for (const std::string engine : {"model", "rtl"}) {
    nlohmann::json reference;
    for (const char* threads : {"1", "2", "3", "2", "2", "40"}) {
      const fs::path json = folder_ / "threads.json";
      const Finished run = paws("run bfs --size small --set cores=3 --engine " + engine +
                                " --threads " + threads + " --json " + json.string());
      ASSERT_EQ(run.status, 0) << run.output;
      nlohmann::json result = read_json(json);
      result.erase("host_seconds");
      if (reference.is_null()) reference = result;
      EXPECT_EQ(result, reference) << engine << ", " << threads << " threads";
    }
  }
}

TEST_F(Cli, AnInterruptEndsTheRunInGoodOrder) {
  const std::string spin = increment("L: bra L;\n", "");
  const fs::path json = folder_ / "out.json";
  std::ofstream(json) << "earlier";
  struct Case {
    std::string signal;
    int status;
    std::string arguments, message;
  };
  const std::string cycles = " --max-cycles 1000000000000 --json " + json.string();
  for (const Case& each :
       {Case{"INT", 130, "run " + spin + " --engine model --threads 2" + cycles,
             "paws: interrupted in launch 1 (kernel 'k'), cycle "},
        Case{"TERM", 143, "run " + spin + cycles, "1 of 1 blocks started"},
        Case{"INT", 130,
             "run " + spin + " --timing off --max-instructions 1000000000000 --json " +
                 json.string(),
             "interrupted in kernel 'k', block (0,0,0), after "},
        Case{"TERM", 143, "compare " + spin + " --engine model --jobs 2" + cycles,
             "under single:rr: interrupted in launch 1 (kernel 'k'), cycle "}}) {
    const Finished run =
        paws(each.arguments, "timeout --preserve-status --signal=" + each.signal + " 2");
    EXPECT_EQ(run.status, each.status) << each.arguments << "\n" << run.output;
    EXPECT_NE(run.output.find(each.message), std::string::npos) << run.output;
    EXPECT_EQ(lines(run.output), 1U) << run.output;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 3)
        << "files are left behind";
    std::ifstream kept(json);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}), "earlier");
  }
}

// A full disk and a closed stdout lose what was said: an error, but files are written all the same.
TEST_F(Cli, OutputThatIsNotTakenIsAnErrorOfEveryCommand) {
  const std::string little = "vectoradd --define n=2000 --set cores=1 --engine model ";
  const std::string trace = (folder_ / "a.dec").string();
  ASSERT_EQ(paws("run " + little + "--decisions " + trace).status, 0);
  const fs::path json = folder_ / "out.json";
  for (const std::string& arguments :
       {std::string("list"), std::string("list --json"), std::string("list --statistics"),
        "run " + little, "compare --schedulers single:rr " + little,
        std::string("phases vectoradd"), "annotate vectoradd -o " + (folder_ / "k.ptx").string(),
        std::string("gpu m2090"), "decisions " + trace, "replay " + trace,
        "diff " + trace + " " + trace, std::string("cuda --help"), std::string("capture --help"),
        std::string("--version")}) {
    const Finished full = paws(arguments + " >/dev/full");
    EXPECT_EQ(full.status, 2) << arguments;
    EXPECT_EQ(full.output, "paws: stdout: cannot be written: No space left on device\n")
        << arguments;
    const Finished closed = paws(arguments + " >&-");
    EXPECT_EQ(closed.status, 2) << arguments;
    EXPECT_EQ(closed.output, "paws: stdout: is closed\n") << arguments;
  }
  EXPECT_EQ(paws("run " + little + "--json " + json.string() + " >/dev/full").status, 2);
  EXPECT_EQ(read_json(json).at("verified"), true);
}

// Nor does an output file get the number of a closed stream, and what is said to that.
TEST_F(Cli, ClosedStderrAndStdinAreAsDevNull) {
  const fs::path json = folder_ / "out.json";
  const Finished run = paws("run no-such-workload <&- 2>&-");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(
      paws("run vectoradd --define n=2000 --engine model --json " + json.string() + " <&- 2>&-")
          .status,
      0);
  EXPECT_EQ(read_json(json).at("verified"), true);
}

TEST_F(Cli, AUsersKernelIsRunAndChecked) {
  const std::string expect = "[[expect]]\nbuffer = \"a\"\nfill = 1\n";
  EXPECT_EQ(paws("run " + increment(good_body(), expect)).status, 0);

  const Finished wrong =
      paws("run " + increment(good_body(), "[[expect]]\nbuffer = \"a\"\nfill = 2\n"));
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.output.find("FAIL"), std::string::npos) << wrong.output;

  const fs::path json = folder_ / "unchecked.json";
  EXPECT_EQ(paws("run " + increment(good_body(), "") + " --json " + json.string()).status, 0);
  EXPECT_TRUE(read_json(json).at("verified").is_null());
}

TEST_F(Cli, AffinityNeedsTwoLevelsAndTheModel) {
  const std::string small =
      "run vectoradd --define n=2000 --set cores=1 --set scheduler.affinity=finish --scheduler ";
  EXPECT_EQ(paws(small + "two-level:gto --engine model").status, 0);
  const Finished single = paws(small + "single:gto --engine model");
  EXPECT_EQ(single.status, 2);
  EXPECT_NE(single.output.find("affinity needs a two-level scheduler"), std::string::npos)
      << single.output;
  for (const char* engine : {"rtl", "lockstep"}) {
    const Finished rtl = paws(small + "two-level:gto --engine " + engine);
    EXPECT_EQ(rtl.status, 2);
    EXPECT_NE(rtl.output.find("thread-block affinity lives in the model alone"), std::string::npos)
        << rtl.output;
  }
  const Finished trace = paws(small + "two-level:gto --engine model --decisions x.dec");
  EXPECT_EQ(trace.status, 2);
  EXPECT_NE(trace.output.find("decision traces and waves do not hold the blocks"),
            std::string::npos)
      << trace.output;
}

TEST_F(Cli, ModelOnlyPoliciesNeedTheModel) {
  const std::string small =
      "run vectoradd --define n=2000 --set cores=1 --scheduler two-level:longest ";
  EXPECT_EQ(paws(small + "--engine model").status, 0);
  const Finished rtl = paws(small + "--engine rtl");
  EXPECT_EQ(rtl.status, 2);
  EXPECT_NE(rtl.output.find("lives in the model alone"), std::string::npos) << rtl.output;
}

TEST_F(Cli, PhasesFindsTheTwoOfVectorAddition) {
  const fs::path json = folder_ / "phases.json";
  const Finished phases =
      paws("phases " + std::string(PAWS_PTX_DIR) + "/vectoradd.ptx --json " + json.string());
  ASSERT_EQ(phases.status, 0) << phases.output;
  EXPECT_EQ(read_json(json).at(0).at("phases").size(), 2U);
  const Finished verbose = paws("phases " + std::string(PAWS_PTX_DIR) + "/vectoradd.ptx --verbose");
  for (const char* column : {"line", "block", "latency", "phase", "length", "distance"}) {
    EXPECT_NE(verbose.output.find(column), std::string::npos) << column;
  }
}

TEST_F(Cli, AnnotatedPtxHasAPragmaPerPhaseAndIsTheSameKernel) {
  const std::string out = (folder_ / "out.ptx").string();
  const Finished annotate =
      paws("annotate " + std::string(PAWS_PTX_DIR) + "/vectoradd.ptx -o " + out);
  ASSERT_EQ(annotate.status, 0) << annotate.output;
  EXPECT_NE(annotate.output.find("8 bits 12.5 %, 9 bits 14.1 %"), std::string::npos);
  std::ifstream stream(out);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  EXPECT_NE(text.find("phase=1 length="), std::string::npos);
  EXPECT_NE(text.find("phase=2 length="), std::string::npos);
  EXPECT_EQ(text.find("phase=3 length="), std::string::npos);
  const Finished run = paws("run vectoradd --define n=2000 --timing off --ptx " + out);
  EXPECT_EQ(run.status, 0) << run.output;
}

TEST_F(Cli, AnInputIsNoOutput) {
  const fs::path kernel = folder_ / "k.ptx";
  ASSERT_EQ(paws("annotate vectoradd -o " + kernel.string()).status, 0);
  const auto size = fs::file_size(kernel);
  fs::create_symlink(kernel, folder_ / "link.ptx");
  for (const std::string name : {"k.ptx", "./k.ptx", "link.ptx"}) {
    const std::string file = (folder_ / name).string();
    const Finished annotated = paws("annotate " + kernel.string() + " -o " + file);
    EXPECT_EQ(annotated.status, 2);
    EXPECT_EQ(annotated.output, "paws: --output " + file + ": is an input\n");
    EXPECT_EQ(paws("run vectoradd --ptx " + kernel.string() + " --json " + file).status, 2);
  }
  EXPECT_EQ(fs::file_size(kernel), size);
  // The PTX that a launch description names is an input, too.
  const std::string launch = increment(good_body(), "");
  const Finished named = paws("annotate " + launch + " -o " + (folder_ / "k.ptx").string());
  EXPECT_EQ(named.status, 2) << named.output;
}

TEST_F(Cli, AWindowBehindTheRunIsAnErrorAndTheOtherResultsAreKept) {
  const fs::path json = folder_ / "out.json", timeline = folder_ / "t.json";
  const std::string trace = (folder_ / "a.dec").string();
  const Finished run =
      paws("run vectoradd --define n=2000 --set cores=1 --engine model --json " + json.string() +
           " --decisions " + trace + " --timeline " + timeline.string() + " --from 1000000");
  EXPECT_EQ(run.status, 2);
  const std::string cycles = read_json(json).at("cycles").dump();
  const std::string said =
      "paws: --from 1000000: there are " + cycles + " cycles, numbered from 0\n";
  EXPECT_NE(run.output.find(said), std::string::npos) << run.output;
  EXPECT_FALSE(fs::exists(timeline));
  for (const std::string& command :
       {"decisions " + trace, "decisions --ports " + trace,
        "replay --engine model " + trace + " --timeline " + timeline.string()}) {
    const Finished behind = paws(command + " --from 1000000");
    EXPECT_EQ(behind.status, 2) << command;
    EXPECT_NE(behind.output.find(said), std::string::npos) << behind.output;
    EXPECT_EQ(paws(command + " --from 9 --to 8").status, 2);
    EXPECT_EQ(paws(command + " --from 10").status, 0);
  }
}

TEST_F(Cli, CodesOfPhasesStandBesideTheirLengths) {
  const std::string out = (folder_ / "out.ptx").string();
  const std::string json = (folder_ / "phases.json").string();
  const std::string kernel = std::string(PAWS_PTX_DIR) + "/vectoradd.ptx --set phases.code=3";
  const Finished annotate = paws("annotate " + kernel + " -o " + out);
  ASSERT_EQ(annotate.status, 0) << annotate.output;
  EXPECT_NE(annotate.output.find("8 bits 12.5 %, 3 bits 4.7 %"), std::string::npos)
      << annotate.output;
  EXPECT_NE(annotate.output.find("kernels with a code for each length   1 of 1"), std::string::npos)
      << annotate.output;
  std::ifstream stream(out);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  EXPECT_NE(text.find(" code=1\";"), std::string::npos);
  ASSERT_EQ(paws("phases " + kernel + " --json " + json).status, 0);
  const nlohmann::json phases = read_json(json).at(0).at("phases");
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases.at(0).at("code") < phases.at(1).at("code"),
            phases.at(0).at("length") < phases.at(1).at("length"));
}

struct BadCase {
  const char* name;
  const char* arguments;
  const char* message;  ///< part of it
};

class BadUsage : public testing::TestWithParam<BadCase> {};

TEST_P(BadUsage, OneMessageAndStatusTwo) {
  const Finished run = paws(GetParam().arguments);
  EXPECT_EQ(run.status, 2) << run.output;
  EXPECT_NE(run.output.find(GetParam().message), std::string::npos) << run.output;
}

TEST_F(Cli, ParametersOfThePolicyAreInTheResults) {
  const auto cycles = [this](const std::string& options) {
    const fs::path json = folder_ / "result.json";
    const Finished run = paws("run vectoradd --define n=4096 --set cores=1 --engine model " +
                              options + " --json " + json.string());
    EXPECT_EQ(run.status, 0) << run.output;
    const nlohmann::json result = read_json(json);
    if (result.at("policy_parameters").is_null()) {
      EXPECT_EQ(run.output.find("policy."), std::string::npos) << run.output;
    } else {
      const std::string window = result.at("policy_parameters").at("window").dump();
      EXPECT_NE(run.output.find("policy.window       " + window + "\n"), std::string::npos)
          << run.output;
    }
    return std::pair(result.at("policy_parameters").dump(), result.at("cycles").get<unsigned>());
  };
  const auto window = [&](const std::string& set) {
    return cycles("--scheduler single:paws-window " + set);
  };
  EXPECT_EQ(window("").first, R"({"window":4})");
  EXPECT_EQ(window("--set policy.window=1").first, R"({"window":1})");
  const auto paws = cycles("--scheduler single:paws");
  EXPECT_EQ(paws.first, "null");
  EXPECT_EQ(window("--set policy.window=24").second, paws.second);
  EXPECT_EQ(window("--set policy.window=1").second, cycles("--scheduler single:oldest").second);
}

INSTANTIATE_TEST_SUITE_P(
    Usage, BadUsage,
    testing::Values(
        BadCase{"NoWord", "", "A subcommand is required"},
        BadCase{"UnknownWorkload", "run no-such-workload", "no-such-workload"},
        BadCase{"MissingFile", "run /nonexistent/launch.toml", "/nonexistent/launch.toml"},
        BadCase{"UnknownScheduler", "run vectoradd --scheduler two-level:lifo", "lifo"},
        BadCase{"OldestOnTwoLevels", "run vectoradd --scheduler two-level:oldest", "oldest"},
        BadCase{"UnknownEngine", "run vectoradd --engine fpga", "unknown engine 'fpga'"},
        BadCase{"UnknownGpu", "run vectoradd --gpu h100", "h100"},
        BadCase{"UnknownKey", "run vectoradd --set core.wraps=4", "did you mean \"core.warps\"?"},
        BadCase{"GroupDoesNotDivide",
                "run vectoradd --engine model --scheduler single:group --set scheduler.group=7",
                "scheduler.group is 7 but must divide the 24 warps of a scheduler"},
        BadCase{"GroupTimeoutTooShort",
                "run vectoradd --engine model --scheduler single:group --set "
                "scheduler.group_timeout=7",
                "scheduler.group_timeout is 7 but must be 0, or 8 (scheduler.group) to 65535"},
        BadCase{"ReadyTooLarge", "run vectoradd --set scheduler.ready=25",
                "scheduler.ready (25) is larger than the warps of a scheduler (24)"},
        BadCase{"ParameterOfAnotherPolicy",
                "run vectoradd --scheduler single:gto --set policy.window=4",
                "--set policy.window=4: scheduler single:gto has no parameter 'window'; it has "
                "none"},
        BadCase{"UnknownParameter",
                "run vectoradd --scheduler single:paws-window --set policy.windows=4",
                "--set policy.windows=4: scheduler single:paws-window has no parameter 'windows'; "
                "it has window"},
        BadCase{"ParameterOutOfRange",
                "run vectoradd --scheduler single:paws-window --set policy.window=0",
                "--set policy.window=0: policy.window is 0 but must be 1 to 64"},
        BadCase{"RowsOutOfRange", "run vectoradd --timing off --set core.warp_rows=33",
                "--set core.warp_rows=33: the value must be an integer from 1 to 32"},
        BadCase{"WordOfPrintf", "run vectoradd --printf quiet",
                "--printf quiet: expected show or drop"},
        BadCase{"NegativeSeed", "run vectoradd --seed -1",
                "--seed: '-1' is not a whole number from 0 to 2^64-1\n"},
        BadCase{"SeedOf23Digits", "run vectoradd --seed 12345678901234567890123",
                "--seed: '12345678901234567890123' is not a whole number from 0 to 2^64-1\n"},
        BadCase{"NegativeFrom", "run vectoradd --timeline t.json --from -1",
                "--from: '-1' is not a whole number from 0 to 2^64-1\n"},
        BadCase{"EmptyName", "run vectoradd --json \"\"", "paws: --json: the value is empty\n"},
        BadCase{"EmptyOutput", "annotate vectoradd -o \"\"",
                "paws: --output: the value is empty\n"},
        BadCase{"TwoOutputsInAFile", "compare vectoradd --csv a.json --json ./a.json",
                "paws: --json and --csv name one file: ./a.json\n"},
        BadCase{"NoCycles", "run vectoradd --max-cycles 0",
                "--max-cycles: '0' is not a whole number from 1 to 2^64-1\n"},
        BadCase{"NoThreads", "run vectoradd --threads 0",
                "--threads: '0' is not a whole number from 1 to 1024\n"},
        BadCase{"NoWorkload", "compare --engine model",
                "paws: compare: no workload and no --set NAME\n"},
        BadCase{"UnknownSet", "compare --set yesterday",
                "paws: --set yesterday: no set has this name (sets: today), and a setting is "
                "key=value\n"},
        BadCase{"TwoSets", "compare --set today --set today",
                "paws: --set today --set today: one set at a time\n"},
        BadCase{"SetOfOneRun", "run vectoradd --set today", "--set today: expected key=value"},
        BadCase{"NoJobs", "compare vectoradd --jobs 0",
                "--jobs: '0' is not a whole number from 1 to 4294967295\n"},
        BadCase{"OneSeed", "compare vectoradd --seeds 1",
                "--seeds: '1' is not a whole number from 2 to 65535\n"},
        BadCase{"SeedsAndSeed", "compare vectoradd --seeds 3 --set noise.seed=1",
                "paws: --set noise.seed=1: --seeds sets noise.seed\n"},
        BadCase{"ProfileOfSeeds", "compare vectoradd --seeds 3 --profile",
                "paws: --profile means nothing with --seeds: it is of one run\n"},
        BadCase{"WordOfTiming", "run vectoradd --timing maybe",
                "--timing maybe: expected on or off"},
        BadCase{"MissingPtx", "phases /nonexistent/k.ptx", "/nonexistent/k.ptx"},
        BadCase{"UnknownOption", "run vectoradd --frobnicate",
                "paws: unknown option --frobnicate (paws run --help lists the options)\n"},
        BadCase{"UnknownCommand", "rnu vectoradd", "paws: unknown command rnu; did you mean run?"},
        BadCase{"SchedulersInTwoWords", "compare vectoradd --schedulers single:rr single:gto",
                "single:gto is a scheduler, not a workload: --schedulers takes one word, "
                "schedulers with commas between them (--schedulers single:rr,single:gto)"},
        BadCase{"PhasesOfNothing", "phases matmull", "did you mean \"matmul\"?"},
        BadCase{"SampledCoreMissing", "run vectoradd --sample s.csv --sample-core 16",
                "--sample-core 16: the GPU has cores 0 to 15"},
        BadCase{"SampleIntervalZero", "run vectoradd --sample s.csv --interval 0", "--interval"},
        BadCase{"IntervalWithoutSample", "run vectoradd --interval 5", "--sample"},
        BadCase{"UnwritableSamples", "run vectoradd --sample /nonexistent/s.csv",
                "/nonexistent/s.csv: cannot be written"},
        BadCase{"UnwritableCsv", "compare vectoradd --csv /nonexistent/x.csv",
                "/nonexistent/x.csv: cannot be written"},
        BadCase{"UnwritableJson", "run vectoradd --json /nonexistent/x.json",
                "/nonexistent/x.json: cannot be written"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(Cli, AnOptionThatMeansNothingIsRefused) {
  struct Case {
    std::string arguments, option, why;
  };
  const std::string run = "run vectoradd --engine model ";
  const std::string untimed = "run vectoradd --timing off ";
  const std::string functional = "cuda --functional ";
  const std::string limit = "which counts no cycles: --max-instructions is the limit";
  const std::string no_queues = "with single:rr, which has no queues: two-level schedulers have";
  std::vector<Case> cases{
      {untimed, "--max-cycles 5", "with --timing off, " + limit},
      {functional, "--max-cycles 5", "with --functional, " + limit},
      {run, "--max-instructions 5", "without --timing off: --max-cycles is the limit"},
      {"cuda ", "--max-instructions 5",
       "without --functional or --launches or --sample-launches or --sample-blocks"},
      {run, "--steps one", "without --timing off"},
      {run + "--scheduler single:rr --stats ", "--queues", no_queues},
      {"compare vectoradd --schedulers single:rr --csv x.csv ", "--queues", no_queues},
      {"cuda --scheduler single:rr --stats ", "--queues", no_queues},
      {run, "--queues", "without --stats or --json"},
      {"compare vectoradd ", "--list", "without --set NAME"},
      {"compare vectoradd ", "--queues", "without --json or --csv"},
      {"cuda ", "--queues", "without --stats or --json"},
      {run, "--from 0", "without --timeline or --wave"},
      {run + "--decisions d.dec ", "--to 9", "without --timeline or --wave"},
      {run, "--trace-core 0", "without --decisions or --timeline or --wave"},
      {"run k.traceg ", "--printf show",
       "with a trace of machine code, whose kernels print nothing"},
      {"replay d.dec ", "--from 3", "without --timeline or --wave"},
      {"replay d.dec ", "--to 3", "without --timeline or --wave"},
      {"decisions d.dec --ports ", "--verbose", "with --ports, which lists every cycle"}};
  for (const std::string option : {"--scheduler single:rr", "--engine model", "--blocks rr",
                                   "--throttle none", "--queues", "--stats"}) {
    for (const auto& [mode, words] :
         {std::pair(untimed, "--timing off"), {functional, "--functional"}}) {
      cases.push_back(
          {mode, option,
           "with " + std::string(words) + ", which runs kernels for their values alone"});
    }
  }
  for (const std::string option : {"--sample s.csv", "--decisions d.dec", "--timeline t.json",
                                   "--wave w.fst", "--trace-core 0", "--from 3", "--to 3"}) {
    cases.push_back(
        {untimed, option, "with --timing off, which runs kernels for their values alone"});
  }
  cases.push_back(
      {functional, "--launches 1", "with --functional, which runs kernels for their values alone"});
  for (const Case& each : cases) {
    const Finished refused =
        paws(each.arguments + each.option + (each.arguments.starts_with("cuda") ? " -- true" : ""));
    EXPECT_EQ(refused.status, 2) << each.arguments << each.option;
    EXPECT_EQ(refused.output, "paws: " + each.option.substr(0, each.option.find(' ')) +
                                  " means nothing " + each.why + "\n");
  }
}

// The value of a misspelt option is taken for an argument, and what stands behind it is too much.
TEST_F(Cli, EveryCommandNamesAMisspeltOptionAndTheNearest) {
  struct Case {
    std::string arguments, option, nearest;
  };
  for (const Case& each :
       {Case{"cuda --schedular single:gto -- /bin/true -x", "--schedular", "--scheduler"},
        Case{"cuda --functionl -- /bin/true", "--functionl", "--functional"},
        Case{"cuda --functionl", "--functionl", "--functional"},
        Case{"cuda --laucnhes=2 -- /bin/true", "--laucnhes", "--launches"},
        Case{"capture --ouptut here -- /bin/true", "--ouptut", "--output"},
        Case{"run --sede 5 vectoradd", "--sede", "--seed"},
        Case{"run vectoradd --josn x.json --threads many", "--josn", "--json"},
        Case{"run vectoradd -scheduler single:rr", "-scheduler", "--scheduler"},
        Case{"compare vectoradd --csvv x.csv --define n", "--csvv", "--csv"},
        Case{"list --jsno", "--jsno", "--json"}, Case{"gpu --sett cores=1", "--sett", "--set"},
        Case{"phases --kernle k vectoradd", "--kernle", "--kernel"},
        Case{"annotate vectoradd --outptu x.ptx", "--outptu", "--output"},
        Case{"decisions --form 3 x.dec", "--form", "--from"},
        Case{"replay x.dec --wvae x.fst", "--wvae", "--wave"},
        Case{"diff a.dec b.dec --croe 1", "--croe", "--core"},
        Case{"--versoin", "--versoin", "--version"}}) {
    const Finished run = paws(each.arguments);
    EXPECT_EQ(run.status, 2) << each.arguments;
    EXPECT_EQ(run.output.find("paws: unknown option " + each.option + "; did you mean " +
                              each.nearest + "? (paws "),
              0U)
        << run.output;
    EXPECT_EQ(lines(run.output), 1U) << run.output;
  }
}

// CLI11's own ranges have up to 309 digits, and its sets the form {off->0,on->1}.
TEST_F(Cli, EveryHelpSaysRangesAsAPersonDoes) {
  const std::string all = paws("--help").output;
  const std::regex command("\n  ([a-z]+) +[A-Za-z]"), unreadable("[0-9]{15}|->[0-9]");
  std::size_t commands = 0;
  for (std::sregex_iterator at(all.begin(), all.end(), command), end; at != end; ++at, ++commands) {
    const std::string help = paws((*at)[1].str() + " --help").output;
    EXPECT_FALSE(std::regex_search(help, unreadable)) << help;
  }
  EXPECT_GT(commands, 10U) << all;
}

TEST_F(Cli, AllSchedulersAreThoseThatTheEngineHas) {
  const nlohmann::json list = nlohmann::json::parse(paws("list --json").output);
  for (const std::string engine : {"rtl", "model"}) {
    const Finished run =
        paws("compare vectoradd --define n=64 --set cores=1 --schedulers all --engine " + engine);
    EXPECT_EQ(run.status, 0) << run.output;
    for (const nlohmann::json& scheduler : list.at("schedulers")) {
      const std::string row = "  " + scheduler.at("name").get<std::string>() + " ";
      EXPECT_EQ(run.output.find(row) != std::string::npos,
                engine == "model" || scheduler.at("rtl").get<bool>())
          << row << run.output;
    }
  }
}

TEST_F(Cli, CheckNamesWhatIsWrongAndSaysSoInStatusAndJson) {
  const std::string launch = increment(
      ".shared .align 4 .b8 s[256];\n.file 1 \"k.cu\"\n.loc 1 3 1\n"
      "mov.u32 %r4, s;\nshl.b32 %r5, %r1, 2;\nadd.u32 %r5, %r5, %r4;\n"
      "ld.shared.u32 %r2, [%r5];\nst.global.u32 [%rd3], %r2;\n",
      "[[expect]]\nbuffer = \"a\"\nfill = 0\n");
  const std::string line =
      "k.ptx:19 (k.cu:3): kernel 'k', block (0,0,0), thread (0,0,0): uninitialised-shared-read: "
      "4-byte load from shared address 0x0, which no thread of the block has written (64 times)";
  for (const std::string how : {"--engine model", "--timing off"}) {
    const fs::path json = folder_ / "check.json";
    const std::string run = "run " + launch + " " + how + " --json " + json.string();
    const Finished unchecked = paws(run);
    EXPECT_EQ(unchecked.status, 0) << unchecked.output;
    const std::uint64_t instructions = read_json(json).at("instructions");
    EXPECT_FALSE(read_json(json).contains("check"));

    const Finished checked = paws(run + " --check");
    EXPECT_EQ(checked.status, 1);
    EXPECT_NE(checked.output.find(line), std::string::npos) << checked.output;
    EXPECT_NE(checked.output.find("check               1 finding: 1 uninitialised-shared-read\n"),
              std::string::npos)
        << checked.output;
    EXPECT_EQ(read_json(json).at("instructions"), instructions);
    EXPECT_EQ(read_json(json).at("verified"), true);
    const nlohmann::json finding = read_json(json).at("check").at("findings").at(0);
    EXPECT_EQ(finding.at("kind"), "uninitialised-shared-read");
    EXPECT_EQ(finding.at("line"), 19);
    EXPECT_EQ(finding.at("source_file"), "k.cu");
    EXPECT_EQ(finding.at("source_line"), 3);
    EXPECT_EQ(finding.at("count"), 64);
    EXPECT_EQ(finding.at("address"), 0);
    EXPECT_EQ(finding.at("block"), nlohmann::json({0, 0, 0}));
  }
  const Finished compared =
      paws("compare " + launch + " --check --engine model --schedulers single:rr");
  EXPECT_EQ(compared.status, 1);
  EXPECT_NE(compared.output.find("under single:rr: "), std::string::npos) << compared.output;
}

TEST_F(Cli, CheckWarnsOfRacesInGlobalMemoryAndTheRunSucceeds) {
  const std::string launch = increment("st.global.u32 [%rd1], %r1;\n", "");
  const fs::path json = folder_ / "check.json";
  for (const std::string how : {"--engine model", "--timing off"}) {
    const Finished run = paws("run " + launch + " " + how + " --check --json " + json.string());
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_NE(run.output.find("warning: global-race: 4-byte store to 'a' + 0x0, which thread "),
              std::string::npos)
        << run.output;
    const nlohmann::json finding = read_json(json).at("check").at("findings").at(0);
    EXPECT_EQ(finding.at("kind"), "global-race");
    EXPECT_EQ(finding.at("other").at("block"), nlohmann::json({0, 0, 0}));
  }
}

TEST_F(Cli, CheckTellsWhatItFoundWhenTheRunFails) {
  const std::string launch = increment(
      "setp.lt.u32 %p1, %r1, 16;\n@%p1 bar.sync 0;\nld.global.u32 %r2, [%rd3+4096];\n"
      "st.global.u32 [%rd3], %r2;\n",
      "");
  for (const std::string how : {"run --engine model ", "run --timing off ",
                                "compare --engine model --schedulers single:rr "}) {
    const Finished run = paws(how + launch + " --check");
    EXPECT_EQ(run.status, 2) << run.output;
    EXPECT_NE(run.output.find("divergent-barrier"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("k.ptx:15: "), std::string::npos) << run.output;
  }
}

TEST_F(Cli, CheckFindsNothingInTheWorkloadsAndChangesNoCycle) {
  const nlohmann::json list = nlohmann::json::parse(paws("list --json").output);
  ASSERT_GT(list.at("workloads").size(), 20U);
  for (const nlohmann::json& listed : list.at("workloads")) {
    const std::string workload = listed.at("name");
    const Finished run = paws("run " + workload + " --size small --timing off --check");
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_NE(run.output.find("no findings"), std::string::npos) << run.output;
  }
  for (const std::string workload : {"matmul", "reduction", "histogram", "lud"}) {
    std::vector<nlohmann::json> runs;
    for (const std::string check : {"", " --check"}) {
      const fs::path json = folder_ / "cycles.json";
      const Finished run =
          paws("run " + workload + " --size small --engine model --json " + json.string() + check);
      EXPECT_EQ(run.status, 0) << run.output;
      runs.push_back(read_json(json));
      runs.back().erase("check");
      runs.back().erase("host_seconds");
    }
    EXPECT_EQ(runs[0], runs[1]) << workload;
  }
}

TEST_F(Cli, BlockSchedulerAndThrottleAreChosenAndTold) {
  const Finished run = paws(
      "run vectoradd --size small --engine model --scheduler single:gto --blocks limit:2 "
      "--throttle swl:3");
  EXPECT_EQ(run.status, 0) << run.output;
  EXPECT_NE(run.output.find("block scheduler     limit:2\n"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("throttle            swl:3\n"), std::string::npos) << run.output;
  const Finished standard = paws("run vectoradd --size small --engine model");
  EXPECT_NE(standard.output.find("block scheduler     rr\n"), std::string::npos) << standard.output;
  EXPECT_NE(standard.output.find("throttle            none\n"), std::string::npos)
      << standard.output;
  for (const auto& [options, words] :
       {std::pair("--blocks most", "unknown block scheduler 'most' (block schedulers: rr, "),
        std::pair("--blocks limit:0", "--blocks limit:0: expected limit:N"),
        std::pair("--throttle all", "unknown throttle 'all' (throttles: none, ")}) {
    const Finished refused =
        paws(std::string("run vectoradd --size small --engine model ") + options);
    EXPECT_EQ(refused.status, 2) << refused.output;
    EXPECT_NE(refused.output.find(words), std::string::npos) << refused.output;
  }
  const Finished compared = paws(
      "compare mmul_vadd --size small --engine model --schedulers single:gto --blocks mcke:2,2");
  EXPECT_EQ(compared.status, 0) << compared.output;
}

TEST_F(Cli, BadInputNamesFileAndLineAndLeavesNoOutput) {
  struct Case {
    std::string launch;
    std::string where;
    std::string message;
  };
  const std::string malformed = write("malformed.toml", "name = \"x\"\nptx = [\n");
  const std::string unknown = write("unknown.toml", "name = \"x\"\ncolour = 3\n");
  const fs::path json = folder_ / "out.json";
  auto refused = [&](const std::string& launch, const std::string& where,
                     const std::string& message) {
    const Finished run = paws("run " + launch + " --json " + json.string());
    EXPECT_EQ(run.status, 2) << run.output;
    EXPECT_NE(run.output.find(where), std::string::npos) << run.output;
    EXPECT_NE(run.output.find(message), std::string::npos) << run.output;
    EXPECT_EQ(lines(run.output), 1U) << run.output;
    EXPECT_FALSE(fs::exists(json));
  };
  refused(malformed, "malformed.toml:", "");
  refused(unknown, "unknown.toml:2: ", "colour");
  refused(increment("vmad.u32.u32.u32 %r2, %r1, %r1, %r1;\n", ""),
          "k.ptx:13: ", "unsupported instruction");
  refused(increment("ld.global.u32 %r2, [%rd3+4096];\nst.global.u32 [%rd3], %r2;\n", ""),
          "k.ptx:13: ", "'a'");
  refused(increment("setp.lt.u32 %p1, %r1, 32;\n@%p1 bar.sync 1, 64;\n@!%p1 bar.sync 2, 64;\n", ""),
          "k.ptx:14: ", "no warp can ever issue again");
  const Finished spin = paws("run " + increment("L: bra L;\n", "") + " --max-cycles 5000");
  EXPECT_EQ(spin.status, 2);
  EXPECT_NE(spin.output.find("not finished after 5000 cycles"), std::string::npos) << spin.output;
}

TEST_F(Cli, WhatIsNoFileIsCalledWhatItIs) {
  const std::string fifo = (folder_ / "fifo").string();
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);  // NOLINT(*-magic-numbers)
  const std::string folder = folder_.string();
  const std::string ending = folder + "/d.g";
  fs::create_directory(ending);
  const std::string missing = (folder_ / "missing").string();
  const std::string no_workload = ", and no workload has this name\n";
  for (const auto& [path, cause] : {std::pair{fifo, std::string("is a FIFO")},
                                    {folder, "is a folder"},
                                    {missing, "no such file"}}) {
    for (const auto& [arguments, rest] :
         {std::pair{std::string("run "), no_workload},
          {"compare ", no_workload},
          {"phases ", "\n"},
          {"replay ", "\n"},
          {"decisions ", "\n"},
          {"run vectoradd --gpu ", ", and no GPU preset has this name\n"}}) {
      const Finished refused = paws(arguments + path);
      EXPECT_EQ(refused.status, 2) << refused.output;
      EXPECT_EQ(refused.output, "paws: " + path + ": " + cause + rest);
    }
    for (const std::string kind : {"raw", "text"}) {
      const std::string launch = increment(good_body(), "");
      std::string text = text_of(launch);
      text.insert(text.find("[[step]]"), "init = { " + kind + " = \"" + path + "\" }\n");
      const Finished refused = paws("run " + write("raw.toml", text) + " --timing off");
      EXPECT_EQ(refused.status, 2) << refused.output;
      EXPECT_EQ(refused.output, "paws: " + folder + "/raw.toml:7: " + path + ": " + cause + "\n");
    }
  }
  EXPECT_EQ(paws("compare " + ending).output, "paws: " + ending + ": is a folder\n");
}

TEST_F(Cli, AFileThatCannotBeWrittenCostsNoOther) {
  const std::string json = (folder_ / "r.json").string();
  const std::string csv = (folder_ / "s.csv").string();
  const Finished run = paws("run " + increment(good_body(), "") + " --engine model --json " + json +
                                " --sample " + csv + " --interval 1000000",
                            "ulimit -f 8;");
  EXPECT_EQ(run.status, 2) << run.output;
  EXPECT_NE(run.output.find("paws: " + json + ": cannot be written: File too large\n"),
            std::string::npos)
      << run.output;
  EXPECT_FALSE(fs::exists(json));
  EXPECT_TRUE(fs::exists(csv));
}

TEST_F(Cli, NamesThatAreNotUtf8CostNoResult) {
  const std::string name = "caf\xe9";
  const std::string good = increment(good_body(), "");
  const std::string launch = write(name + ".toml", text_of(good).substr(sizeof("name = \"k\"")));
  const std::string gpu = (folder_ / (name + "-gpu.toml")).string();
  {
    const Finished preset = paws("gpu m2090");
    write(name + "-gpu.toml", preset.output);
  }
  const auto file = [this](const std::string& leaf) { return (folder_ / leaf).string(); };
  const std::string warning = ": a name is not UTF-8: bytes of it are written as U+FFFD\n";
  const Finished run = paws("run " + launch + " --engine model --gpu " + gpu + " --json " +
                            file("r.json") + " --sample " + file("s.csv") + " --decisions " +
                            file("d.dec") + " --timeline " + file("t.json"));
  EXPECT_EQ(run.status, 0) << run.output;
  for (const std::string each : {"r.json", "s.csv"}) {
    EXPECT_NE(run.output.find("paws: " + file(each) + warning), std::string::npos) << run.output;
  }
  EXPECT_EQ(read_json(file("r.json")).at("workload"), "caf\xef\xbf\xbd");
  EXPECT_EQ(read_json(file("r.json")).at("gpu"), "caf\xef\xbf\xbd-gpu");
  EXPECT_EQ(text_of(file("s.csv")).find('\xe9'), std::string::npos);
  EXPECT_GT(read_json(file("t.json")).at("traceEvents").size(), 1U);
  EXPECT_EQ(paws("replay " + file("d.dec") + " --engine model").status, 0);
  const Finished compared = paws("compare " + good + " " + launch + " " + file(name) +
                                 "-none.traceg --engine model --schedulers single:rr --json " +
                                 file("c.json") + " --csv " + file("c.csv"));
  EXPECT_EQ(compared.status, 2) << compared.output;
  EXPECT_NE(compared.output.find(name + "-none.traceg: no such file"), std::string::npos)
      << compared.output;
  const Finished both =
      paws("compare " + good + " " + launch + " --engine model --schedulers single:rr --json " +
           file("c.json") + " --csv " + file("c.csv"));
  EXPECT_EQ(both.status, 0) << both.output;
  EXPECT_EQ(read_json(file("c.json")).at(1).at("workload"), "caf\xef\xbf\xbd");
  EXPECT_EQ(text_of(file("c.csv")).find('\xe9'), std::string::npos);
  const Finished cuda = paws("cuda --gpu " + gpu + " -- true");
  EXPECT_EQ(cuda.status, 2);
  EXPECT_EQ(cuda.output.find("paws: " + gpu + ": the name is not UTF-8"), 0U) << cuda.output;
  EXPECT_EQ(lines(cuda.output), 1U) << cuda.output;
}

TEST_F(Cli, BlockLimitsAndLaunchesThatCannotBeAreRefusedByTheirLine) {
  const fs::path json = folder_ / "out.json";
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Finished run =
        paws("run " + arguments + " --engine model --scheduler single:gto --json " + json.string());
    EXPECT_EQ(run.status, 2) << run.output;
    EXPECT_NE(run.output.find(message), std::string::npos) << run.output;
    EXPECT_EQ(lines(run.output), 1U) << run.output;
    EXPECT_FALSE(fs::exists(json));
  };
  const std::string both = "mmul_vadd --gpu lee28 --size small ";
  const std::string first = "mmul_vadd.toml:67: kernel '_Z6matmulPKfS0_Pfii': ";
  const std::string second = "mmul_vadd.toml:73: kernel '_Z9vectoraddPKfS0_Pfi': ";
  const std::string above = "blocks per core (--blocks), but ";
  refused("km --gpu lee28 --size small --blocks limit:7",
          ": a limit of 7 " + above + "6 fit: a core has no more warps");
  refused(both + "--blocks mcke:4,1", first + "a limit of 4 " + above + "3 fit");
  refused(both + "--blocks mcke:1,7", second + "a limit of 7 " + above + "6 fit");
  refused(both + "--blocks mcke:0,1", "--blocks mcke:0,1: expected mcke:N,M, whole numbers from 1");
  refused(both + "--blocks mcke:1,1 --set core.registers=11000",
          second + "a block of it and one of the other launch fit no core together");
  refused(both + "--throttle dyncta", "mmul_vadd.toml:73: 2 launches together: the throttle");

  write("k.ptx", R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
.reg .b32 %r<4>;
.reg .b64 %rd<8>;
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
cvta.to.global.u64 %rd3, %rd2;
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd4, %r1, 4;
add.u64 %rd5, %rd1, %rd4;
ld.global.u32 %r2, [%rd5];
add.u64 %rd6, %rd3, %rd4;
st.global.u32 [%rd6], %r2;
ret;
}
)");
  const auto together = [&](const std::string& out) {
    std::string text = "name = \"k\"\nptx = \"k.ptx\"\n";
    for (const std::string name : {"a", "b", "c"}) {
      text += "[[buffer]]\nname = \"" + name + "\"\ntype = \"u32\"\ncount = 32\n";
    }
    text += "[[step]]\n";
    for (const std::string& to : {std::string("b"), out}) {
      text +=
          "[[step.concurrent]]\nkernel = \"k\"\ngrid = 1\nblock = 32\n"
          "args = [{ buffer = \"a\" }, { buffer = \"" +
          to + "\" }]\n";
    }
    return write("together.toml", text);
  };
  EXPECT_EQ(paws("run " + together("c") + " --engine model").status, 0) << "both only read a";
  refused(together("b"),
          "together.toml:21: kernel \"k\" and kernel \"k\" of line 16 run together and both write "
          "buffer \"b\", in no order");
}

TEST_F(Cli, AnEndlessLoopWithoutTimingEndsAtTheLimit) {
  const Finished spin =
      paws("run " + increment("L: bra L;\n", "") + " --timing off --max-instructions 4000");
  EXPECT_EQ(spin.status, 2);
  EXPECT_NE(spin.output.find("k.ptx:13: kernel 'k', block (0,0,0), warp 0, pc 0: "),
            std::string::npos)
      << spin.output;
  EXPECT_NE(spin.output.find("not finished after 4000 warp instructions (--max-instructions)"),
            std::string::npos)
      << spin.output;
  EXPECT_EQ(lines(spin.output), 1U) << spin.output;
}

TEST_F(Cli, OtherKernelsOfAFileNeedNotBeSupported) {
  const std::string ptx =
      write("two.ptx",
            ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry good()\n{ ret; }\n"
            ".visible .entry bad()\n{\n.reg .b32 %r<5>;\n"
            "vmad.u32.u32.u32 %r1, %r0, %r0, %r0;\nret;\n}\n");
  const std::string out = (folder_ / "out.ptx").string();
  const Finished good = paws("phases " + ptx + " --kernel good");
  EXPECT_EQ(good.status, 0) << good.output;
  EXPECT_NE(good.output.find("good: 1 instructions"), std::string::npos) << good.output;
  EXPECT_EQ(paws("annotate " + ptx + " --kernel good -o " + out).status, 0);
  for (const std::string all : {"", " --kernel bad"}) {
    const Finished bad = paws("phases " + ptx + all);
    EXPECT_EQ(bad.status, 2);
    EXPECT_NE(bad.output.find("two.ptx:9: unsupported instruction"), std::string::npos)
        << bad.output;
  }
  const Finished missing = paws("phases " + ptx + " --kernel goad");
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.output.find("no kernel 'goad'; did you mean \"good\"?"), std::string::npos)
      << missing.output;
}

TEST_F(Cli, PhasesAndAnnotateKnowWorkloadsAsRunDoes) {
  const std::string ptx = std::string(PAWS_PTX_DIR) + "/matmul.ptx";
  const Finished by_name = paws("phases matmul");
  ASSERT_EQ(by_name.status, 0) << by_name.output;
  EXPECT_EQ(by_name.output, paws("phases " + ptx).output);
  // Of a launch description, the kernels that it launches.
  const std::string own = increment(good_body(), "");
  std::ofstream(folder_ / "k.ptx", std::ios::app) << ".visible .entry other()\n{ ret; }\n";
  const Finished described = paws("phases " + own);
  EXPECT_EQ(described.status, 0) << described.output;
  EXPECT_NE(described.output.find("k: 8 instructions"), std::string::npos) << described.output;
  EXPECT_EQ(described.output.find("other"), std::string::npos) << described.output;
  const fs::path from_name = folder_ / "name.ptx";
  const fs::path from_file = folder_ / "file.ptx";
  EXPECT_EQ(paws("annotate matmul -o " + from_name.string()).status, 0);
  EXPECT_EQ(paws("annotate " + ptx + " -o " + from_file.string()).status, 0);
  EXPECT_EQ(text_of(from_name), text_of(from_file));
  EXPECT_NE(text_of(from_name).find("paws.phase"), std::string::npos);
}

TEST_F(Cli, AFileOfAnUnknownVersionIsRunWithOneWarningEach) {
  const std::string launch = increment(good_body(), "");
  std::string text = text_of(folder_ / "k.ptx");
  text.replace(text.find("7.0"), 3, "99.0");
  text.replace(text.find("sm_70"), 5, "sm_999");
  write("k.ptx", text);
  for (const std::string& command :
       {"run " + launch + " --timing off", "run " + launch + " --engine model",
        "compare " + launch + " --engine model --jobs 2 --schedulers single:rr,single:gto",
        "phases " + launch, "annotate " + launch + " -o " + (folder_ / "out.ptx").string()}) {
    const Finished done = paws(command);
    EXPECT_EQ(done.status, 0) << done.output;
    for (const char* warning : {"k.ptx:1: warning: unknown .version 99.0 (known: 1.0 to ",
                                "k.ptx:2: warning: unknown .target sm_999 (known: sm_10 to "}) {
      const std::size_t first = done.output.find(warning);
      EXPECT_NE(first, std::string::npos) << done.output;
      EXPECT_EQ(done.output.find(warning, first + 1), std::string::npos) << done.output;
    }
  }
}

TEST_F(Cli, ABlockOfAThousandThreadsTakesFewerRegistersAndSaysSo) {
  // 40 values at once, all words of the buffer added up in a fixed order: 44 registers, 32 fit.
  std::string body = ".reg .b32 %q<41>;\n";
  for (unsigned i = 0; i < 40; ++i) {
    body += "ld.volatile.global.u32 %q" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) +
            "];\n";
  }
  for (unsigned i = 0; i < 40; ++i) {
    body += "st.volatile.global.u32 [%rd1+" + std::to_string(4 * i) + "], %q" + std::to_string(i) +
            ";\n";
  }
  const std::string launch = increment(body, "[[expect]]\nbuffer = \"a\"\nfill = 0\n");
  std::string text = text_of(launch);
  text.replace(text.find("block = [64]"), 12, "block = [32, 32]");
  std::ofstream(launch) << text;
  const fs::path json = folder_ / "out.json";
  const Finished run = paws("run " + launch + " --engine model --json " + json.string());
  ASSERT_EQ(run.status, 0) << run.output;
  EXPECT_NE(run.output.find("k.toml:7: note: kernel 'k': a block of 1024 threads leaves each 32 "
                            "registers; 12 more are taken to be spilled, at no cost in cycles"),
            std::string::npos)
      << run.output;
  EXPECT_NE(run.output.find("32 registers, 12 more spilled (bound: block size)"), std::string::npos)
      << run.output;
  const nlohmann::json kernel = read_json(json).at("kernels").at(0);
  EXPECT_EQ(kernel.at("registers_per_thread"), 32);
  EXPECT_EQ(kernel.at("spilled_registers"), 12);
  EXPECT_EQ(kernel.at("register_bound"), "block size");
  EXPECT_EQ(kernel.at("blocks_per_core"), 1);
  const Finished phases = paws("phases " + launch);
  EXPECT_NE(phases.output.find("32 registers per thread (12 more spilled; bound: block size)"),
            std::string::npos)
      << phases.output;
  // A number that was given is no estimate.
  const Finished given =
      paws("run " + launch + " --engine model --set frontend.registers_per_thread=40");
  EXPECT_EQ(given.status, 2);
  EXPECT_NE(
      given.output.find("k.toml:7: kernel 'k' does not fit on a core: a block of 1024 threads "
                        "needs 40960 registers, 40 per thread (frontend.registers_per_thread), "
                        "a core has 32768 (core.registers"),
      std::string::npos)
      << given.output;
  EXPECT_EQ(lines(given.output), 1U) << given.output;
}

// By hand: 4 blocks of 2 warps; 7 instructions until the bounds are checked, and 9 more in the 7
// warps that have elements; 200 threads of 256 have one. Each of these warps touches 3 lines.
TEST_F(Cli, RunsATraceOfMachineCode) {
  const std::string list = (fs::path(PAWS_DOCS_DIR).parent_path() /
                            "workloads/examples/sass_traces/vectoradd/kernelslist.g")
                               .string();
  const fs::path json = folder_ / "trace.json";
  const Finished run = paws("run " + list + " --json " + json.string());
  EXPECT_EQ(run.status, 0);
  EXPECT_NE(run.output.find("results             not checked: trace\n"), std::string::npos)
      << run.output;
  const nlohmann::json result = read_json(json);
  EXPECT_EQ(result["workload"], "vectoradd");
  EXPECT_TRUE(result["verified"].is_null());
  EXPECT_EQ(result["warp_instructions"], 8 * 7 + 7 * 9);
  EXPECT_EQ(result["instructions"], 256 * 5 + 56 + 200 * 9);
  EXPECT_EQ(result["L1D_total_cache_accesses"], 7 * 3);
  EXPECT_EQ(result["kernels"][0]["registers_per_thread"], 10);
  const Finished compared = paws("compare " + list + " --schedulers single:rr,two-level:paws");
  EXPECT_EQ(compared.status, 0);
  EXPECT_NE(compared.output.find("not checked"), std::string::npos);
  const Finished phases = paws("phases " + list + " --verbose");
  EXPECT_NE(phases.output.find("*00a0 LDG.E.SYS R2, R2\n"), std::string::npos) << phases.output;
  const Finished annotated = paws("annotate " + list + " -o " + (folder_ / "a.ptx").string());
  EXPECT_EQ(annotated.status, 2);
  EXPECT_NE(annotated.output.find("is a trace of machine code"), std::string::npos);
}

TEST_F(Cli, SaysWhatIsWrongWithATrace) {
  const Finished absent = paws("compare " + (folder_ / "none.g").string());
  EXPECT_EQ(absent.status, 2);
  EXPECT_NE(absent.output.find("none.g: no such file\n"), std::string::npos) << absent.output;
  const Finished foreign = paws("run " + write("kernelslist.g", "hello\n"));
  EXPECT_EQ(foreign.status, 2);
  EXPECT_EQ(lines(foreign.output), 1U) << foreign.output;
  EXPECT_NE(foreign.output.find("kernelslist.g:1: 'hello' is neither a copy nor a kernel"),
            std::string::npos);
}

TEST_F(Cli, WritesTracesThatTakeTheSameCycles) {
  const std::string description = increment(good_body(), "");
  const std::string folder = (folder_ / "traces").string();
  const Finished written = paws("run " + description + " --write-trace " + folder);
  EXPECT_EQ(written.status, 0) << written.output;
  const Finished read = paws("run " + folder + "/kernelslist.g");
  EXPECT_EQ(read.status, 0) << read.output;
  const auto cycles = [](const std::string& text) {
    const std::size_t at = text.find("cycles  ");
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(cycles(read.output), cycles(written.output));
  EXPECT_NE(text_of(fs::path(folder) / "kernel-1.traceg")
                .find("\n-paws made by = version: " PAWS_VERSION ", commit: "),
            std::string::npos);
  EXPECT_EQ(paws("run " + description + " --write-trace " + folder).status, 2)
      << "nothing is overwritten";
}

}  // namespace
}  // namespace paws
