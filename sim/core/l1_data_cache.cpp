// SPDX-License-Identifier: MIT
#include "sim/core/l1_data_cache.h"

#include <optional>

namespace paws::core {
namespace {

// A response to a load through the cache names its line; the others name the operation that waits.
constexpr std::uint32_t kCachedTag = 0xffff'ffff;

using Found = memory::TagArray::Result;

}  // namespace

bool L1DataCache::can_send(std::uint64_t line, std::uint64_t cycle) {
  if (!port_.can_send(cycle)) return false;
  told_to_stop_ = port_.stopped(line);
  return !told_to_stop_;
}

void L1DataCache::send(memory::RequestKind kind, const Transaction& transaction,
                       const Requester& who, std::uint64_t cycle) {
  ++statistics_.requests;
  if (kind == memory::RequestKind::load || kind == memory::RequestKind::atomic) ++loads_;
  port_.send({kind, 0, transaction.line, transaction.bytes, transaction.conflicts, who.operation,
              who.warp, transaction.sectors},
             cycle);
}

void L1DataCache::send_store(const Transaction& transaction, const Requester& who,
                             std::uint64_t cycle) {
  ++stores_;
  ++statistics_.store_transactions;
  send(memory::RequestKind::store, transaction, who, cycle);
}

void L1DataCache::write_back(const memory::TagArray::Access& access, std::uint64_t cycle) {
  if (!access.dirty) return;
  const Requester owner{kNoOperation, memory::LineOwner::of(access.owner)};
  Transaction victim;
  victim.line = access.victim;
  victim.sectors = access.dirty_sectors;
  victim.bytes = memory::bytes_of(victim.sectors);
  send_store(victim, owner, cycle);
}

void L1DataCache::count_hit(const memory::TagArray::Access& found, const Requester& who) {
  const bool pending = found.result == Found::pending;
  ++(pending ? statistics_.l1_pending_hits : statistics_.l1_hits);
  count(pending ? statistics_.l1_pending_hits_by_locality : statistics_.l1_hits_by_locality,
        who.warp, found.owner);
}

void L1DataCache::count_store(const memory::TagArray::Access& found, const Requester& who) {
  ++statistics_.l1_accesses;
  ++statistics_.l1_store_accesses;
  if (found.result == Found::miss) {
    ++statistics_.l1_misses;
    ++statistics_.l1_store_misses;
  } else {
    count_hit(found, who);
  }
}

void L1DataCache::tell(const Requester& who, bool store, std::uint64_t line,
                       const memory::TagArray::Access& tags, std::uint64_t cycle) {
  L1Access access;
  access.cycle = cycle;
  access.warp = who.warp.warp_slot();
  access.store = store;
  access.result = tags.result;
  access.line = line;
  if (tags.result != Found::miss) {
    access.owner = memory::LineOwner::of(tags.owner).warp_slot();
  } else if (tags.replaced) {
    access.replaced = true;
    access.victim = tags.victim;
    access.victim_owner = memory::LineOwner::of(tags.owner).warp_slot();
  }
  listener_->l1_accessed(access);
}

inline L1DataCache::Result L1DataCache::read(const Transaction& transaction, const Requester& who,
                                             bool store, std::uint64_t cycle) {
  const std::uint64_t line = transaction.line;
  told_to_stop_ = false;
  using Lookup = memory::NonBlockingCache::Result;
  const memory::NonBlockingCache::Lookup found = cache_.read(
      line, who.operation, who.warp.number(), [&] { return can_send(line, cycle); },
      transaction.sectors);
  if (found.result == Lookup::full) return Result::full;
  if (found.result == Lookup::no_way || found.result == Lookup::held) return Result::retry;
  ++statistics_.l1_accesses;
  if (found.result == Lookup::miss) {
    ++statistics_.l1_misses;
    write_back(found.tags, cycle);
    Transaction fetched = transaction;
    fetched.sectors = found.tags.fetch;
    send(memory::RequestKind::load, fetched, {kCachedTag, who.warp}, cycle);
  } else {
    count_hit(found.tags, who);
  }
  if (listener_ != nullptr) tell(who, store, line, found.tags, cycle);
  return found.result == Lookup::hit ? Result::done : Result::under_way;
}

L1DataCache::Result L1DataCache::load(const Transaction& transaction, const Requester& who,
                                      std::uint64_t cycle) {
  return read(transaction, who, false, cycle);
}

L1DataCache::Result L1DataCache::store_back(const Transaction& transaction, const Requester& who,
                                            std::uint64_t cycle) {
  const Result result = read(transaction, who, true, cycle);
  if (result == Result::done || result == Result::under_way) {
    cache_.tags().mark_dirty(transaction.line, asked(transaction));
    ++statistics_.l1_store_accesses;
  }
  return result;
}

L1DataCache::Result L1DataCache::load_past(const Transaction& transaction, const Requester& who,
                                           std::uint64_t cycle) {
  told_to_stop_ = false;
  if (cache_.mshrs().full()) return Result::full;
  if (!can_send(transaction.line, cycle)) return Result::retry;
  cache_.tags().evict(transaction.line);
  cache_.mshrs().add_single();
  ++statistics_.bypass_transactions;
  Transaction fetched = transaction;
  fetched.sectors = asked(transaction);
  send(memory::RequestKind::load, fetched, who, cycle);
  return Result::under_way;
}

memory::TagArray::Access L1DataCache::write_through(std::uint64_t line) {
  memory::TagArray& tags = cache_.tags();
  if (config_.l1.store_keeps) {
    const memory::TagArray::Access found = tags.look(line);
    if (found.result != Found::miss) tags.read(line, found.owner, 0);  // the latest use
    return found;
  }
  const std::optional<std::uint64_t> dropped = tags.evict(line);
  memory::TagArray::Access found;
  found.result = dropped ? Found::hit : Found::miss;
  found.owner = dropped.value_or(0);
  return found;
}

L1DataCache::Result L1DataCache::store(const Transaction& transaction, const Requester& who,
                                       std::uint64_t cycle) {
  told_to_stop_ = false;
  if (stores_ >= config_.l1.stores) return Result::full;
  if (!can_send(transaction.line, cycle)) return Result::retry;
  const memory::TagArray::Access found = write_through(transaction.line);
  send_store(transaction, who, cycle);
  count_store(found, who);
  if (listener_ != nullptr) tell(who, true, transaction.line, found, cycle);
  return Result::under_way;
}

L1DataCache::Result L1DataCache::store_local(const Transaction& transaction, const Requester& who,
                                             std::uint64_t cycle) {
  told_to_stop_ = false;
  // The line that it may evict goes the way of a store.
  if (stores_ >= config_.l1.stores) return Result::full;
  if (!can_send(transaction.line, cycle)) return Result::retry;
  const memory::TagArray::Access found =
      cache_.write(transaction.line, who.warp.number(), transaction.sectors);
  if (found.result == Found::reservation_fail) return Result::retry;
  write_back(found, cycle);
  count_store(found, who);
  if (listener_ != nullptr) tell(who, true, transaction.line, found, cycle);
  return Result::done;
}

L1DataCache::Result L1DataCache::atomic(const Transaction& transaction, const Requester& who,
                                        bool returns, std::uint64_t cycle) {
  told_to_stop_ = false;
  if (!can_send(transaction.line, cycle)) return Result::retry;
  if (returns ? cache_.mshrs().full() : stores_ >= config_.l1.stores) return Result::retry;
  cache_.tags().evict(transaction.line);
  ++statistics_.atomic_transactions;
  if (returns) {
    cache_.mshrs().add_single();
    send(memory::RequestKind::atomic, transaction, who, cycle);
  } else {
    ++stores_;
    send(memory::RequestKind::reduction, transaction, who, cycle);
  }
  return Result::under_way;
}

L1DataCache::Reply L1DataCache::respond(const memory::Response& response) {
  ++statistics_.replies;
  answered_ = response.tag;
  switch (response.kind) {
    case memory::RequestKind::store:
    case memory::RequestKind::reduction:
      --stores_;
      return {true, {&answered_, response.tag == kNoOperation ? 0U : 1U}};
    case memory::RequestKind::atomic:
      --loads_;
      cache_.mshrs().take_single();
      return {false, {&answered_, 1}};
    case memory::RequestKind::load:
      --loads_;
      if (response.tag == kCachedTag) {
        return {false, cache_.fill(response.line, response.sectors)};
      }
      cache_.mshrs().take_single();
      return {false, {&answered_, 1}};
    case memory::RequestKind::instruction:  // never reaches the cache
      break;
  }
  return {};
}

}  // namespace paws::core
