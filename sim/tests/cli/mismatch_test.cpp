// From a fault in the RTL to what the program says of it: a kernel in lockstep on a broken copy.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace paws {
namespace {

namespace fs = std::filesystem;

// The slot after the last one goes first: the fault lets the last one itself be first.
constexpr const char* kFile = "rtl/paws_rotate_pick.sv";
constexpr const char* kSound = "INDEX_W'(r) > after_i";
constexpr const char* kBroken = "INDEX_W'(r) >= after_i";

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Mismatch : public testing::Test {
 protected:
  Mismatch() {
    std::string pattern = testing::TempDir() + "paws-mismatch-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    const fs::path original = PAWS_SOURCE_DIR;
    const fs::path copy = folder_ / "source";
    fs::create_directories(copy / "model");
    fs::create_directories(copy / "tb");
    fs::copy(original / "rtl", copy / "rtl", fs::copy_options::recursive);
    fs::copy(original / "tb/engine", copy / "tb/engine", fs::copy_options::recursive);
    fs::copy(original / "tb/wave", copy / "tb/wave", fs::copy_options::recursive);
    fs::copy(original / "model/scheduler.h", copy / "model/scheduler.h");
    std::string source = content(copy / kFile);
    const std::size_t place = source.find(kSound);
    if (place != std::string::npos) source.replace(place, std::string(kSound).size(), kBroken);
    broken_ = place != std::string::npos;
    std::ofstream(copy / kFile) << source;
  }
  ~Mismatch() override { fs::remove_all(folder_); }

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
                             (folder_ / "source").string() + "' XDG_CACHE_HOME='" +
                             (folder_ / "cache").string() + "' sh command >out 2>&1";
    const int status = std::system(line.c_str());
    output_ = content(folder_ / "out");
    return WEXITSTATUS(status);
  }

  [[nodiscard]] std::string line_after(const std::string& label) const {
    const std::size_t place = output_.find(label);
    if (place == std::string::npos) return {};
    const std::size_t begin = place + label.size();
    return output_.substr(begin, output_.find('\n', begin) - begin);
  }

  fs::path folder_;
  bool broken_ = false;
  std::string output_;
};

TEST_F(Mismatch, PrintsCommandsThatRecordReplayAndDrawIt) {
  ASSERT_TRUE(broken_) << kFile << " has no " << kSound;
  // Ten bits are built on demand, from the broken copy.
  ASSERT_EQ(run("build/paws run vectoradd --define n=2000 --set cores=1 --seed 5 --scheduler "
                "single:rr --set scheduler.phase_bits=10 --engine lockstep"),
            1)
      << output_;
  const std::string cycle = line_after("lockstep: outputs differ in cycle ");
  ASSERT_NE(cycle, "") << output_;
  const std::string issues = line_after("golden model  issue warp ");

  const std::string reproduce = line_after("reproduce with: ");
  ASSERT_EQ(run(reproduce), 1) << reproduce << '\n' << output_;
  EXPECT_NE(line_after("lockstep: outputs differ in cycle "), "") << output_;
  EXPECT_EQ(line_after("golden model  issue warp "), issues);
  const std::string recorded = line_after("recorded in cycle ");
  EXPECT_NE(recorded.find(", core 0, scheduler "), std::string::npos) << output_;
  const std::string waves = line_after("waves: ");
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
