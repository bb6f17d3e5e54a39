// SPDX-License-Identifier: MIT
// From a fault in the RTL to what lies on the table: lockstep_run on a broken copy of the RTL.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tb/engine/testing/broken_rtl.h"

namespace paws {
namespace {

namespace fs = std::filesystem;
using testing_rtl::content;
using testing_rtl::copy_with_fault;
using testing_rtl::line_after;

class Failure : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string pattern = (fs::temp_directory_path() / "paws-failure-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    copy_with_fault(folder_ / "source");
  }

  static void TearDownTestSuite() { fs::remove_all(folder_); }

  /// Runs `command` on the broken copy; its exit status. What it prints is in output_.
  int run(const std::string& command) {
    const fs::path out = folder_ / "out";
    const std::string line = "PAWS_SOURCE_DIR='" + (folder_ / "source").string() +
                             "' PAWS_FAILURES='" + (folder_ / "failures").string() + "' " +
                             command + " >'" + out.string() + "' 2>'" + (folder_ / "err").string() +
                             "'";
    const int status = std::system(line.c_str());
    output_ = content(out);
    return WEXITSTATUS(status);
  }

  /// Looks at what the failure has left in the folder `name`; the last line of the trace.
  [[nodiscard]] std::string expect_kept(const std::string& name) const {
    const fs::path kept = folder_ / "failures" / name;
    EXPECT_EQ(line_after(output_, "kept in: "), kept.string());
    const std::string mismatch = output_.substr(0, output_.find("reproduce with"));
    EXPECT_NE(mismatch.find("lockstep: outputs differ in cycle "), std::string::npos) << output_;
    EXPECT_NE(content(kept / "mismatch.txt").find(mismatch), std::string::npos);
    EXPECT_NE(content(kept / "mismatch.txt").find("seed: 7"), std::string::npos);
    // The trace ends in the cycle that the message names.
    const std::string trace = content(kept / "decisions.txt");
    if (trace.size() < 2) return {};
    EXPECT_NE(trace.find("\n# cycle rst_ni policy issue_en issuable "), std::string::npos) << trace;
    EXPECT_NE(content(kept / "wave.gtkw").find("[dumpfile] \"wave.fst\""), std::string::npos);
    const std::size_t last = trace.rfind('\n', trace.size() - 2) + 1;
    EXPECT_EQ(trace.substr(last, trace.find(' ', last) - last),
              line_after(output_, "outputs differ in cycle "));
    return trace.substr(last);
  }

  /// The printed command leads to the same message.
  void expect_repeatable() {
    const std::string mismatch = output_.substr(0, output_.find("reproduce with"));
    const std::string replay = line_after(output_, "replay: ");
    const std::string relative = "build/tb/random/lockstep_run";
    const std::size_t place = replay.find(relative);
    ASSERT_NE(place, std::string::npos) << replay;
    EXPECT_EQ(run(replay.substr(0, place) + "'" + LOCKSTEP_RUN + "'" +
                  replay.substr(place + relative.size())),
              1);
    EXPECT_EQ(output_.substr(0, output_.find("reproduce with")), mismatch);
  }

  static inline fs::path folder_;
  std::string output_;
};

TEST_F(Failure, LeavesSeedTraceWavesAndTheCommandThatRepeatsIt) {
  ASSERT_EQ(run("PAWS_SEED=7 PAWS_CYCLES=1200 '" + std::string(LOCKSTEP_RUN) +
                "' single:rr 4 0 4 policies=1"),
            1)
      << output_ << content(folder_ / "err");
  const std::string name = "single_level_4_4_policies1_checked_rr_seed7";
  const std::string last = expect_kept(name);
  const std::string issue = line_after(output_, "golden model  issue warp ");
  std::istringstream numbers(last);
  for (int skipped = 0; skipped < 11; ++skipped) numbers.ignore(100, ' ');
  std::string warp;
  numbers >> warp;
  EXPECT_EQ(warp, issue.substr(0, issue.find(',')));
  EXPECT_GT(fs::file_size(folder_ / "failures" / name / "wave.fst"), 500U);
  expect_repeatable();
}

TEST_F(Failure, OfANetlistLeavesTheSame) {
  const fs::path netlist = folder_ / "still.v";  // never issues, always quiet
  std::ofstream(netlist) << "module paws_single_level (\n"
                            "  input clk_i, rst_ni, issue_en_i, launch_valid_i, end_valid_i,\n"
                            "  input [3:0] policy_i,\n"
                            "  input [1:0] launch_warp_i, end_warp_i,\n"
                            "  input [3:0] issuable_i, exit_i,\n"
                            "  input [63:0] distance_i,\n"
                            "  input [11:0] pair_i,\n"
                            "  input [3:0] row_i, second_i, yield_i,\n"
                            "  output issue_valid_o, quiet_o, output [1:0] issue_warp_o);\n"
                            "  assign {issue_valid_o, issue_warp_o, quiet_o} = 4'b0001;\n"
                            "endmodule\n";
  ASSERT_EQ(run("PAWS_SEED=7 PAWS_CYCLES=1200 '" + std::string(LOCKSTEP_RUN) +
                "' single:rr 4 0 4 policies=1 netlist='" + netlist.string() + "'"),
            1)
      << output_ << content(folder_ / "err");
  const std::string name = "netlist_single_level_4_4_policies1_checked_rr_seed7";
  EXPECT_NE(expect_kept(name), "");
  EXPECT_NE(output_.find("waves: "), std::string::npos) << output_;
  EXPECT_GT(fs::file_size(folder_ / "failures" / name / "wave.fst"), 500U);
  expect_repeatable();
}

TEST_F(Failure, KeepsNothingOfCopiesThatAreBrokenOnPurpose) {
  // As scripts/check mutate-smoke runs it.
  ASSERT_EQ(run("env -u PAWS_FAILURES PAWS_CYCLES=1200 '" + std::string(LOCKSTEP_RUN) +
                "' single:rr 4 0 4 policies=1"),
            1);
  EXPECT_EQ(output_.find("kept in: "), std::string::npos);
  EXPECT_NE(output_.find("replay: "), std::string::npos);
}

}  // namespace
}  // namespace paws
