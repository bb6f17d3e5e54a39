// SPDX-License-Identifier: MIT
// Libraries that write to files by way of memory (FST's does) end the program with SIGBUS where the
// disk is full. Here such a write goes nowhere instead, and is remembered.
#pragma once

namespace paws::trace {

/// While one lives, writes of this thread to mapped files may fail. Elsewhere SIGBUS is as ever.
class MappedWrites {
 public:
  MappedWrites();
  ~MappedWrites();
  MappedWrites(const MappedWrites&) = delete;
  MappedWrites& operator=(const MappedWrites&) = delete;

  /// Whether one has failed, at any time in any thread.
  static bool failed();
};

}  // namespace paws::trace
