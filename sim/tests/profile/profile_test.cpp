// SPDX-License-Identifier: MIT
// Tables, files and pages of profiles that are written by hand.

#include <gtest/gtest.h>

#include <sstream>

#include "sim/profile/profile_files.h"
#include "sim/profile/profile_page.h"
#include "sim/profile/profile_table.h"
#include "sim/profile/profile_text.h"
#include "sim/run/profile_json.h"
#include "sim/tests/support/temporary_folder.h"

namespace paws::profile {
namespace {

using observe::LineCounts;
using observe::Profile;
using observe::Wait;

/// So many issues, `memory` warp cycles waited for memory, and some for other reasons.
LineCounts counts(std::uint64_t issues, std::uint64_t memory) {
  LineCounts counts;
  counts.issues = issues;
  counts.waits[static_cast<std::size_t>(Wait::memory)] = memory;
  counts.waits[static_cast<std::size_t>(Wait::not_selected)] = issues;
  counts.path_threads = 32 * issues;
  counts.thread_instructions = 16 * issues;
  counts.l1_accesses = 4 * issues;
  counts.l1_misses = 3 * issues;
  counts.shared_accesses = issues;
  counts.shared_conflict_cycles = 7 * issues;
  return counts;
}

/// A kernel with two lines of k.cu, one of them inlined from k.h in between, and one of the PTX.
Profile profile_of(std::uint64_t factor) {
  return {{{"kernel<int>",
            "k.ptx",
            {{"ld.global.u32 %r1, [%rd0]", 20, "k.cu", 2, counts(2, 0)},
             {"add.u32 %r2, %r1, 1", 21, "k.h", 3, counts(2, 100 * factor)},
             {"add.u32 %r3, %r2, 1", 22, "k.cu", 2, counts(2, 40)},
             {"ret", 23, "", 0, counts(2, 0)}}}}};
}

ProfileTable one() { return table_of({{"k", "single:rr", profile_of(1)}}); }
ProfileTable two() {
  return table_of({{"k", "single:rr", profile_of(1)}, {"k", "two-level:paws", profile_of(3)}});
}

Provenance made_by() {
  Provenance made_by;
  made_by.version = "1.2.3";
  made_by.gpu = "m2090";
  made_by.scheduler = "single:rr";
  return made_by;
}

TEST(ProfileTable, LinesGatherTheirInstructions) {
  const ProfileTable table = one();
  ASSERT_EQ(table.rows.size(), 4U);
  const std::vector<ProfileLine> lines = lines_of(table);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].file, "k.cu");
  EXPECT_EQ(lines[0].line, 2U);
  EXPECT_EQ(lines[0].rows, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(lines[0].counts[0].issues, 4U);
  EXPECT_EQ(lines[0].waited(), 44U);
  EXPECT_EQ(lines[1].file, "k.h");
  EXPECT_EQ(lines[2].file, "k.ptx");
  EXPECT_EQ(lines[2].line, 23U);
  EXPECT_EQ(table.totals()[0], profile_of(1).total());
}

TEST(ProfileTable, SchedulersStandBesideEachOtherAndLikeRunsAreSummed) {
  EXPECT_EQ(two().schedulers, (std::vector<std::string>{"single:rr", "two-level:paws"}));
  EXPECT_EQ(two().rows.size(), 4U);
  EXPECT_EQ(two().rows[1].counts[0].waited_for(Wait::memory), 100U);
  EXPECT_EQ(two().rows[1].counts[1].waited_for(Wait::memory), 300U);
  const ProfileTable twice =
      table_of({{"k", "single:rr", profile_of(1)}, {"k", "single:rr", profile_of(1)}});
  EXPECT_EQ(twice.rows[1].counts[0].waited_for(Wait::memory), 200U);
  // One of them has failed.
  const ProfileTable other =
      table_of({{"k", "single:rr", profile_of(1)}, {"l", "single:gto", profile_of(1)}});
  EXPECT_EQ(other.rows.size(), 8U);
  EXPECT_EQ(other.rows[0].counts[1], LineCounts{});
  EXPECT_TRUE(other.has_workloads());
  EXPECT_FALSE(two().has_workloads());
}

TEST(ProfileTable, EveryReasonHasItsColumnAndAllColumnsOfWaitsAreTheWait) {
  LineCounts counted;
  counted.issues = 1;
  for (unsigned i = 0; i < observe::kWaits; ++i) counted.waits[i] = 10 + i;
  std::uint64_t sum = 0;
  std::uint64_t cycles = 0;
  for (const ProfileColumn& column : profile_columns()) {
    if (column.name.starts_with("wait_")) sum += column.value(counted);
    if (column.name == "warp_cycles") cycles = column.value(counted);
  }
  EXPECT_EQ(sum, counted.waited());
  EXPECT_EQ(cycles, sum + 1);
  for (unsigned i = 0; i < observe::kWaits; ++i) {
    const auto reason = static_cast<Wait>(i);
    const auto column =
        std::find_if(profile_columns().begin(), profile_columns().end(),
                     [&](const ProfileColumn& each) { return each.name == column_of(reason); });
    ASSERT_NE(column, profile_columns().end()) << column_of(reason);
    EXPECT_EQ(column->value(counted), 10 + i);
  }
}

TEST(ProfileText, TheWorstLineComesFirst) {
  const std::string text = to_text(one(), 2);
  EXPECT_NE(text.find("the 2 of 3 lines at which warps waited longest, in % of 156 warp cycles"),
            std::string::npos)
      << text;
  const std::size_t first = text.find("k.h:3  add.u32 %r2, %r1, 1");
  const std::size_t second = text.find("k.cu:2  ld.global.u32 %r1, [%rd0]");
  EXPECT_LT(first, second) << text;
  EXPECT_NE(second, std::string::npos);
  EXPECT_NE(text.find("memory 98 %, not selected 2 %"), std::string::npos) << text;
  EXPECT_EQ(text.find("k.ptx"), std::string::npos);
}

TEST(ProfileText, SeveralSchedulersHaveAColumnEach) {
  const std::string text = to_text(two());
  EXPECT_NE(text.find("single:rr"), std::string::npos);
  EXPECT_NE(text.find("two-level:paws"), std::string::npos);
  EXPECT_NE(text.find("102 memory"), std::string::npos) << text;
  EXPECT_NE(text.find("302 memory"), std::string::npos) << text;
}

TEST(ProfileCsv, ALinePerInstruction) {
  const std::string text = to_csv(one(), made_by());
  std::istringstream lines(text);
  std::string names;
  std::string row;
  std::getline(lines, names);
  std::getline(lines, row);
  std::getline(lines, row);
  EXPECT_TRUE(
      names.starts_with("workload,kernel,file,pc,line,source_file,source_line,instruction,"
                        "issues,warp_cycles,wait_memory,"))
      << names;
  EXPECT_TRUE(row.starts_with("k,kernel<int>,k.ptx,1,21,k.h,3,\"add.u32 %r2, %r1, 1\",2,104,100,"))
      << row;
  EXPECT_EQ(std::count(names.begin(), names.end(), ',') + 2,
            std::count(row.begin(), row.end(), ','));
  EXPECT_NE(names.find(",scheduler"), std::string::npos);
  EXPECT_NE(to_csv(two(), made_by()).find(",wait_memory two-level:paws,"), std::string::npos);
}

TEST(ProfileJson, FiguresByScheduler) {
  const nlohmann::json json = to_json(two(), made_by());
  EXPECT_EQ(json.at("schedulers").size(), 2U);
  EXPECT_EQ(json.at("total").at("two-level:paws").at("wait_memory"), 340);
  const nlohmann::json& row = json.at("instructions").at(1);
  EXPECT_EQ(row.at("source_line"), 3);
  EXPECT_EQ(row.at("figures").at("single:rr").at("wait_memory"), 100);
  EXPECT_TRUE(json.at("instructions").at(3).at("source_file").is_null());
  EXPECT_EQ(json.at("columns").size(), profile_columns().size());
  EXPECT_EQ(json.at("made_by").at("version"), "1.2.3");
}

TEST(ProfileJson, AProfileComesBackAsItWas) {
  EXPECT_TRUE(profile_from(paws::to_json(profile_of(5))) == profile_of(5));
  EXPECT_THROW(profile_from(nlohmann::json::parse(R"([{"name": "k"}])")),
               nlohmann::json::exception);
}

/// Sums of the costs of a file in callgrind's format, by name of event, and by file and line of
/// the first event.
struct Callgrind {
  explicit Callgrind(const std::string& text) {
    std::istringstream lines(text);
    std::vector<std::string> events;
    std::map<std::string, std::string> names;  // of files, by number in brackets
    std::string file;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string word;
      words >> word;
      if (word == "events:") {
        for (std::string event; words >> event;) events.push_back(event);
      } else if (word == "summary:") {
        for (std::uint64_t cost = 0; words >> cost;) summary.push_back(cost);
      } else if (line.starts_with("fl=") || line.starts_with("fi=")) {
        const std::size_t end = line.find(')');
        const std::string number = line.substr(3, end - 2);
        if (end + 1 < line.size()) names[number] = line.substr(end + 2);
        file = names.at(number);
      } else if (!word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
        for (std::size_t i = 0; i < events.size(); ++i) {
          std::uint64_t cost = 0;
          EXPECT_TRUE(words >> cost) << line;
          sums[events[i]] += cost;
          if (i == 0) by_line[file + ":" + word] += cost;
        }
      }
    }
    first = events.at(0);
    for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(summary.at(i), sums[events[i]]);
  }
  std::string first;
  std::vector<std::uint64_t> summary;
  std::map<std::string, std::uint64_t> sums, by_line;
};

