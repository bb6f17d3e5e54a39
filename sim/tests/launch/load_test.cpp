// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sim/launch/workload.h"
#include "sim/tests/launch/support.h"

namespace paws {
namespace {

// Lines 1 to 4, so that what a test adds starts on line 5.
const std::string kHead = R"(ptx = "kernels.ptx"
[[buffer]]
name = "a"
type = "f32"
)";
// Lines 1 to 14: a complete description.
const std::string kComplete = R"(ptx = "kernels.ptx"
[size]
n = 64
half = "n / 2"
[size.large]
n = 128
[[buffer]]
name = "a"
type = "f32"
count = "n"
[[step]]
kernel = "k"
grid = 2
block = [32]
)";

Workload loaded(const std::string& text, const LoadOptions& options = {}) {
  const test::Folder folder;
  return load_workload(folder.write("w.toml", text), options);
}

/// The message after the folder's name: "w.toml:5: cause".
std::string error(const std::string& text, const LoadOptions& options = {}) {
  const test::Folder folder;
  const auto file = folder.write("w.toml", text);
  const std::string message = test::error_of([&] { load_workload(file, options); });
  const std::string prefix = folder.path().string() + "/";
  return message.compare(0, prefix.size(), prefix) == 0 ? message.substr(prefix.size()) : message;
}

std::string step_error(const std::string& step) { return error(kComplete + "[[step]]\n" + step); }
std::string buffer_error(const std::string& buffer) {
  return error(kComplete + "[[buffer]]\n" + buffer);
}
std::string expect_error(const std::string& expect) {
  return error(kComplete + "[[expect]]\n" + expect);
}

TEST(LargestBlocks, AreTheSizesNotTheLoopsIndices) {
  const Workload workload = loaded(kComplete +
                                   R"([[step]]
kernel = "k"
grid = 1
block = ["half", 2, 3]
[[step]]
repeat = 2
index = "i"
  [[step.step]]
  kernel = "k"
  grid = 1
  block = ["512 * i + 512"]
  [[step.step]]
  kernel = "other"
  grid = 1
  block = ["512 * i + 512"]
  [[step.step]]
  kernel = "third"
  grid = 1
  block = "n"
[[step]]
kernel = "fourth"
grid = 1
block = [1024, 2]
)");
  const std::map<std::string, std::uint64_t> expected{
      {"k", 192}, {"other", 0}, {"third", 64}, {"fourth", 0}};
  EXPECT_EQ(largest_blocks(workload, 0), expected);
}

/// A description with every kind of table.
constexpr const char* kEverything = R"toml(
name = "demo"
description = "everything at once"
ptx = "kernels.ptx"
seed = 5

[size]
n = 64
tiles = "ceildiv(n, 16)"

[[symbol]]
name = "table"
type = "s32"
init = { values = [1, 2] }

[[buffer]]
name = "a"
type = "f32"
count = "n * n"
init = [{ random = [-1, 1.5], seed = 9 }, { fill = "n", offset = 1, every = "n + 1", count = 3 }]
save = { text = "a.txt" }

[[buffer]]
name = "b"
type = "f32"
count = 4096

[[step]]
repeat = "tiles"
index = "i"
[[step.step]]
until_clear = "a"
max_iterations = 9
[[step.step.step]]
kernel = "k"
grid = ["tiles - i", 2]
block = 64
shared = "4 * n"
args = [{ buffer = "a", offset = "4 * i" }, { u32 = "i" }, "n", 2.5,
        { struct = [{ f32 = 1 }, { pad = 4 }, { buffer = "b" }] }]
[[step.step]]
swap = ["a", "b"]
[[step]]
copy = "a"
to = "b"
offset = 1
to_offset = 2
count = 3
[[step]]
fill = "a"
value = 0.5

[[expect]]
buffer = "b"
reference = "vectoradd"
inputs = ["a", "b"]
tolerance = { absolute = 1, relative = 1e-3, ulp = 2 }
[[expect]]
buffer = "a"
fill = 0.5
)toml";

