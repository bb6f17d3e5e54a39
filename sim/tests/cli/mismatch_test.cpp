// SPDX-License-Identifier: MIT
// From a fault in the RTL to what the program says of it: a kernel in lockstep on a broken copy.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "sim/tests/support/temporary_folder.h"
#include "tb/engine/testing/broken_rtl.h"

namespace paws {
namespace {

namespace fs = std::filesystem;
using testing_rtl::content;
using testing_rtl::copy_with_fault;
using testing_rtl::line_after;

class Mismatch : public testing::Test {
 protected:
  Mismatch() { copy_with_fault(folder_ / "source"); }

  /// Runs `command` in the folder, "build/paws" being the program; its exit status. What it prints
  /// is in output_.
  int run(std::string command) {
    const std::string program = "build/paws";
    for (std::size_t at = command.find(program); at != std::string::npos;
         at = command.find(program, at)) {
      command.replace(at, program.size(), PAWS_PROGRAM);
      at += std::string(PAWS_PROGRAM).size();
    }
    std::ofstream(folder_ / "command") << command << '\n';
    const std::string line = "cd '" + folder_.string() + "' && PAWS_SOURCE_DIR='" +
                             (folder_ / "source").string() + "' sh command >out 2>&1";
    const int status = std::system(line.c_str());
    output_ = content(folder_ / "out");
    return WEXITSTATUS(status);
  }

  const TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
  std::string output_;
};

TEST_F(Mismatch, PrintsCommandsThatRecordReplayAndDrawIt) {
  // Ten bits are built on demand, from the broken copy.
  ASSERT_EQ(run("build/paws run vectoradd --define n=2000 --set cores=1 --seed 5 --scheduler "
                "single:rr --set scheduler.phase_bits=10 --engine lockstep"),
            1)
      << output_;
  const std::string cycle = line_after(output_, "lockstep: outputs differ in cycle ");
  ASSERT_NE(cycle, "") << output_;
  const std::string issues = line_after(output_, "golden model  issue warp ");

  const std::string reproduce = line_after(output_, "reproduce with: ");
  ASSERT_EQ(run(reproduce), 1) << reproduce << '\n' << output_;
  EXPECT_NE(line_after(output_, "lockstep: outputs differ in cycle "), "") << output_;
  EXPECT_EQ(line_after(output_, "golden model  issue warp "), issues);
  const std::string recorded = line_after(output_, "recorded in cycle ");
  EXPECT_NE(recorded.find(", core 0, scheduler "), std::string::npos) << output_;
  const std::string waves = line_after(output_, "waves: ");
  const std::string at = recorded.substr(0, recorded.find(','));

  EXPECT_EQ(run("build/paws decisions mismatch.dec --from " + at + " --to " + at), 0);
  EXPECT_NE(output_.find("issue warp "), std::string::npos) << output_;

  EXPECT_EQ(run(waves), 1);
  EXPECT_NE(output_.find("waves: in cycle " + at + " scheduler "), std::string::npos) << output_;
  ASSERT_TRUE(fs::exists(folder_ / "mismatch.fst")) << output_;
  EXPECT_GT(fs::file_size(folder_ / "mismatch.fst"), 500U);
}

}  // namespace
}  // namespace paws