TEST(ProfileCallgrind, CostsAreThoseOfTheLines) {
  const Callgrind file(to_callgrind(one(), made_by()));
  EXPECT_EQ(file.first, "WarpCycles");
  EXPECT_EQ(file.sums.size(), profile_columns().size());
  EXPECT_EQ(file.sums.at("WarpCycles"), 156U);
  EXPECT_EQ(file.sums.at("WaitNotSelected"), 8U);
  EXPECT_EQ(file.by_line.at("k.cu:2"), 48U);
  EXPECT_EQ(file.by_line.at("k.h:3"), 104U);
  EXPECT_EQ(file.by_line.at("k.ptx:23"), 4U);
}

TEST(ProfileCallgrind, SeveralSchedulersHaveEventsOfTheirOwn) {
  const std::string text = to_callgrind(two(), made_by());
  const Callgrind file(text);
  EXPECT_EQ(file.first, "WarpCyclesSingleRr");
  EXPECT_EQ(file.sums.at("WarpCyclesTwoLevelPaws"), 356U);
  EXPECT_EQ(file.sums.at("IssuesTwoLevelPaws"), 8U);
  // What stands behind the line of events is no header for callgrind_annotate.
  EXPECT_LT(text.rfind("\nevent: "), text.find("\nevents: "));
}

