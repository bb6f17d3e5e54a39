// SPDX-License-Identifier: MIT
#include "tb/formal/prover/prover.h"

#include <algorithm>
#include <cadical.hpp>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace paws::formal {
namespace {

constexpr int kNoVariable = 0;
constexpr int kTrueVariable = 1;
/// Questions after which a solver begins anew: it decides all that it has, whether or not a
/// question needs it.
constexpr int kQuestions = 50;
/// Conflicts of the solver in one answer, for each answer that a question may take.
constexpr int kConflicts = 20;
/// Facts of kinds that helped before that one answer brings in.
constexpr std::size_t kFacts = 8;

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

/// What a literal is in a cycle of a trace.
std::uint8_t value(const std::vector<std::uint8_t>& row, Literal literal) {
  return row[literal / 2] ^ static_cast<std::uint8_t>(literal & 1U);
}

/// A constraint or an assertion, in a cycle; constraints are counted first.
using Fact = std::pair<std::uint32_t, std::size_t>;

/// What is the same for all questions.
struct Problem {
  const Aiger& graph;
  const Task task;
  const std::vector<std::uint32_t> classes;
  std::vector<Literal> facts;                        ///< constraints and opposites of assertions
  std::vector<std::vector<std::uint32_t>> supports;  ///< of the facts
  std::vector<bool> proved;                          ///< facts, in the cycle that is asked about
  std::vector<std::vector<std::size_t>> kinds;       ///< the facts of each kind, in order
  std::vector<std::size_t> places;                   ///< of each fact among those of its kind

  Problem(const Aiger& of, Task what, std::vector<std::uint32_t> of_class)
      : graph(of), task(what), classes(std::move(of_class)), facts(of.constraints) {
    for (const Literal bad : graph.bad) facts.push_back(bad ^ 1U);
    std::vector<bool> seen(graph.variables(), false);
    for (const Literal literal : facts) supports.push_back(support_of(graph, literal, seen));
    proved.assign(facts.size(), false);
    for (std::size_t index = 0; index < facts.size(); index++) {
      kinds.resize(std::max(kinds.size(), kind(index) + 1));
      places.push_back(kinds[kind(index)].size());
      kinds[kind(index)].push_back(index);
    }
    places.push_back(0);
  }

  /// The fact that stands in its kind where `from` would stand after a shift; itself without one.
  [[nodiscard]] Fact moved(Fact from, std::ptrdiff_t by) const {
    const auto& alike = kinds[kind(from.second)];
    const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(places[from.second]) + by;
    if (place < 0 || place >= static_cast<std::ptrdiff_t>(alike.size())) return from;
    return {from.first, alike[static_cast<std::size_t>(place)]};
  }

  [[nodiscard]] bool is_known(Fact fact) const {
    const auto [frame, index] = fact;
    if (index < graph.constraints.size()) return true;
    if (task.alone) return false;
    // In the first cycle of all nothing is promised.
    return frame == task.depth ? proved[index] : !task.base || frame >= 1;
  }

  /// Alike facts have the same kind: constraints are one each.
  [[nodiscard]] std::size_t kind(std::size_t index) const {
    const std::size_t constraints = graph.constraints.size();
    if (index < constraints || classes.empty() || index == facts.size())
      return std::min(index, constraints);
    return constraints + classes[index - constraints];
  }
};

/// What proved the last questions of a kind.
struct Help {
  std::set<Fact> last, before;  ///< facts that proved the last one, and the one before it
  std::set<Fact> kinds;         ///< of all that ever did, by cycle
  std::ptrdiff_t place = 0;     ///< of the last one
};

/// A solver that is asked several questions, and what it knows.
class SharedSolver {
 public:
  /// `cut`: of the last cycle alone, where the latches may hold anything.
  SharedSolver(const Problem& problem, bool cut)
      : problem_(problem),
        graph_(problem.graph),
        first_(cut ? problem.task.depth : 0),
        last_(problem.task.depth),
        mapped_(last_ + 1),
        switches_(last_ + 1) {}

