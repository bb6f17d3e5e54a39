// SPDX-License-Identifier: MIT
#include "sim/sanitize/checking_runner.h"

#include <memory>
#include <vector>

#include "sim/sanitize/block_check.h"

namespace paws::sanitize {

void CheckingRunner::run_together(std::span<const KernelLaunch> launches, DeviceMemory& memory) {
  std::vector<std::shared_ptr<Session>> sessions;
  std::vector<KernelLaunch> watched;
  for (const KernelLaunch& launch : launches) {
    const auto session = std::make_shared<Session>(launch, ++launches_);
    sessions.push_back(session);
    watched.push_back(launch);
    watched.back().observe = [session] { return std::make_unique<BlockCheck>(session); };
  }
  const auto collect = [&] {
    for (const auto& session : sessions) {
      FindingLog all = session->races.log();
      for (const FindingLog& log : session->logs) all.merge(log);
      all.add_to(report_);
    }
  };
  try {
    runner_.run_together(watched, memory);
  } catch (...) {
    collect();
    throw;
  }
  collect();
}

}  // namespace paws::sanitize
