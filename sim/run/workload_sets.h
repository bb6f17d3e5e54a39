// SPDX-License-Identifier: MIT
// Named sets of workloads, which workloads/sets.toml describes.
#pragma once

#include <string>
#include <vector>

namespace paws {

struct SetMember {
  std::string workload;  ///< as `paws run` takes it
  std::string bound;     ///< what bounds it on the set's GPU
};

struct WorkloadSet {
  std::string name;
  std::string description;
  std::string gpu;                 ///< runs the set where the user names none
  std::string engine;              ///< likewise
  std::vector<SetMember> members;  ///< in the order of their names
};

/// The set of this name. Throws InputError when there is none, with the names of all sets, and when
/// the file of sets is wrong, with file and line.
WorkloadSet workload_set(const std::string& name);

}  // namespace paws
