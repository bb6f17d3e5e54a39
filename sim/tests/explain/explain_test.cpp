// SPDX-License-Identifier: MIT
// Scenes of recorded kernels and of situations set up by hand, and their words.

#include <gtest/gtest.h>

#include <map>

#include "model/warp_mask.h"
#include "sim/explain/page.h"
#include "sim/explain/text.h"
#include "sim/tests/trace/support.h"

namespace paws::explain {
namespace {

using trace::Collected;
using trace::Condition;

class Explain : public trace::TraceTest {
 protected:
  struct Stretch {
    std::uint64_t from, to;
    Scene scene;
  };

  /// The scenes of scheduler 0 of core 0 in `range`.
  static std::vector<Stretch> scenes_of(const GpuRun& run, const trace::CycleRange& range,
                                        Collected& events) {
    std::vector<Stretch> found;
    Scenes scenes(info(run), 0, range,
                  [&](std::uint64_t from, std::uint64_t to, const Scene& scene) {
                    found.push_back({from, to, scene});
                  });
    watch(run, [&](std::uint32_t core) {
      return core == 0 ? std::vector<trace::Sink*>{&scenes, &events} : std::vector<trace::Sink*>{};
    });
    scenes.finish();
    return found;
  }

  /// Of a cycle that is in one of `stretches`, else the nearest one's.
  static const Scene& at(const std::vector<Stretch>& stretches, std::uint64_t cycle) {
    const auto found =
        std::partition_point(stretches.begin(), stretches.end(),
                             [cycle](const Stretch& stretch) { return stretch.to < cycle; });
    EXPECT_TRUE(found != stretches.end() && found->from <= cycle) << cycle;
    return found == stretches.end() ? stretches.back().scene : found->scene;
  }
};

TEST_F(Explain, EveryPolicyHasItsRuleInWords) {
  for (const std::string& name : scheduler_names()) {
    EXPECT_NO_THROW(EXPECT_NE(std::string(rule_of(name).sentence), "")) << name;
  }
  EXPECT_EQ(rules().size(), scheduler_names().size()) << "a rule is of no policy";
  try {
    rule_of("single:newest");
    FAIL();
  } catch (const std::logic_error& error) {
    EXPECT_NE(std::string(error.what()).find("single:newest"), std::string::npos);
  }
}

TEST_F(Explain, ScenesAreThoseOfTheRunUnderEveryPolicy) {
  for (const std::string& name : scheduler_names()) {
    SCOPED_TRACE(name);
    GpuRun run = busy(name);
    run.config.cores = 1;
    run.shape.grid = {8, 1, 1};
    const Rule& rule = rule_of(name);
    Collected events;
    const std::vector<Stretch> stretches = scenes_of(run, {}, events);
    ASSERT_FALSE(stretches.empty());
    for (std::size_t i = 1; i < stretches.size(); ++i) {
      ASSERT_LT(stretches[i - 1].to, stretches[i].from);
      ASSERT_FALSE(stretches[i - 1].to + 1 == stretches[i].from &&
                   stretches[i - 1].scene == stretches[i].scene);
    }
    unsigned chosen = 0;
    for (const Collected::Event& event : events.events) {
      const auto* step = std::get_if<trace::CoreStep>(&event);
      if (step == nullptr) continue;
      const trace::SchedulerStep& scheduler = step->schedulers[0];
      const Scene& scene = at(stretches, step->cycle);
      ASSERT_EQ(scene.issued.has_value(), scheduler.outputs.issue_valid) << step->cycle;
      WarpMask shown = 0;
      const SceneWarp* first = nullptr;
      for (const std::vector<SceneWarp>& queue : scene.queues) {
        for (const SceneWarp& warp : queue) {
          ASSERT_FALSE(contains(shown, warp.slot)) << step->cycle;
          shown |= mask_of(warp.slot);
          const bool can =
              warp.condition == Condition::issue || warp.condition == Condition::can_issue;
          if (first == nullptr && can && warp.key.find("yielded") == std::string::npos) {
            first = &warp;
          }
        }
      }
      ASSERT_EQ(shown, scheduler.warps.live) << step->cycle;
      if (!scene.issued) continue;
      ASSERT_EQ(*scene.issued, scheduler.outputs.issue_warp);
      const auto& kernel = std::get<trace::LaunchInfo>(events.events.front()).kernel;
      ASSERT_EQ(scene.phase, kernel->code[scheduler.warps.pc[*scene.issued]].phase + 1);
      if (rule.first_issues || run.scheduler.starts_with("two-level")) {
        ASSERT_EQ(first->slot, *scene.issued) << step->cycle;
      }
      ++chosen;
    }
    EXPECT_GT(chosen, 100U);
  }
}

TEST_F(Explain, AWindowShowsWhatTheWholeRunShowsThere) {
  const GpuRun run = busy("two-level:paws");
  Collected events;
  const std::vector<Stretch> whole = scenes_of(run, {}, events);
  // In the middle of a stretch with warps: what it shows lies before the window.
  const auto length = [](const Stretch& stretch) {
    const bool empty =
        std::all_of(stretch.scene.queues.begin(), stretch.scene.queues.end(),
                    [](const std::vector<SceneWarp>& queue) { return queue.empty(); });
    return empty ? 0 : stretch.to - stretch.from;
  };
  const auto longest =
      std::max_element(whole.begin(), whole.end(),
                       [&](const Stretch& a, const Stretch& b) { return length(a) < length(b); });
  ASSERT_GT(longest->to, longest->from + 4);
  const std::uint64_t from = longest->from + 2;
  const std::vector<Stretch> window = scenes_of(run, {from, from + 500}, events);
  ASSERT_EQ(window.front().from, from);
  EXPECT_EQ(window.back().to, from + 500);
  for (std::uint64_t cycle = from; cycle <= from + 500; ++cycle) {
    ASSERT_TRUE(at(whole, cycle) == at(window, cycle)) << cycle;
  }
}

/// A scheduler of 8 warps with three warps of a kernel of two instructions.
class Situation {
 public:
  explicit Situation(const std::string& scheduler, unsigned age_limit = 0)
      : shadow_(config_of(scheduler, age_limit)), model_(make_model(shadow_.config())) {
    auto kernel = std::make_shared<trace::KernelInfo>();
    kernel->name = "k";
    kernel->code = {{10, 0, "ld.global.u32 %r1, [%rd0]"}, {11, 1, "add.u32 %r2, %r1, 1"}};
    launch_.kernel = kernel;
    // Warp 0 is the youngest.
    for (const WarpId warp : {2U, 1U, 0U}) {
      step.inputs.phase = {5, 9, 9};
      step.inputs.launch_valid = true;
      step.inputs.launch_warp = warp;
      enter();
      leave();
      step.warps.live |= mask_of(warp);
    }
    step.inputs.launch_valid = false;
    step.inputs.launch_warp = 0;
    step.inputs.issue_en = true;
    for (unsigned i = 0; i < 4; ++i) {
      enter();
      leave();
    }
    step.warps.decoded = step.warps.clear = 7;
  }

