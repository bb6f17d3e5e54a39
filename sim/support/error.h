// SPDX-License-Identifier: MIT
// Errors that end a run, and the exit status they map to.
#pragma once

#include <stdexcept>
#include <string>

namespace paws {

/// Bad input or bad usage: exit status 2. what() is one line: "file:line: cause", as far as known.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& cause) : std::runtime_error(cause) {}
  InputError(const std::string& file, const std::string& cause)
      : std::runtime_error(file + ": " + cause) {}
  InputError(const std::string& file, unsigned long line, const std::string& cause)
      : std::runtime_error(file + ":" + std::to_string(line) + ": " + cause) {}
};

/// A check that did not hold: wrong result, lockstep mismatch. Exit status 1.
class CheckError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The user has had enough. what() is one line that says how far the work got.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace paws
