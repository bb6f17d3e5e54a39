// SPDX-License-Identifier: MIT
// The two scenarios of Fig. 5 of the PAWS paper: four fetch groups, whose order of selection under
// each policy the paper tells in III-B. The figure gives no numbers. The lengths here are our own,
// chosen so that, as in the figure, the medium phases of fetch groups 2 and 3 hide the memory
// latency of fetch group 1, and three short phases do not.
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "tb/model/model_host.h"

namespace paws::test {

void PrintTo(const PhaseHost::Selection& selection, std::ostream* out) {
  *out << "FG" << selection.group << " phase " << selection.phase;
}

namespace {

constexpr unsigned kGroups = 4;
constexpr unsigned kGroupSize = 2;
constexpr std::uint16_t kMedium = 20;
constexpr std::uint16_t kShort = 6;
constexpr std::uint16_t kLong = 100;
constexpr unsigned kMemoryLatency = 65;
static_assert(2 * kMedium * kGroupSize > kMemoryLatency);
static_assert(3 * kShort * kGroupSize < kMemoryLatency);

using Selections = std::vector<PhaseHost::Selection>;

PhaseHost::Run run(const std::string& name, const std::vector<std::uint16_t>& phases) {
  PhaseHost host(configuration(name, kGroups * kGroupSize, kGroupSize),
                 {.phases = phases, .memory_latency = kMemoryLatency});
  return host.run();
}

class Fig5a : public testing::Test {
 protected:
  static std::vector<std::uint16_t> phases() { return {kMedium, kShort, kLong}; }
  const PhaseHost::Run rr_ = run("two-level:rr", phases());
  const PhaseHost::Run gto_ = run("two-level:gto", phases());
  const PhaseHost::Run paws_ = run("two-level:paws", phases());
};

TEST_F(Fig5a, RoundRobinGoesOnToFetchGroup4) {
  const Selections phase_by_phase = {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {1, 2}, {2, 2},
                                     {3, 2}, {4, 2}, {1, 3}, {2, 3}, {3, 3}, {4, 3}};
  EXPECT_EQ(rr_.selections, phase_by_phase);  // marker 1 at the fourth
}

TEST_F(Fig5a, GtoReturnsToFetchGroup1) {
  // Marker 2 at the fourth. Whenever two can run, the older one does.
  const Selections oldest_first = {{1, 1}, {2, 1}, {3, 1}, {1, 2}, {4, 1}, {2, 2},
                                   {3, 2}, {1, 3}, {2, 3}, {3, 3}, {4, 2}, {4, 3}};
  EXPECT_EQ(gto_.selections, oldest_first);
}

TEST_F(Fig5a, PawsReturnsToFetchGroup1) {
  // As GTO, because short comes before medium; but the short phase of fetch group 4 comes before
  // the long ones of 2 and 3.
  const Selections shortest_first = {{1, 1}, {2, 1}, {3, 1}, {1, 2}, {4, 1}, {2, 2},
                                     {3, 2}, {1, 3}, {4, 2}, {2, 3}, {3, 3}, {4, 3}};
  EXPECT_EQ(paws_.selections, shortest_first);
}

TEST_F(Fig5a, RoundRobinExposesMemoryLatencyAndTheOthersDoNot) {
  const PhaseHost::Selection long_phase{.group = 1, .phase = 3};
  const std::size_t rr = rr_.place(long_phase);
  const std::size_t gto = gto_.place(long_phase);
  const std::size_t paws = paws_.place(long_phase);
  EXPECT_GE(rr_.idle_before[rr], kMemoryLatency - 3 * kShort * kGroupSize);  // marker 3
  EXPECT_LE(gto_.idle_before[gto], 1U);
  EXPECT_LE(paws_.idle_before[paws], 1U);
  EXPECT_LT(gto_.cycle[gto], rr_.cycle[rr]);  // marker 4
  EXPECT_LT(paws_.cycle[paws], rr_.cycle[rr]);
  EXPECT_LT(paws_.cycles, rr_.cycles);
}

class Fig5b : public testing::Test {
 protected:
  static std::vector<std::uint16_t> phases() { return {kMedium, kLong}; }
  const PhaseHost::Run rr_ = run("two-level:rr", phases());
  const PhaseHost::Run gto_ = run("two-level:gto", phases());
  const PhaseHost::Run paws_ = run("two-level:paws", phases());
};

TEST_F(Fig5b, GtoReturnsToFetchGroup1) {
  const Selections oldest_first = {{1, 1}, {2, 1}, {3, 1}, {1, 2},  // marker 5
                                   {2, 2}, {3, 2}, {4, 1}, {4, 2}};
  EXPECT_EQ(gto_.selections, oldest_first);
}

TEST_F(Fig5b, RoundRobinAndPawsGoOnToFetchGroup4) {
  const Selections phase_by_phase = {{1, 1}, {2, 1}, {3, 1}, {4, 1},  // marker 6
                                     {1, 2}, {2, 2}, {3, 2}, {4, 2}};
  EXPECT_EQ(rr_.selections, phase_by_phase);
  EXPECT_EQ(paws_.selections, phase_by_phase);
}

TEST_F(Fig5b, GtoBeginsFetchGroup4LateAndTakesLonger) {
  const PhaseHost::Selection fourth{.group = 4, .phase = 1};
  EXPECT_GT(gto_.cycle[gto_.place(fourth)],
            rr_.cycle[rr_.place(fourth)] + std::uint64_t{3} * kLong);
  EXPECT_EQ(paws_.cycles, rr_.cycles);
  EXPECT_LT(rr_.cycles, gto_.cycles);
}

}  // namespace
}  // namespace paws::test
