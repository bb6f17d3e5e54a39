// SPDX-License-Identifier: MIT
#include "sim/sanitize/checking_runner.h"

#include <memory>

#include "sim/sanitize/block_check.h"

namespace paws::sanitize {

void CheckingRunner::run(const KernelLaunch& launch, DeviceMemory& memory) {
  const auto session = std::make_shared<Session>(launch, ++launches_);
  KernelLaunch watched = launch;
  watched.observe = [session] { return std::make_unique<BlockCheck>(session); };
  const auto collect = [&] {
    FindingLog all;
    for (const FindingLog& log : session->logs) all.merge(log);
    all.add_to(report_);
  };
  try {
    runner_.run(watched, memory);
  } catch (...) {
    collect();
    throw;
  }
  collect();
}

}  // namespace paws::sanitize