TEST(Load, ReadsNamesAndVariables) {
  const Workload workload = loaded(kEverything);
  EXPECT_EQ(workload.name, "demo");
  EXPECT_EQ(workload.description, "everything at once");
  ASSERT_EQ(workload.modules.size(), 1U);
  EXPECT_EQ(workload.modules[0].name, "kernels");
  EXPECT_EQ(workload.modules[0].ptx.filename(), "kernels.ptx");
  EXPECT_EQ(workload.seed, 5U);
  EXPECT_EQ(workload.variables, (Variables{{"n", 64}, {"tiles", 4}}));
}

TEST(Load, ReadsBuffersAndTheirContents) {
  const Workload workload = loaded(kEverything);
  ASSERT_EQ(workload.buffers.size(), 3U);
  EXPECT_TRUE(workload.buffers[0].symbol);
  EXPECT_EQ(workload.buffers[0].count, 0U);
  const Buffer& a = workload.buffers[1];
  EXPECT_EQ(a.count, 4096U);
  EXPECT_EQ(a.bytes(), 16384U);
  ASSERT_EQ(a.contents.size(), 2U);
  EXPECT_EQ(a.contents[0].kind, Layer::Kind::random);
  EXPECT_EQ(a.contents[0].seed, 9U);
  EXPECT_EQ(a.contents[1].selection.every.text(), "n + 1");
  ASSERT_TRUE(a.save);
  EXPECT_EQ(a.save->format, FileFormat::text);
}

TEST(Load, ReadsStepsInsideSteps) {
  const Workload workload = loaded(kEverything);
  ASSERT_EQ(workload.steps.size(), 3U);
  const auto& repeat = std::get<Repeat>(workload.steps[0].action);
  EXPECT_EQ(repeat.index, "i");
  ASSERT_EQ(repeat.steps.size(), 2U);
  const auto& until = std::get<UntilClear>(repeat.steps[0].action);
  EXPECT_EQ(until.flag, "a");
  const auto& launch = std::get<LaunchStep>(until.steps.at(0).action);
  EXPECT_EQ(launch.kernel, "k");
  EXPECT_EQ(launch.grid.size(), 2U);
  EXPECT_EQ(launch.block.size(), 1U);
  ASSERT_EQ(launch.arguments.size(), 5U);
  EXPECT_EQ(launch.arguments[4].members.size(), 3U);
  EXPECT_EQ(std::get<Swap>(repeat.steps[1].action).second, "b");
  EXPECT_EQ(std::get<Copy>(workload.steps[1].action).to, "b");
  EXPECT_EQ(std::get<Fill>(workload.steps[2].action).buffer, "a");
}

TEST(Load, ReadsExpectations) {
  const Workload workload = loaded(kEverything);
  ASSERT_EQ(workload.expectations.size(), 2U);
  EXPECT_EQ(workload.expectations[0].tolerance.absolute, 1.0);
  EXPECT_EQ(workload.expectations[0].tolerance.relative, 1e-3);
  EXPECT_EQ(workload.expectations[0].tolerance.ulp, 2U);
  EXPECT_TRUE(std::holds_alternative<std::vector<Layer>>(workload.expectations[1].expected));
}

TEST(Load, ChoosesSizes) {
  EXPECT_EQ(loaded(kComplete).variables, (Variables{{"n", 64}, {"half", 32}}));
  LoadOptions options;
  options.size = "large";
  const Workload large = loaded(kComplete, options);
  EXPECT_EQ(large.size, "large");
  EXPECT_EQ(large.variables, (Variables{{"n", 128}, {"half", 64}}));
  EXPECT_EQ(large.buffers[0].count, 128U);
  options.variables = {{"n", 10}};
  EXPECT_EQ(loaded(kComplete, options).variables, (Variables{{"n", 10}, {"half", 5}}));

  options = {};
  options.size = "lagre";
  EXPECT_EQ(error(kComplete, options), "w.toml: has no size \"lagre\"; did you mean \"large\"?");
  options = {};
  options.variables = {{"m", 1}};
  EXPECT_EQ(error(kComplete, options), "w.toml: has no size variable \"m\"; did you mean \"n\"?");
}

