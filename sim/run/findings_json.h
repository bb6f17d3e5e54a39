// SPDX-License-Identifier: MIT
// What the check of kernels has found, for scripts.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/sanitize/finding.h"

namespace paws {

/// {"findings": [...]}, as docs/guide/check.md describes.
nlohmann::json to_json(const sanitize::Report& report);

}  // namespace paws
