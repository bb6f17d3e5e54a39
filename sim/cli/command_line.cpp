// SPDX-License-Identifier: MIT
#include "sim/cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/cli/output_file.h"
#include "sim/support/error.h"
#include "sim/support/suggestion.h"

namespace paws::cli {
namespace {

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::optional<std::string> near = nearest(word, known);
  return near ? fmt::format("; did you mean {}?", *near) : "";
}

std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

/// The first option that `command` does not know. What stands behind -- is no option.
std::optional<std::string> unknown_option(const CLI::App& command, const std::string& name) {
  for (const std::string& word : command.remaining()) {
    if (word == "--") break;
    if (word.size() < 2 || word.front() != '-') continue;
    const std::string option = word.substr(0, word.find('='));
    return fmt::format("unknown option {}{} ({} --help lists the options)", option,
                       did_you_mean(option, names_of_options(command)), name);
  }
  return std::nullopt;
}

std::optional<std::string> unknown_command(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining();
  if (words.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return fmt::format("unknown command {}{} (paws --help lists the commands)", words.front(),
                     did_you_mean(words.front(), names));
}

bool is_output(const CLI::Option& option) {
  constexpr std::array kOutputs{"json", "csv",         "sample", "decisions", "timeline", "wave",
                                "html", "write-trace", "output", "profile",   "report"};
  return std::any_of(kOutputs.begin(), kOutputs.end(),
                     [&option](const char* name) { return option.check_lname(name); });
}

/// The words that follow `option` in the command line; of a program only its name.
std::vector<std::string> words_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};  // a flag
  std::vector<std::string> words = option.results();
  if (option.get_name() == "program" && !words.empty()) words.resize(1);
  return words;
}

/// Throws InputError if `word`, the output of `option`, is a word of another option as well.
void check_output(const CLI::App& command, const CLI::Option& option, const std::string& word) {
  for (const CLI::Option* other : command.get_options()) {
    if (other == &option) continue;
    for (const std::string& name : words_of(*other)) {
      if (name.empty()) continue;                                // --profile without a file
      const std::string file = name.substr(name.find('=') + 1);  // --ptx MODULE=FILE
      if (!same_file(word, name) && !same_file(word, file)) continue;
      throw InputError(is_output(*other)
                           ? fmt::format("{} and {} name one file: {}", option.get_name(),
                                         other->get_name(), word)
                           : fmt::format("{} {}: is an input", option.get_name(), word));
    }
  }
}

}  // namespace

void check_values(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& word : words_of(*option)) {
      const bool needs_value = option->get_items_expected_min() > 0;
      if (word.empty() && needs_value && !option->get_positional()) {
        throw InputError(option->get_name() + ": the value is empty");
      }
      if (is_output(*option) && !word.empty()) check_output(command, *option, word);
    }
  }
}

std::optional<std::string> unknown_word(const CLI::App& app) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  // What a command has left over may stand among the words of the program as well.
  for (const CLI::App* command : commands) {
    if (command->get_prefix_command()) continue;  // hands them over
    if (auto found = unknown_option(*command, "paws " + command->get_name())) return found;
  }
  if (auto found = unknown_option(app, "paws")) return found;
  return commands.empty() ? unknown_command(app) : std::nullopt;
}

bool given(const CLI::App& command, const std::vector<std::string>& options) {
  return std::any_of(options.begin(), options.end(), [&command](const std::string& name) {
    const CLI::Option* option = command.get_option_no_throw(name);
    return option != nullptr && option->count() > 0;
  });
}

void refuse(const CLI::App& command, const std::vector<std::string>& options,
            const std::string& why) {
  for (const std::string& name : options) {
    if (given(command, {name})) throw InputError(fmt::format("{} means nothing {}", name, why));
  }
}

void refuse_without(const CLI::App& command, const std::vector<std::string>& needed,
                    const std::vector<std::string>& options) {
  if (given(command, needed)) return;
  std::vector<std::string> known;
  for (const std::string& name : needed) {
    if (command.get_option_no_throw(name) != nullptr) known.push_back(name);
  }
  refuse(command, options, fmt::format("without {}", fmt::join(known, " or ")));
}

}  // namespace paws::cli
