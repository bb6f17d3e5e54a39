// SPDX-License-Identifier: MIT
#include "sim/launch/run.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

#include "sim/tests/launch/support.h"

namespace paws {
namespace {

/// A launch as the runner saw it.
struct Seen {
  std::string kernel;
  exec::LaunchShape shape;
  std::vector<std::uint64_t> params;
};

/// Kernels "add(u64 buffer, u64 value)", which adds to the first s32 of the buffer, and "other()".
class FakeRunner : public KernelRunner {
 public:
  void run(const KernelLaunch& launch, DeviceMemory& memory) override {
    Seen seen{launch.kernel->name, launch.shape, {}};
    for (std::size_t i = 0; i < launch.params.size(); i += 8) {
      std::memcpy(&seen.params.emplace_back(), launch.params.data() + i, 8);
    }
    if (launch.kernel->name == "add") {
      std::byte* first = memory.at(seen.params.at(0), 4);
      ASSERT_NE(first, nullptr);
      std::int32_t value = 0;
      std::memcpy(&value, first, 4);
      value += static_cast<std::int32_t>(seen.params.at(1));
      std::memcpy(first, &value, 4);
    }
    launches.push_back(std::move(seen));
  }
  void run_together(std::span<const KernelLaunch> together, DeviceMemory& memory) override {
    at_once.push_back(together.size());
    KernelRunner::run_together(together, memory);
  }

  std::vector<Seen> launches;
  std::vector<std::size_t> at_once;  ///< launches of each call
};

const std::string kHead = R"(ptx = "kernels.ptx"
[[buffer]]
name = "a"
type = "s32"
count = 4
[[buffer]]
name = "b"
type = "s32"
count = 4
init = { range = [10, 1] }
)";  // 10 lines

class Run : public testing::Test {
 protected:
  Run() {
    modules_[0].file = "kernels.ptx";
    modules_[0].entries = {"add", "other"};
    for (const std::string& name : modules_[0].entries)
      modules_[0].kernels.emplace_back().name = name;
    test::add_param(modules_[0].kernels[0], ir::Type::u64, 8, 8);
    test::add_param(modules_[0].kernels[0], ir::Type::u64, 8, 8);
  }

  WorkloadReport run(const std::string& rest, const LoadOptions& load = {}) {
    const Workload workload = load_workload(folder_.write("w.toml", kHead + rest), load);
    RunOptions options;
    options.output_directory = folder_.path();
    options.progress = [this](std::uint64_t number, const KernelLaunch&) {
      progress_.push_back(number);
    };
    DeviceMemory memory;
    return run_workload(workload, modules_, runner_, memory, options);
  }

  std::string error(const std::string& rest) {
    const std::string message = test::error_of([&] { run(rest); });
    const std::string prefix = folder_.path().string() + "/";
    return message.compare(0, prefix.size(), prefix) == 0 ? message.substr(prefix.size()) : message;
  }

  static std::string add(const std::string& buffer, const std::string& value,
                         const std::string& header = "[[step]]") {
    return header + "\nkernel = \"add\"\ngrid = 1\nblock = 1\nargs = [{ buffer = \"" + buffer +
           "\" }, " + value + "]\n";
  }
  static std::string expect(const std::string& buffer, const std::string& values) {
    return "[[expect]]\nbuffer = \"" + buffer + "\"\nvalues = [" + values + "]\n";
  }
  static std::string launch(const std::string& kernel, const std::string& grid,
                            const std::string& block) {
    return "[[step]]\nkernel = \"" + kernel + "\"\ngrid = " + grid + "\nblock = " + block + "\n";
  }

