// SPDX-License-Identifier: MIT
// One question per assertion: can it be broken in a cycle, if assumptions hold until then?
//
// *Step*: the cycles before it are any in which all assertions hold. *Base*: they are the first
// ones. A question starts with the logic in front of its assertion alone. What is known besides
// (assumptions, the assertions of earlier cycles, those already proved of the same cycle) comes in
// when an answer breaks it: all of it at once does not end at 24 warps. Two forms of a question are
// tried: of the last cycle alone, where registers may hold anything, and of all cycles.
//
// Questions of one line of the properties are alike, so they share a solver for a while, and what
// proved the last one begins the next.
#pragma once

#include <algorithm>
#include <cadical.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tb/formal/prover/aiger.h"

namespace paws::formal {

struct Task {
  std::uint32_t depth = 1;  ///< cycles before the one that is asked about
  bool base = false;        ///< from the first cycle, not from any
  bool alone = false;       ///< no assertion is known to another: they are opposites of covers
};

enum class Verdict {
  kProved,   ///< it holds
  kBroken,   ///< a trace breaks it and nothing that is known
  kUnknown,  ///< nothing is known after so many answers
};

inline constexpr int kNoVariable = 0, kTrue = 1;
/// Questions after which a solver begins anew: it decides all that it has, whether or not a
/// question needs it.
inline constexpr int kQuestions = 50;
/// Conflicts of the solver in one answer, for each answer that a question may take.
inline constexpr int kConflicts = 20;
/// Facts near by that one answer brings in.
inline constexpr std::size_t kFacts = 8;

/// What a literal is in a cycle of a trace.
inline std::uint8_t value(const std::vector<std::uint8_t>& row, Literal literal) {
  return row[literal / 2] ^ static_cast<std::uint8_t>(literal & 1U);
}

/// A constraint or an assertion, in a cycle; constraints are counted first.
using Fact = std::pair<std::uint32_t, std::size_t>;

/// What is the same for all questions. Facts of one kind are alike: a constraint is one alone.
struct Problem {
  const Aiger& graph;
  const Task task;
  std::vector<Literal> facts;  ///< constraints and opposites of assertions, then a false one
  std::vector<std::vector<std::uint32_t>> supports;  ///< inputs and latches in front of the facts
  std::vector<bool> proved;                          ///< facts, in the cycle that is asked about
  std::vector<std::size_t> kind, place;              ///< of a fact, and its place among its kind
  std::vector<std::vector<std::size_t>> alike;       ///< the facts of each kind, in order

  Problem(const Aiger& of, Task what, const std::vector<std::uint32_t>& classes)
      : graph(of), task(what), facts(of.constraints) {
    for (const Literal bad : graph.bad) facts.push_back(bad ^ 1U);
    facts.push_back(0);
    proved.assign(facts.size(), false);
    std::vector<std::size_t> seen(graph.variables(), facts.size());
    const std::size_t constraints = graph.constraints.size();
    for (std::size_t index = 0; index < facts.size(); index++) {
      const bool classed = index >= constraints && index - constraints < classes.size();
      kind.push_back(classed ? constraints + classes[index - constraints]
                             : std::min(index, constraints));
      alike.resize(std::max(alike.size(), kind[index] + 1));
      place.push_back(alike[kind[index]].size());
      alike[kind[index]].push_back(index);
      supports.push_back(support_of(index, seen));
    }
  }

  std::vector<std::uint32_t> support_of(std::size_t index, std::vector<std::size_t>& seen) const {
    std::vector<std::uint32_t> found, todo{facts[index] / 2};
    while (!todo.empty()) {
      const std::uint32_t variable = todo.back();
      todo.pop_back();
      if (variable == 0 || std::exchange(seen[variable], index) == index) continue;
      if (variable < graph.first_gate()) {
        found.push_back(variable);
      } else {
        const And& gate = graph.ands[variable - graph.first_gate()];
        todo.insert(todo.end(), {gate.left / 2, gate.right / 2});
      }
    }
    return found;
  }

