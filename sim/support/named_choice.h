// SPDX-License-Identifier: MIT
// A catalogue of things that are chosen by name on the command line, some with numbers behind it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace paws {

/// An entry of a catalogue, as `paws list` tells it.
struct NamedChoice {
  std::string name;
  /// What follows the name and a colon: a letter for each number, "N" or "N,M"; empty: nothing
  /// does.
  std::string parameter;
  std::string rule;      ///< one sentence
  bool control = false;  ///< a negative control of a study: no list that users choose from has it
};

/// What a user has chosen: an entry of the catalogue, and the numbers of its parameter, from 1 on.
struct Chosen {
  std::size_t entry = 0;
  std::vector<unsigned> numbers;
};

/// Reads `text` ("lcs", "limit:3"), the value of `option` ("--blocks"). Throws InputError: an
/// unknown name is told with all `things` ("block scheduler"), a wrong parameter with what is
/// expected.
Chosen choose(const std::vector<NamedChoice>& catalogue, std::string_view text,
              std::string_view option, std::string_view things);

}  // namespace paws
