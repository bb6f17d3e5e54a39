// SPDX-License-Identifier: MIT
#include "tb/formal/prover/prover.h"

#include <algorithm>
#include <cadical.hpp>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <utility>

namespace paws::formal {
namespace {

constexpr int kNoVariable = 0;
constexpr Literal kTrue = 1;
/// Questions after which the solver begins anew: it decides all that it has, whether or not a
/// question needs it.
constexpr int kQuestions = 50;
/// Conflicts of the solver in one answer, for each answer that a question may take.
constexpr int kConflicts = 20;
/// The more answers a question may take the more facts each of them brings in.
constexpr int kAnswersPerFact = 150;

/// A literal that must hold in a cycle.
struct Fact {
  std::uint32_t frame = 0;
  Literal literal = 0;
  std::size_t support = 0;  ///< which of the supports is its
};

/// The inputs and latches in front of a literal, in the same cycle.
std::vector<std::uint32_t> support_of(const Aiger& graph, Literal literal,
                                      std::vector<bool>& seen) {
  std::vector<std::uint32_t> found, all, todo{literal / 2};
  while (!todo.empty()) {
    const std::uint32_t variable = todo.back();
    todo.pop_back();
    if (variable == 0 || seen[variable]) continue;
    seen[variable] = true;
    all.push_back(variable);
    if (graph.is_input(variable) || graph.is_latch(variable)) {
      found.push_back(variable);
    } else {
      todo.push_back(graph.gate(variable).left / 2);
      todo.push_back(graph.gate(variable).right / 2);
    }
  }
  for (const std::uint32_t variable : all) seen[variable] = false;
  return found;
}

}  // namespace

struct Prover::Impl {
  const Aiger& graph;
  const Task task;
  const std::uint32_t frames;
  std::unique_ptr<CaDiCaL::Solver> solver;
  std::vector<std::vector<int>> mapped;  ///< by cycle and variable: that of the solver
  int last = 0;                          ///< variable of the solver
  std::vector<bool> proved;              ///< assertions, of the cycle that is asked about
  std::vector<Fact> unused;              ///< those that the solver does not know yet
  /// Inputs and latches in front of each constraint, then of each assertion.
  std::vector<std::vector<std::uint32_t>> supports;
  Trace trace;
  int questions = 0;

  Impl(const Aiger& of, Task what)
      : graph(of), task(what), frames(what.depth + 1), proved(of.bad.size(), false) {
    std::vector<bool> seen(graph.variables(), false);
    for (const Literal literal : graph.constraints)
      supports.push_back(support_of(graph, literal, seen));
    for (const Literal literal : graph.bad) supports.push_back(support_of(graph, literal, seen));
    refresh();
  }

  void refresh() {
    solver = std::make_unique<CaDiCaL::Solver>();
    solver->set("quiet", 1);
    mapped.assign(frames, std::vector<int>(graph.variables(), kNoVariable));
    last = 1;
    solver->add(1);  // variable 1 is true
    solver->add(0);
    unused.clear();
    for (std::uint32_t frame = 0; frame < frames; frame++) {
      for (std::size_t i = 0; i < graph.constraints.size(); i++)
        unused.push_back({frame, graph.constraints[i], i});
      // In the first cycle of all nothing is promised.
      const bool past = task.base ? frame >= 1 && frame < task.depth : frame < task.depth;
      for (std::size_t i = 0; i < graph.bad.size() && !task.alone; i++) {
        if (past || (frame == task.depth && proved[i]))
          unused.emplace_back(frame, graph.bad[i] ^ 1U);
      }
    }
  }

  /// The solver's literal of one of the graph that has a variable there.
  [[nodiscard]] int known(std::uint32_t frame, Literal literal) const {
    const int variable = mapped[frame][literal / 2];
    return (literal & 1U) != 0 ? -variable : variable;
  }

  void clause(std::initializer_list<int> literals) {
    for (const int literal : literals) solver->add(literal);
    solver->add(0);
  }

  /// The solver's literal; brings in the logic in front of it.
  int encode(std::uint32_t frame, Literal literal) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> todo{{frame, literal / 2}};
    while (!todo.empty()) {
      const auto [at, variable] = todo.back();
      int& own = mapped[at][variable];
      if (own != kNoVariable) {
        todo.pop_back();
      } else if (variable == 0) {
        own = -1;
      } else if (graph.is_input(variable)) {
        own = ++last;
      } else if (graph.is_latch(variable)) {
        const Latch& latch = graph.latch(variable);
        if (at == 0) {
          own = task.base && !latch.free ? (latch.initial ? 1 : -1) : ++last;
        } else if (mapped[at - 1][latch.next / 2] == kNoVariable) {
          todo.emplace_back(at - 1, latch.next / 2);
        } else {
          own = known(at - 1, latch.next);
        }
      } else {
        const And& gate = graph.gate(variable);
        const bool left = mapped[at][gate.left / 2] != kNoVariable;
        const bool right = mapped[at][gate.right / 2] != kNoVariable;
        if (!left) todo.emplace_back(at, gate.left / 2);
        if (!right) todo.emplace_back(at, gate.right / 2);
        if (left && right) {
          const int a = known(at, gate.left), b = known(at, gate.right);
          own = ++last;
          clause({-own, a});
          clause({-own, b});
          clause({own, -a, -b});
        }
      }
    }
    return known(frame, literal);
  }