  test::Folder folder_;
  std::vector<ir::Module> modules_{ir::Module{}};
  FakeRunner runner_;
  std::vector<std::uint64_t> progress_;
};

TEST_F(Run, LaunchesTogether) {
  const WorkloadReport report = run("[[step]]\n" + add("a", "5", "[[step.concurrent]]") +
                                    add("b", "7", "[[step.concurrent]]") + add("a", "1") +
                                    expect("a", "6, 0, 0, 0") + expect("b", "17, 11, 12, 13"));
  EXPECT_EQ(runner_.at_once, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(report.launches, 3U);
  EXPECT_EQ(progress_, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(report.verified, true);
}

TEST_F(Run, ALaunchOfSeveralIsToldByItsLine) {
  EXPECT_EQ(error("[[step]]\n" + add("a", "5", "[[step.concurrent]]") +
                  "[[step.concurrent]]\nkernel = \"none\"\ngrid = 1\nblock = 1\n")
                .substr(0, 9),
            "w.toml:17");
}

TEST_F(Run, LaunchesInOrder) {
  const WorkloadReport report =
      run(launch("other", "[2, 3, 4]", "[8, 4]") + "shared = 100\n" + add("a", "5") +
          expect("a", "5, 0, 0, 0") + expect("b", "10, 11, 12, 13"));
  EXPECT_EQ(report.launches, 2U);
  EXPECT_EQ(report.verified, true);
  EXPECT_TRUE(report.messages.empty());
  EXPECT_EQ(progress_, (std::vector<std::uint64_t>{0, 1}));
  ASSERT_EQ(runner_.launches.size(), 2U);
  const Seen& first = runner_.launches[0];
  EXPECT_EQ(first.kernel, "other");
  EXPECT_EQ(first.shape.grid.x, 2U);
  EXPECT_EQ(first.shape.grid.y, 3U);
  EXPECT_EQ(first.shape.grid.z, 4U);
  EXPECT_EQ(first.shape.block.x, 8U);
  EXPECT_EQ(first.shape.block.y, 4U);
  EXPECT_EQ(first.shape.block.z, 1U);
  EXPECT_EQ(first.shape.dynamic_shared, 100U);
}

TEST_F(Run, WrongResultsAreReported) {
  const WorkloadReport report = run(add("a", "5") + expect("a", "5, 1, 0, 2"));
  EXPECT_EQ(report.verified, false);
  EXPECT_EQ(report.messages, (std::vector<std::string>{"buffer \"a\": 2 of 4 elements are wrong",
                                                       "a[1]: expected 1, got 0 (off by 1)",
                                                       "a[3]: expected 2, got 0 (off by 2)"}));
  ASSERT_EQ(report.checks.size(), 1U);
  EXPECT_EQ(report.checks[0].comparison.mismatches, 2U);
}

TEST_F(Run, NothingExpectedIsNotVerified) { EXPECT_EQ(run(add("a", "5")).verified, std::nullopt); }

TEST_F(Run, OneWrongCheckFailsTheRun) {
  EXPECT_EQ(run(add("a", "5") + expect("a", "1, 0, 0, 0") + expect("b", "10, 11, 12, 13")).verified,
            false);
}

TEST_F(Run, RepeatsWithALoopVariable) {
  const auto report =
      run("[[step]]\nrepeat = 3\nindex = \"i\"\n" + add("a", "\"10 * i + 1\"", "[[step.step]]") +
          "[[step.step]]\nrepeat = \"i\"\n" + add("b", "\"i\"", "[[step.step.step]]") +
          expect("a", "33, 0, 0, 0") + expect("b", "15, 11, 12, 13"));
  EXPECT_EQ(report.launches, 6U);
  EXPECT_EQ(report.verified, true) << report.messages.at(0);
}

TEST_F(Run, RepeatsUntilAFlagIsClear) {
  // Counts a down from 3 and adds the iteration to b.
  const auto report =
      run("[[step]]\nfill = \"a\"\nvalue = 3\ncount = 1\n"
          "[[step]]\nuntil_clear = \"a\"\nmax_iterations = 3\nindex = \"i\"\n" +
          add("a", "-1", "[[step.step]]") + add("b", "\"i\"", "[[step.step]]") +
          expect("b", "13, 11, 12, 13"));
  EXPECT_EQ(report.launches, 6U);
  EXPECT_EQ(report.verified, true);
}

TEST_F(Run, ALoopThatNeverClearsIsAnError) {
  EXPECT_EQ(
      error("[[step]]\nuntil_clear = \"a\"\nmax_iterations = 4\n" + add("a", "1", "[[step.step]]")),
      "w.toml:11: buffer \"a\" is still not clear after 4 iterations (max_iterations)");
  EXPECT_EQ(runner_.launches.size(), 4U);
}

TEST_F(Run, SwapExchangesWhatNamesDenote) {
  const auto report = run("[[step]]\nrepeat = 3\n" + add("a", "1", "[[step.step]]") +
                          "[[step.step]]\nswap = [\"a\", \"b\"]\n" + expect("b", "2, 0, 0, 0") +
                          expect("a", "11, 11, 12, 13"));
  EXPECT_EQ(report.verified, true);
  EXPECT_EQ(runner_.launches[0].params[0], runner_.launches[2].params[0]);
  EXPECT_NE(runner_.launches[0].params[0], runner_.launches[1].params[0]);
}

TEST_F(Run, CopiesAndFillsParts) {
  const auto report =
      run("[[step]]\ncopy = \"b\"\nto = \"a\"\noffset = 1\nto_offset = 2\ncount = 2\n"
          "[[step]]\nfill = \"b\"\nvalue = 7\nevery = 2\n" +
          add("a", "0") + expect("a", "0, 0, 11, 12") + expect("b", "7, 11, 7, 13"));
  EXPECT_EQ(report.verified, true);
  EXPECT_EQ(error("[[step]]\ncopy = \"b\"\nto = \"a\"\nto_offset = 2\n"),
            "w.toml:11: copies 4 elements of \"b\", \"a\" has room for 2");
}

TEST_F(Run, ReferencesSeeTheInitialContents) {
  const std::string real = R"([[buffer]]
name = "x"
type = "f32"
count = 4
init = { random = [0, 1] }
[[step]]
fill = "x"
value = 0
[[expect]]
buffer = "x"
reference = "vectoradd"
inputs = ["x", "x"]
tolerance = { absolute = 2.0 }
)";
  const auto report = run(real);
  EXPECT_EQ(report.verified, true);  // within 2 of twice the initial contents
  EXPECT_EQ(run(real.substr(0, real.find("tolerance"))).verified, false);
  EXPECT_EQ(error(real + "[[expect]]\nbuffer = \"a\"\nreference = \"sum\"\ninputs = [\"x\"]\n"),
            "w.toml:24: reference \"sum\" gives floating-point numbers, buffer \"a\" has s32");
  EXPECT_EQ(error(real + "[[expect]]\nbuffer = \"x\"\nreference = \"sum\"\ninputs = [\"x\"]\n"),
            "w.toml:24: reference \"sum\" gives 1 values, buffer \"x\" has 4");
  EXPECT_EQ(error(real + "[[expect]]\nbuffer = \"x\"\nreference = \"lu\"\ninputs = [\"x\", 3]\n"),
            "w.toml:24: reference \"lu\": the matrix is not n x n");
}

TEST_F(Run, TheSeedChangesRandomContents) {
  const auto text_of = [&](std::uint64_t seed) {
    LoadOptions options;
    options.seed = seed;
    const auto report = run(R"([[buffer]]
name = "r"
type = "u64"
count = 8
init = { random = [0, 1000000] }
save = { text = "r.txt" }
)" + add("a", "1"),
                            options);
    std::ifstream in(report.saved.at(0));
    return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  };
  EXPECT_EQ(text_of(1), text_of(1));
  EXPECT_NE(text_of(1), text_of(2));
}

TEST_F(Run, SymbolsAreInitialised) {
  ir::Variable constant;
  constant.name = "_ZN2ns5tableE";
  constant.space = ir::Space::constant;
  constant.address = 16;
  constant.bytes = 8;
  ir::Variable counter;
  counter.name = "counter";
  counter.address = ir::kGlobalBase;
  counter.bytes = 4;
  modules_[0].variables = {constant, counter};
  modules_[0].constant_bytes = 24;
  modules_[0].global_bytes = 4;
  const std::string symbols = R"([[symbol]]
name = "table"
type = "s32"
init = { values = [3, 4] }
[[symbol]]
name = "counter"
type = "s32"
count = 1
init = { fill = 40 }
)";
  const auto report =
      run(symbols + add("counter", "2") + expect("counter", "42") + expect("table", "3, 4"));
  EXPECT_EQ(report.verified, true);
  EXPECT_EQ(error(symbols + add("table", "2")),
            "w.toml:24: \"table\" is in constant memory and has no address to pass");
  EXPECT_EQ(error("[[symbol]]\nname = \"table\"\ntype = \"s32\"\ncount = 3\n" + add("a", "2")),
            "w.toml:11: symbol \"table\" has 8 bytes, the description 3 of s32");
  EXPECT_EQ(error("[[symbol]]\nname = \"tabel\"\ntype = \"s32\"\n" + add("a", "2")),
            "w.toml:11: kernels.ptx has no variable \"tabel\"; known: ns::table, counter");
}

