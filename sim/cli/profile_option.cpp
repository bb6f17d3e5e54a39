// SPDX-License-Identifier: MIT
#include "sim/cli/profile_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "sim/cli/output_file.h"
#include "sim/cli/say.h"
#include "sim/profile/profile_files.h"
#include "sim/profile/profile_page.h"
#include "sim/profile/profile_text.h"
#include "sim/support/error.h"

namespace paws::cli {
namespace {

using profile::ProfileTable;

struct Format {
  const char* ending;
  void (*write)(const std::string& file, const ProfileTable& table, const Provenance& made_by);
};

constexpr std::array<Format, 4> kFormats{
    {{".csv",
      [](const std::string& file, const ProfileTable& table, const Provenance& made_by) {
        write_table(file, profile::to_csv(table, made_by));
      }},
     {".json",
      [](const std::string& file, const ProfileTable& table, const Provenance& made_by) {
        write_json(file, profile::to_json(table, made_by));
      }},
     {".callgrind",
      [](const std::string& file, const ProfileTable& table, const Provenance& made_by) {
        write_file(file, profile::to_callgrind(table, made_by));
      }},
     {".html", [](const std::string& file, const ProfileTable& table, const Provenance& made_by) {
        write_file(file, profile::to_html(table, made_by));
      }}}};

/// Throws InputError for another ending.
const Format& format_of(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  const auto* const found = std::find_if(kFormats.begin(), kFormats.end(),
                                         [&](const Format& each) { return each.ending == ending; });
  if (found != kFormats.end()) return *found;
  throw InputError(fmt::format(
      "--profile {}: the name of a profile's file ends in .csv, .json, .callgrind or .html; "
      "without a file, --profile or --profile=-, it is printed",
      file));
}

}  // namespace

void add_profile_option(CLI::App& command, ProfileArguments& arguments) {
  command
      .add_option_function<std::string>(
          "--profile",
          [&arguments](const std::string& file) {
            arguments.asked = true;
            if (file.empty() || file == "-") return;
            format_of(file);
            arguments.file = file;
          },
          "say at which lines warps wait, and what for (docs/guide/profile.md): print the worst "
          "ten, or write all to a file, which ends in .csv, .json, .callgrind or .html")
      ->expected(0, 1)
      ->type_name("[FILE]");
}

void check_profile_option(const ProfileArguments& arguments, const GpuConfig& config) {
  if (!arguments.asked) return;
  if (config.barrel()) {
    throw InputError(fmt::format(
        "--profile: the cores of {} are barrels (core.pipeline_stages), in which a warp waits for "
        "its own instruction alone: there is no profile by line of them",
        config.name));
  }
  if (!arguments.file.empty()) check_writable(arguments.file);
}

void give_profile(const ProfileArguments& arguments, const std::vector<profile::ProfiledRun>& runs,
                  const Provenance& made_by) {
  if (!arguments.asked) return;
  const ProfileTable table = profile::table_of(runs);
  if (arguments.file.empty()) {
    say("\n{}", profile::to_text(table));
  } else {
    format_of(arguments.file).write(arguments.file, table, made_by);
  }
}

}  // namespace paws::cli
