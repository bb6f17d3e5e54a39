// SPDX-License-Identifier: MIT
#include "sim/profile/profile_files.h"

#include <fmt/format.h>

#include <cctype>
#include <iterator>
#include <map>

namespace paws::profile {
namespace {

using observe::LineCounts;

/// Of the fields of `made_by`, those that the table does not say itself.
std::vector<std::pair<std::string, std::string>> facts_of(const ProfileTable& table,
                                                          const Provenance& made_by) {
  std::vector<std::pair<std::string, std::string>> facts;
  for (const auto& [name, value] : made_by.fields()) {
    const bool in_table =
        name == "workload" || (name == "scheduler" && table.schedulers.size() > 1);
    if (!in_table) facts.emplace_back(name, value);
  }
  return facts;
}

nlohmann::json figures_of(const LineCounts& counts) {
  nlohmann::json figures;
  for (const ProfileColumn& column : profile_columns()) figures[column.name] = column.value(counts);
  return figures;
}

nlohmann::json by_scheduler(const ProfileTable& table, const std::vector<LineCounts>& counts) {
  nlohmann::json figures = nlohmann::json::object();
  for (std::size_t i = 0; i < table.schedulers.size(); ++i) {
    figures[table.schedulers[i]] = figures_of(counts[i]);
  }
  return figures;
}

/// "WaitNotSelected" of "wait_not_selected": the format knows no other characters in names.
std::string event_name(const std::string& text) {
  std::string name;
  bool starts = true;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (std::isalnum(code) == 0) {
      starts = true;
      continue;
    }
    name += starts ? static_cast<char>(std::toupper(code)) : letter;
    starts = false;
  }
  return name;
}

/// A column of the figures of a scheduler.
struct Event {
  std::string name, definition;
  std::size_t scheduler = 0;
  const ProfileColumn* column = nullptr;

  [[nodiscard]] std::uint64_t of(const std::vector<LineCounts>& counts) const {
    return column->value(counts[scheduler]);
  }
};

std::vector<Event> events_of(const ProfileTable& table) {
  std::vector<Event> events;
  const bool several = table.schedulers.size() > 1;
  // What a reader sees first is the first event.
  for (const bool cycles : {true, false}) {
    for (std::size_t i = 0; i < table.schedulers.size(); ++i) {
      for (const ProfileColumn& column : profile_columns()) {
        const bool is_cycles = column.name == "warp_cycles";
        if (is_cycles != cycles || (several && !is_cycles && column.name != "issues")) continue;
        events.push_back({several ? event_name(column.name) + event_name(table.schedulers[i])
                                  : event_name(column.name),
                          several ? fmt::format("{}, {}", column.definition, table.schedulers[i])
                                  : column.definition,
                          i, &column});
      }
    }
  }
  return events;
}

/// Names of files and functions as the format writes them: with a number, and later by that alone.
class Names {
 public:
  std::string operator()(const std::string& name) {
    const auto [place, added] = numbers_.try_emplace(name, numbers_.size() + 1);
    return added ? fmt::format("({}) {}", place->second, name) : fmt::format("({})", place->second);
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

}  // namespace

std::string to_csv(const ProfileTable& table, const Provenance& made_by) {
  std::string text = "workload,kernel,file,pc,line,source_file,source_line,instruction";
  auto out = std::back_inserter(text);
  const bool several = table.schedulers.size() > 1;
  for (const std::string& scheduler : table.schedulers) {
    for (const ProfileColumn& column : profile_columns()) {
      fmt::format_to(out, ",{}{}", column.name, several ? " " + scheduler : "");
    }
  }
  std::string facts;
  for (const auto& [name, value] : facts_of(table, made_by)) {
    text += "," + name;
    facts += "," + csv_field(value);
  }
  text += '\n';
  for (const ProfileRow& row : table.rows) {
    fmt::format_to(out, "{},{},{},{},{},{},{},{}", csv_field(row.workload), csv_field(row.kernel),
                   csv_field(row.file), row.pc, row.line, csv_field(row.source_file),
                   row.source_line == 0 ? "" : std::to_string(row.source_line),
                   csv_field(row.text));
    for (const LineCounts& counts : row.counts) {
      for (const ProfileColumn& column : profile_columns()) {
        fmt::format_to(out, ",{}", column.value(counts));
      }
    }
    text += facts + '\n';
  }
  return text;
}

nlohmann::json to_json(const ProfileTable& table, const Provenance& made_by) {
  nlohmann::json json;
  for (const auto& [name, value] : facts_of(table, made_by)) json["made_by"][name] = value;
  for (const ProfileColumn& column : profile_columns()) {
    json["columns"].push_back({{"name", column.name}, {"definition", column.definition}});
  }
  json["schedulers"] = table.schedulers;
  json["total"] = by_scheduler(table, table.totals());
  nlohmann::json& rows = json["instructions"] = nlohmann::json::array();
  for (const ProfileRow& row : table.rows) {
    const bool source = row.source_line != 0;
    rows.push_back({{"workload", row.workload},
                    {"kernel", row.kernel},
                    {"file", row.file},
                    {"pc", row.pc},
                    {"line", row.line},
                    {"source_file", source ? nlohmann::json(row.source_file) : nullptr},
                    {"source_line", source ? nlohmann::json(row.source_line) : nullptr},
                    {"instruction", row.text},
                    {"figures", by_scheduler(table, row.counts)}});
  }
  return json;
}

std::string to_callgrind(const ProfileTable& table, const Provenance& made_by) {
  const std::vector<Event> events = events_of(table);
  std::string text =
      fmt::format("# callgrind format\nversion: 1\ncreator: paws {}\n", made_by.version);
  auto out = std::back_inserter(text);
  for (const auto& [name, value] : facts_of(table, made_by)) {
    if (!value.empty()) fmt::format_to(out, "desc: {}: {}\n", name, value);
  }
  text += "positions: line\n";
  for (const Event& event : events) {
    fmt::format_to(out, "event: {} : {}\n", event.name, event.definition);
  }
  text += "events:";  // For callgrind_annotate this ends the header.
  for (const Event& event : events) text += " " + event.name;
  text += "\nsummary:";
  const std::vector<LineCounts> totals = table.totals();
  for (const Event& event : events) fmt::format_to(out, " {}", event.of(totals));
  text += "\n";

  Names objects;
  Names files;
  Names functions;
  const ProfileRow* before = nullptr;
  std::string file_now;
  for (const ProfileRow& row : table.rows) {
    const bool source = row.source_line != 0;
    const std::string& file = source ? row.source_file : row.file;
    if (before == nullptr || before->workload != row.workload || before->file != row.file ||
        before->kernel != row.kernel) {
      fmt::format_to(out, "\nob={}\nfl={}\nfn={}\n", objects(row.workload), files(file),
                     functions(row.kernel));
      file_now = file;
    } else if (file != file_now) {
      // Code of another file in the function, inlined.
      fmt::format_to(out, "fi={}\n", files(file));
      file_now = file;
    }
    before = &row;
    fmt::format_to(out, "{}", source ? row.source_line : row.line);
    for (const Event& event : events) fmt::format_to(out, " {}", event.of(row.counts));
    text += '\n';
  }
  return text;
}

}  // namespace paws::profile
