// SPDX-License-Identifier: MIT
#include "tb/formal/prover/prover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cadical.hpp>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tb/formal/prover/aiger.h"

namespace paws::formal {
namespace {

constexpr int kManyAnswers = 10'000;

/// Graphs of one input and some latches, gates added one by one.
class Graph {
 public:
  Graph(std::uint32_t inputs, std::vector<bool> initial) {
    graph_.inputs = inputs;
    for (const bool value : initial) graph_.latches.push_back({0, false, value});
  }
  [[nodiscard]] Literal input(std::uint32_t i) const { return 2 * (1 + i); }
  [[nodiscard]] Literal latch(std::uint32_t i) const { return 2 * (1 + graph_.inputs + i); }
  Literal both(Literal left, Literal right) {
    graph_.ands.push_back({std::max(left, right), std::min(left, right)});
    return 2 * (graph_.variables() - 1);
  }
  Literal either(Literal left, Literal right) { return both(left ^ 1U, right ^ 1U) ^ 1U; }
  Literal differ(Literal left, Literal right) {
    return both(both(left, right) ^ 1U, both(left ^ 1U, right ^ 1U) ^ 1U);
  }
  Aiger& operator*() { return graph_; }
  Aiger* operator->() { return &graph_; }

 private:
  Aiger graph_;
};

/// Counts up from 0 in `bits` latches while the input is 1.
Graph counter(std::uint32_t bits) {
  Graph graph(1, std::vector<bool>(bits, false));
  Literal carry = graph.input(0);
  for (std::uint32_t i = 0; i < bits; i++) {
    const Literal next = graph.differ(graph.latch(i), carry);
    carry = graph.both(graph.latch(i), carry);
    graph->latches[i].next = next;
  }
  return graph;
}

/// Whether the counter of three bits is at `value`.
Literal at(Graph& graph, unsigned value) {
  Literal all = 1;
  for (unsigned i = 0; i < 3; i++) all = graph.both(all, graph.latch(i) ^ ((value >> i & 1U) ^ 1U));
  return all;
}

Verdict asked(const Aiger& graph, Task task, std::uint32_t index = 0) {
  return Prover(graph, task).ask(index, kManyAnswers);
}

/// Two latches swap, a third is what the first was: the first is not 0 twice. That is true, and one
/// step from any state does not show it: it needs that the two differ.
TEST(Prover, ATrueAssertionThatIsNotInductiveIsBrokenInTheStepUntilTheInvariantIsThere) {
  Graph graph(0, {false, true, true});
  graph->latches[0].next = graph.latch(1);
  graph->latches[1].next = graph.latch(0);
  graph->latches[2].next = graph.latch(0);
  graph->bad.push_back(graph.both(graph.latch(0) ^ 1U, graph.latch(2) ^ 1U));
  EXPECT_EQ(asked(*graph, {2, true}), Verdict::kProved);
  EXPECT_EQ(asked(*graph, {1, false}), Verdict::kBroken);
  graph->bad.push_back(graph.differ(graph.latch(0), graph.latch(1)) ^ 1U);
  graph->bad.push_back(graph.differ(graph.latch(2), graph.latch(1)));
  for (const std::uint32_t index : {0U, 1U, 2U}) {
    EXPECT_EQ(asked(*graph, {1, false}, index), Verdict::kProved) << index;
    EXPECT_EQ(asked(*graph, {1, true}, index), Verdict::kProved) << index;
  }
}

TEST(Prover, CoversDoNotHelpOneAnother) {
  Graph graph = counter(3);
  graph->bad.push_back(at(graph, 1));
  graph->bad.push_back(at(graph, 2));
  // That 1 was not reached before would keep 2 from being reached.
  EXPECT_EQ(asked(*graph, {2, true}, 1), Verdict::kProved);
  EXPECT_EQ(asked(*graph, {2, true, true}, 1), Verdict::kBroken);
}

TEST(Prover, AnAssertionThatIsFalseAtCycleOneIsBrokenInTheBase) {
  Graph graph = counter(3);
  graph->bad.push_back(at(graph, 1));
  Prover prover(*graph, {1, true});
  EXPECT_EQ(prover.ask(0, kManyAnswers), Verdict::kBroken);
  ASSERT_EQ(prover.trace().size(), 2U);
  EXPECT_TRUE(prover.trace()[0][graph.input(0) / 2]);
  EXPECT_TRUE(prover.trace()[1][graph.latch(0) / 2]);
}

TEST(Prover, AnAssertionThatIsFalseInADeepStateIsBrokenAtItsCycleAndInTheStep) {
  Graph graph = counter(3);
  graph->bad.push_back(at(graph, 6));
  EXPECT_EQ(asked(*graph, {5, true}), Verdict::kProved);
  EXPECT_EQ(asked(*graph, {6, true}), Verdict::kBroken);
  EXPECT_EQ(asked(*graph, {1, false}), Verdict::kBroken);
}

TEST(Prover, DepthMakesAnAssertionInductive) {
  // Goes round 0, 1, 2, 3; the other four states lead to 7 in at most two cycles: 4 to 5 to 7.
  Graph graph(0, {false, false, false});
  const Literal low = graph.latch(0), high = graph.latch(1), stray = graph.latch(2);
  graph->latches[0].next = graph.either(stray, low ^ 1U);
  graph->latches[1].next = graph.either(graph.both(stray, low), graph.differ(low, high));
  graph->latches[2].next = stray;
  graph->bad.push_back(at(graph, 7));
  EXPECT_EQ(asked(*graph, {1, false}), Verdict::kBroken);
  EXPECT_EQ(asked(*graph, {2, false}), Verdict::kBroken);
  EXPECT_EQ(asked(*graph, {3, false}), Verdict::kProved);
}

TEST(Prover, AnAssumptionCountsInEveryCycle) {
  Graph graph = counter(3);
  graph->bad.push_back(at(graph, 1));
  graph->constraints.push_back(graph.input(0) ^ 1U);  // it never counts
  EXPECT_EQ(asked(*graph, {1, true}), Verdict::kProved);
  EXPECT_TRUE(Prover(*graph, {1, true}).assumptions_can_hold());
  graph->constraints.push_back(graph.latch(0));  // 0 at first
  EXPECT_FALSE(Prover(*graph, {1, true}).assumptions_can_hold());
  EXPECT_TRUE(Prover(*graph, {1, false}).assumptions_can_hold());
}

TEST(Prover, WhatIsProvedIsKnownToLaterQuestions) {
  // The second follows from the first in the same cycle, and from nothing else: an input says so.
  Graph graph(1, {false});
  graph->latches[0].next = 0;
  graph->bad.push_back(graph.latch(0));
  graph->bad.push_back(graph.both(graph.latch(0), graph.input(0)));
  Prover prover(*graph, {1, false});
  EXPECT_EQ(prover.ask(0, kManyAnswers), Verdict::kProved);
  EXPECT_EQ(prover.ask(1, kManyAnswers), Verdict::kProved);
}

TEST(Prover, ALatchWithoutAFirstValueMayHoldAnything) {
  Graph graph(0, {false});
  graph->latches[0].next = graph.latch(0);
  graph->bad.push_back(graph.latch(0));
  EXPECT_EQ(asked(*graph, {1, true}), Verdict::kProved);
  graph->latches[0].free = true;
  EXPECT_EQ(asked(*graph, {1, true}), Verdict::kBroken);
}

/// More facts than one answer brings in, and variables whose products leave 32 bits.
TEST(Prover, ManyFactsAndManyVariables) {
  constexpr std::uint32_t kBits = 60'000;
  Graph graph(kBits, {false});
  Literal all = graph.input(0);
  for (std::uint32_t i = 1; i < kBits; i++) all = graph.both(all, graph.input(i));
  graph->latches[0].next = all;
  graph->bad.push_back(graph.latch(0));
  EXPECT_EQ(asked(*graph, {1, true}), Verdict::kBroken);
  graph->constraints.push_back(graph.input(kBits / 2) ^ 1U);
  EXPECT_EQ(asked(*graph, {1, true}), Verdict::kProved);
}

/// A chain of implications comes in link by link; the next question of the same class has it at
/// once.
TEST(Prover, WhatProvedAQuestionBeginsTheNextOfItsClass) {
  constexpr std::uint32_t kLinks = 10;
  Graph graph(kLinks + 1, {});
  for (std::uint32_t i = 0; i < kLinks; i++) {
    const Literal next = i + 1 < kLinks ? graph.input(i + 1) : 0;
    graph->constraints.push_back(graph.both(graph.input(i), next ^ 1U) ^ 1U);
  }
  graph->bad.push_back(graph.input(0));
  graph->bad.push_back(graph.both(graph.input(kLinks), graph.input(0)));
  const auto second = [&](const std::vector<std::uint32_t>& classes) {
    Prover prover(*graph, {1, true, true}, classes);
    EXPECT_EQ(prover.ask(0, kManyAnswers), Verdict::kProved);
    return prover.ask(1, 1);
  };
  EXPECT_EQ(second({0, 0}), Verdict::kProved);
  EXPECT_EQ(second({0, 1}), Verdict::kUnknown);
}

/// Another solver gets what proved a question, and finds it without a solution as well.
TEST(Prover, WritesWhatProvedAQuestion) {
  Graph graph = counter(3);
  graph->bad.push_back(at(graph, 6));
  Prover prover(*graph, {5, true});
  ASSERT_EQ(prover.ask(0, kManyAnswers), Verdict::kProved);
  std::stringstream file;
  prover.write_problem(file);
  std::string words;
  int variables = 0, clauses = 0, read = 0;
  file >> words >> words >> variables >> clauses;
  CaDiCaL::Solver solver;
  for (int literal = 0; file >> literal;) {
    solver.add(literal);
    EXPECT_LE(std::abs(literal), variables);
    read += literal == 0 ? 1 : 0;
  }
  EXPECT_EQ(read, clauses);
  EXPECT_EQ(solver.solve(), 20);
}

TEST(Prover, GivesUpAfterTheAnswers) {
  // Six pigeons in five holes: no solution, and the pigeons come in one at a time.
  Graph graph(30, {});
  for (std::uint32_t pigeon = 0; pigeon < 6; pigeon++) {
    Literal none = 1;
    for (std::uint32_t hole = 0; hole < 5; hole++)
      none = graph.both(none, graph.input(pigeon * 5 + hole) ^ 1U);
    graph->constraints.push_back(none ^ 1U);
    for (std::uint32_t other = 0; other < pigeon; other++) {
      for (std::uint32_t hole = 0; hole < 5; hole++) {
        graph->constraints.push_back(
            graph.both(graph.input(pigeon * 5 + hole), graph.input(other * 5 + hole)) ^ 1U);
      }
    }
  }
  graph->bad.push_back(1);
  EXPECT_EQ(Prover(*graph, {1, true}).ask(0, 1), Verdict::kUnknown);
  EXPECT_EQ(asked(*graph, {1, true}), Verdict::kProved);
}

TEST(Aiger, ReadsWhatYosysWrites) {
  // Two inputs; a latch without a first value, one with 1; an assertion and an assumption; 5 = 2
  // and not 1.
  std::istringstream file(
      std::string("aag 5 2 2 0 1 1 1 0 0\n2\n4\n6 10 6\n8 7 1\n11\n4\n10 5 3\ni1 en\nl0 "
                  "state[3]\nb0 x\nc\nYosys\n"));
  const Aiger graph = read_aiger(file);
  EXPECT_EQ(graph.variables(), 6U);
  EXPECT_TRUE(graph.latches[0].free);
  EXPECT_EQ(graph.latches[0].next, 10U);
  EXPECT_TRUE(graph.latches[1].initial);
  EXPECT_FALSE(graph.latches[1].free);
  EXPECT_EQ(graph.bad, std::vector<Literal>{11});
  EXPECT_EQ(graph.constraints, std::vector<Literal>{4});
  EXPECT_EQ(graph.ands.at(0).left, 5U);
  EXPECT_EQ(graph.ands.at(0).right, 3U);
  EXPECT_EQ(graph.input_names, (std::vector<std::string>{"", "en"}));
  EXPECT_EQ(graph.latch_names, (std::vector<std::string>{"state[3]", ""}));
}

TEST(Aiger, RefusesWhatItDoesNotKnow) {
  const auto message = [](const std::string& text) -> std::string {
    std::istringstream file(text);
    try {
      (void)read_aiger(file);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("aig 0 0 0 0 0 0 0 0 0\n"), "AIGER: a file that does not begin with 'aag'");
  EXPECT_EQ(message("aag 3 1 1 0 0 0 0 0 0\n"), "AIGER: the counts of the header do not add up");
  EXPECT_EQ(message("aag 0 0 0 0 0 0 0 1 0\n"), "AIGER: justice and fairness are not known here");
  EXPECT_EQ(message("aag 1 1 0 0 0 1 0 0 0\n2\n"), "AIGER: the file ends too early");
  EXPECT_EQ(message("aag 1 1 0 0 0 1 0 0 0\n2\n4\n"), "AIGER: no literal of the graph");
  EXPECT_EQ(message("aag 2 1 0 0 1 0 0 0 0\n2\n4 4 2\n"),
            "AIGER: a gate that does not follow its operands");
  EXPECT_EQ(message("aag 1 1 0 0 0 0 0 0 0\n2\ni1 late\n"), "AIGER: a symbol of nothing: i1 late");
}

TEST(Waves, ShowATraceWithNames) {
  Graph graph = counter(2);
  graph->input_names = {"en"};
  graph->latch_names = {"count[0]", "count[1]"};
  graph->bad.push_back(graph.latch(1));
  Prover prover(*graph, {2, true});
  ASSERT_EQ(prover.ask(0, kManyAnswers), Verdict::kBroken);
  std::ostringstream file;
  write_waves(*graph, prover.trace(), file);
  EXPECT_NE(file.str().find("$var wire 1 n1 en $end\n$var wire 1 n2 count [0] $end\n"
                            "$var wire 1 n3 count [1] $end\n"),
            std::string::npos);
  EXPECT_NE(file.str().find("#0\n1n1\n0n2\n0n3\n#1\n1n1\n1n2\n0n3\n#2\n"), std::string::npos);
}

}  // namespace
}  // namespace paws::formal
