// SPDX-License-Identifier: MIT
#include "sim/tests/differential/compare.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <random>

#include "sim/exec/functional_runner.h"
#include "sim/exec/lanes/select.h"
#include "sim/frontend/frontend.h"

namespace paws::differential {
namespace {

constexpr std::uint64_t kDefaultSeed = 20150318;
constexpr u8 kUnwritten = 0xee;  // what memory for results holds before

/// Memory before a launch.
struct Inputs {
  std::vector<u64> registers;  // kInputWords of each thread
  std::vector<u8> scratch;
  std::vector<u8> table;
  std::array<u64, kScalars> scalars{};
};

/// Memory after it.
struct Results {
  std::vector<u64> registers;  // kOutputWords of each thread
  std::vector<u8> scratch;
  std::array<u64, kTotals> sums{};
};

u64 random_integer(std::mt19937_64& random) {
  switch (random() % 4) {
    case 0:
      return random() % 64;
    case 1:
      return 0 - random() % 64;
    case 2:
      return u64{1} << random() % 64;
    default:
      return random();
  }
}

/// Moderate numbers, whole numbers, subnormals and any bits at all.
u64 random_float(std::mt19937_64& random, bool is_double) {
  const double moderate = static_cast<double>(static_cast<s64>(random())) * 0x1p-60;
  double x = moderate;
  switch (random() % 8) {
    case 0:
      return is_double ? random() : random() & 0xffffffff;
    case 1:
      return is_double ? random() & 0x800fffffffffffff : random() & 0x807fffff;
    case 2:
      x = static_cast<double>(static_cast<s64>(random() % 512) - 256) / 2;
      break;
    case 3:
      x = moderate * 0x1p+40;
      break;
    default:
      break;
  }
  return is_double ? std::bit_cast<u64>(x) : std::bit_cast<u32>(static_cast<float>(x));
}

/// A number of 16 bits: any bits, or a moderate number of bfloat16.
u64 random_small(std::mt19937_64& random) {
  return random() % 2 == 0 ? random() & 0xffff : random_float(random, false) >> 16;
}

/// What an integer register of 16 or 32 bits holds is an integer, or numbers of 16 bits.
u64 random_narrow(std::mt19937_64& random) {
  if (random() % 2 == 0) return random_integer(random);
  const u64 high = random_small(random);
  return high << 16 | random_small(random);
}

Inputs inputs_of(const Program& program, u64 seed) {
  std::mt19937_64 random(seed);
  Inputs inputs;
  const std::size_t threads = std::size_t{program.width} * program.height * program.blocks;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    for (unsigned i = 0; i < kH + kR; ++i) inputs.registers.push_back(random_narrow(random));
    for (unsigned i = 0; i < kD; ++i) inputs.registers.push_back(random_integer(random));
    for (unsigned i = 0; i < kF; ++i) inputs.registers.push_back(random_float(random, false));
    for (unsigned i = 0; i < kG; ++i) inputs.registers.push_back(random_float(random, true));
    inputs.registers.push_back(random());
  }
  const auto fill = [&random](std::vector<u8>& bytes, std::size_t count) {
    bytes.resize(count);
    for (u8& byte : bytes) byte = static_cast<u8>(random());
  };
  fill(inputs.scratch, threads * kOwnBytes);
  fill(inputs.table, kTableBytes);
  for (u64& scalar : inputs.scalars) scalar = random();
  return inputs;
}

Results on_host(const Program& program, const Inputs& inputs) {
  const u32 threads = program.width * program.height;
  Results results;
  results.scratch = inputs.scratch;
  results.registers.assign(std::size_t{threads} * program.blocks * kOutputWords, 0);
  std::memset(results.registers.data(), kUnwritten, results.registers.size() * sizeof(u64));
  for (u32 number = 0; number < program.blocks; ++number) {
    Block block;
    block.number = number;
    block.threads.resize(threads);
    block.slots.resize(std::size_t{threads} * kSlotBytes);
    block.table = inputs.table.data();
    block.scalars = inputs.scalars;
    block.sums = results.sums.data();
    for (u32 id = 0; id < threads; ++id) {
      Thread& t = block.threads[id];
      const std::size_t global = std::size_t{number} * threads + id;
      const u64* word = &inputs.registers[global * kInputWords];
      t.id = id;
      t.x = id % program.width;
      t.y = id / program.width;
      for (u16& x : t.h) x = static_cast<u16>(*word++);
      for (u32& x : t.r) x = static_cast<u32>(*word++);
      for (u64& x : t.d) x = *word++;
      for (u32& x : t.f) x = static_cast<u32>(*word++);
      for (u64& x : t.g) x = *word++;
      for (unsigned i = 0; i < kP; ++i) t.p[i] = (*word >> i & 1) != 0;
      t.scratch = &results.scratch[global * kOwnBytes];
      t.slot = &block.slots[std::size_t{id} * kSlotBytes];
      static_assert(kD * sizeof(u64) == kOwnBytes);
      std::memcpy(t.own.data(), t.d.data(), kOwnBytes);
      std::memcpy(t.slot, t.d.data(), kSlotBytes);
    }
    program.run(block);
    for (const Thread& t : block.threads) {
      if (t.done) continue;
      u64* word = &results.registers[(std::size_t{number} * threads + t.id) * kOutputWords];
      for (const u16 x : t.h) *word++ = x;
      for (const u32 x : t.r) *word++ = x;
      for (const u64 x : t.d) *word++ = x;
      for (const u32 x : t.f) *word++ = x;
      for (const u64 x : t.g) *word++ = x;
      *word = 0;
      for (unsigned i = 0; i < kP; ++i) *word |= u64{t.p[i]} << i;
      ++word;
      std::memcpy(word, t.own.data(), kOwnBytes);
      word += kOwnBytes / sizeof(u64);
      std::memcpy(word, t.slot, kSlotBytes);
      word += kSlotBytes / sizeof(u64);
      *word = t.id < kTotals ? block.totals[t.id] : 0;
    }
  }
  return results;
}

/// How the simulator executes.
struct Way {
  unsigned rows;  ///< of a warp
  bool quick;     ///< many instructions at a time
};

Results in_simulator(const Program& program, const Inputs& inputs, const ir::Module& module,
                     const Way& way) {
  DeviceMemory memory;
  memory.load(module);
  const auto buffer = [&memory](const char* name, const void* data, std::size_t bytes) {
    const u64 address = memory.allocate(name, bytes);
    std::memcpy(memory.at(address, bytes), data, bytes);
    return address;
  };
  const u32 threads = program.width * program.height;
  Results results;
  results.scratch.resize(inputs.scratch.size());
  results.registers.resize(std::size_t{threads} * program.blocks * kOutputWords);
  const std::vector<u8> unwritten(results.registers.size() * sizeof(u64), kUnwritten);
  const u64 in = buffer("in", inputs.registers.data(), inputs.registers.size() * sizeof(u64));
  const u64 out = buffer("out", unwritten.data(), unwritten.size());
  const u64 scratch = buffer("scratch", inputs.scratch.data(), inputs.scratch.size());
  const u64 table = buffer("table", inputs.table.data(), inputs.table.size());
  const u64 sums = buffer("sums", results.sums.data(), sizeof results.sums);
  std::vector<u64> params{in, out, scratch, table, sums};
  params.insert(params.end(), inputs.scalars.begin(), inputs.scalars.end());

  KernelLaunch launch;
  launch.module = &module;
  launch.kernel = &module.kernels.front();
  launch.shape = {{program.blocks, 1, 1}, {program.width, program.height, 1}, 0};
  launch.params.resize(params.size() * sizeof(u64));
  std::memcpy(launch.params.data(), params.data(), launch.params.size());
  constexpr u64 kMaxInstructions = 10'000'000;
  exec::FunctionalRunner runner(kMaxInstructions);
  runner.use_rows(way.rows);
  runner.quick(way.quick);
  runner.run(launch, memory);

  const auto fetch = [&memory](u64 address, void* to, std::size_t bytes) {
    std::memcpy(to, memory.at(address, bytes), bytes);
  };
  fetch(out, results.registers.data(), results.registers.size() * sizeof(u64));
  fetch(scratch, results.scratch.data(), results.scratch.size());
  fetch(sums, results.sums.data(), sizeof results.sums);
  return results;
}

/// The name of a word of a thread's results in the PTX text.
std::string name_of(unsigned word) {
  static constexpr std::pair<const char*, unsigned> kParts[] = {
      {"%h", kH}, {"%r", kR}, {"%d", kD}, {"%f", kF}, {"%g", kG}};
  for (const auto& [prefix, count] : kParts) {
    if (word < count) return fmt::format("{}{}", prefix, word);
    word -= count;
  }
  if (word == 0) return "the predicates, %p0 in bit 0,";
  word -= 1;
  if (word < kOwnBytes / 8) return fmt::format("local memory own[{}]", word * 8);
  word -= kOwnBytes / 8;
  if (word < kSlotBytes / 8) return fmt::format("the thread's slot, byte {},", word * 8);
  return "totals[its id]";
}

std::string first_difference(const Program& program, const Results& is, const Results& expected) {
  const u32 threads = program.width * program.height;
  const auto thread_name = [threads](std::size_t global) {
    return fmt::format("block {} thread {}", global / threads, global % threads);
  };
  for (std::size_t i = 0; i < expected.registers.size(); ++i) {
    if (is.registers[i] == expected.registers[i]) continue;
    return fmt::format("{}: {} is 0x{:x}, expected 0x{:x}", thread_name(i / kOutputWords),
                       name_of(static_cast<unsigned>(i % kOutputWords)), is.registers[i],
                       expected.registers[i]);
  }
  for (std::size_t i = 0; i < expected.scratch.size(); ++i) {
    if (is.scratch[i] == expected.scratch[i]) continue;
    return fmt::format("{}: scratch[{}] is 0x{:x}, expected 0x{:x}", thread_name(i / kOwnBytes),
                       i % kOwnBytes, is.scratch[i], expected.scratch[i]);
  }
  for (std::size_t i = 0; i < kTotals; ++i) {
    if (is.sums[i] == expected.sums[i]) continue;
    return fmt::format("sums[{}] is 0x{:x}, expected 0x{:x}", i, is.sums[i], expected.sums[i]);
  }
  return {};
}

}  // namespace

