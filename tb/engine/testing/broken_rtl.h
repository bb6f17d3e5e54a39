// SPDX-License-Identifier: MIT
// For tests of what is left and printed when RTL and model disagree.
#pragma once

#include <filesystem>
#include <string>

namespace paws::testing_rtl {

/// Copies into the new folder `copy` what engines and waves are built from, with a fault in the
/// RTL: round robin may choose the warp that it chose last although others ask. Throws if the RTL
/// has no place for it.
void copy_with_fault(const std::filesystem::path& copy);

/// The whole file; empty if there is none.
std::string content(const std::filesystem::path& path);

/// What follows the first `label` in `text`, up to the end of the line; empty without it.
std::string line_after(const std::string& text, const std::string& label);

}  // namespace paws::testing_rtl