TEST(Load, RefusesBadSizes) {
  EXPECT_EQ(error("ptx = \"kernels.ptx\"\n[size]\nx = \"y\"\ny = \"x + 1\"\n"),
            "w.toml:3: size \"x\" depends on itself");
  EXPECT_EQ(error("[size]\nx = \"z\"\n"),
            "w.toml:2: expression \"z\": unknown variable \"z\"; did you mean \"x\"?");
  EXPECT_EQ(error("[size]\nx = 1.5\n"),
            "w.toml:2: size \"x\" must be an integer or an expression in a string");
  EXPECT_EQ(error("[size]\nmin = 1\n"), "w.toml:2: \"min\" cannot name a size");
  EXPECT_EQ(error("[size]\n\"a b\" = 1\n"), "w.toml:2: \"a b\" cannot name a size");
  EXPECT_EQ(error("[size]\nx = 1\n[size.big]\ny = 1\n"),
            "w.toml:4: unknown key \"y\" in [size.big]; did you mean \"x\"?");
}

TEST(Load, ReadsWhetherThreadsAreIndependent) {
  const test::Folder folder;
  folder.write("kernels.ptx", "");
  const auto independent = [&](const std::string& line) {
    return load_workload(folder.write("w.toml", line + kComplete), {}).independent_threads;
  };
  EXPECT_FALSE(independent(""));
  EXPECT_FALSE(independent("independent_threads = false\n"));
  EXPECT_TRUE(independent("independent_threads = true\n"));
  const std::string wrong = test::error_of([&] { independent("independent_threads = 1\n"); });
  EXPECT_NE(wrong.find("w.toml:1: \"independent_threads\" must be true or false"),
            std::string::npos)
      << wrong;
}

TEST(Load, ReadsTheLimitOfLongLaunches) {
  const test::Folder folder;
  folder.write("kernels.ptx", "");
  const auto limit = [&](const std::string& line, const std::string& size = "") {
    LoadOptions options;
    options.size = size;
    return load_workload(folder.write("w.toml", line + kComplete), options).max_cycles;
  };
  EXPECT_EQ(limit(""), std::nullopt);
  EXPECT_EQ(limit("max_cycles = 12345\n"), 12345U);
  EXPECT_EQ(limit("max_cycles = \"1000 * n\"\n"), 64000U);
  EXPECT_EQ(limit("max_cycles = \"1000 * n\"\n", "large"), 128000U);
  const auto wrong = [&](const std::string& line) { return test::error_of([&] { limit(line); }); };
  EXPECT_NE(wrong("max_cycles = 0\n").find("w.toml:1: \"max_cycles\""), std::string::npos);
  EXPECT_NE(wrong("max_cycles = \"x\"\n").find("unknown variable \"x\""), std::string::npos);
}

TEST(Load, SeedAndPtxCanBeReplaced) {
  const test::Folder folder;
  LoadOptions options;
  options.seed = 77;
  options.ptx = {folder.write("other.ptx", "").string()};
  const Workload workload = load_workload(folder.write("w.toml", kComplete), options);
  EXPECT_EQ(workload.seed, 77U);
  EXPECT_EQ(workload.modules.at(0).ptx, options.ptx[0]);
  EXPECT_NO_THROW(load_workload(folder.write("w.toml", kComplete.substr(20)), options));
  options.ptx = {"absent.ptx"};
  EXPECT_EQ(error(kComplete, options), "absent.ptx: no such file");
}

TEST(Load, LooksForPtxInOrder) {
  const test::Folder folder;
  std::filesystem::create_directories(folder.path() / "build");
  folder.write("build/built.ptx", "");
  std::string text = kComplete;
  text.replace(text.find("kernels.ptx"), 11, "built.ptx");
  const auto file = folder.write("w.toml", text);
  LoadOptions options;
  options.ptx_directories = {folder.path() / "build"};
  EXPECT_EQ(load_workload(file, options).modules.at(0).ptx, folder.path() / "build" / "built.ptx");
  EXPECT_EQ(test::error_of([&] { load_workload(file); }),
            file.string() + ":1: the PTX file was not found; looked for " +
                (folder.path() / "built.ptx").string());
}

