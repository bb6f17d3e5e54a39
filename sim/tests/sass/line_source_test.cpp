// SPDX-License-Identifier: MIT
#include "sim/sass/line_source.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/tests/sass/support.h"

namespace paws::sass {
namespace {

std::vector<std::string> lines_in(const std::filesystem::path& file) {
  LineSource source(file);
  std::vector<std::string> lines;
  for (std::string_view line; source.next(line);) {
    lines.emplace_back(line);
    EXPECT_EQ(source.line(), lines.size());
  }
  return lines;
}

TEST(LineSource, GivesLinesOfAnyLengthAndEnd) {
  const TemporaryFolder folder;
  const std::string full(LineSource::kLongestLine, 'x');
  const auto file = folder.write("t", "one\r\n\n" + full + "\nlast");
  EXPECT_EQ(lines_in(file), (std::vector<std::string>{"one", "", full, "last"}));
  EXPECT_TRUE(lines_in(folder.write("empty", "")).empty());
}

TEST(LineSource, ReadsCompressedFilesWhateverTheirName) {
  const TemporaryFolder folder;
  std::string text;
  for (std::int64_t i = 0; i < 50'000; ++i) text += "line " + std::to_string(i * i) + "\n";
  const auto plain = lines_in(folder.write("plain", text));
  ASSERT_EQ(plain.size(), 50'000U);
  EXPECT_EQ(lines_in(folder.write("t.xz", compressed(text))), plain);
  EXPECT_EQ(lines_in(folder.write("t.traceg", compressed(text) + compressed("more\n"))).back(),
            "more")
      << "two streams in a row";
}

TEST(LineSource, SaysWhereAFileIsBroken) {
  const TemporaryFolder folder;
  const auto failure = [&](const char* name, const std::string& text) {
    return failure_in(folder, [&] { lines_in(folder.write(name, text)); });
  };
  EXPECT_EQ(failure("long", "a\n" + std::string(LineSource::kLongestLine + 1, 'x') + "\n"),
            "long:2: a line of more than 65536 bytes: not a trace");
  EXPECT_EQ(failure("zero", std::string("a\nb\0c\n", 6)), "zero:2: a zero byte: not a trace");
  const std::string whole = compressed("one\ntwo\n");
  EXPECT_EQ(failure("cut.xz", whole.substr(0, whole.size() - 10)),
            "cut.xz:1: the compressed data ends early");
  std::string broken = whole;
  broken[whole.size() / 2] ^= 0x55;
  EXPECT_EQ(failure("broken.xz", broken), "broken.xz:1: the compressed data is broken");
  EXPECT_EQ(failure_in(folder, [&] { lines_in(folder.path() / "absent"); }),
            "absent: no such file");
  EXPECT_EQ(failure_in(folder, [&] { lines_in(folder.path() / "."); }), ".: is a folder");
}

}  // namespace
}  // namespace paws::sass
