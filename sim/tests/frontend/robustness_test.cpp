// SPDX-License-Identifier: MIT
// Damaged input ends in one InputError, whatever the damage.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "sim/tests/frontend/support.h"

namespace paws::frontend {
namespace {

std::string read(const std::string& name) {
  std::ifstream file(std::string(PAWS_TEST_DATA "/") + name);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

/// Compiles; the only way to fail is one line that starts with file and line or with the file.
void expect_message_or_success(const std::string& text) {
  try {
    const ir::Module module = compile_text(text, "t.ptx");
    for (const ir::Kernel& kernel : module.kernels) {
      ASSERT_FALSE(kernel.code.empty());
      for (const ir::Instruction& instruction : kernel.code) {
        ASSERT_LE(instruction.target, kernel.code.size());
        ASSERT_LE(instruction.reconverge, kernel.code.size());
      }
    }
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.rfind("t.ptx:", 0), 0u) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(Robustness, ConstructsCompile) {
  const ir::Module module = compile_text(read("constructs.ptx"), "constructs.ptx");
  ASSERT_EQ(module.kernels.size(), 1u);
  const ir::Kernel& kernel = module.kernels[0];
  EXPECT_EQ(kernel.max_threads, 256u);
  EXPECT_EQ(kernel.shared_bytes, 1024u);
  EXPECT_EQ(kernel.local_bytes, 32u) << "the call's structure stays in registers";
  EXPECT_EQ(kernel.param_bytes, 28u);
}

class Damage : public testing::TestWithParam<unsigned> {};

TEST_P(Damage, EndsInAMessage) {
  const std::uint64_t seed = seed_or(70000 + GetParam());
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const std::string original = read("constructs.ptx");
  const std::string characters = "{}[]();,.:%@!|<>=-+$_0123456789abfruxsdp \n";
  const auto pick = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
  for (int round = 0; round < 40; ++round) {
    std::string text = original;
    for (std::size_t edit = 0; edit <= pick(3); ++edit) {
      const std::size_t at = pick(text.size());
      const std::size_t length = std::min(text.size() - at, 1 + pick(12));
      switch (pick(5)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, 1, characters[pick(characters.size())]);
          break;
        case 2:
          text[at] = characters[pick(characters.size())];
          break;
        case 3:
          text.insert(at, text.substr(pick(text.size()), length));
          break;
        default:
          text.resize(at);
          break;
      }
      if (text.empty()) break;
    }
    expect_message_or_success(text);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Damage, testing::Range(0u, 50u));

}  // namespace
}  // namespace paws::frontend
