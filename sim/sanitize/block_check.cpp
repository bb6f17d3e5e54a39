// SPDX-License-Identifier: MIT
#include "sim/sanitize/block_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sim/exec/barrier_object.h"
#include "sim/sanitize/shuffle_rules.h"

namespace paws::sanitize {
namespace {

using Concern = Session::Concern;

/// Asynchronous copies have global memory in their first source and shared memory in the second.
bool is_copy(const ir::Instruction& in) {
  return in.op == ir::Op::copy_async || in.op == ir::Op::copy_bulk;
}

bool is_access(const ir::Instruction& in) {
  if (is_copy(in)) return true;
  const bool accesses =
      ir::accesses_memory(in.op) &&
      !(in.op == ir::Op::mbarrier && in.mbarrier == ir::MbarrierMode::pending_count);
  return accesses && (in.space == ir::Space::shared || in.space == ir::Space::generic ||
                      in.space == ir::Space::none);
}

bool accesses_rows(const ir::Instruction& in) {
  return in.op == ir::Op::ldmatrix || in.op == ir::Op::stmatrix;
}
/// Whether a barrier object begins or ends: as a store, that must be in order with all the others.
bool makes_object(const ir::Instruction& in) {
  return in.op == ir::Op::mbarrier &&
         (in.mbarrier == ir::MbarrierMode::init || in.mbarrier == ir::MbarrierMode::inval);
}

bool reads(const ir::Instruction& in) {
  return ir::facts(in.op).memory == ir::Memory::load ||
         (in.op == ir::Op::copy_bulk && in.copies == ir::CopyKind::bulk_store);
}

bool writes(const ir::Instruction& in) {
  if (in.op == ir::Op::copy_bulk) return in.copies == ir::CopyKind::bulk_load;
  return ir::stores_data(in.op) || in.op == ir::Op::copy_async || makes_object(in);
}

/// What the accesses are aligned to; their size, but for a bulk copy.
unsigned alignment_of(const ir::Instruction& in) {
  if (accesses_rows(in) || in.op == ir::Op::copy_bulk) return 16;
  if (in.op == ir::Op::mbarrier) return 8;
  return in.vector * ir::size_of(in.type);
}

/// What the access reads or writes at least.
unsigned narrowest(const ir::Instruction& in) {
  const bool whole = in.op == ir::Op::mbarrier || in.op == ir::Op::copy_bulk;
  return whole ? alignment_of(in) : ir::size_of(in.type);
}

/// The addresses of the access to shared memory.
exec::Lanes shared_addresses(const exec::PendingInstruction& instruction) {
  const ir::Instruction& in = instruction.ir();
  if (!is_copy(in)) return instruction.addresses();
  exec::Lanes addresses = instruction.source(1);
  for (std::uint64_t& address : addresses) {
    address = (address + static_cast<std::uint32_t>(in.other_offset)) & 0xffff'ffffU;
  }
  return addresses;
}

/// Lanes whose address counts: row r of matrix q of ldmatrix and stmatrix is lane 8 * q + r's.
exec::LaneMask accessing_lanes(const exec::PendingInstruction& instruction) {
  const ir::Instruction& in = instruction.ir();
  if (!accesses_rows(in) || in.vector >= 4) return instruction.active();
  return instruction.active() & ((exec::LaneMask{1} << (8 * in.vector)) - 1);
}

Concern concern_of(const ir::Instruction& in) {
  if (is_access(in)) return Concern::access;
  switch (in.op) {
    case ir::Op::div:
    case ir::Op::rem:
      if (ir::is_float(in.type)) return Concern::none;
      if (in.src[1].kind == ir::Operand::Kind::imm && in.src[1].imm != 0) return Concern::none;
      return Concern::division;
    case ir::Op::shfl:
      return Concern::shuffle;
    case ir::Op::bar:
      return Concern::barrier;
    case ir::Op::exit:
      return Concern::end;
    default:
      return Concern::none;
  }
}

unsigned warps_of(const exec::Dim3& shape) {
  return static_cast<unsigned>((shape.count() + ir::kWarpSize - 1) / ir::kWarpSize);
}

/// Where a lane accesses `bytes` of shared memory; nothing when it accesses another memory, or
/// none, which the execution reports.
std::optional<std::uint64_t> shared_address(const ir::Instruction& in, std::uint64_t address,
                                            std::uint64_t bytes, const SharedShadow& shadow) {
  if (in.space != ir::Space::shared && !is_copy(in)) {
    if (address / ir::kWindowBytes != ir::kSharedWindow / ir::kWindowBytes) return std::nullopt;
    address %= ir::kWindowBytes;
  }
  if (address % alignment_of(in) != 0 || bytes > shadow.bytes() ||
      address > shadow.bytes() - bytes) {
    return std::nullopt;
  }
  return address;
}

const char* verb(const ir::Instruction& in) {
  switch (in.op) {
    case ir::Op::copy_bulk:
      return reads(in) ? "bulk copy from" : "bulk copy to";
    case ir::Op::ld:
    case ir::Op::ldmatrix:
      return "load from";
    case ir::Op::st:
    case ir::Op::stmatrix:
      return "store to";
    case ir::Op::copy_async:
      return "asynchronous copy to";
    case ir::Op::mbarrier:
      return "barrier object at";
    default:
      return "atomic on";
  }
}

std::string what(const ir::Instruction& in, std::uint64_t address, std::uint64_t bytes) {
  return fmt::format("{}-byte {} shared address 0x{:x}", bytes, verb(in), address);
}

/// Whether lane `lane` stores what is there already.
bool stores_same(const exec::PendingInstruction& instruction, std::uint64_t address, unsigned lane,
                 const std::vector<exec::Lanes>& values) {
  const unsigned bytes = ir::size_of(instruction.ir().type);
  for (std::size_t element = 0; element < values.size(); ++element) {
    const std::byte* there = instruction.shared() + address + element * bytes;
    if (std::memcmp(there, &values[element][lane], bytes) != 0) return false;
  }
  return true;
}

std::vector<exec::Lanes> stored_values(const exec::PendingInstruction& instruction) {
  std::vector<exec::Lanes> values;
  for (unsigned e = 0; e < instruction.ir().vector; ++e) {
    values.push_back(instruction.source(1 + e));
  }
  return values;
}

/// The lanes of one instruction that met something, and what the first of them met.
struct Met {
  std::uint64_t count = 0;
  unsigned lane = 0;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  Encounter first;

