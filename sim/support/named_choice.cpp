// SPDX-License-Identifier: MIT
#include "sim/support/named_choice.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "sim/support/error.h"
#include "sim/support/list.h"

namespace paws {
namespace {

std::string spelled(const NamedChoice& choice) {
  return choice.parameter.empty() ? choice.name : choice.name + ":" + choice.parameter;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t comma = text.find(',');
    words.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return words;
    text.remove_prefix(comma + 1);
  }
}

/// Nothing: one of the words is no number, or zero.
std::optional<std::vector<unsigned>> numbers(const std::vector<std::string_view>& words) {
  std::vector<unsigned> found;
  for (const std::string_view word : words) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || value == 0) return {};
    found.push_back(value);
  }
  return found;
}

}  // namespace

Chosen choose(const std::vector<NamedChoice>& catalogue, std::string_view text,
              std::string_view option, std::string_view things) {
  const std::size_t colon = text.find(':');
  const auto entry =
      std::find_if(catalogue.begin(), catalogue.end(),
                   [&](const NamedChoice& choice) { return choice.name == text.substr(0, colon); });
  if (entry == catalogue.end()) {
    std::vector<std::string> names;
    names.reserve(catalogue.size());
    for (const NamedChoice& choice : catalogue) {
      if (!choice.control) names.push_back(spelled(choice));
    }
    throw InputError("unknown " + std::string(things) + " '" + std::string(text) + "' (" +
                     std::string(things) + "s: " + listed(names) + ")");
  }
  Chosen chosen{static_cast<std::size_t>(entry - catalogue.begin()), {}};
  const bool given = colon != std::string_view::npos;
  const bool wanted = !entry->parameter.empty();
  if (given && wanted) {
    const auto found = numbers(split(text.substr(colon + 1)));
    if (found && found->size() == split(entry->parameter).size()) {
      chosen.numbers = *found;
      return chosen;
    }
  } else if (!given && !wanted) {
    return chosen;
  }
  throw InputError(std::string(option) + " " + std::string(text) + ": expected " + spelled(*entry) +
                   (wanted ? ", whole numbers from 1 on" : ""));
}

}  // namespace paws
