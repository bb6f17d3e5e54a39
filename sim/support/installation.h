// SPDX-License-Identifier: MIT
// Where presets, workloads and libraries are: in the project, or, of an installed `paws`, in its
// prefix, which has the same folders below share/paws (the project's) and lib/paws (the build's).
#pragma once

#include <filesystem>

namespace paws {

/// For main(): a program in PREFIX/bin uses what is in PREFIX, and so do those that it starts
/// ($PAWS_PREFIX). No thread may run yet.
void use_installation();

std::filesystem::path project_folder();
std::filesystem::path build_folder();

}  // namespace paws