  void add(unsigned by, std::uint64_t at, std::uint64_t size, const Encounter& met) {
    if (count++ != 0) return;
    lane = by;
    address = at;
    bytes = size;
    first = met;
  }
};

}  // namespace

Session::Session(const KernelLaunch& of, std::uint64_t number)
    : kernel(of.kernel),
      block_shape(of.shape.block),
      launch(number),
      shared_bytes(of.kernel->shared_bytes + std::uint64_t{of.shape.dynamic_shared}),
      cell_bytes(8),
      races(of, number) {
  for (const ir::Instruction& in : kernel->code) {
    concerns.push_back(concern_of(in));
    if (is_access(in)) cell_bytes = std::min(cell_bytes, narrowest(in));
  }
}

BlockCheck::BlockCheck(std::shared_ptr<Session> session)
    : session_(std::move(session)),
      log_(session_->logs.emplace_back()),
      shadow_(session_->shared_bytes, session_->cell_bytes, warps_of(session_->block_shape)),
      global_(session_->races) {}

void BlockCheck::started(const exec::Dim3& block, std::uint64_t index) {
  block_ = block;
  index_ = index;
  shadow_.start();
  clocks_.start();
  barriers_.start();
  global_.started(index);
}

void BlockCheck::accessing(const exec::PendingInstruction& instruction) {
  global_.accessing(instruction, clocks_);
}

void BlockCheck::executing(const exec::PendingInstruction& instruction) {
  global_.executing(instruction, clocks_);
  switch (session_->concerns[instruction.pc()]) {
    case Concern::none:
      return;
    case Concern::access:
      return check_access(instruction);
    case Concern::division:
      return check_division(instruction);
    case Concern::shuffle:
      return check_shuffles(instruction);
    case Concern::barrier:
      return check_barrier(instruction);
    case Concern::end:
      return check_end(instruction);
  }
}

exec::Dim3 BlockCheck::thread(unsigned warp, unsigned lane) const {
  const exec::Dim3& shape = session_->block_shape;
  const std::uint32_t number = warp * ir::kWarpSize + lane;
  return {number % shape.x, number / shape.x % shape.y, number / shape.x / shape.y};
}

exec::LaneMask BlockCheck::lanes_of(unsigned warp) const {
  const std::uint64_t left = session_->block_shape.count() - std::uint64_t{warp} * ir::kWarpSize;
  return left >= ir::kWarpSize ? ~exec::LaneMask{0} : (exec::LaneMask{1} << left) - 1;
}

template <typename Describe>
void BlockCheck::note(Kind kind, std::uint32_t pc, std::uint64_t count, unsigned warp,
                      unsigned lane, Describe describe) {
  const ir::Kernel& kernel = *session_->kernel;
  if (!log_.note(kind, kernel.code[pc].line, index_, count)) return;
  Finding finding;
  finding.kernel = kernel.name;
  finding.file = kernel.file;
  finding.place = place_of(kernel, pc);
  finding.launch = session_->launch;
  finding.block = block_;
  finding.thread = thread(warp, lane);
  describe(finding);
  log_.describe(std::move(finding));
}

void BlockCheck::check_access(const exec::PendingInstruction& instruction) {
  const ir::Instruction& in = instruction.ir();
  exec::Lanes sizes;
  sizes.fill(alignment_of(in));
  if (in.op == ir::Op::copy_bulk) sizes = instruction.source(2);
  const auto warp = static_cast<std::uint8_t>(instruction.warp());
  const exec::Lanes addresses = shared_addresses(instruction);
  Met unwritten;
  Met races;
  std::vector<exec::Lanes> values;  // needed when two warps store
  std::optional<std::uint64_t> loaded;
  Encounter met;
  for (exec::LaneMask left = accessing_lanes(instruction); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const auto bytes = static_cast<unsigned>(sizes[lane]);
    const auto address = shared_address(in, addresses[lane], bytes, shadow_);
    if (!address || bytes % alignment_of(in) != 0) continue;
    const Site site{instruction.pc(), warp, static_cast<std::uint8_t>(lane)};
    if (reads(in)) {
      // Loads of one address by lane after lane, a broadcast, meet the same.
      if (address != loaded || in.op == ir::Op::copy_bulk)
        met = shadow_.read(site, *address, bytes, clocks_);
      loaded = address;
    } else if (writes(in)) {
      met = shadow_.write(site, *address, bytes, clocks_);
      if (met.written && in.op == ir::Op::st) {
        if (values.empty()) values = stored_values(instruction);
        met.written = !stores_same(instruction, *address, lane, values);
      }
    } else {
      met = shadow_.update(site, *address, bytes, clocks_);
    }
    if (met.uninitialised) unwritten.add(lane, *address, bytes, met);
    if (met.written || met.read) races.add(lane, *address, bytes, met);
  }
  if (in.op == ir::Op::mbarrier) follow_objects(instruction);
  if (unwritten.count != 0) {
    note(Kind::uninitialised_shared_read, instruction.pc(), unwritten.count, warp, unwritten.lane,
         [&](Finding& finding) {
           finding.address = unwritten.address;
           finding.cause = what(in, unwritten.address, unwritten.bytes) +
                           ", which no thread of the block has written";
         });
  }
  if (races.count != 0) {
    note(Kind::shared_race, instruction.pc(), races.count, warp, races.lane, [&](Finding& finding) {
      finding.address = races.address;
      describe_race(finding, what(in, races.address, races.bytes), races.first);
    });
  }
}

void BlockCheck::follow_objects(const exec::PendingInstruction& instruction) {
  const ir::Instruction& in = instruction.ir();
  const exec::Lanes addresses = instruction.addresses();
  exec::Lanes operands;
  operands.fill(1);
  if (instruction.has_source(1)) operands = instruction.source(1);
  std::map<std::uint64_t, exec::BarrierObject> objects;  // as the lanes before have left them
  for (exec::LaneMask left = instruction.active(); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const auto address = shared_address(in, addresses[lane], alignment_of(in), shadow_);
    if (!address) continue;
    if (in.after_copies) {  // what the warp has done until now, its copies among it, comes before
      clocks_.object_arrive(instruction.warp(), *address);
      continue;
    }
    const auto [place, first] = objects.try_emplace(*address);
    exec::BarrierObject& object = place->second;
    if (first) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, instruction.shared() + *address, sizeof(bits));
      object = exec::BarrierObject::unpack(bits);
    }
    if (exec::is_test(in.mbarrier)) {
      if (object.has_ended(in.mbarrier, operands[lane])) {
        clocks_.object_passed(instruction.warp(), *address);
      }
      continue;
    }
    if (makes_object(in)) clocks_.object_made(*address);
    if (exec::arrives(in.mbarrier)) clocks_.object_arrive(instruction.warp(), *address);
    const bool odd = object.odd;
    // What is wrong with the operation ends the run when it executes.
    if (object.apply(in.mbarrier, static_cast<std::int64_t>(operands[lane]))) return;
    if (!makes_object(in) && object.odd != odd) clocks_.object_phase_ended(*address);
  }
}

