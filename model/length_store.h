// SPDX-License-Identifier: MIT
// The length store: a table with the length of every instruction of a program, read at decode
// (docs/reference/host_modules.md, "Length store").
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

namespace paws {

struct LengthStoreConfig {
  unsigned entries = 1024;   ///< a power of two, 2 to 65,536
  unsigned length_bits = 9;  ///< width of a length, to 16
  unsigned pc_bits = 32;     ///< width of a program counter, to 64
  unsigned shift = 2;        ///< an entry for every 2^shift bytes
};

struct LengthStoreInputs {
  bool write_valid = false;  ///< entry write_index becomes write_length
  std::uint32_t write_index = 0;
  std::uint16_t write_length = 0;
  std::uint64_t base = 0;  ///< address of entry 0
  std::uint64_t pc = 0;    ///< of the instruction which is decoded
};

struct LengthStoreOutputs {
  /// The entry of the `pc` of the cycle before, or the largest length if the table has none for it.
  /// Nothing before the first cycle is over, and of an entry that was never written: what the port
  /// shows has no meaning then.
  std::optional<std::uint16_t> length;
};

/// A cycle is decide(), which may be repeated with other inputs, followed by commit(), the clock
/// edge, which uses the inputs of the last decide() and throws std::logic_error if they break a
/// promise. The output is of the state alone. Like the module it has no reset.
class LengthStore {
 public:
  virtual ~LengthStore() = default;
  virtual LengthStoreOutputs decide(const LengthStoreInputs& inputs) = 0;
  virtual void commit() = 0;
};

/// The golden model.
std::unique_ptr<LengthStore> make_length_store(const LengthStoreConfig& config);

}  // namespace paws
