// SPDX-License-Identifier: MIT
// Reads a configuration file of GPGPU-Sim (gpgpusim.config) as a GPU.
#pragma once

#include <string>

namespace paws {

/// A configuration file (load_gpu()) of the machine in `file`, as far as the model has it. A
/// comment per option of `file` says what has become of it. Throws InputError: for a malformed
/// line, for a number that a key does not have, for a machine that cannot be (check()).
std::string from_gpgpusim(const std::string& file);

}  // namespace paws
