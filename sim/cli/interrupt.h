// SPDX-License-Identifier: MIT
// Ctrl-C and SIGTERM: work in progress ends in good order, output files stay as they were.
#pragma once

namespace paws::cli {

/// From now on the first SIGINT or SIGTERM is only noted; another one, some seconds later, ends the
/// program at once.
void note_interrupts();

/// Whether one has been noted. May be called by any thread.
bool interrupted();

/// The exit status that a shell expects: 128 + the signal's number.
int interrupted_status();

}  // namespace paws::cli