TEST(Load, RefusesWhatIsNotADescription) {
  EXPECT_EQ(test::error_of([] { load_workload("absent.toml"); }), "absent.toml: no such file");
  const std::string not_toml = error("ptx = \"kernels.ptx\"\nname = \n");
  EXPECT_EQ(not_toml.compare(0, 20, "w.toml:2: not TOML: "), 0) << not_toml;
  EXPECT_EQ(error("ptx = \"kernels.ptx\"\n"), "w.toml:1: nothing to launch: no [[step]]");
  EXPECT_EQ(error(kComplete.substr(20)), "w.toml:1: the launch description needs \"ptx\"");
  EXPECT_EQ(error(kComplete + "[[expct]]\n"),
            "w.toml:15: unknown key \"expct\" in the launch description; did you mean \"expect\"?");
  EXPECT_EQ(error("name = 3\n"), "w.toml:1: \"name\" must be a string, not integer");
  EXPECT_EQ(error("seed = -3\n"), "w.toml:1: \"seed\" must be a non-negative integer, not integer");
  EXPECT_EQ(error("buffer = 3\n"), "w.toml:1: \"buffer\" must be an array, not integer");
  EXPECT_EQ(error("buffer = [3]\n"), "w.toml:1: [[buffer]] must be a table, not integer");
}

TEST(Load, RefusesBadBuffers) {
  EXPECT_EQ(error(kHead), "w.toml:2: [[buffer]] needs \"count\"");
  EXPECT_EQ(error(kHead + "count = 1.5\n"),
            "w.toml:5: \"count\" must be an integer or an expression in a string");
  EXPECT_EQ(error(kHead + "count = 0\n"),
            "w.toml:5: \"count\" of \"a\" is 0, allowed are 1 to 2147483648");
  EXPECT_EQ(error(kHead + "cuont = 1\n"),
            "w.toml:5: unknown key \"cuont\" in [[buffer]]; did you mean \"count\"?");
  EXPECT_EQ(buffer_error("type = \"f32\"\n"), "w.toml:15: [[buffer]] needs \"name\"");
  EXPECT_EQ(buffer_error("name = \"a\"\ntype = \"f32\"\ncount = 1\n"),
            "w.toml:16: \"a\" is the name of two buffers or symbols");
  EXPECT_EQ(buffer_error("name = \"b\"\ntype = \"f23\"\ncount = 1\n"),
            "w.toml:17: unknown type \"f23\"; did you mean \"f32\"?");
  const std::string b = "name = \"b\"\ntype = \"f32\"\ncount = 4\n";
  EXPECT_EQ(buffer_error(b + "init = { fil = 3 }\n"),
            "w.toml:19: unknown key \"fil\" in \"init\"; did you mean \"fill\"?");
  EXPECT_EQ(buffer_error(b + "init = { offset = 3 }\n"),
            "w.toml:19: contents needs one of: reference, fill, range, random, values, raw, text");
  EXPECT_EQ(buffer_error(b + "init = { fill = 3, raw = \"x\" }\n"),
            "w.toml:19: contents has both \"fill\" and \"raw\"");
  EXPECT_EQ(buffer_error(b + "init = { random = [1] }\n"),
            "w.toml:19: \"random\" takes two numbers: low, high");
  EXPECT_EQ(buffer_error(b + "init = { range = 1 }\n"),
            "w.toml:19: \"range\" must be an array, not integer");
  EXPECT_EQ(buffer_error(b + "init = { fill = true }\n"),
            "w.toml:19: \"fill\" must be a number or an expression in a string");
  EXPECT_EQ(buffer_error(b + "init = { fill = 1, seed = 1 }\n"),
            "w.toml:19: only \"random\" takes a \"seed\"");
  EXPECT_EQ(buffer_error(b + "save = { raw = \"x\", text = \"y\" }\n"),
            "w.toml:19: \"save\" has both \"raw\" and \"text\"");
}