void BlockCheck::arriving(const ir::Instruction& in, const exec::LateArrival& arrival,
                          const std::byte* shared) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, shared + arrival.object, sizeof(bits));
  exec::BarrierObject object = exec::BarrierObject::unpack(bits);
  const bool odd = object.odd;
  if (object.apply(in.mbarrier, arrival.count)) return;  // an error that ends the run
  if (object.odd != odd) clocks_.object_phase_ended(arrival.object);
}

void BlockCheck::describe_race(Finding& finding, const std::string& what,
                               const Encounter& met) const {
  const Site& site = met.written ? met.writer : met.reader;
  const Other other{place_of(*session_->kernel, site.pc), thread(site.warp, site.lane)};
  finding.cause =
      fmt::format("{}, which thread {} {} at {} with no barrier between", what,
                  to_string(other.thread), met.written ? "wrote" : "read", to_string(other.place));
  finding.other = other;
}

void BlockCheck::check_division(const exec::PendingInstruction& instruction) {
  const exec::Lanes divisors = instruction.source(1);
  exec::LaneMask zero = 0;
  for (exec::LaneMask left = instruction.active(); left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    if (divisors[lane] == 0) zero |= exec::LaneMask{1} << lane;
  }
  if (zero == 0) return;
  note(Kind::division_by_zero, instruction.pc(), static_cast<std::uint64_t>(std::popcount(zero)),
       instruction.warp(), static_cast<unsigned>(std::countr_zero(zero)), [&](Finding& finding) {
         const ir::Instruction& in = instruction.ir();
         finding.cause = fmt::format("{}.{} by 0", ir::to_string(in.op), ir::to_string(in.type));
       });
}