TEST_F(Run, AddressesInBuffersAndSymbols) {
  ir::Variable head;
  head.name = "head";
  head.address = ir::kGlobalBase;
  head.bytes = 8;
  ir::Variable constant;
  constant.name = "fixed";
  constant.space = ir::Space::constant;
  constant.bytes = 8;
  modules_[0].variables = {head, constant};
  modules_[0].constant_bytes = 8;
  modules_[0].global_bytes = 8;
  const std::string symbols = R"([[symbol]]
name = "head"
type = "u64"
init = { fill = { buffer = "b", offset = 4 } }
[[symbol]]
name = "fixed"
type = "u64"
init = { fill = { buffer = "head" } }
[[buffer]]
name = "pointers"
type = "u64"
count = 2
init = { values = [{ buffer = "head" }, { buffer = "a", offset = 16 }] }
)";
  // The kernel sees the addresses that the buffers have.
  const std::string step = "[[step]]\nkernel = \"add\"\ngrid = 1\nblock = 1\nargs = [{ buffer = \"";
  const auto report = run(
      symbols + step + "a\" }, 0]\n" + step + "head\" }, 0]\n" + step + "b\", offset = 4 }, 0]\n" +
      expect("head", "{ buffer = \"b\", offset = 4 }") + expect("fixed", "{ buffer = \"head\" }") +
      expect("pointers", "{ buffer = \"head\" }, { buffer = \"a\", offset = 16 }"));
  EXPECT_EQ(report.verified, true);
  EXPECT_EQ(run(symbols + step + "a\" }, 0]\n" + expect("head", "{ buffer = \"b\" }")).verified,
            false);
  ASSERT_EQ(runner_.launches.size(), 4U);
  EXPECT_EQ(runner_.launches[1].params[0], ir::kGlobalBase);
  EXPECT_EQ(runner_.launches[2].params[0] - runner_.launches[0].params[0], 0x1100U + 4);

  EXPECT_EQ(error("[[buffer]]\nname = \"p\"\ntype = \"u64\"\ncount = 1\ninit = { fill = { buffer = "
                  "\"fixed\" } }\n" +
                  symbols + add("a", "0")),
            "w.toml:15: \"fixed\" is in constant memory and has no address to pass");
  EXPECT_EQ(error(symbols + "[[step]]\nfill = \"pointers\"\nvalue = { buffer = \"fixed\" }\n"),
            "w.toml:26: \"fixed\" is in constant memory and has no address to pass");
}