TEST(Load, RefusesBadSteps) {
  EXPECT_EQ(step_error("kernel = \"k\"\nblock = 1\n"),
            "w.toml:15: a [[step]] with \"kernel\" needs \"grid\"");
  EXPECT_EQ(step_error("kernel = \"k\"\ngrdi = 1\n"),
            "w.toml:17: unknown key \"grdi\" in [[step]]; did you mean \"grid\"?");
  EXPECT_EQ(step_error("kernel = \"k\"\nvalue = 1\n").substr(0, 61),
            "w.toml:17: unknown key \"value\" in a [[step]] with \"kernel\"; k");
  EXPECT_EQ(step_error("grid = 1\n"),
            "w.toml:15: [[step]] needs one of: kernel, concurrent, fill, copy, swap, repeat, "
            "until_clear");
  EXPECT_EQ(step_error("kernel = \"k\"\nrepeat = 3\n"),
            "w.toml:17: [[step]] has both \"kernel\" and \"repeat\"");
  EXPECT_EQ(step_error("kernel = \"k\"\ngrid = []\nblock = 1\n"),
            "w.toml:17: \"grid\" takes one to three numbers");
  EXPECT_EQ(step_error("kernel = \"k\"\ngrid = \"n / m\"\nblock = 1\n"),
            "w.toml:17: expression \"n / m\": unknown variable \"m\"; did you mean \"n\"?");
  const std::string launch = "kernel = \"k\"\ngrid = 1\nblock = 1\n";
  EXPECT_EQ(step_error(launch + "args = [1,\n{ bufer = \"a\" }]\n"),
            "w.toml:20: unknown key \"bufer\" in an argument; did you mean \"buffer\"?");
  EXPECT_EQ(step_error(launch + "args = [1,\n{ buffer = \"x\" }]\n"),
            "w.toml:20: unknown buffer \"x\"; did you mean \"a\"?");
  EXPECT_EQ(step_error(launch + "args = [{ u32 = 1, offset = 2 }]\n"),
            "w.toml:19: only \"buffer\" takes an \"offset\"");
  EXPECT_EQ(step_error(launch + "args = [{ u32 = 1, f32 = 2 }]\n"),
            "w.toml:19: an argument has both \"u32\" and \"f32\"");
  EXPECT_EQ(step_error(launch + "args = [{ struct = [1] }]\n"),
            "w.toml:19: a member of a struct needs its type, as in { u32 = 5 }");
  EXPECT_EQ(step_error(launch + "args = [{ struct = [] }]\n"), "w.toml:19: a struct needs members");
  EXPECT_EQ(step_error("fill = \"a\"\n"), "w.toml:15: a [[step]] with \"fill\" needs \"value\"");
  EXPECT_EQ(step_error("fill = \"b\"\nvalue = 1\n"),
            "w.toml:16: unknown buffer \"b\"; did you mean \"a\"?");
  EXPECT_EQ(step_error("swap = [\"a\"]\n"), "w.toml:16: \"swap\" takes two buffers");
  EXPECT_EQ(step_error("until_clear = \"a\"\n"),
            "w.toml:15: a [[step]] with \"until_clear\" needs \"max_iterations\"");
  EXPECT_EQ(step_error("repeat = 2\n"), "w.toml:15: a [[step]] with \"repeat\" needs \"step\"");
  EXPECT_EQ(step_error("repeat = 2\nindex = \"n\"\n[[step.step]]\nfill = \"a\"\nvalue = 1\n"),
            "w.toml:17: the name \"n\" is already taken");
  EXPECT_EQ(step_error("repeat = 2\nindex = \"max\"\n"),
            "w.toml:17: \"max\" cannot name a loop variable");
}

TEST(Load, ReadsLaunchesThatRunTogether) {
  const Workload workload = loaded(R"(ptx = "kernels.ptx"
[[buffer]]
name = "a"
type = "f32"
count = 4
[[step]]
[[step.concurrent]]
kernel = "first"
grid = 2
block = 32
[[step.concurrent]]
kernel = "second"
grid = 3
block = [8, 16]
registers = 20
)");
  const auto& together = std::get<Concurrent>(workload.steps.at(0).action);
  ASSERT_EQ(together.launches.size(), 2U);
  EXPECT_EQ(together.launches[1].launch.kernel, "second");
  EXPECT_EQ(together.launches[1].launch.block.size(), 2U);
  EXPECT_LT(together.launches[0].where.line, together.launches[1].where.line);
  EXPECT_EQ(launched_kernels(workload, 0), (std::set<std::string>{"first", "second"}));
  EXPECT_EQ(largest_blocks(workload, 0).at("second"), 128U);
}