void BlockCheck::check_shuffles(const exec::PendingInstruction& instruction) {
  const ShuffleVerdict verdict = check_shuffle(instruction);
  if (verdict.lanes == 0) return;
  note(Kind::undefined_shuffle, instruction.pc(),
       static_cast<std::uint64_t>(std::popcount(verdict.lanes)), instruction.warp(), verdict.reader,
       [&](Finding& finding) {
         finding.cause = explain(verdict, lanes_of(instruction.warp()), instruction.live());
       });
}

void BlockCheck::check_barrier(const exec::PendingInstruction& instruction) {
  const auto arrival = BarrierRules::arrival(instruction);
  if (!arrival) return;
  if (const auto divergence = barriers_.arrive(instruction, *arrival)) note(*divergence);
  clocks_.arrive(instruction.warp(), arrival->barrier, arrival->whole);
}

void BlockCheck::check_end(const exec::PendingInstruction& instruction) {
  if (instruction.active() == instruction.live()) clocks_.end(instruction.warp());
}

void BlockCheck::released(exec::BlockWarpMask warps) {
  clocks_.release(barriers_.barrier_of(static_cast<unsigned>(std::countr_zero(warps))), warps);
  if (const auto divergence = barriers_.release(warps)) note(*divergence);
}

void BlockCheck::note(const Divergence& divergence) {
  note(Kind::divergent_barrier, divergence.pc, 1, divergence.warp, divergence.lane,
       [&](Finding& finding) {
         const auto told = [this](unsigned warp, unsigned lane) {
           return "thread " + to_string(thread(warp, lane));
         };
         switch (divergence.cause) {
           case Divergence::Cause::lanes_missing: {
             const auto first = static_cast<unsigned>(std::countr_zero(divergence.missing));
             const int others = std::popcount(divergence.missing) - 1;
             finding.cause = fmt::format("{}{} of the same warp, not ended, {} not execute it",
                                         told(divergence.warp, first),
                                         others == 0 ? "" : fmt::format(" and {} more", others),
                                         others == 0 ? "does" : "do");
             break;
           }
           case Divergence::Cause::other_barrier:
             finding.other = {place_of(*session_->kernel, divergence.other_pc),
                              thread(divergence.other_warp, 0)};
             finding.cause =
                 fmt::format("the warp of {} meets it at {}", told(divergence.other_warp, 0),
                             to_string(finding.other->place));
             break;
         }
       });
}

}  // namespace paws::sanitize