  /// The fact that stands in its kind where `from` would stand after a shift; itself without one.
  [[nodiscard]] Fact moved(Fact from, std::size_t by) const {
    const auto& row = alike[kind[from.second]];
    const std::size_t to = place[from.second] + by;  // modulo 2^64: backwards too
    return {from.first, to < row.size() ? row[to] : from.second};
  }

  [[nodiscard]] bool is_known(Fact fact) const {
    const auto [frame, index] = fact;
    if (index < graph.constraints.size()) return true;
    if (task.alone || index + 1 == facts.size()) return false;
    // In the first cycle of all nothing is promised.
    return frame == task.depth ? proved[index] : !task.base || frame >= 1;
  }
};

/// What proved the last questions of a kind.
struct Help {
  std::set<Fact> last, before;  ///< facts: of the last, and the one before
  std::set<std::pair<std::uint32_t, std::size_t>> kinds;  ///< cycles and kinds of all that ever did
  std::size_t place = 0;                                  ///< of the last
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

  /// Whether a fact can be broken in the last cycle.
  Verdict ask(std::size_t index, int answers, bool by_line, Trace& trace) {
    const std::size_t kind = problem_.kind[index], place = problem_.place[index];
    if (solver_ == nullptr || kind != kind_ || ++questions_ % kQuestions == 0) begin(kind);
    Help& help = helped_[kind];
    // What helped the last one of its kind; what did not help the one before moves on, too.
    std::set<Fact> used = help.last;
    for (const Fact& fact : help.last) {
      if (!help.before.contains(fact)) used.insert(problem_.moved(fact, place - help.place));
    }
    // So may its hypothesis, and the one before it: in a chain no answer breaks that, which is
    // true.
    for (std::uint32_t frame = first_; frame < last_; frame++) used.emplace(frame, index);
    encode(last_, problem_.facts[index]);
    const Fact previous(last_, problem_.alike[kind][place > 0 ? place - 1 : 0]);
    if (strange(previous) == 0) used.insert(previous);
    std::erase_if(used, [&](Fact fact) { return !problem_.is_known(fact); });
    for (int i = 0; i < answers; i++) {
      assumed_ = {-encode(last_, problem_.facts[index])};
      for (const Fact& fact : used) assumed_.push_back(switch_of(fact));
      for (const int literal : assumed_) solver_->assume(literal);
      solver_->limit("conflicts", kConflicts * answers);
      const int status = solver_->solve();
      if (status == 20) {
        help.before = std::exchange(help.last, {});
        help.place = place;
        for (const Fact& fact : used) {
          if (!solver_->failed(switch_of(fact))) continue;
          help.last.insert(fact);
          help.kinds.emplace(fact.first, problem_.kind[fact.second]);
        }
        return Verdict::kProved;
      }
      if (status != 10) break;
      evaluate(trace);
      if (!learn(trace, help, index, by_line, used)) return Verdict::kBroken;
    }
    solver_.reset();  // what came in did not help
    return Verdict::kUnknown;
  }

  void write(std::ostream& file) const {
    const auto clauses = std::count(clauses_.begin(), clauses_.end(), 0);
    file << "p cnf " << variables_ << ' ' << clauses + static_cast<std::ptrdiff_t>(assumed_.size());
    int last = 0;
    for (const int literal : clauses_)
      file << (std::exchange(last, literal) == 0 ? '\n' : ' ') << literal;
    for (const int literal : assumed_) file << '\n' << literal << " 0";
    file << '\n';
  }

 private:
  void begin(std::size_t kind) {
    kind_ = kind;
    questions_ = 0;
    solver_ = std::make_unique<CaDiCaL::Solver>();
    solver_->set("quiet", 1);
    for (auto& row : mapped_) {
      row.assign(graph_.variables(), kNoVariable);
      row[0] = -kTrue;
    }
    for (std::size_t i = 0; i < graph_.latches.size() && problem_.task.base; i++) {
      const Latch& latch = graph_.latches[i];
      if (!latch.free) mapped_[0][1 + graph_.inputs + i] = latch.initial ? kTrue : -kTrue;
    }
    for (auto& row : switches_) row.assign(problem_.facts.size(), kNoVariable);
    variables_ = kTrue;
    clauses_.clear();
    clause({kTrue});
  }

