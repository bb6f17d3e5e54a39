// SPDX-License-Identifier: MIT
// What the program says on stdout and stderr. A stream that takes nothing more, such as one to a
// full disk, does not end the work, whose files may still be written: main() asks at the end
// whether all that was said has been taken.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace paws::cli {

/// Any thread may call it.
void put(std::FILE* stream, const std::string& text);

template <typename... Values>
void say(std::FILE* stream, fmt::format_string<Values...> format, Values&&... values) {
  put(stream, fmt::format(format, std::forward<Values>(values)...));
}

template <typename... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  put(stdout, fmt::format(format, std::forward<Values>(values)...));
}

/// What has been said until now is seen now, by a reader at the other end of a pipe, too.
void flush_stdout();

/// Before anything is said: throws InputError if stdout is closed. What else of the three streams
/// is closed becomes /dev/null, so that no file gets its number and what is said to it. From now on
/// a file that is larger than ulimit allows is an error of writing.
void check_streams();

/// Flushes. Throws InputError if stdout has not taken everything.
void check_all_is_said();

}  // namespace paws::cli