TEST(Load, RefusesLaunchesThatCannotRunTogether) {
  const std::string launch = "[[step.concurrent]]\nkernel = \"k\"\ngrid = 1\nblock = 1\n";
  EXPECT_EQ(step_error(launch), "w.toml:16: \"concurrent\" takes two launches or more");
  EXPECT_EQ(step_error(launch + launch + "value = 1\n").substr(0, 63),
            "w.toml:24: unknown key \"value\" in a launch of \"concurrent\"; kno");
  EXPECT_EQ(step_error("concurrent = 3\n"),
            "w.toml:16: \"concurrent\" must be an array, not integer");
}

TEST(Load, LoopVariablesEndWithTheirLoop) {
  const std::string loop =
      "repeat = 2\nindex = \"i\"\n[[step.step]]\nfill = \"a\"\nvalue = \"i\"\n";
  EXPECT_NO_THROW(loaded(kComplete + "[[step]]\n" + loop + "[[step]]\n" + loop));
  EXPECT_EQ(step_error(loop + "[[step]]\nfill = \"a\"\nvalue = \"i\"\n"),
            "w.toml:23: expression \"i\": unknown variable \"i\"; did you mean \"n\"?");
}

TEST(Load, RefusesUnequalBuffers) {
  const std::string other = kComplete + "[[buffer]]\nname = \"b\"\ntype = \"s32\"\ncount = 64\n";
  EXPECT_EQ(error(other + "[[step]]\nswap = [\"a\", \"b\"]\n"),
            "w.toml:20: \"a\" and \"b\" differ in type or count");
  EXPECT_EQ(error(other + "[[step]]\ncopy = \"a\"\nto = \"b\"\n"),
            "w.toml:21: \"a\" and \"b\" differ in type");
}

TEST(Load, RefusesBadExpectations) {
  EXPECT_EQ(expect_error("fill = 1\n"), "w.toml:15: [[expect]] needs \"buffer\"");
  EXPECT_EQ(expect_error("buffer = \"a\"\n"),
            "w.toml:15: [[expect]] needs one of: reference, fill, range, random, values, raw, "
            "text");
  EXPECT_EQ(expect_error("buffer = \"a\"\nreference = \"matmull\"\n"),
            "w.toml:17: unknown reference \"matmull\"; did you mean \"matmul\"?");
  EXPECT_EQ(expect_error("buffer = \"a\"\nreference = \"vectoradd\"\n"),
            "w.toml:15: [[expect]] needs \"inputs\"");
  EXPECT_EQ(expect_error("buffer = \"a\"\nreference = \"sum\"\ninputs = [\"a\", \"a\"]\n"),
            "w.toml:18: reference \"sum\" takes 1 inputs, not 2: [in]: one value, the sum of all");
  EXPECT_EQ(expect_error("buffer = \"a\"\nreference = \"byte_histogram\"\ninputs = [\"a\"]\n"),
            "w.toml:18: input 1, buffer \"a\" of f32, must hold integers");
  EXPECT_EQ(expect_error("buffer = \"a\"\nreference = \"lu\"\ninputs = [\"a\", 1.5]\n"),
            "w.toml:18: input 2 must be an integer");
  EXPECT_EQ(expect_error("buffer = \"a\"\nfill = 1\ninputs = [\"a\"]\n"),
            "w.toml:18: only \"reference\" takes \"inputs\"");
  EXPECT_EQ(expect_error("buffer = \"a\"\nfill = 1\ntolerance = { absolute = -1 }\n"),
            "w.toml:18: \"absolute\" must be a number not below 0");
  EXPECT_EQ(error(kComplete + "[[buffer]]\nname = \"b\"\ntype = \"s32\"\ncount = 4\n"
                              "[[expect]]\nbuffer = \"b\"\nfill = 1\ntolerance = { ulp = 1 }\n"),
            "w.toml:22: integers take only an \"absolute\" tolerance");
}

