// SPDX-License-Identifier: MIT
#include "sim/core/bulk_copy_unit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/memory/memory_system.h"
#include "sim/tests/core/settle.h"

namespace paws::core {
namespace {

using ir::CopyKind;

struct CopiesDone : BulkCopyClient {
  struct Done {
    std::uint32_t warp;
    CopyKind kind;
    std::uint32_t copy;
    bool operator==(const Done&) const = default;
  };
  void bulk_done(std::uint32_t warp, CopyKind kind, std::uint32_t copy) override {
    list.push_back({warp, kind, copy});
  }
  std::vector<Done> list;
};

/// The engine of core 0 and its memory system, whose slices tell the cores to stop soon.
class BulkCopyUnitTest : public testing::Test {
 protected:
  static GpuConfig gpu() {
    GpuConfig config = load_gpu("m2090");
    config.bulk.interval = 1;
    config.l2.queue = 1;
    return config;
  }

  /// Lane 0 copies `bytes` at `address`.
  void push(CopyKind kind, std::uint32_t copy, std::uint64_t address, std::uint32_t bytes) {
    exec::Outcome outcome;
    outcome.active = bytes == 0 ? 0 : 1;
    outcome.addresses[0] = address;
    outcome.bulk_bytes[0] = bytes;
    unit_.push({0, 3}, kind, copy, outcome);
  }

  GpuConfig config_ = gpu();
  memory::MemorySystem memory_{config_};
  memory::Port& port_ = memory_.port(0);
  CoreStatistics statistics_;
  CopiesDone client_;
  BulkCopyUnit unit_{config_, port_, client_, statistics_};
};

TEST_F(BulkCopyUnitTest, SendsARequestForEachLineInTheOrderOfIssue) {
  push(CopyKind::bulk_store, 5, 16, 256);  // three lines
  push(CopyKind::bulk_load, 9, 1024, 128);
  push(CopyKind::bulk_load, 10, 0, 0);
  const CopiesDone::Done nothing{3, CopyKind::bulk_load, 10};
  EXPECT_EQ(client_.list, std::vector{nothing}) << "no lane copies anything";
  std::uint64_t cycle = 0;
  while (statistics_.store_transactions < 3) {
    ASSERT_LT(cycle, 1000U);
    EXPECT_EQ(statistics_.bypass_transactions, 0U);
    unit_.step(cycle++);
  }
  const CopiesDone::Done read{3, CopyKind::bulk_read, 5};
  EXPECT_EQ(client_.list, (std::vector{nothing, read})) << "the source";
  while (unit_.busy()) {
    ASSERT_LT(cycle, 1000U);
    unit_.step(cycle++);
  }
  EXPECT_EQ(unit_.outstanding_stores(), 3U);
  EXPECT_EQ(unit_.outstanding_loads(), 1U);
  settle(memory_, cycle, [&](const memory::Response& response) {
    EXPECT_TRUE(BulkCopyUnit::owns(response));
    unit_.respond(response);
  });
  EXPECT_EQ(unit_.outstanding_stores() + unit_.outstanding_loads(), 0U);
  ASSERT_EQ(client_.list.size(), 4U);
  const CopiesDone::Done written{3, CopyKind::bulk_store, 5};
  const CopiesDone::Done come{3, CopyKind::bulk_load, 9};
  EXPECT_EQ(std::count(client_.list.begin(), client_.list.end(), written), 1);
  EXPECT_EQ(std::count(client_.list.begin(), client_.list.end(), come), 1);
}

/// As of the load-store unit: a cycle counts if the request could have left the core.
TEST_F(BulkCopyUnitTest, CountsAStopOnlyWhileItsPortHasRoom) {
  // The other cores ask a slice for more than it takes, for a while.
  for (std::uint32_t core = 1; core < config_.cores; ++core) {
    for (std::uint32_t n = 0; n < 8; ++n) {
      memory_.port(core).send({memory::RequestKind::load, core, 0, memory::kLineBytes, 1, n}, 0);
    }
  }
  std::uint64_t cycle = 0;
  while (!port_.stopped(0) && cycle < 1000) {
    memory_.exchange();
    memory_.advance(cycle + 1);
    memory_.exchange();
    port_.listen(++cycle);
  }
  while (port_.can_send(cycle)) {
    port_.send({memory::RequestKind::store, 0, 4096, memory::kLineBytes, 1, 0}, cycle);
  }
  push(CopyKind::bulk_load, 1, 0, 128);
  ASSERT_TRUE(port_.stopped(0));
  unit_.step(cycle);
  EXPECT_EQ(statistics_.l2_stop_cycles, 0U) << "the port is full";
  EXPECT_EQ(unit_.next_step(cycle), cycle + 1) << "tries again";
  while (!port_.can_send(cycle)) ++cycle;
  port_.listen(cycle);
  ASSERT_TRUE(port_.stopped(0));
  unit_.step(cycle);
  EXPECT_EQ(statistics_.l2_stop_cycles, 1U);
  EXPECT_EQ(unit_.next_step(cycle), cycle + 1);
  EXPECT_EQ(statistics_.requests, 0U);
  EXPECT_TRUE(unit_.busy());
}

}  // namespace
}  // namespace paws::core
