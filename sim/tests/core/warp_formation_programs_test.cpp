// SPDX-License-Identifier: MIT
// Random programs under dynamic warp formation: whichever threads are together, each executes what
// it would alone, once and in its lane; each is in one place; and all come to their end.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "sim/core/dynamic_warp_formation.h"
#include "sim/support/random.h"

namespace paws::core {
namespace {

constexpr unsigned kRows = 24;  ///< of the core
constexpr unsigned kMostTrips = 5;

std::uint64_t given_seed() {
  const char* given = std::getenv("PAWS_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : 20110212;
}

/// Structured control flow: sequences, if, if-else, loops, table branches, guarded exits, and
/// barriers where all threads of a block pass.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : random_(seed) {
    for (unsigned part = 0; part < 3; ++part) {
      sequence(3);
      if (random_() % 2 == 0) emit(ir::Op::bar);
    }
    emit(ir::Op::exit);
    for (const auto& [pc, condition] : conditions_) {
      if (condition) kernel.code[pc].guard = 0;
    }
  }
  ir::Kernel kernel;

 private:
  std::uint32_t here() const { return static_cast<std::uint32_t>(kernel.code.size()); }
  std::uint32_t emit(ir::Op op, bool guarded = false) {
    kernel.code.emplace_back().op = op;
    conditions_[here() - 1] = guarded;
    return here() - 1;
  }
  void sequence(unsigned depth) {
    const auto count = 1 + random_() % 3;
    for (unsigned i = 0; i < count; ++i) statement(depth);
  }
  void statement(unsigned depth) {
    switch (depth == 0 ? 0 : random_() % 8) {
      case 1:
      case 2: {  // if
        const std::uint32_t branch = emit(ir::Op::bra, true);
        sequence(depth - 1);
        kernel.code[branch].target = kernel.code[branch].reconverge = here();
        break;
      }
      case 3:
      case 4: {  // if, else
        const std::uint32_t branch = emit(ir::Op::bra, true);
        sequence(depth - 1);
        const std::uint32_t jump = emit(ir::Op::bra);
        kernel.code[branch].target = here();
        sequence(depth - 1);
        kernel.code[jump].target = kernel.code[jump].reconverge = here();
        kernel.code[branch].reconverge = here();
        break;
      }
      case 5: {  // do, while
        const std::uint32_t top = here();
        sequence(depth - 1);
        const std::uint32_t branch = emit(ir::Op::bra, true);
        kernel.code[branch].target = top;
        kernel.code[branch].reconverge = here();
        break;
      }
      case 6: {  // switch
        const std::uint32_t branch = emit(ir::Op::brx);
        std::vector<std::uint32_t> jumps;
        for (unsigned way = 0; way < 3; ++way) {
          kernel.code[branch].table.push_back(here());
          sequence(depth - 1);
          jumps.push_back(emit(ir::Op::bra));
        }
        for (const std::uint32_t jump : jumps) {
          kernel.code[jump].target = kernel.code[jump].reconverge = here();
        }
        kernel.code[branch].reconverge = here();
        break;
      }
      case 7:
        if (random_() % 3 == 0) emit(ir::Op::exit, true);
        break;
      default:
        emit(ir::Op::add);
        break;
    }
    emit(ir::Op::add);
  }

  std::mt19937_64 random_;
  std::map<std::uint32_t, bool> conditions_;
};

/// One thread, by itself: what it executes depends on its own number alone.
class LoneThread {
 public:
  LoneThread(const ir::Kernel& kernel, std::uint64_t number)
      : kernel_(&kernel), number_(number), visits_(kernel.code.size()) {}

  std::uint32_t pc = 0;
  bool ended = false;
  std::uint64_t trace = 0;  ///< of the pcs that it has executed
  bool held = false;        ///< at a barrier

  void step() {
    const ir::Instruction& in = kernel_->code[pc];
    trace = scramble(trace, pc, 1);
    const unsigned visit = ++visits_[pc];
    const std::uint64_t dice = scramble(number_, pc, visit);
    const bool guard = in.guard == ir::kNoReg || dice % 2 == 0;
    if (in.op == ir::Op::exit && (in.guard == ir::kNoReg || dice % 16 == 0)) {
      ended = true;
    } else if (in.op == ir::Op::bra && guard && (in.target > pc || visit < kMostTrips)) {
      pc = in.target;
    } else if (in.op == ir::Op::brx) {
      pc = in.table[dice % in.table.size()];
    } else {
      held = in.op == ir::Op::bar;
      ++pc;
    }
  }

