// SPDX-License-Identifier: MIT
#include "sim/core/phase_keys.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>

namespace paws::core {
namespace {

/// A kernel of two phases: pcs 0 to 3 of 10 cycles each, pcs 4 and 5 of 300 each.
class PhaseKeysTest : public testing::Test {
 protected:
  PhaseKeysTest() {
    kernel_.phases = {{0, 3, 40}, {4, 5, 600}};
    kernel_.code.resize(6);
    for (std::uint32_t pc = 0; pc < 6; ++pc) {
      ir::Instruction& instruction = kernel_.code[pc];
      instruction.op = ir::Op::add;
      instruction.type = ir::Type::u32;
      instruction.phase = pc < 4 ? 0 : 1;
      instruction.distance = pc < 4 ? 10 * (4 - pc) : 300 * (6 - pc);
    }
  }

  PhaseKeys& keys(KeySource source, bool distance, unsigned seed = 0) {
    config_.scheduler.key_source = static_cast<unsigned>(source);
    config_.noise.seed = seed;
    timed_.emplace(kernel_, config_, kCodeBase);
    keys_.emplace(config_, distance);
    keys_->begin(*timed_, 4);
    return *keys_;
  }

  GpuConfig config_ = load_gpu("m2090");
  ir::Kernel kernel_;
  std::optional<TimedKernel> timed_;
  std::optional<PhaseKeys> keys_;
};

TEST_F(PhaseKeysTest, TheirOwnAreLengthsOrDistances) {
  const PhaseKeys& lengths = keys(KeySource::own, false);
  EXPECT_EQ(lengths.of(0, 0), 40);
  EXPECT_EQ(lengths.of(0, 3), 40);
  EXPECT_EQ(lengths.of(0, 4), 600);
  const PhaseKeys& distances = keys(KeySource::own, true);
  EXPECT_EQ(distances.of(0, 0), 40);
  EXPECT_EQ(distances.of(0, 3), 10);
  EXPECT_EQ(distances.of(0, 5), 300);
}

TEST_F(PhaseKeysTest, InvertedWithinTheField) {
  const PhaseKeys& lengths = keys(KeySource::inverted, false);
  EXPECT_EQ(lengths.of(0, 0), 511 - 40);
  EXPECT_EQ(lengths.of(0, 4), 0);  // 600 saturates
  EXPECT_EQ(keys(KeySource::inverted, true).of(0, 3), 511 - 10);
}

TEST_F(PhaseKeysTest, RandomOnesAreThePhasesOwnAndTheSeeds) {
  std::set<std::uint16_t> drawn;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const PhaseKeys& lengths = keys(KeySource::random, false, seed);
    EXPECT_EQ(lengths.of(0, 0), lengths.of(0, 3));
    EXPECT_LE(lengths.of(0, 4), 511);
    const std::uint16_t first = lengths.of(0, 4);
    drawn.insert(first);
    EXPECT_EQ(keys(KeySource::random, false, seed).of(0, 4), first);
  }
  EXPECT_GT(drawn.size(), 15U);
}

TEST_F(PhaseKeysTest, MeasuredFromFirstToLastIssueOfAStay) {
  PhaseKeys& lengths = keys(KeySource::measured, false);
  EXPECT_EQ(lengths.of(0, 0), 40);  // nothing measured yet
  lengths.issued(0, 0, 100);
  lengths.issued(0, 3, 179);
  EXPECT_EQ(lengths.of(0, 0), 40);  // the stay has not ended
  lengths.issued(0, 4, 500);
  EXPECT_EQ(lengths.of(0, 0), 80);
  EXPECT_EQ(lengths.of(0, 3), 80);
  EXPECT_EQ(lengths.of(0, 4), 600);
  // Later stays weigh an eighth; warps do not disturb each other.
  lengths.issued(1, 0, 505);
  lengths.issued(0, 5, 509);
  lengths.issued(1, 1, 505 + 159);
  lengths.issued(1, 4, 800);
  EXPECT_EQ(lengths.of(0, 0), 80 + (160 - 80) / 8);
  // The next warp in the slot ends the stay of the one before.
  lengths.started(0);
  EXPECT_EQ(lengths.of(0, 4), 10);
}

TEST_F(PhaseKeysTest, MeasuredDistancesAreInProportion) {
  PhaseKeys& distances = keys(KeySource::measured, true);
  distances.issued(0, 0, 0);
  distances.issued(0, 3, 79);
  distances.started(0);
  EXPECT_EQ(distances.of(0, 0), 80);
  EXPECT_EQ(distances.of(0, 3), 20);
}

TEST_F(PhaseKeysTest, LearnedFromWaitToWait) {
  PhaseKeys& distances = keys(KeySource::learned, true);
  EXPECT_EQ(distances.of(0, 1), 0);  // nothing learned yet
  for (const std::uint32_t pc : {1, 2, 3}) distances.issued(0, pc, 0);
  distances.waits(0);
  EXPECT_EQ(distances.of(0, 1), 0);  // the phase ends with the issue behind the wait
  distances.issued(0, 4, 0);
  EXPECT_EQ(distances.of(2, 1), 3);  // another warp of the scheduler, at the same place
  EXPECT_EQ(distances.of(1, 1), 0);  // a warp of the other scheduler
  distances.issued(2, 1, 0);
  EXPECT_EQ(distances.of(2, 2), 2);
  for (int i = 0; i < 5; ++i) distances.issued(2, 2, 0);
  EXPECT_EQ(distances.of(2, 2), 0);  // longer than the last time
  distances.started(2);              // a phase that a warp ends in teaches nothing
  distances.issued(2, 1, 0);
  EXPECT_EQ(distances.of(2, 2), 2);
}

TEST_F(PhaseKeysTest, LearnedLengthsAreThoseThatDecodeReads) {
  PhaseKeys& lengths = keys(KeySource::learned, false);
  for (const std::uint32_t pc : {0, 1, 2}) lengths.issued(0, pc, 0);
  lengths.waits(0);
  lengths.issued(0, 3, 0);
  EXPECT_EQ(lengths.of(2, 0), 3);
  EXPECT_EQ(lengths.of(2, 3), 0);
}

TEST_F(PhaseKeysTest, OthersAreNotMeasured) {
  PhaseKeys& lengths = keys(KeySource::own, false);
  lengths.issued(0, 0, 0);
  lengths.issued(0, 4, 5000);
  lengths.started(0);
  EXPECT_EQ(lengths.of(0, 0), 40);
}

}  // namespace
}  // namespace paws::core
