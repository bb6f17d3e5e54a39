// SPDX-License-Identifier: MIT
#include "sim/frontend/decode_warp_data.h"
#include "sim/frontend/modifier_reader.h"

namespace paws::frontend {
namespace {

using ir::CopyKind;
using ir::MbarrierMode;
using ir::Op;
using ir::Type;

/// Hints for caches change no value, and no time here.
void skip_hints(ModifierReader& reader, Decoded& decoded) {
  while (reader.peek().starts_with("L2::")) {
    if (reader.pop() == "L2::cache_hint") decoded.cache_hint = true;
  }
}

void expect_shared(ModifierReader& reader) {
  if (!reader.take("shared") && !reader.take("shared::cta")) {
    reader.unsupported("expected .shared");
  }
}

/// cp.async.bulk, behind that.
void decode_bulk(ModifierReader& reader, Decoded& decoded) {
  ir::Instruction& i = decoded.instruction;
  if (reader.peek() == "tensor") {
    reader.unsupported("copies of tensors are not modelled: the driver's API makes their maps");
  }
  if (reader.take("commit_group")) {
    i.op = Op::copy_commit;
    i.copies = CopyKind::bulk_store;
  } else if (reader.take("wait_group")) {
    i.op = Op::copy_wait;
    decoded.pseudo = Decoded::Pseudo::copy_wait;
    i.copies = reader.take("read") ? CopyKind::bulk_read : CopyKind::bulk_store;
  } else if (reader.take("prefetch")) {
    i.op = Op::prefetch;
    i.space = ir::Space::global;
    decoded.pseudo = Decoded::Pseudo::copy_bulk;
    reader.expect("L2");
    reader.expect("global");
    skip_hints(reader, decoded);
  } else {
    i.op = Op::copy_bulk;
    i.space = ir::Space::global;
    decoded.pseudo = Decoded::Pseudo::copy_bulk;
    if (reader.take("global")) {
      i.copies = CopyKind::bulk_store;
      expect_shared(reader);
      reader.expect("bulk_group");
    } else {
      i.copies = CopyKind::bulk_load;
      // A cluster is one block.
      if (!reader.take("shared::cluster")) expect_shared(reader);
      if (reader.peek().starts_with("shared")) {
        reader.unsupported("copies between blocks are not modelled");
      }
      reader.expect("global");
      reader.expect("mbarrier::complete_tx::bytes");
    }
    if (reader.peek() == "multicast::cluster") {
      reader.unsupported("copies to several blocks are not modelled");
    }
    skip_hints(reader, decoded);
  }
}

void decode_copy(ModifierReader& reader, Decoded& decoded) {
  ir::Instruction& i = decoded.instruction;
  if (reader.peek() == "reduce") reader.unsupported("bulk reductions are not modelled");
  reader.expect("async");
  if (reader.take("bulk")) {
    decode_bulk(reader, decoded);
  } else if (reader.take("commit_group")) {
    i.op = Op::copy_commit;
  } else if (reader.take("wait_group")) {
    i.op = Op::copy_wait;
    decoded.pseudo = Decoded::Pseudo::copy_wait;
  } else if (reader.take("wait_all")) {
    i.op = Op::copy_wait;
    decoded.pseudo = Decoded::Pseudo::copy_wait_all;
  } else if (reader.take("mbarrier")) {
    i.op = Op::mbarrier;
    i.mbarrier = MbarrierMode::arrive;
    decoded.pseudo = Decoded::Pseudo::copy_arrive;
    reader.expect("arrive");
    decoded.no_increment = reader.take("noinc");
    i.space = ir::Space::generic;
    if (reader.take("shared") || reader.take("shared::cta")) i.space = ir::Space::shared;
    reader.expect("b64");
  } else {
    i.op = Op::copy_async;
    i.type = Type::b32;
    i.space = ir::Space::global;
    decoded.pseudo = Decoded::Pseudo::copy_async;
    i.cache_global = reader.take("cg");
    if (!i.cache_global) reader.expect("ca");
    expect_shared(reader);
    reader.expect("global");
    skip_hints(reader, decoded);
  }
  reader.expect_end();
}

void decode_mbarrier(ModifierReader& reader, Decoded& decoded) {
  ir::Instruction& i = decoded.instruction;
  i.op = Op::mbarrier;
  decoded.pseudo = Decoded::Pseudo::mbarrier;
  const auto operands = [&](unsigned destinations, unsigned least, unsigned most) {
    decoded.destinations = destinations;
    decoded.min_sources = least;
    decoded.max_sources = most;
  };
  const std::string_view what = reader.pop();
  if (what == "init") {
    i.mbarrier = MbarrierMode::init;
    operands(0, 2, 2);
  } else if (what == "inval") {
    i.mbarrier = MbarrierMode::inval;
    operands(0, 1, 1);
  } else if (what == "arrive" || what == "arrive_drop") {
    i.mbarrier = what == "arrive" ? MbarrierMode::arrive : MbarrierMode::arrive_drop;
    operands(1, 1, 2);
    if (reader.take("expect_tx")) {
      if (what != "arrive") reader.unsupported(".arrive_drop.expect_tx is not modelled");
      i.mbarrier = MbarrierMode::arrive_expect_tx;
      operands(1, 2, 2);
    }
    reader.take("noComplete");
  } else if (what == "expect_tx" || what == "complete_tx") {
    i.mbarrier = what == "expect_tx" ? MbarrierMode::expect_tx : MbarrierMode::complete_tx;
    operands(0, 2, 2);
  } else if (what == "test_wait" || what == "try_wait") {
    i.mbarrier = reader.take("parity") ? MbarrierMode::test_parity : MbarrierMode::test;
    operands(1, 2, what == "try_wait" ? 3 : 2);
  } else if (what == "pending_count") {
    i.mbarrier = MbarrierMode::pending_count;
    operands(1, 1, 1);
  } else {
    reader.unsupported("this operation on a barrier object is not modelled");
  }
  for (const std::string_view order : {"release", "acquire", "relaxed"}) {
    if (reader.take(order) && !reader.take("cta")) reader.take("cluster");
  }
  if (i.mbarrier != MbarrierMode::pending_count) {
    i.space = ir::Space::generic;
    // A cluster is one block.
    if (reader.take("shared") || reader.take("shared::cta") || reader.take("shared::cluster")) {
      i.space = ir::Space::shared;
    }
  }
  reader.expect("b64");
  reader.expect_end();
}

}  // namespace

std::optional<Decoded> decode_asynchronous(const ptx::Instruction& source,
                                           const std::string& file) {
  Decoded decoded;
  decoded.instruction.line = source.line;
  ModifierReader reader(source, file);
  if (source.root == "cp") {
    decode_copy(reader, decoded);
  } else if (source.root == "mbarrier") {
    decode_mbarrier(reader, decoded);
  } else {
    return std::nullopt;
  }
  return decoded;
}

}  // namespace paws::frontend
