// SPDX-License-Identifier: MIT
#include "sim/sass/trace_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/tests/sass/support.h"

namespace paws::sass {
namespace {

using Event = TraceReader::Event;

/// Reads all of a trace, details too.
unsigned read_all(const std::filesystem::path& file) {
  TraceReader reader(file);
  unsigned instructions = 0;
  Details details;
  for (Event event = reader.next(); event != Event::end; event = reader.next()) {
    if (event != Event::instruction) continue;
    EXPECT_FALSE(reader.definition().opcode.empty());
    reader.details(details);
    ++instructions;
  }
  return instructions;
}

/// The details of a trace's first instruction.
Details first_details(const TemporaryFolder& folder, const char* line,
                      const std::string& replaced = "") {
  TraceReader reader(folder.write("t.traceg", trace_of({line}, replaced)));
  while (reader.next() != Event::instruction) {
  }
  Details details;
  reader.details(details);
  return details;
}

TEST(TraceReader, ReadsTheHeader) {
  const TemporaryFolder folder;
  std::string text = trace_of({"0000 ffffffff 0 EXIT 0 0 0"}, "-shmem = 2048");
  text.replace(text.find("(32,1,1)"), 8, "(16,5,1)");
  TraceReader reader(folder.write("t.traceg", text));
  const Header& header = reader.header();
  EXPECT_EQ(header.kernel, "k");
  EXPECT_EQ(header.grid.count(), 1U);
  EXPECT_EQ(header.block.x, 16U);
  EXPECT_EQ(header.block.y, 5U);
  EXPECT_EQ(header.warps(), 3U);
  EXPECT_EQ(lanes_of(header.block, 1), 0xffff'ffffU);
  EXPECT_EQ(lanes_of(header.block, 2), 0x0000'ffffU);
  EXPECT_EQ(header.shared_bytes, 2048U);
  EXPECT_EQ(header.registers, 8U);
  EXPECT_EQ(header.version, 5U);
  EXPECT_FALSE(header.line_numbers);
  EXPECT_EQ(header.windows.shared, 0x7f00'0100'0000U);
  EXPECT_EQ(header.windows.local, 0x7f00'0300'0000U);
  EXPECT_FALSE(header.code.given());
}

TEST(TraceReader, ReadsAnInstruction) {
  const TemporaryFolder folder;
  TraceReader reader(
      folder.write("t.traceg", trace_of({"00a0 0000ffff 2 R4 P1 IADD3.X 3 R6 UR4 UP0 0 -7 "})));
  EXPECT_EQ(reader.next(), Event::block);
  EXPECT_EQ(reader.next(), Event::warp);
  EXPECT_EQ(reader.warp_instructions(), 1U);
  EXPECT_EQ(reader.next(), Event::instruction);
  EXPECT_TRUE(reader.last_of_warp());
  EXPECT_EQ(reader.record().pc, 0xa0U);
  EXPECT_EQ(reader.record().mask, 0xffffU);
  EXPECT_EQ(reader.record().definition, "2 R4 P1 IADD3.X 3 R6 UR4 UP0");
  const Definition definition = reader.definition();
  using File = MachineRegister::File;
  EXPECT_EQ(definition.opcode, "IADD3.X");
  EXPECT_EQ(definition.destinations,
            (std::vector<MachineRegister>{{File::general, 4}, {File::predicate, 1}}));
  EXPECT_EQ(definition.sources,
            (std::vector<MachineRegister>{
                {File::general, 6}, {File::uniform, 4}, {File::uniform_predicate, 0}}));
  Details details;
  reader.details(details);
  EXPECT_EQ(details.width, 0U);
  EXPECT_EQ(details.immediates[0], -7);
  EXPECT_EQ(reader.next(), Event::end);
}

TEST(TraceReader, ReadsAddressesInAllForms) {
  const TemporaryFolder folder;
  const Details list =
      first_details(folder, "0000 80000005 1 R4 LDG.E 1 R2 4 0 0x0000000000001000 0x2000 0x10 3");
  EXPECT_EQ(list.width, 4U);
  EXPECT_EQ(list.addresses[0], 0x1000U);
  EXPECT_EQ(list.addresses[2], 0x2000U);
  EXPECT_EQ(list.addresses[31], 0x10U);
  EXPECT_EQ(list.immediates[0], 3);
  const Details stride = first_details(folder, "0000 000000f0 1 R4 LDG.E 1 R2 4 1 0x1000 -4 ");
  EXPECT_EQ(stride.addresses[4], 0x1000U);
  EXPECT_EQ(stride.addresses[7], 0xff4U);
  const Details deltas =
      first_details(folder, "0000 80000005 1 R4 LDG.E 1 R2 4 2 0x1000 16 -4096 ");
  EXPECT_EQ(deltas.addresses[0], 0x1000U);
  EXPECT_EQ(deltas.addresses[2], 0x1010U);
  EXPECT_EQ(deltas.addresses[31], 0x10U);
  const Details none = first_details(folder, "0000 00000000 1 R4 LDG.E 1 R2 4 1 0x0 0 ");
  EXPECT_EQ(none.width, 4U);
}

TEST(TraceReader, ReadsTheFormatsOfVersions3To6) {
  const TemporaryFolder folder;
  const std::string plain = trace_of({"0000 ffffffff 0 EXIT 0 0 "}, "-accelsim tracer version = 3");
  EXPECT_EQ(read_all(folder.write("3.traceg", plain)), 1U);
  const std::string immediate =
      trace_of({"0000 ffffffff 0 EXIT 0 0 0 "}, "-accelsim tracer version = 4");
  EXPECT_EQ(read_all(folder.write("4.traceg", immediate)), 1U);
  const std::string two =
      trace_of({"0000 ffffffff 0 LOP3.LUT 0 0 3 192 ", "0010 ffffffff 0 EXIT 0 0 0 0 "});
  EXPECT_EQ(read_all(folder.write("5b.traceg", two)), 2U);
  const std::string numbered = trace_of({"17 0000 ffffffff 0 EXIT 0 0 0 "}, "-enable lineinfo = 1");
  EXPECT_EQ(read_all(folder.write("5.traceg", numbered)), 1U);
  const std::string values = trace_of(
      {"0000 ffffffff 0 NOP 0 0 0 128 NoVal", "0010 ffffffff 1 R1 MOV 1 R2 0 1 2 Val 1 0x5 1 0x5",
       "0020 ffffffff 0 EXIT 0 0 0 NoVal"},
      "-accelsim tracer version = 6");
  EXPECT_EQ(read_all(folder.write("6.traceg", values)), 3U);
  EXPECT_EQ(first_details(folder, "0000 ffffffff 0 BAR.SYNC 0 0 1 64 NoVal",
                          "-accelsim tracer version = 6")
                .immediates,
            (std::array<std::int64_t, 2>{1, 64}));
}

struct BadTrace {
  const char* from;  ///< of a good trace, what is replaced
  const char* to;
  const char* message;
};

/// Two blocks of 40 threads.
std::string good_trace() {
  std::string text = header_with();
  text.replace(text.find("(1,1,1)"), 7, "(2,1,1)");
  text.replace(text.find("(32,1,1)"), 8, "(40,1,1)");
  for (int block = 0; block < 2; ++block) {
    text += "#BEGIN_TB\n\nthread block = " + std::to_string(block) + ",0,0\n\n";
    text +=
        "warp = 0\ninsts = 2\n0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x1000 4 0\n"
        "0010 ffffffff 0 EXIT 0 0 0\n\n"
        "warp = 1\ninsts = 1\n0010 000000ff 0 EXIT 0 0 0\n\n#END_TB\n\n";
  }
  return text;
}

TEST(TraceReader, SaysWhatIsWrongAndWhere) {
  const BadTrace cases[] = {
      {"-kernel name = k\n", "", "14: the header does not say '-kernel name ='"},
      {"-kernel name = k\n", "-kernel name =\n", "15: the kernel has no name"},
      {"-nregs = 8", "-nregs = many", "6: 'many' is not a number from 0 to 512"},
      {"-nregs = 8", "-nregs = 8\n-nregs = 9", "7: a second 'nregs'"},
      {"-nregs = 8", "nregs = 8",
       "6: not a trace: a header line that begins with neither '-' nor '#'"},
      {"-nregs = 8", "-nregs 8", "6: a header line without '='"},
      {"(2,1,1)", "(2,1)", "3: '(2,1)' is not three numbers"},
      {"(2,1,1)", "(2,0,1)", "15: 'grid dim' is no grid that can be launched"},
      {"(40,1,1)", "(40,40,1)",
       "15: 'block dim' is no block that can be launched: 1 to 1024 threads"},
      {"version = 5", "version = 2", "15: a trace of tracer version 2; 3 to 6 are read"},
      {"version = 5", "version = 7", "15: a trace of tracer version 7; 3 to 6 are read"},
      {"0x7f0001000000", "window", "9: 'window' is not an address"},
      {"-nregs = 8", "-paws colour = 3", "6: '-paws colour' is not known"},
      {"thread block = 1,0,0", "thread block = 2,0,0",
       "33: thread block (2,0,0) is not in the grid"},
      {"thread block = 1,0,0", "thread block = 0,0,0", "33: thread block (0,0,0) a second time"},
      {"thread block = 1,0,0", "block 1", "33: 'thread block = x,y,z' should stand here"},
      {"thread block = 1,0,0", "thread block = 1,0", "33: '1,0' is not three numbers"},
      {"#END_TB\n\n#BEGIN_TB", "#BEGIN_TB", "29: '#BEGIN_TB' inside of a thread block"},
      {"#END_TB", "#END", "29: '#END' is not known"},
      {"#BEGIN_TB\n\nthread block = 0,0,0\n\n", "",
       "16: 'warp = 0' outside of a thread block; the tracer's own files are put in blocks by "
       "post-traces-processing"},
      {"warp = 1", "warp = 2", "25: warp 2: a block has 2"},
      {"warp = 1", "warp = 0", "25: warp 0 a second time"},
      {"warp = 1\ninsts = 1\n0010 000000ff 0 EXIT 0 0 0\n", "",
       "26: the block ends without warp 1"},
      {"insts = 2", "insts = two", "21: 'insts = number' should stand here"},
      {"insts = 2", "insts = 0", "21: warp 0 has no instructions"},
      {"insts = 2", "insts = 3", "25: warp 0 says 3 instructions and has 2"},
      {"insts = 2", "insts = 1", "23: 'warp = number' should stand here"},
      {"1 R2 LDG.E", "1 X2 LDG.E", "22: 'X2' is not a register"},
      {"1 R2 LDG.E", "1 R999 LDG.E", "22: 'R999' is not a register: R0 to R255"},
      {"1 R2 LDG.E", "1 R99999999999 LDG.E", "22: 'R99999999999' is not a register"},
      {"1 R2 LDG.E", "1 UR256 LDG.E", "22: 'UR256' is not a register: UR0 to UR255"},
      {"1 R2 LDG.E", "1 P8 LDG.E", "22: 'P8' is not a register: P0 to P7"},
      {"1 R2 LDG.E", "1 UP8 LDG.E", "22: 'UP8' is not a register: UP0 to UP7"},
      {"1 R4 4 1", "1 R256 4 1", "22: 'R256' is not a register: R0 to R255"},
      {"1 R4 4 1", "1 R4 33 1", "22: an access of 33 bytes per lane; 32 are the most"},
      {"-nregs = 8", "-nregs = 513", "6: '513' is not a number from 0 to 512"},
      {"1 R2 LDG.E", "99 R2 LDG.E", "22: 99 registers of an instruction"},
      {"1 R2 LDG.E", "one R2 LDG.E", "22: 'one' where the number of destinations should stand"},
      {"0000 ffffffff", "0000 fffffffff", "22: 'fffffffff' where a mask should stand"},
      {"0000 ffffffff", "00g0 ffffffff", "22: '00g0' where a pc should stand"},
      {"4 1 0x1000 4 0", "4", "22: the line ends before the form of the addresses"},
      {"4 1 0x1000 4 0", "4 3 0x1000 4 0", "22: addresses in form 3; 0, 1 and 2 are known"},
      {"4 1 0x1000 4 0", "4 0 0x1000 0x2000", "22: the line ends before an address"},
      {"4 1 0x1000 4 0", "4 2 0x1000 4 4", "22: the line ends before a difference"},
      {"4 1 0x1000 4 0", "4 1 0x1000 4 0 0 9", "22: '9' behind the end of the instruction"},
      {"4 1 0x1000 4 0", "4 1 0x1000 4 x", "22: 'x' where an immediate should stand"},
      {"ffffffff 1 R2 LDG.E", "ffff00ff 1 R2 LDG.E",
       "22: a base and a stride for lanes that are not in one row"},
      {"1 R4 4 1", "1", "22: '0x1000' is not a register"},
  };
  const TemporaryFolder folder;
  const std::string good = good_trace();
  EXPECT_EQ(read_all(folder.write("t", good)), 6U);
  for (const BadTrace& one : cases) {
    std::string text = good;
    ASSERT_NE(text.find(one.from), std::string::npos) << one.from;
    text.replace(text.find(one.from), std::string(one.from).size(), one.to);
    EXPECT_EQ(failure_in(folder, [&] { read_all(folder.write("t", text)); }),
              std::string("t:") + one.message)
        << one.from << " -> " << one.to;
  }
}

TEST(TraceReader, SaysThatAFileIsNoTrace) {
  const TemporaryFolder folder;
  const auto failure = [&](const std::string& text) {
    return failure_in(folder, [&] { read_all(folder.write("t", text)); });
  };
  EXPECT_EQ(failure(""), "t: not a trace: it has no header");
  EXPECT_EQ(failure("hello\n"),
            "t:1: not a trace: a header line that begins with neither '-' nor '#'");
  EXPECT_EQ(failure("#include <x>\n"), "t:1: the header does not say '-kernel name ='");
}

// Our own keys, which bring the whole code along.
TEST(TraceReader, ReadsWholeCode) {
  const TemporaryFolder folder;
  const std::string own =
      "-paws local bytes = 24\n-paws code = 0000 2 R4 P0 IADD3 2 R6 P1 3 -1\n"
      "-paws code = 0010 0 BRA 0 0 0\n-paws targets = 0010 0000 0020\n-paws blocks = 0010 0020\n";
  std::string text = trace_of({"0000 ffffffff 0 EXIT 0 0 0"});
  text.insert(text.find("\n#traces"), own);
  const TraceReader reader(folder.write("t", text));
  const WholeCode& code = reader.header().code;
  ASSERT_TRUE(code.given());
  ASSERT_EQ(code.lines.size(), 2U);
  EXPECT_EQ(code.lines[0].definition.opcode, "IADD3");
  EXPECT_EQ(code.lines[0].immediates, (std::array<std::int64_t, 2>{3, -1}));
  EXPECT_EQ(code.lines[1].pc, 0x10U);
  ASSERT_EQ(code.targets.size(), 1U);
  EXPECT_EQ(code.targets[0].to, (std::vector<std::uint32_t>{0, 0x20}));
  EXPECT_EQ(code.blocks, (std::vector<std::uint32_t>{0x10, 0x20}));
  EXPECT_EQ(code.local_bytes, 24U);
  for (const auto& [from, to, message] :
       {BadTrace{"-paws code = 0010", "-paws code = zero", "16: 'zero' where a pc should stand"},
        BadTrace{"BRA 0 0 0", "BRA 0 0", "16: the line ends before an immediate"},
        BadTrace{"BRA 0 0 0", "BRA 0 0 0 0", "16: words behind the end of the instruction"},
        BadTrace{"0010 0020\n", "x\n", "18: 'x' where a pc should stand"},
        BadTrace{"= 24", "= 600000", "14: '600000' is not a number from 0 to 524288"}}) {
    std::string bad = text;
    bad.replace(bad.rfind(from), std::string(from).size(), to);
    EXPECT_EQ(failure_in(folder, [&] { TraceReader(folder.write("t", bad)); }),
              std::string("t:") + message);
  }
}

// A trace that is cut behind any of its lines, or in the middle of one, is never taken for a whole
// one.
TEST(TraceReader, NoticesThatATraceIsCut) {
  const TemporaryFolder folder;
  const std::string good = good_trace();
  const std::size_t whole = good.rfind("#END_TB") + 7;
  for (std::size_t length = 0; length < whole; ++length) {
    const bool at_end = length > 0 && (good[length] == '\n' || good[length - 1] == '\n');
    if (!at_end && length % 9 != 0) continue;
    const std::string message =
        failure_in(folder, [&] { read_all(folder.write("t", good.substr(0, length))); });
    EXPECT_NE(message, "") << "cut behind " << length << " bytes";
    EXPECT_EQ(message.substr(0, 2), "t:") << message;
  }
  EXPECT_EQ(read_all(folder.write("t", good.substr(0, whole))), 6U);
  const auto message_without = [&](const char* from) {
    return failure_in(folder,
                      [&] { read_all(folder.write("t", good.substr(0, good.rfind(from)))); });
  };
  EXPECT_EQ(message_without("#BEGIN_TB"), "t:30: the file has 1 of the grid's 2 thread blocks");
  EXPECT_EQ(message_without("#END_TB"), "t:43: the file ends in a thread block");
  EXPECT_EQ(message_without("0010 000000ff"),
            "t:41: the file ends in warp 1, 1 instructions before the warp's end");
}

}  // namespace
}  // namespace paws::sass