  [[nodiscard]] std::uint8_t answer(std::uint32_t frame, std::uint32_t variable) const {
    const int own = mapped[frame][variable];
    return own != kNoVariable && (solver->val(own < 0 ? -own : own) > 0) == (own > 0) ? 1 : 0;
  }

  /// What a literal is in a cycle of the trace.
  static std::uint8_t value(const std::vector<std::uint8_t>& row, Literal literal) {
    return row[literal / 2] ^ static_cast<std::uint8_t>(literal & 1U);
  }

  /// What the graph does under the solver's answer; what it did not need is 0.
  void evaluate() {
    trace.resize(frames);
    for (std::uint32_t frame = 0; frame < frames; frame++) {
      auto& row = trace[frame];
      row.resize(graph.variables());
      std::uint32_t variable = 0;
      row[variable++] = 0;
      for (std::uint32_t i = 0; i < graph.inputs; i++, variable++)
        row[variable] = answer(frame, variable);
      for (const Latch& latch : graph.latches) {
        const bool known_first = task.base && !latch.free;
        row[variable] = frame > 0     ? value(trace[frame - 1], latch.next)
                        : known_first ? static_cast<std::uint8_t>(latch.initial)
                                      : answer(0, variable);
        variable++;
      }
      for (const And& gate : graph.ands)
        row[variable++] = value(row, gate.left) & value(row, gate.right);
    }
  }

  /// How many variables a fact is about that the solver does not have.
  [[nodiscard]] std::size_t strange(const Fact& fact) const {
    const auto& row = mapped[fact.frame];
    const auto& support = supports[fact.support];
    return std::count_if(support.begin(), support.end(),
                         [&](std::uint32_t variable) { return row[variable] == kNoVariable; });
  }

  /// Brings in facts that the trace breaks, those nearest to what the solver has; false if it
  /// breaks none.
  bool learn(std::size_t most) {
    std::vector<std::pair<std::size_t, std::size_t>> broken;  // how strange, which
    for (std::size_t i = 0; i < unused.size(); i++) {
      if (value(trace[unused[i].frame], unused[i].literal) == 0)
        broken.emplace_back(strange(unused[i]), i);
    }
    most = std::min(most, broken.size());
    std::partial_sort(broken.begin(), broken.begin() + static_cast<std::ptrdiff_t>(most),
                      broken.end());
    std::vector<bool> gone(unused.size(), false);
    for (std::size_t i = 0; i < most; i++) {
      const Fact& fact = unused[broken[i].second];
      clause({encode(fact.frame, fact.literal)});
      gone[broken[i].second] = true;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < unused.size(); i++) {
      if (!gone[i]) unused[kept++] = unused[i];
    }
    unused.resize(kept);
    return most > 0;
  }

  Verdict ask(Literal goal, int answers) {
    if (++questions % kQuestions == 0) refresh();
    const int wanted = encode(task.depth, goal);
    for (int i = 0; i < answers; i++) {
      solver->assume(wanted);
      solver->limit("conflicts", kConflicts * answers);
      const int status = solver->solve();
      if (status == 20) {
        if (!task.alone) clause({-wanted});
        return Verdict::kProved;
      }
      if (status != 10) break;
      evaluate();
      if (!learn(1 + answers / kAnswersPerFact)) return Verdict::kBroken;
    }
    refresh();  // what came in did not help
    return Verdict::kUnknown;
  }
};

Prover::Prover(const Aiger& graph, Task task) : impl_(std::make_unique<Impl>(graph, task)) {}
Prover::~Prover() = default;

Verdict Prover::ask(std::uint32_t index, int answers) {
  const Literal bad = impl_->graph.bad[index];
  const Verdict verdict = impl_->ask(bad, answers);
  if (verdict == Verdict::kProved) impl_->proved[index] = true;
  return verdict;
}

const Trace& Prover::trace() const { return impl_->trace; }
bool Prover::assumptions_can_hold() {
  return impl_->ask(kTrue, std::numeric_limits<int>::max() / kConflicts) == Verdict::kBroken;
}

}  // namespace paws::formal