  void enter() {
    step.outputs = model_->decide(step.inputs);
    shadow_.enter(step);
  }
  void leave() {
    model_->commit();
    shadow_.leave();
  }
  std::string words() {
    enter();
    return in_words(scene_of(shadow_, step, launch_), shadow_.config(), 7, 7);
  }
  [[nodiscard]] const SchedulerConfig& config() const { return shadow_.config(); }
  Scene scene() {
    enter();
    return scene_of(shadow_, step, launch_);
  }

  trace::SchedulerStep step;

 private:
  static SchedulerConfig config_of(const std::string& scheduler, unsigned age_limit) {
    SchedulerConfig config{.warps = 8, .ready = 2, .phase_bits = 6, .age_limit = age_limit};
    set_scheduler_name(config, scheduler);
    return config;
  }

  trace::Shadow shadow_;
  std::unique_ptr<Scheduler> model_;
  trace::LaunchInfo launch_;
};

TEST(ExplainWords, RoundRobinCountsFromTheLastIssuer) {
  Situation situation("single:rr");
  situation.step.inputs.issuable = 1;
  situation.enter();
  situation.leave();
  situation.step.inputs.issuable = 5;
  situation.step.warps.clear = 5;
  situation.step.warps.pc[2] = 1;
  EXPECT_EQ(
      situation.words(),
      R"(Cycle 7: warp 2 issues add.u32 %r2, %r1, 1 (line 11, phase 2). Reason: first issuable slot after 0.
  Warps, in turn after the last issuer:
    warp 1 (turn 1): waits for the operands of ld.global.u32 %r1, [%rd0] (line 10, phase 1)
    warp 2 (turn 2): issues add.u32 %r2, %r1, 1 (line 11, phase 2)
    warp 0 (turn 8): can issue ld.global.u32 %r1, [%rd0] (line 10, phase 1)
)");
}

TEST(ExplainWords, GtoShowsTheGreedyWarpAndLaunches) {
  Situation situation("single:gto");
  situation.step.inputs.issuable = 2;
  situation.enter();
  situation.leave();
  situation.step.inputs.issuable = 5;
  situation.step.inputs.waits = 2;
  EXPECT_EQ(
      situation.words(),
      R"(Cycle 7: warp 2 issues ld.global.u32 %r1, [%rd0] (line 10, phase 1). Reason: the last issued, 1, cannot; oldest of 2 issuable.
  Warps, the greedy warp, then the oldest first:
    warp 1 (greedy, launch 1): waits for memory, for the operands of ld.global.u32 %r1, [%rd0] (line 10, phase 1)
    warp 2 (launch 0): issues ld.global.u32 %r1, [%rd0] (line 10, phase 1)
    warp 0 (launch 2): can issue ld.global.u32 %r1, [%rd0] (line 10, phase 1)
)");
}

TEST(ExplainWords, PawsShowsDistancesAndLaunches) {
  Situation situation("single:paws");
  situation.step.inputs.issuable = 6;
  situation.step.warps.at_barrier = 1;
  EXPECT_EQ(
      situation.words(),
      R"(Cycle 7: warp 2 issues ld.global.u32 %r1, [%rd0] (line 10, phase 1). Reason: smallest phase distance of 2 issuable, 9, oldest of 2 with it.
  Warps, shortest phase distance first, then the oldest:
    warp 0 (distance 5, launch 2): stands at a barrier
    warp 2 (distance 9, launch 0): issues ld.global.u32 %r1, [%rd0] (line 10, phase 1)
    warp 1 (distance 9, launch 1): can issue ld.global.u32 %r1, [%rd0] (line 10, phase 1)
)");
}

TEST(ExplainWords, TwoLevelsShowTheirQueues) {
  Situation situation("two-level:paws");
  situation.step.inputs.waits = 4;
  for (unsigned i = 0; i < 3; ++i) {
    situation.enter();
    situation.leave();
  }
  situation.step.inputs.waits = 0;
  situation.step.inputs.long_outstanding = 4;
  situation.step.inputs.issuable = 2;
  situation.step.warps.decoded = 6;
  EXPECT_EQ(
      situation.words(),
      R"(Cycle 7: warp 1 issues ld.global.u32 %r1, [%rd0] (line 10, phase 1). Reason: head-most issuable of ready (place 1 of 2).
  Ready, head first:
    warp 1: issues ld.global.u32 %r1, [%rd0] (line 10, phase 1)
    warp 0: waits for its next instruction to be fetched
  Active, shortest phase first, then the oldest: none
  Collector: none
  Pending:
    warp 2 (length 9, launch 0): has the operands of ld.global.u32 %r1, [%rd0] (line 10, phase 1) and waits for another long-latency operation of its own
)");
  situation.step.inputs.long_outstanding = 0;
  EXPECT_NE(situation.words().find("At the end of the cycle: 2 wakes.\n"), std::string::npos);
}

TEST(ExplainWords, ReadyShowsWhatAPromotionComparesThere) {
  EXPECT_NE(Situation("two-level:paws-in-ready").words().find("warp 2 (length 9, launch 0): "),
            std::string::npos);
  EXPECT_NE(Situation("two-level:gto-in-ready").words().find("warp 2 (launch 0): "),
            std::string::npos);
  EXPECT_NE(Situation("two-level:paws").words().find("    warp 2: "), std::string::npos);
}

TEST(ExplainWords, AWarpThatIsDueStandsFirst) {
  Situation situation("single:oldest", 2);
  situation.step.inputs.issuable = 5;
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_EQ(situation.scene().queues[0][0].slot, 2U);
    situation.leave();
  }
  const Scene scene = situation.scene();
  EXPECT_EQ(scene.issued, 0U);
  EXPECT_EQ(in_words(scene.queues[0][0]),
            "warp 0 (launch 2, due): issues ld.global.u32 %r1, [%rd0] (line 10, phase 1)");
  EXPECT_NE(sentences_of(situation.config()).find("passed over for 2 issues"), std::string::npos);
}

TEST(ExplainWords, AWarpsStoryHasALineForEachStretch) {
  Situation situation("single:gto");
  std::string said;
  WarpStory story(situation.config(), 0, [&said](const std::string& line) { said += line; });
  situation.step.warps.clear = 6;
  story.take(3, 5, situation.scene());
  story.take(6, 6, situation.scene());
  situation.step.warps.clear = 7;
  situation.step.inputs.issuable = 5;
  story.take(7, 7, situation.scene());
  situation.step.inputs.issuable = 1;
  story.take(8, 8, situation.scene());
  situation.step.warps.live = 6;
  situation.step.inputs.issuable = 0;
  story.take(9, 12, situation.scene());
  story.take(20, 20, situation.scene());
  story.finish();
  const std::string load = "ld.global.u32 %r1, [%rd0] (line 10, phase 1)";
  EXPECT_EQ(said, "Cycles 3 to 6: warp 0 waits for the operands of " + load +
                      ".\nCycle 7: warp 0 can issue " + load + ", but warp 2 issues " + load +
                      ": no greedy warp; oldest of 2 issuable.\nCycle 8: warp 0 issues " + load +
                      ": no greedy warp; oldest of 1 issuable.\n"
                      "Cycles 9 to 12: there is no warp 0.\nCycle 20: there is no warp 0.\n");
}

TEST(ExplainPage, NoTextEndsTheScript) {
  Situation situation("single:rr");
  trace::RunInfo run;
  run.scheduler = situation.config();
  Column column(run);
  Scene scene = situation.scene();
  scene.decision = "</script><b>";
  column.take(0, 3, scene);
  const std::string page = to_html("<T>", "facts & more", {0, 3}, {column});
  EXPECT_NE(page.find("<title>&lt;T&gt;</title>"), std::string::npos);
  EXPECT_NE(page.find("facts &amp; more"), std::string::npos);
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
  EXPECT_NE(page.find(R"(\u003c/script>\u003cb>)"), std::string::npos);
}

}  // namespace
}  // namespace paws::explain