TEST_F(Run, ModulesAreToldApart) {
  ir::Module second = modules_[0];
  second.file = "second.ptx";
  second.kernels.emplace_back().name = "own";
  for (ir::Module* module : {modules_.data(), &second}) {
    ir::Variable& scale = module->variables.emplace_back();
    scale.name = "scale";
    scale.address = module == &second ? ir::kGlobalBase + 8192 : ir::kGlobalBase;
    scale.bytes = 4;
    module->global_bytes = scale.address + 4 - ir::kGlobalBase;
  }
  modules_.push_back(second);
  folder_.write("second.ptx", "");
  const std::string head = R"([[module]]
ptx = "kernels.ptx"
[[module]]
ptx = "second.ptx"
)";
  const auto run_modules = [&](const std::string& rest) {
    const Workload workload = load_workload(folder_.write("w.toml", head + rest));
    DeviceMemory memory;
    return run_workload(workload, modules_, runner_, memory);
  };
  const auto error_modules = [&](const std::string& rest) {
    return test::error_of([&] { run_modules(rest); }).substr(folder_.path().string().size() + 1);
  };
  const std::string symbols = R"([[symbol]]
name = "first_scale"
variable = "scale"
module = "kernels"
type = "s32"
[[symbol]]
name = "scale"
module = "second"
type = "s32"
init = { fill = 5 }
)";
  const auto report =
      run_modules(symbols + add("scale", "2").insert(9, "module = \"second\"\n") +
                  add("first_scale", "3").insert(9, "module = \"kernels\"\n") +
                  launch("own", "1", "1") + expect("scale", "7") + expect("first_scale", "3"));
  EXPECT_EQ(report.verified, true);
  EXPECT_EQ(report.launches, 3U);

  EXPECT_EQ(error_modules(symbols + add("scale", "2")),
            "w.toml:15: several modules have a kernel \"add\", \"module\" must say which one is "
            "meant: add (kernels.ptx), add (second.ptx)");
  EXPECT_EQ(
      error_modules("[[symbol]]\nname = \"scale\"\ntype = \"s32\"\n" + launch("own", "1", "1")),
      "w.toml:5: several modules have a variable \"scale\", \"module\" must say which one is "
      "meant: scale (kernels.ptx), scale (second.ptx)");
  EXPECT_EQ(error_modules(launch("own", "1", "1").insert(9, "module = \"kernels\"\n")),
            "w.toml:5: kernels.ptx has no kernel \"own\"; known: add, other");
  EXPECT_EQ(error_modules(symbols +
                          "[[symbol]]\nname = \"again\"\nvariable = \"scale\"\nmodule = "
                          "\"second\"\ntype = \"s32\"\n" +
                          launch("own", "1", "1")),
            "w.toml:15: symbol \"again\" is the same variable as symbol \"scale\"");
}

