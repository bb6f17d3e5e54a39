// SPDX-License-Identifier: MIT
// Proves the assertions of a graph one by one (tb/formal/prover/prover.h), for scripts/check prove:
//
//   prove_step GRAPH CLASSES step|base|covers DEPTH SECONDS WAVES [PROBLEMS EVERY]
//
// GRAPH has assertions as bad states, CLASSES a number per assertion, by its line. After SECONDS no
// question is asked. WAVES becomes a VCD of the first trace that breaks an assertion,
// PROBLEMS/I.cnf, for every so many assertions I, what proved it. `covers`: they are opposites of
// covers.
//
// Says in stderr how far it is; prints `proved N of M`, then `broken I` or `unknown I` for each
// assertion I, counted from 0, that is left. Exit status: 0 none is; 1 some are, or the assumptions
// cannot hold; 2 it cannot begin.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tb/formal/prover/aiger.h"
#include "tb/formal/prover/prover.h"

namespace {

using paws::formal::Prover;
using paws::formal::Verdict;

/// Answers of the solver to a question in the first round; each round allows four times as many.
constexpr int kAnswers = 100;
/// Questions of a class in succession without an answer after which its others wait for the next
/// round, in which more is proved; so in the first two rounds.
constexpr int kMisses = 6, kBrief = 4 * kAnswers;

/// Asks all questions, class by class, those without an answer again with more conflicts while
/// others are proved or the number of conflicts still grows.
int prove(const std::vector<std::string>& arguments) {
  if (arguments.size() != 6 && arguments.size() != 8)
    throw std::runtime_error("see prove_step.cpp");
  const std::string &mode = arguments[2], &waves = arguments[5];
  std::ifstream file(arguments[0], std::ios::binary), lines(arguments[1]);
  if (!file || !lines) throw std::runtime_error("no graph or no classes");
  const paws::formal::Aiger graph = paws::formal::read_aiger(file);
  std::vector<std::uint32_t> classes(graph.bad.size());
  for (auto& one : classes) lines >> one;
  if (!lines) throw std::runtime_error("not one class per assertion");
  const auto depth = static_cast<std::uint32_t>(std::stoul(arguments[3]));
  Prover prover(graph, {depth, mode != "step", mode == "covers"}, classes);
  if (!prover.assumptions_can_hold()) {
    std::printf("the assumptions cannot hold\n");
    return 1;
  }

  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::vector<std::uint32_t> left(classes.size());
  std::iota(left.begin(), left.end(), 0U);
  std::ranges::stable_sort(left, {}, [&](auto index) { return classes[index]; });
  std::vector<Verdict> verdicts(left.size(), Verdict::kUnknown);
  bool saved = false, moves = true, by_line = true;
  for (int answers = kAnswers; !left.empty() && moves; answers *= 4, by_line = !by_line) {
    moves = false;
    int misses = 0;
    std::uint32_t asked = std::numeric_limits<std::uint32_t>::max();
    std::erase_if(left, [&](std::uint32_t index) {
      if (seconds() > std::stod(arguments[4])) return false;
      if (std::exchange(asked, classes[index]) != classes[index]) {
        misses = 0;
        std::fprintf(stderr, "class %u, %.1f s\n", asked, seconds());
      }
      if (answers <= kBrief && misses == kMisses) return false;
      const Verdict verdict = verdicts[index] = prover.ask(index, answers, by_line);
      moves = moves || verdict != Verdict::kBroken;
      misses = verdict == Verdict::kUnknown ? misses + 1 : 0;
      if (verdict == Verdict::kBroken && !saved) {
        std::ofstream trace(waves);
        paws::formal::write_waves(graph, prover.trace(), trace);
        if (!trace.flush()) throw std::runtime_error(waves + ": cannot be written");
        saved = true;
      }
      if (verdict == Verdict::kProved && arguments.size() > 6 &&
          index % std::stoul(arguments[7]) == 0) {
        std::ofstream problem(arguments[6] + "/" + std::to_string(index) + ".cnf");
        prover.write_problem(problem);
      }
      return verdict == Verdict::kProved;
    });
    std::fprintf(stderr, "%zu left after %.1f s\n", left.size(), seconds());
  }
  std::printf("proved %zu of %zu in %.1f s\n", classes.size() - left.size(), classes.size(),
              seconds());
  for (const std::uint32_t index : left)
    std::printf("%s %u\n", verdicts[index] == Verdict::kBroken ? "broken" : "unknown", index);
  return left.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return prove({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "prove_step: %s\n", error.what());
    return 2;
  }
}