 private:
  const ir::Kernel* kernel_;
  std::uint64_t number_;
  std::vector<unsigned> visits_;
};

class WarpFormationPrograms : public testing::TestWithParam<FormationPriority> {};

/// A core that executes formed warps in a pipeline without order, as long as any block has threads.
class ToyCore {
 public:
  ToyCore(DynamicWarpFormation& former, std::uint64_t seed) : former_(former), random_(seed) {}

  void run(const std::vector<ir::Kernel>& kernels, unsigned blocks) {
    former_.begin();
    for (const ir::Kernel& kernel : kernels) former_.add_launch(kernel);
    std::vector<std::uint32_t> free(kRows);
    std::iota(free.begin(), free.end(), 0);
    std::shuffle(free.begin(), free.end(), random_);
    unsigned started = 0;
    for (unsigned step = 0; started < blocks || !live_.empty(); ++step) {
      ASSERT_LT(step, 500'000U) << "no end: " << live_.size() << " threads";
      if (started < blocks && free.size() >= 8 && random_() % 8 == 0) {
        const auto launch = static_cast<std::uint32_t>(random_() % kernels.size());
        start(launch, kernels[launch], free, started++);
      }
      if (!former_.empty() && random_() % 3 != 0) execute(former_.select());
      if (!flying_.empty() && (former_.empty() || random_() % 3 == 0)) {
        const auto which =
            flying_.begin() + static_cast<std::ptrdiff_t>(random_() % flying_.size());
        const FormedWarp warp = *which;
        flying_.erase(which);
        if (!retire(warp)) continue;
        for (Block& block : blocks_) finish(block, free);
      }
      if (random_() % 16 == 0) check_places();
      if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_TRUE(former_.empty());
    EXPECT_TRUE(flying_.empty());
  }

 private:
  using Home = std::pair<std::uint32_t, unsigned>;  ///< row of the core, lane

  struct Block {
    std::vector<std::uint32_t> rows;
    std::vector<Home> threads;  ///< of them those that have not ended
  };

  void start(std::uint32_t launch, const ir::Kernel& kernel, std::vector<std::uint32_t>& free,
             unsigned number) {
    Block block;
    LargeWarpMask exist{};
    const auto rows = 1 + random_() % 8;
    for (unsigned row = 0; row < rows; ++row) {
      block.rows.push_back(free.back());
      free.pop_back();
      exist[row] = row + 1 == rows ? ~0U >> random_() % 32 : ~0U;
      for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
        if ((exist[row] >> lane & 1) == 0) continue;
        const Home home{block.rows[row], lane};
        const std::uint64_t name = scramble(number, row, lane);
        block.threads.push_back(home);
        live_.emplace(home, LoneThread(kernel, name));
        LoneThread alone(kernel, name);
        while (!alone.ended) alone.step();
        expected_[home] = alone.trace;
        launch_[home] = launch;
      }
    }
    former_.start(launch, block.rows, exist);
    blocks_.push_back(block);
  }

  template <class Each>
  static void for_each(const FormedWarp& warp, Each each) {
    for (LaneBits left = warp.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      each(Home{warp.row[lane], lane});
    }
  }

  /// Its threads execute when it is selected, as on the cores.
  void execute(const FormedWarp& warp) {
    ASSERT_NE(warp.lanes, 0U);
    if (random_() % 12 == 0) {
      former_.put_back(warp);
      return;
    }
    bool settles = false;
    for_each(warp, [&](const Home& home) {
      ASSERT_TRUE(live_.contains(home));
      LoneThread& thread = live_.at(home);
      ASSERT_EQ(thread.pc, warp.pc);
      ASSERT_EQ(launch_.at(home), warp.launch);
      ASSERT_FALSE(thread.held);
      ASSERT_FALSE(thread.ended);
      thread.step();
      settles = settles || thread.held || thread.ended;
    });
    flying_.push_back(warp);
    if (!settles || testing::Test::HasFatalFailure()) return;
    for (Block& block : blocks_) release(block);
  }

  /// All threads of the block that have not ended are at a barrier: they may go on.
  void release(const Block& block) {
    bool all = !block.threads.empty();
    bool any = false;
    for (const Home& home : block.threads) {
      all = all && (live_.at(home).held || live_.at(home).ended);
      any = any || live_.at(home).held;
    }
    if (!all || !any) return;
    LargeWarpMask those{};
    for (const Home& home : block.threads) {
      LoneThread& thread = live_.at(home);
      if (!thread.held) continue;
      thread.held = false;
      // One that has not left the pipeline yet is not held when it does.
      if (flies(home)) continue;
      const auto row = std::find(block.rows.begin(), block.rows.end(), home.first);
      those[static_cast<std::size_t>(row - block.rows.begin())] |= LaneBits{1} << home.second;
    }
    former_.release(block.rows, those);
  }

  bool flies(const Home& home) const {
    return std::any_of(flying_.begin(), flying_.end(), [&](const FormedWarp& warp) {
      return (warp.lanes >> home.second & 1) != 0 && warp.row[home.second] == home.first;
    });
  }

  /// Whether a thread has ended.
  bool retire(const FormedWarp& warp) {
    DynamicWarpFormation::NextPcs next{};
    LaneBits ended = 0;
    LaneBits held = 0;
    for_each(warp, [&](const Home& home) {
      const LaneBits bit = LaneBits{1} << home.second;
      const LoneThread& thread = live_.at(home);
      next[home.second] = thread.pc;
      if (thread.ended) {
        EXPECT_EQ(thread.trace, expected_.at(home));
        ended |= bit;
        live_.erase(home);
      } else if (thread.held) {
        held |= bit;
      }
    });
    former_.retire(warp, next, ended, held);
    return ended != 0;
  }

  void finish(Block& block, std::vector<std::uint32_t>& free) {
    if (block.rows.empty()) return;
    std::erase_if(block.threads, [&](const Home& home) { return !live_.contains(home); });
    if (!block.threads.empty()) return;
    free.insert(free.begin(), block.rows.begin(), block.rows.end());
    block.rows.clear();
  }

  /// No thread is in two places, and none is lost without a reason.
  void check_places() {
    std::map<Home, unsigned> places;
    const auto add = [&](const FormedWarp& warp) {
      for_each(warp, [&](const Home& home) { ++places[home]; });
    };
    for (const FormedWarp& warp : former_.waiting()) {
      add(warp);
      for_each(warp, [&](const Home& home) { EXPECT_EQ(live_.at(home).pc, warp.pc); });
    }
    for (const FormedWarp& warp : flying_) add(warp);
    for (const auto& [home, count] : places) {
      ASSERT_EQ(count, 1U) << "row " << home.first << ", lane " << home.second;
      ASSERT_TRUE(live_.contains(home));
    }
  }

  DynamicWarpFormation& former_;
  std::mt19937_64 random_;
  std::map<Home, LoneThread> live_;
  std::map<Home, std::uint64_t> expected_;
  std::map<Home, std::uint32_t> launch_;
  std::vector<Block> blocks_;
  std::vector<FormedWarp> flying_;
};

TEST_P(WarpFormationPrograms, EveryThreadExecutesWhatItWouldAlone) {
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(given_seed()));
  for (unsigned round = 0; round < 4; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const std::uint64_t seed = scramble(given_seed(), round, 0);
    std::vector<ir::Kernel> kernels;
    for (unsigned kernel = 0; kernel < 1 + round % 2; ++kernel) {
      kernels.push_back(RandomProgram(scramble(seed, kernel, 1)).kernel);
    }
    FormationCounts counts;
    DynamicWarpFormation former(GetParam(), kRows, counts);
    ToyCore core(former, seed);
    core.run(kernels, 6);
    if (HasFatalFailure()) return;
    EXPECT_GT(counts.formed, 0U);
    EXPECT_GT(counts.splits, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Priorities, WarpFormationPrograms,
                         testing::Values(FormationPriority::majority, FormationPriority::pdom),
                         [](const auto& given) {
                           return given.param == FormationPriority::pdom ? "pdom" : "majority";
                         });

}  // namespace
}  // namespace paws::core