TEST_F(Run, LaunchesAreCheckedBeforeTheFirstRuns) {
  EXPECT_EQ(error(add("a", "1") + launch("othr", "1", "1")),
            "w.toml:16: kernels.ptx has no kernel \"othr\"; did you mean \"other\"?");
  EXPECT_EQ(error(add("a", "1") + "[[step]]\nrepeat = 1\n[[step.step]]\nkernel = \"add\"\n"
                                  "grid = 1\nblock = 1\n"),
            "w.toml:18: kernel \"add\" takes 2 arguments, \"args\" has 0");
  EXPECT_TRUE(runner_.launches.empty());
}

TEST_F(Run, RefusesImpossibleShapes) {
  EXPECT_EQ(error(launch("other", "0", "1")),
            "w.toml:13: grid x is 0, allowed are 1 to 2147483647");
  EXPECT_EQ(error(launch("other", "[1, 65536]", "1")),
            "w.toml:13: grid y is 65536, allowed are 1 to 65535");
  EXPECT_EQ(error(launch("other", "1", "[1, 1, 65]")),
            "w.toml:14: block z is 65, allowed are 1 to 64");
  EXPECT_EQ(error(launch("other", "1", "[64, 32]")),
            "w.toml:11: kernel \"other\": a block of 2048 threads, allowed are 1024");
  EXPECT_EQ(error(launch("other", "1", "1") + "shared = -1\n"),
            "w.toml:15: \"shared\" is -1, allowed are 0 to 1048576");
  modules_[0].kernels[1].max_threads = 128;
  modules_[0].kernels[1].file = "kernels.ptx";
  EXPECT_EQ(error(launch("other", "1", "256")),
            "w.toml:11: kernel \"other\": a block of 256 threads, allowed are 128 (.maxntid of "
            "kernels.ptx)");
  modules_[0].kernels[1].required_block = {64, 2, 1};
  EXPECT_EQ(error(launch("other", "1", "128")),
            "w.toml:11: kernel \"other\" requires blocks of 64 x 2 x 1 threads");
  EXPECT_EQ(run(launch("other", "1", "[64, 2]")).launches, 1U);
}

TEST_F(Run, ContentsFromAReference) {
  const std::string reals = R"([[buffer]]
name = "x"
type = "f32"
count = 2
init = { values = [1.0, 2.0] }
[[buffer]]
name = "y"
type = "f32"
count = 4
)";
  const std::string rest =
      reals +
      R"(init = [{ fill = 9.0 }, { reference = "saxpy", inputs = [2.0, "x", "x"], offset = 1, every = 2 }]
)" + add("a", "0");
  EXPECT_EQ(run(rest + expect("y", "9.0, 3.0, 9.0, 6.0")).verified, true);
  EXPECT_EQ(run(rest + expect("y", "9.0, 3.0, 9.0, 6.5")).verified, false);
  const auto init = [&](const std::string& text) {
    return error(reals + "init = " + text + "\n" + add("a", "0"));
  };
  EXPECT_EQ(init(R"({ reference = "saxpy", inputs = [2.0, "x", "x"] })"),
            "w.toml:20: reference \"saxpy\" gives 2 values, buffer \"y\" takes 4");
  EXPECT_EQ(init(R"({ reference = "saxpy", inputs = [2.0, "x", "y"] })"),
            "w.toml:20: unknown buffer \"y\"; did you mean \"a\"?");
  EXPECT_EQ(init(R"({ reference = "saxpy", inputs = [2.0, "x", "x"], seed = 1 })"),
            "w.toml:20: only \"random\" takes a \"seed\"");
  EXPECT_EQ(init(R"({ fill = 1.0, inputs = [] })"),
            "w.toml:20: only \"reference\" takes \"inputs\"");
}

}  // namespace
}  // namespace paws