  Verdict ask(std::size_t index, Literal goal, int answers, Trace& trace) {
    const std::size_t kind = problem_.kind(index);
    if (solver_ == nullptr || kind != kind_ || ++questions_ % kQuestions == 0) begin(kind);
    Help& help = helped_[kind];
    const auto place = static_cast<std::ptrdiff_t>(problem_.places[index]);
    const int wanted = encode(last_, goal);
    // What helped the last one of its kind; what did not help the one before moves on, too.
    std::set<Fact> used = help.last;
    for (const Fact& fact : help.last) {
      if (!help.before.contains(fact)) used.insert(problem_.moved(fact, place - help.place));
    }
    for (std::uint32_t frame = first_; frame < last_; frame++) used.emplace(frame, index);
    std::erase_if(used, [&](Fact fact) {
      return fact.second >= problem_.facts.size() || !problem_.is_known(fact);
    });
    for (int i = 0; i < answers; i++) {
      solver_->assume(wanted);
      for (const Fact& fact : used) solver_->assume(switch_of(fact));
      solver_->limit("conflicts", kConflicts * answers);
      const int status = solver_->solve();
      if (status == 20) {
        help.before = std::exchange(help.last, {});
        help.place = place;
        for (const Fact& fact : used) {
          if (!solver_->failed(switch_of(fact))) continue;
          help.last.insert(fact);
          help.kinds.emplace(fact.first, problem_.kind(fact.second));
        }
        return Verdict::kProved;
      }
      if (status != 10) break;
      evaluate(trace);
      if (!learn(trace, help.kinds, place, used)) return Verdict::kBroken;
    }
    solver_.reset();  // what came in did not help
    return Verdict::kUnknown;
  }

 private:
  void begin(std::size_t kind) {
    kind_ = kind;
    questions_ = 0;
    solver_ = std::make_unique<CaDiCaL::Solver>();
    solver_->set("quiet", 1);
    for (auto& row : mapped_) row.assign(graph_.variables(), kNoVariable);
    for (auto& row : switches_) row.assign(problem_.facts.size(), kNoVariable);
    variables_ = kTrueVariable;
    clause({kTrueVariable});
  }

  void clause(std::initializer_list<int> literals) {
    for (const int literal : literals) solver_->add(literal);
    solver_->add(0);
  }

  /// The fact holds if the literal is assumed.
  int switch_of(Fact fact) {
    int& own = switches_[fact.first][fact.second];
    if (own == kNoVariable) {
      const int literal = encode(fact.first, problem_.facts[fact.second]);
      own = ++variables_;
      clause({-own, literal});
    }
    return own;
  }

  /// The solver's literal of one of the graph that it has.
  [[nodiscard]] int known(std::uint32_t frame, Literal literal) const {
    const int own = mapped_[frame][literal / 2];
    return (literal & 1U) != 0 ? -own : own;
  }

  int both(int left, int right) {
    if (left == -kTrueVariable || right == -kTrueVariable || left == -right) return -kTrueVariable;
    if (left == kTrueVariable || left == right) return right;
    if (right == kTrueVariable) return left;
    const int own = ++variables_;
    clause({-own, left});
    clause({-own, right});
    clause({own, -left, -right});
    return own;
  }

  /// The solver's literal; brings in the logic in front of it.
  int encode(std::uint32_t frame, Literal literal) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> todo{{frame, literal / 2}};
    while (!todo.empty()) {
      const auto [at, variable] = todo.back();
      int& own = mapped_[at][variable];
      if (own != kNoVariable) {
        todo.pop_back();
      } else if (variable == 0) {
        own = -kTrueVariable;
      } else if (graph_.is_input(variable)) {
        own = ++variables_;
      } else if (graph_.is_latch(variable)) {
        const Latch& latch = graph_.latch(variable);
        if (at == first_) {
          const bool reset = problem_.task.base && !latch.free;
          own = !reset ? ++variables_ : latch.initial ? kTrueVariable : -kTrueVariable;
        } else if (mapped_[at - 1][latch.next / 2] == kNoVariable) {
          todo.emplace_back(at - 1, latch.next / 2);
        } else {
          own = known(at - 1, latch.next);
        }
      } else {
        const And& gate = graph_.gate(variable);
        const bool left = mapped_[at][gate.left / 2] != kNoVariable;
        const bool right = mapped_[at][gate.right / 2] != kNoVariable;
        if (!left) todo.emplace_back(at, gate.left / 2);
        if (!right) todo.emplace_back(at, gate.right / 2);
        if (left && right) own = both(known(at, gate.left), known(at, gate.right));
      }
    }
    return known(frame, literal);
  }

  [[nodiscard]] std::uint8_t answer(std::uint32_t frame, std::uint32_t variable) const {
    const int own = mapped_[frame][variable];
    return own != kNoVariable && (solver_->val(own < 0 ? -own : own) > 0) == (own > 0) ? 1 : 0;
  }

  /// What the graph does under the solver's answer; what it did not need is 0.
  void evaluate(Trace& trace) const {
    for (std::uint32_t frame = first_; frame <= last_; frame++) {
      auto& row = trace[frame];
      std::uint32_t variable = 0;
      row[variable++] = 0;
      for (std::uint32_t i = 0; i < graph_.inputs; i++, variable++)
        row[variable] = answer(frame, variable);
      for (const Latch& latch : graph_.latches) {
        const bool reset = problem_.task.base && !latch.free;
        row[variable] = frame > first_ ? value(trace[frame - 1], latch.next)
                        : reset        ? static_cast<std::uint8_t>(latch.initial)
                                       : answer(frame, variable);
        variable++;
      }
      for (const And& gate : graph_.ands)
        row[variable++] = value(row, gate.left) & value(row, gate.right);
    }
  }

