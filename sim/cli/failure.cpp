// SPDX-License-Identifier: MIT
#include "sim/cli/failure.h"

#include <stdexcept>

#include "sim/cli/interrupt.h"
#include "sim/support/error.h"

namespace paws::cli {

Failure failure_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Interrupted& interrupted) {
    return {interrupted.what(), interrupted_status()};
  } catch (const CheckError& failed) {
    return {failed.what(), 1};
  } catch (const std::logic_error& failed) {
    // An invariant of the simulator itself: conservation, or a promise to the scheduler.
    return {failed.what(), 1};
  } catch (const std::exception& failed) {
    return {failed.what(), 2};
  }
}

}  // namespace paws::cli