  void clause(std::initializer_list<int> literals) {
    clauses_.insert(clauses_.end(), literals);
    clauses_.push_back(0);
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

  /// The solver's literal; brings in the logic in front of it.
  int encode(std::uint32_t frame, Literal literal) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> todo{{frame, literal / 2}};
    const auto has = [&](std::uint32_t at, Literal part) {
      const bool here = mapped_[at][part / 2] != kNoVariable;
      if (!here) todo.emplace_back(at, part / 2);
      return here;
    };
    while (!todo.empty()) {
      const auto [at, variable] = todo.back();
      int& own = mapped_[at][variable];
      if (own != kNoVariable) {
        todo.pop_back();
      } else if (variable >= graph_.first_gate()) {
        const And& gate = graph_.ands[variable - graph_.first_gate()];
        if (!has(at, gate.left) || !has(at, gate.right)) continue;
        const int left = known(at, gate.left), right = known(at, gate.right);
        if (left == -kTrue || right == -kTrue || left == -right) {
          own = -kTrue;
        } else if (left == kTrue || right == kTrue || left == right) {
          own = left == kTrue ? right : left;
        } else {
          own = ++variables_;
          clause({-own, left});
          clause({-own, right});
          clause({own, -left, -right});
        }
      } else if (variable > graph_.inputs && at > first_) {
        const Literal next = graph_.latches[variable - graph_.inputs - 1].next;
        if (has(at - 1, next)) own = known(at - 1, next);
      } else {
        own = ++variables_;
      }
    }
    return known(frame, literal);
  }

  /// What the graph does under the solver's answer; what it did not need is 0.
  void evaluate(Trace& trace) const {
    for (std::uint32_t frame = first_; frame <= last_; frame++) {
      auto& row = trace[frame];
      for (std::uint32_t variable = 0; variable < row.size(); variable++) {
        const int own = mapped_[frame][variable];
        if (variable >= graph_.first_gate()) {
          const And& gate = graph_.ands[variable - graph_.first_gate()];
          row[variable] = value(row, gate.left) & value(row, gate.right);
        } else if (variable > graph_.inputs && frame > first_) {
          row[variable] =
              value(trace[frame - 1], graph_.latches[variable - graph_.inputs - 1].next);
        } else {
          row[variable] =
              own != kNoVariable && (solver_->val(std::abs(own)) > 0) == (own > 0) ? 1 : 0;
        }
      }
    }
  }

  /// How many variables a fact is about that the solver does not have.
  [[nodiscard]] std::ptrdiff_t strange(Fact fact) const {
    const auto& row = mapped_[fact.first];
    return std::ranges::count_if(problem_.supports[fact.second], [&](std::uint32_t variable) {
      return row[variable] == kNoVariable;
    });
  }

  /// Brings in facts that the trace breaks: those of kinds that helped before, then those nearest
  /// to what the solver has, then those of the nearest lines or places; false if it breaks none.
  bool learn(const Trace& trace, const Help& help, std::size_t asked, bool by_line,
             std::set<Fact>& used) const {
    const auto& order = by_line ? problem_.kind : problem_.place;
    const auto apart = [&](std::size_t index) {
      if (index < graph_.constraints.size()) return std::size_t{0};
      return std::max(order[index], order[asked]) - std::min(order[index], order[asked]);
    };
    using Nearness = std::tuple<bool, std::ptrdiff_t, std::size_t>;
    std::vector<std::pair<Nearness, Fact>> broken;
    for (std::uint32_t frame = first_; frame <= last_; frame++) {
      for (std::size_t index = 0; index < problem_.facts.size(); index++) {
        const Fact fact(frame, index);
        if (value(trace[frame], problem_.facts[index]) == 0 && problem_.is_known(fact))
          broken.emplace_back(Nearness(!help.kinds.contains({frame, problem_.kind[index]}),
                                       strange(fact), apart(index)),
                              fact);
      }
    }
    if (broken.empty()) return false;
    const auto most = static_cast<std::ptrdiff_t>(std::min(kFacts, broken.size()));
    std::partial_sort(broken.begin(), broken.begin() + most, broken.end());
    // More than the first if they are of what helped and of known variables, or as near.
    const Nearness likely = std::max(broken[0].first, Nearness(false, 0, broken.size()));
    for (std::ptrdiff_t i = 0; i < most; i++)
      if (broken[i].first <= likely) used.insert(broken[i].second);
    return true;
  }