std::string difference(const Program& program, std::uint64_t input_seed) {
  const Inputs inputs = inputs_of(program, input_seed);
  const Results expected = on_host(program, inputs);

  frontend::FrontendOptions raw;
  raw.remove_copies = raw.remove_dead_code = raw.schedule = false;
  std::string found;
  for (const bool simplified : {true, false}) {
    const ir::Module module =
        frontend::compile_text(program.ptx, std::string(program.name) + ".ptx",
                               simplified ? frontend::FrontendOptions{} : raw);
    for (const exec::LaneLevel level : exec::lane_levels()) {
      exec::use_lane_level(level);
      for (const Way& way : {Way{1, true}, Way{1, false}, Way{2, false}, Way{8, false}}) {
        if (!found.empty()) continue;
        found = first_difference(program, in_simulator(program, inputs, module, way), expected);
        if (found.empty()) continue;
        found += fmt::format(
            " ({}, {} lanes, warps of {} rows, {})", simplified ? "simplified" : "as written",
            level == exec::LaneLevel::baseline ? "baseline" : "x86-64-v3", way.rows,
            way.quick ? "many instructions at a time" : "one instruction at a time");
      }
    }
  }
  exec::use_lane_level(exec::lane_levels().back());
  return found;
}

std::uint64_t input_seed() {
  const char* given = std::getenv("PAWS_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : kDefaultSeed;
}

}  // namespace paws::differential
