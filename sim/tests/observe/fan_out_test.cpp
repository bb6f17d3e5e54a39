// SPDX-License-Identifier: MIT
#include "sim/observe/fan_out.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/core/core.h"

namespace paws::observe {
namespace {

/// Writes down the calls that say something without a core.
class Scribe final : public core::CoreObserver {
 public:
  Scribe(std::string name, std::string& text) : name_(std::move(name)), text_(text) {}
  void begin(const core::Core& /*core*/, const core::RunningKernels& /*running*/,
             std::uint64_t /*cycle*/) override {}
  void decided(const core::SchedulerView& view) override { note("decided", view.cycle); }
  WarpMask queues(const core::SchedulerView& view) override {
    note("queues", view.cycle);
    return WarpMask{1} << (name_ == "a" ? 0 : 3);
  }
  void closed(std::uint64_t cycle, unsigned /*scheduler*/, unsigned /*units*/,
              WarpMask /*barred*/) override {
    note("closed", cycle);
  }
  void launched(std::uint64_t cycle, std::uint32_t /*warp*/, std::uint32_t /*launch*/) override {
    note("launched", cycle);
  }
  void moved(std::uint64_t cycle, std::uint32_t /*warp*/, std::uint32_t /*pc*/,
             core::Standing /*standing*/) override {
    note("moved", cycle);
  }
  void issued(std::uint64_t cycle, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {
    note("issued", cycle);
  }
  void executed(std::uint64_t cycle, std::uint32_t /*warp*/, std::uint32_t /*pc*/,
                unsigned /*path*/, unsigned /*lanes*/) override {
    note("executed", cycle);
  }
  void ended(std::uint64_t cycle, std::uint32_t /*warp*/) override { note("ended", cycle); }
  void looked_up(std::uint32_t launch, std::uint32_t /*pc*/, bool /*missed*/) override {
    note("looked up", launch);
  }
  void stepped(std::uint64_t cycle) override { note("stepped", cycle); }
  void skipped(std::uint64_t from, std::uint64_t /*to*/) override { note("skipped", from); }
  void end(std::uint64_t cycle) override { note("end", cycle); }

 private:
  void note(const char* what, std::uint64_t cycle) {
    text_ += name_ + " " + what + " " + std::to_string(cycle) + "\n";
  }
  std::string name_;
  std::string& text_;
};

TEST(FanOut, BothObserversSeeEverythingInOrder) {
  std::string text;
  auto scribe = [&text](const char* name) {
    return [&text, name](std::uint32_t) { return std::make_unique<Scribe>(name, text); };
  };
  const std::unique_ptr<core::CoreObserver> observer = both(scribe("a"), scribe("b"))(0);
  core::SchedulerView view;
  view.cycle = 4;
  observer->decided(view);
  EXPECT_EQ(observer->queues(view), 9U);
  observer->closed(4, 0, 1, 0);
  observer->launched(5, 1, 0);
  observer->moved(4, 1, 2, core::Standing::held);
  observer->issued(4, 1, 2);
  observer->executed(4, 1, 2, 32, 8);
  observer->ended(5, 1);
  observer->looked_up(3, 2, true);
  observer->stepped(4);
  observer->skipped(5, 9);
  observer->end(9);
  EXPECT_EQ(text,
            "a decided 4\nb decided 4\na queues 4\nb queues 4\na closed 4\nb closed 4\n"
            "a launched 5\nb launched 5\na moved 4\nb moved 4\na issued 4\nb issued 4\n"
            "a executed 4\nb executed 4\na ended 5\nb ended 5\n"
            "a looked up 3\nb looked up 3\na stepped 4\nb stepped 4\n"
            "a skipped 5\nb skipped 5\na end 9\nb end 9\n");
}

TEST(FanOut, OneOrNoneNeedsNoFan) {
  std::string text;
  const ObserverFactory some = [&text](std::uint32_t core) -> std::unique_ptr<core::CoreObserver> {
    if (core == 1) return nullptr;
    return std::make_unique<Scribe>("a", text);
  };
  const ObserverFactory none = [](std::uint32_t) { return nullptr; };
  EXPECT_FALSE(both(nullptr, nullptr));
  EXPECT_NE(both(nullptr, some)(0), nullptr);
  EXPECT_EQ(both(some, none)(1), nullptr);
  EXPECT_NE(dynamic_cast<Scribe*>(both(none, some)(0).get()), nullptr);
  EXPECT_NE(dynamic_cast<Scribe*>(both(some, none)(0).get()), nullptr);
}

}  // namespace
}  // namespace paws::observe