TEST(ProfilePage, IsWholeAndNeedsNoNetwork) {
  for (const ProfileTable& table : {one(), two()}) {
    const std::string page = to_html(table, made_by());
    EXPECT_EQ(page.find("http"), std::string::npos);
    EXPECT_EQ(page.find("<link"), std::string::npos);
    EXPECT_EQ(page.find(" src="), std::string::npos);
    EXPECT_EQ(page.find("<!--title"), std::string::npos);
    EXPECT_EQ(page.find("<!--lines"), std::string::npos);
    EXPECT_NE(page.find("prefers-color-scheme: dark"), std::string::npos);
    for (const char* place : {"k.cu:2<", "k.h:3<", "k.ptx:23<"}) {
      EXPECT_NE(page.find(place), std::string::npos) << place;
    }
    for (const std::string& scheduler : table.schedulers) {
      EXPECT_NE(page.find(scheduler), std::string::npos);
    }
    // What a bar shows stands beside it in words.
    EXPECT_NE(page.find("memory 98&nbsp;%, not selected 2&nbsp;%"), std::string::npos);
  }
}

TEST(ProfilePage, ShowsTheSourceAroundTheLines) {
  const TemporaryFolder folder;
  folder.write("page.cu", "// <top>\n  int a = b && c;\n// end\n");
  Profile profile = profile_of(1);
  profile.kernels[0].file = (folder.path() / "page.ptx").string();
  for (auto& instruction : profile.kernels[0].code) {
    if (instruction.source_file == "k.cu") instruction.source_file = "page.cu";
  }
  const std::string page = to_html(table_of({{"k", "single:rr", profile}}), made_by());
  EXPECT_NE(page.find("// &lt;top&gt;"), std::string::npos);
  EXPECT_NE(page.find("  int a = b &amp;&amp; c;"), std::string::npos);
}

}  // namespace
}  // namespace paws::profile
