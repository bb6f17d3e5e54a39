// SPDX-License-Identifier: MIT
// A launch as its trace has it, in memory: the instructions of every warp with their masks and
// addresses. It stands where a kernel's execution would: behind exec::BlockSource.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "sim/exec/block_source.h"
#include "sim/exec/resident_block.h"
#include "sim/sass/traced_code.h"

namespace paws::sass {

class TracedLaunch final : public exec::BlockSource {
 public:
  /// Reads `file`, whose code is in `code`. Throws InputError, Interrupted.
  TracedLaunch(const std::filesystem::path& file, const TracedCode& code,
               const std::function<bool()>& interrupted);

  [[nodiscard]] std::unique_ptr<exec::ResidentBlock> make_block() const override;

  /// One warp instruction.
  struct Step {
    std::uint32_t pc = 0;  ///< place in the kernel's code
    exec::LaneMask active = 0;
    std::uint32_t access = kNone;  ///< in the list of accesses
  };
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  /// Where an instruction accesses: the first active lane at `base`, each further one `stride`
  /// beyond the one before; or the active lanes' addresses one by one.
  struct Access {
    ir::Space space = ir::Space::none;
    bool listed = false;
    std::uint64_t base = 0;  ///< listed: place of the first address in the list of addresses
    std::uint64_t stride = 0;
  };

  [[nodiscard]] const exec::Dim3& grid() const { return grid_; }
  [[nodiscard]] std::uint32_t warps() const { return warps_; }
  [[nodiscard]] const TracedCode::Entry& entry(std::uint32_t pc) const { return *entries_[pc]; }
  /// The place of a warp's first instruction in steps(), and of the one behind its last.
  [[nodiscard]] std::uint64_t begin(std::uint64_t block, std::uint32_t warp) const {
    return ranges_[block * warps_ + warp].begin;
  }
  [[nodiscard]] std::uint64_t end(std::uint64_t block, std::uint32_t warp) const {
    return ranges_[block * warps_ + warp].end;
  }
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  /// The addresses of the active lanes.
  void addresses(const Step& step, std::array<std::uint64_t, ir::kWarpSize>& to) const;
  [[nodiscard]] const Access& access(const Step& step) const { return accesses_[step.access]; }

 private:
  struct Range {
    std::uint64_t begin = 0, end = 0;
  };

  /// Replaces the access of the last step, if it has one.
  void add_access(Step& step, ir::Space space,
                  const std::array<std::uint64_t, ir::kWarpSize>& addresses);

  exec::Dim3 grid_;
  std::uint32_t warps_ = 0;
  std::vector<const TracedCode::Entry*> entries_;  ///< by place in the code; of unknown ones null
  std::vector<Range> ranges_;                      ///< by block and warp
  std::vector<Step> steps_;
  std::vector<Access> accesses_;
  std::vector<std::uint64_t> addresses_;
};

}  // namespace paws::sass
