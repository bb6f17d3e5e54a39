// SPDX-License-Identifier: MIT
// The library paws_engines: the engines that the first run does not need. Programs load it when
// they need one of them, so that `paws` alone is built in half of the time.
#pragma once

#include <span>

namespace paws {

/// Whether the library is there and was built from the sources that this program was built from.
bool plugin_is_built();

/// What the library's function `name` of type void(std::span<const Built>&) gives. Throws
/// EngineBuildError, with what to do, unless plugin_is_built().
void* plugin_function(const char* name);

template <class Built>
std::span<const Built> plugin_list(const char* name) {
  std::span<const Built> list;
  reinterpret_cast<void (*)(std::span<const Built>&)>(plugin_function(name))(list);
  return list;
}

}  // namespace paws