  /// How many variables a fact is about that the solver does not have.
  [[nodiscard]] std::ptrdiff_t strange(Fact fact) const {
    const auto& row = mapped_[fact.first];
    const auto& support = problem_.supports[fact.second];
    return std::count_if(support.begin(), support.end(),
                         [&](std::uint32_t variable) { return row[variable] == kNoVariable; });
  }

  /// Brings in facts that the trace breaks: those of kinds that helped before, then those nearest
  /// to what the solver has; false if it breaks none.
  bool learn(const Trace& trace, const std::set<Fact>& kinds, std::ptrdiff_t place,
             std::set<Fact>& used) const {
    std::vector<std::tuple<bool, std::ptrdiff_t, std::ptrdiff_t, Fact>> broken;
    for (std::uint32_t frame = first_; frame <= last_; frame++) {
      for (std::size_t index = 0; index < problem_.facts.size(); index++) {
        const Fact fact(frame, index);
        if (value(trace[frame], problem_.facts[index]) == 0 && problem_.is_known(fact))
          broken.emplace_back(!kinds.contains({frame, problem_.kind(index)}), strange(fact),
                              std::abs(static_cast<std::ptrdiff_t>(problem_.places[index]) - place),
                              fact);
      }
    }
    if (broken.empty()) return false;
    const std::size_t most = std::min(kFacts, broken.size());
    std::partial_sort(broken.begin(), broken.begin() + static_cast<std::ptrdiff_t>(most),
                      broken.end());
    for (std::size_t i = 0; i < most; i++) {
      const auto& [foreign, distance, apart, fact] = broken[i];
      if (i > 0 && (foreign || distance > 0)) break;
      used.insert(fact);
    }
    return true;
  }

  const Problem& problem_;
  const Aiger& graph_;
  const std::uint32_t first_, last_;  ///< cycles
  std::unique_ptr<CaDiCaL::Solver> solver_;
  std::vector<std::vector<int>> mapped_;    ///< by cycle and variable: the solver's literal
  std::vector<std::vector<int>> switches_;  ///< by cycle and fact
  int variables_ = 0;                       ///< of the solver
  int questions_ = 0;                       ///< since the solver began
  std::size_t kind_ = 0;                    ///< of those questions
  std::map<std::size_t, Help> helped_;      ///< by kind of the question
};

}  // namespace

struct Prover::Impl {
  Problem problem;
  Trace trace;
  SharedSolver whole, now;
  std::map<std::pair<std::size_t, int>, bool>
      by_now;  ///< by kind: the last cycle alone proved the last one

  Impl(const Aiger& graph, Task task, std::vector<std::uint32_t> classes)
      : problem(graph, task, std::move(classes)),
        trace(task.depth + 1, std::vector<std::uint8_t>(graph.variables())),
        whole(problem, false),
        now(problem, true) {}
};

Prover::Prover(const Aiger& graph, Task task, std::vector<std::uint32_t> classes)
    : impl_(std::make_unique<Impl>(graph, task, std::move(classes))) {}
Prover::~Prover() = default;

Verdict Prover::ask(std::uint32_t index, int answers) {
  Problem& problem = impl_->problem;
  const std::size_t fact = problem.graph.constraints.size() + index;
  const Literal goal = problem.graph.bad[index];
  bool& by_now = impl_->by_now.emplace(std::pair(problem.kind(fact), answers), true).first->second;
  Verdict verdict = Verdict::kUnknown;
  const auto ask_now = [&] {
    if (problem.task.base || impl_->now.ask(fact, goal, answers, impl_->trace) != Verdict::kProved)
      return false;
    verdict = Verdict::kProved;
    return true;
  };
  if (by_now) by_now = ask_now();
  if (verdict != Verdict::kProved) verdict = impl_->whole.ask(fact, goal, answers, impl_->trace);
  if (verdict == Verdict::kUnknown && !by_now) by_now = ask_now();
  if (verdict == Verdict::kProved) problem.proved[fact] = true;
  return verdict;
}

const Trace& Prover::trace() const { return impl_->trace; }
bool Prover::assumptions_can_hold() {
  return impl_->whole.ask(impl_->problem.facts.size(), 1,
                          std::numeric_limits<int>::max() / kConflicts,
                          impl_->trace) == Verdict::kBroken;
}

}  // namespace paws::formal