// Lines 1 to 12: two modules, whose files exist, and a kernel of the first.
const std::string kModules = R"([[module]]
ptx = "kernels.ptx"
[[module]]
name = "second"
ptx = "kernels.ptx"
[[step]]
kernel = "k"
module = "kernels"
grid = 1
block = 1
)";

TEST(LoadModules, AreNamedAndFound) {
  const Workload workload = loaded(kModules + R"([[step]]
kernel = "k"
grid = 1
block = 1
[[symbol]]
name = "here"
variable = "there"
module = "second"
type = "u32"
)");
  ASSERT_EQ(workload.modules.size(), 2U);
  EXPECT_EQ(workload.modules[0].name, "kernels");
  EXPECT_EQ(workload.modules[1].name, "second");
  EXPECT_EQ(workload.modules[1].ptx.filename(), "kernels.ptx");
  EXPECT_EQ(std::get<LaunchStep>(workload.steps.at(0).action).module, 0U);
  EXPECT_EQ(std::get<LaunchStep>(workload.steps.at(1).action).module, std::nullopt);
  EXPECT_EQ(workload.buffers.at(0).variable, "there");
  EXPECT_EQ(workload.buffers.at(0).module, 1U);
  EXPECT_EQ(launched_kernels(workload, 1), std::set<std::string>{"k"});
}

TEST(LoadModules, AreReplacedOneByOne) {
  const test::Folder folder;
  const auto file = folder.write("w.toml", kModules);
  const std::string other = folder.write("other.ptx", "").string();
  const auto replaced = [&](const std::vector<std::string>& words) {
    LoadOptions options;
    options.ptx = words;
    return load_workload(file, options);
  };
  const Workload workload = replaced({"second=" + other});
  EXPECT_EQ(workload.modules.at(0).ptx.filename(), "kernels.ptx");
  EXPECT_EQ(workload.modules.at(1).ptx, other);
  const std::string several =
      ": " + file.string() + " has several modules, give MODULE=FILE; known: kernels, second";
  EXPECT_EQ(test::error_of([&] { replaced({other}); }), "--ptx " + other + several);
  EXPECT_EQ(test::error_of([&] { replaced({"first=x"}); }), "--ptx first=x" + several);
  EXPECT_EQ(test::error_of([&] { replaced({"second=x"}); }), "x: no such file");
  EXPECT_EQ(test::error_of([&] { replaced({"second=" + other, "second=" + other}); }),
            "--ptx second=" + other + ": the module has a file already");
}

TEST(LoadModules, RefuseBadOnes) {
  EXPECT_EQ(error(kModules + "[[module]]\nptx = \"kernels.ptx\"\n"),
            "w.toml:11: \"kernels\" is the name of two modules");
  EXPECT_EQ(error(kModules + "[[module]]\nname = \"third\"\n"),
            "w.toml:11: [[module]] needs \"ptx\"");
  EXPECT_EQ(error(kModules + "[[module]]\nname = \"a=b\"\nptx = \"k.ptx\"\n"),
            "w.toml:12: \"a=b\" cannot name a module");
  EXPECT_EQ(error("ptx = \"kernels.ptx\"\n" + kModules),
            "w.toml:1: the modules have their own \"ptx\"");
  EXPECT_EQ(error("module = []\n"), "w.toml:1: \"module\" has no modules");
  EXPECT_EQ(error(kModules + "[[step]]\nkernel = \"k\"\nmodule = \"secnd\"\ngrid = 1\nblock = 1\n"),
            "w.toml:13: unknown module \"secnd\"; did you mean \"second\"?");
  EXPECT_EQ(error(kModules + "[[symbol]]\nname = \"s\"\ntype = \"u8\"\nmodule = \"third\"\n"),
            "w.toml:14: unknown module \"third\"; known: kernels, second");
  std::string absent = kModules;
  absent.replace(absent.rfind("kernels.ptx"), 11, "absent.ptx");
  EXPECT_EQ(error(absent).substr(0, 56),
            "w.toml:5: the PTX file was not found; looked for " + error(absent).substr(49, 7));
}