  const Problem& problem_;
  const Aiger& graph_;
  const std::uint32_t first_, last_;  ///< cycles
  std::unique_ptr<CaDiCaL::Solver> solver_;
  std::vector<int> clauses_, assumed_;      ///< what it has been told; each clause ends with 0
  std::vector<std::vector<int>> mapped_;    ///< by cycle and variable: the solver's literal
  std::vector<std::vector<int>> switches_;  ///< by cycle and fact
  int variables_ = 0;                       ///< of the solver
  int questions_ = 0;                       ///< since the solver began
  std::size_t kind_ = 0;                    ///< of those questions
  std::map<std::size_t, Help> helped_;      ///< by kind of the question
};

/// Asks about assertions in turn; what is proved is known to the later ones.
class Prover {
 public:
  /// `classes`: a number per assertion, the same for those of one line, near for near lines; empty:
  /// they are one class.
  Prover(const Aiger& graph, Task task, const std::vector<std::uint32_t>& classes = {})
      : problem_(graph, task, classes),
        trace_(task.depth + 1, std::vector<std::uint8_t>(graph.variables())),
        whole_(problem_, false),
        now_(problem_, true) {}

  /// Asks about assertion `index`; gives up after so many answers of the solver, each of which may
  /// take the longer the more they are. Of broken facts those of near lines come in first, or those
  /// of near places in their lines: which is better differs.
  Verdict ask(std::uint32_t index, int answers, bool by_line = false) {
    const std::size_t fact = problem_.graph.constraints.size() + index;
    bool& by_now = by_now_.emplace(std::pair(problem_.kind[fact], answers), true).first->second;
    Verdict verdict = Verdict::kUnknown;
    const auto ask = [&](SharedSolver& solver) {
      verdict = (asked_ = &solver)->ask(fact, answers, by_line, trace_);
      return verdict == Verdict::kProved;
    };
    // The last cycle alone first where that proved the last one, else if all cycles give no answer.
    by_now = by_now && !problem_.task.base && ask(now_);
    if (!by_now && !ask(whole_) && verdict == Verdict::kUnknown && !problem_.task.base) {
      by_now = ask(now_);
      if (!by_now) verdict = Verdict::kUnknown;
    }
    problem_.proved[fact] = verdict == Verdict::kProved;
    return verdict;
  }

  /// The trace of the last kBroken.
  [[nodiscard]] const Trace& trace() const { return trace_; }

  /// Writes what proved the last kProved as DIMACS, without solution, for another solver.
  void write_problem(std::ostream& file) const { asked_->write(file); }

  /// Whether any trace meets all assumptions: else every proof is empty.
  bool assumptions_can_hold() {
    return whole_.ask(problem_.facts.size() - 1, std::numeric_limits<int>::max() / kConflicts,
                      false, trace_) == Verdict::kBroken;
  }

 private:
  Problem problem_;
  Trace trace_;
  SharedSolver whole_, now_;
  SharedSolver* asked_ = nullptr;  ///< last
  std::map<std::pair<std::size_t, int>, bool>
      by_now_;  ///< by kind: the last cycle alone proved the last one
};

}  // namespace paws::formal
