// SPDX-License-Identifier: MIT
// Proves the assertions of a graph one by one (tb/formal/prover/prover.h). Prints `proved N of M`,
// then `broken I` or `unknown I` for each assertion I, counted from 0, that is not proved.
//
// Exit status: 0 all are proved; 1 not all, or the assumptions cannot hold; 2 the arguments or the
// file are wrong.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "tb/formal/prover/aiger.h"
#include "tb/formal/prover/prover.h"
#include "tb/formal/prover/waves.h"

namespace {

using paws::formal::Aiger;
using paws::formal::Prover;
using paws::formal::Task;
using paws::formal::Verdict;

struct Options {
  std::string file, waves, classes;
  Task task;
  int answers = 100;  ///< of the solver to a question in the first round; each round allows four
                      ///< times as many
  double seconds = 3600.0;  ///< after which no question is asked
  bool verbose = false;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void save_waves(const Aiger& graph, const Prover& prover, const std::string& path) {
  std::ofstream file(path);
  paws::formal::write_waves(graph, prover.trace(), file);
  if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

/// Numbers, one per assertion; none without a file.
std::vector<std::uint32_t> read_classes(const std::string& path, const Aiger& graph) {
  std::vector<std::uint32_t> classes;
  if (path.empty()) return classes;
  std::ifstream file(path);
  for (std::uint32_t one = 0; file >> one;) classes.push_back(one);
  if (classes.size() != graph.bad.size() || !file.eof())
    throw std::runtime_error(path + ": not one number per assertion");
  return classes;
}

/// Asks all questions, those without an answer again with more conflicts while others are proved or
/// the number of conflicts still grows.
int prove(const Options& options) {
  std::ifstream file(options.file, std::ios::binary);
  if (!file) throw std::runtime_error(options.file + ": cannot be read");
  const Aiger graph = paws::formal::read_aiger(file);
  const auto start = std::chrono::steady_clock::now();
  Prover prover(graph, options.task, read_classes(options.classes, graph));
  if (!prover.assumptions_can_hold()) {
    std::printf("the assumptions cannot hold\n");
    return 1;
  }

  std::vector<std::uint32_t> left(graph.bad.size());
  std::iota(left.begin(), left.end(), 0U);
  std::vector<Verdict> verdicts(graph.bad.size(), Verdict::kUnknown);
  bool saved = options.waves.empty();
  for (int answers = options.answers; !left.empty(); answers *= 4) {
    std::vector<std::uint32_t> again;
    bool unknown = false;
    for (const std::uint32_t index : left) {
      if (seconds_since(start) > options.seconds) {
        again.push_back(index);
        continue;
      }
      const auto asked = std::chrono::steady_clock::now();
      const Verdict verdict = verdicts[index] = prover.ask(index, answers);
      if (options.verbose && seconds_since(asked) > 0.5) {
        std::fprintf(stderr, "%u: %d, %.1f s\n", index, static_cast<int>(verdict),
                     seconds_since(asked));
      }
      if (verdict == Verdict::kProved) continue;
      again.push_back(index);
      unknown = unknown || verdict == Verdict::kUnknown;
      if (verdict == Verdict::kBroken && !saved) {
        save_waves(graph, prover, options.waves);
        saved = true;
      }
    }
    const bool moved = again.size() < left.size();
    left = again;
    if (options.verbose)
      std::fprintf(stderr, "%zu left after %.1f s\n", left.size(), seconds_since(start));
    if (seconds_since(start) > options.seconds || (!moved && !unknown)) break;
  }
  std::printf("proved %zu of %zu in %.1f s\n", graph.bad.size() - left.size(), graph.bad.size(),
              seconds_since(start));
  for (const std::uint32_t index : left) {
    std::printf("%s %u\n", verdicts[index] == Verdict::kBroken ? "broken" : "unknown", index);
  }
  return left.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Proves the assertions of an and-inverter graph one by one."};
  app.add_option("file", options.file, "binary AIGER, with assertions as bad states")->required();
  app.add_option("--depth", options.task.depth, "cycles before the one that is asked about")
      ->check(CLI::Range(1, 64));
  app.add_flag("--base", options.task.base, "from the first cycle, not from any");
  app.add_flag("--covers", options.task.alone,
               "assertions are opposites of covers: none helps another");
  app.add_option("--answers", options.answers, "of the solver to a question in the first round");
  app.add_option("--classes", options.classes, "a number per assertion, by its line, in a file");
  app.add_option("--seconds", options.seconds, "after which no question is asked");
  app.add_option("--waves", options.waves, "VCD of the first trace that breaks an assertion");
  app.add_flag("--verbose", options.verbose, "questions that take over half a second, and rounds");
  try {
    app.parse(argc, argv);
    return prove(options);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return error.get_exit_code() == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "prove_step: %s\n", error.what());
    return 2;
  }
}