TEST(LoadData, AddressesMayNameLaterBuffers) {
  const std::string table =
      "[[buffer]]\nname = \"table\"\ntype = \"u64\"\ncount = 2\ninit = { values = [0,\n"
      "{ buffer = \"late\", offset = 4 }] }\n";
  const std::string late = "[[buffer]]\nname = \"late\"\ntype = \"f16\"\ncount = 4\n";
  const Workload workload = loaded(kComplete + table + late);
  const Datum& address = workload.buffers.at(1).contents.at(0).data.at(1);
  EXPECT_EQ(address.kind, Datum::Kind::address);
  EXPECT_EQ(address.buffer, "late");
  EXPECT_EQ(error(kComplete + table), "w.toml:20: unknown buffer \"late\"; known: a, table");
}

TEST(LoadData, RefusesWhatIsNone) {
  const std::string b = "name = \"b\"\ntype = \"f32\"\ncount = 4\n";
  const auto fill = [&](const std::string& datum) {
    return buffer_error(b + "init = { fill = " + datum + " }\n");
  };
  const std::string bad_bits =
      "w.toml:19: \"bits\" must be an integer of 64 bits, not negative, or its hexadecimal digits "
      "in "
      "a string, as in \"0x7fc00001\"";
  for (const char* bits :
       {"-1", "1.5", "\"7fc0\"", "\"0x\"", "\"0x10000000000000000\"", "\"0x1g\""}) {
    EXPECT_EQ(fill(std::string("{ bits = ") + bits + " }"), bad_bits);
  }
  EXPECT_EQ(fill("{ bitz = 3 }"),
            "w.toml:19: unknown key \"bitz\" in \"fill\"; did you mean \"bits\"?");
  EXPECT_EQ(fill("{ bits = 3, f32 = 1 }"), "w.toml:19: \"fill\" has both \"f32\" and \"bits\"");
  EXPECT_EQ(fill("{ f32 = { bitz = 3 } }"),
            "w.toml:19: unknown key \"bitz\" in \"f32\"; did you mean \"bits\"?");
  EXPECT_EQ(fill("{ struct = [{ bits = 3 }] }").substr(0, 59),
            "w.toml:19: unknown key \"bits\" in a member of a struct; know");
  EXPECT_EQ(buffer_error(b + "init = { range = [{ f32 = 1 }, 1] }\n"),
            "w.toml:19: a range starts with a number or a \"buffer\"");
  EXPECT_EQ(buffer_error(b + "init = { random = [{ bits = 1 }, 1] }\n"),
            "w.toml:19: \"random\" must be a number or an expression in a string");
}

TEST(FindWorkload, TakesFilesAndNames) {
  const test::Folder folder;
  std::filesystem::create_directories(folder.path() / "demo");
  const auto file = folder.write("demo/demo.toml", "");
  EXPECT_EQ(find_workload(file.string(), "absent"), file);
  EXPECT_EQ(find_workload("demo", folder.path()), file);
  const auto other = folder.write("demo/other.toml", "");
  EXPECT_EQ(find_workload("demo/other", folder.path()), other);
  folder.write("sets.toml", "");
  EXPECT_EQ(test::error_of([&] { find_workload("deno", folder.path()); }),
            "\"deno\" is neither a launch description nor a workload; did you mean \"demo\"?");
  const auto cause = [&](const std::string& word) {
    return test::error_of([&] { find_workload(word, folder.path()); });
  };
  EXPECT_EQ(cause("absent.toml"), "absent.toml: no such file, and no workload has this name");
  EXPECT_EQ(cause("demo/absent"), "demo/absent: no such file, and no workload has this name");
  EXPECT_NE(cause("sets"), "");  // is of no family
  const std::string demo = (folder.path() / "demo").string();
  EXPECT_EQ(cause(demo), demo + ": is a folder, and no workload has this name");
  EXPECT_EQ(cause("/dev/null"), "/dev/null: is no regular file, and no workload has this name");
}

}  // namespace
}  // namespace paws
