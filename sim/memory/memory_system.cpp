#include "sim/memory/memory_system.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <queue>
#include <unordered_map>

#include "sim/memory/address_map.h"
#include "sim/memory/clock.h"
#include "sim/memory/dram_channel.h"
#include "sim/memory/tag_array.h"

namespace paws::memory {
namespace {

constexpr unsigned kHeaderBytes = 8;  // address and command of a packet

enum class EventKind : std::uint8_t {
  at_slice,     // the request has crossed the crossbar
  lookup,       // the slice takes it up
  dram_decide,  // a channel chooses its next transfer
  dram_done,    // a line has come from DRAM
  reply_ready,  // the slice has the reply
  at_core,      // the reply has crossed the crossbar
  delivered     // its last flit has passed the core's port
};

struct Event {
  std::uint64_t time_fs;
  std::uint64_t order;
  EventKind kind;
  std::uint32_t index;  // request, or channel for dram_decide
  std::uint32_t slice;  // dram_done
  std::uint64_t line;   // dram_done

  bool operator>(const Event& other) const {
    return time_fs != other.time_fs ? time_fs > other.time_fs : order > other.order;
  }
};

bool is_atomic(RequestKind kind) {
  return kind == RequestKind::atomic || kind == RequestKind::reduction;
}

/// The request is a header alone; its data comes with the reply.
bool is_read(RequestKind kind) {
  return kind == RequestKind::load || kind == RequestKind::instruction;
}

struct InFlight {
  Request request;
  std::uint64_t sent_fs = 0;
};

struct Slice {
  explicit Slice(const L2Settings& settings)
      : tags(settings.bytes / settings.slices, settings.ways, kLineBytes, settings.slices) {}

  TagArray tags;
  std::uint64_t input_free_fs = 0;
  std::uint64_t output_free_fs = 0;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> mshrs;  // line -> requests
  std::deque<std::uint32_t> blocked;  // in order of arrival, waiting for an MSHR or a way
};

struct Channel {
  Channel(const DramSettings& settings, unsigned line_bytes) : dram(settings, line_bytes) {}

  DramChannel dram;
  bool decision_scheduled = false;
  std::uint32_t turn = 0;  ///< of its slices, which is served first when a transfer goes
  std::uint64_t next_decision_fs = 0;
};

}  // namespace

struct MemorySystem::Impl {
  explicit Impl(const GpuConfig& gpu)
      : config(gpu),
        map(gpu.l2.slices, gpu.dram.channels),
        core_period(period_fs(gpu.core.clock_mhz)),
        noc_period(period_fs(gpu.interconnect.clock_mhz)),
        dram_period(period_fs(gpu.dram.clock_mhz)),
        core_output_free(gpu.cores, 0),
        core_input_free(gpu.cores, 0) {
    for (unsigned i = 0; i < gpu.l2.slices; ++i) slices.emplace_back(gpu.l2);
    for (unsigned i = 0; i < gpu.dram.channels; ++i) channels.emplace_back(gpu.dram, kLineBytes);
  }

  [[nodiscard]] std::uint64_t flits_fs(std::uint32_t payload) const {
    const std::uint32_t flits = (kHeaderBytes + payload + config.interconnect.flit_bytes - 1) /
                                config.interconnect.flit_bytes;
    return flits * noc_period;
  }

  void schedule(std::uint64_t time_fs, EventKind kind, std::uint32_t index, std::uint32_t slice = 0,
                std::uint64_t line = 0) {
    events.push(Event{time_fs, order++, kind, index, slice, line});
  }

  [[nodiscard]] std::uint32_t slice_of(std::uint64_t line) const { return map.slice_of(line); }

  void arrive(std::uint32_t index, std::uint64_t now) {
    const Request& request = pool[index].request;
    Slice& slice = slices[slice_of(request.line)];
    const std::uint64_t start = std::max(now, slice.input_free_fs);
    std::uint64_t busy = config.l2.interval * noc_period;
    if (!is_read(request.kind)) busy = std::max(busy, flits_fs(request.bytes));
    if (is_atomic(request.kind)) {
      busy += std::uint64_t{request.conflicts} * config.l2.atomic_interval * noc_period;
    }
    slice.input_free_fs = start + busy;
    schedule(start, EventKind::lookup, index);
  }

  void look_up(std::uint32_t index, std::uint64_t now) {
    Slice& slice = slices[slice_of(pool[index].request.line)];
    if (!slice.blocked.empty() || !try_lookup(slice, index, now)) slice.blocked.push_back(index);
  }

  void retry_blocked(std::uint32_t number, std::uint64_t now) {
    Slice& slice = slices[number];
    while (!slice.blocked.empty() && try_lookup(slice, slice.blocked.front(), now)) {
      slice.blocked.pop_front();
    }
  }

  /// Looks the request up. False when it must wait for an MSHR, a way or a place in the DRAM queue.
  bool try_lookup(Slice& slice, std::uint32_t index, std::uint64_t now) {
    const Request& request = pool[index].request;
    auto merge = slice.mshrs.find(request.line);
    const bool outstanding = merge != slice.mshrs.end();
    if (!outstanding && !channels[map.channel_of(request.line)].dram.has_room() &&
        !slice.tags.holds(request.line)) {
      return false;
    }
    if (request.kind == RequestKind::store) {
      const TagArray::Access access = slice.tags.write(request.line);
      if (access.result == TagArray::Result::reservation_fail) return false;
      count_access(access.result);
      write_back(access, now);
      reply(index, now);
      return true;
    }
    if (outstanding) {
      if (merge->second.size() >= config.l2.mshr_merges) return false;
      count_access(TagArray::Result::pending);
      merge->second.push_back(index);
      return true;
    }
    if (slice.mshrs.size() >= config.l2.mshrs) return false;
    const TagArray::Access access = slice.tags.read(request.line);
    if (access.result == TagArray::Result::reservation_fail) return false;
    count_access(access.result);
    if (access.result == TagArray::Result::hit) {
      if (is_atomic(request.kind)) slice.tags.mark_dirty(request.line);
      reply(index, now);
      return true;
    }
    write_back(access, now);
    slice.mshrs[request.line].push_back(index);
    to_dram(request.line, false, now);
    return true;
  }

  void count_access(TagArray::Result result) {
    ++statistics.l2_accesses;
    statistics.l2_misses += result == TagArray::Result::miss ? 1 : 0;
    statistics.l2_pending_hits += result == TagArray::Result::pending ? 1 : 0;
  }

  void write_back(const TagArray::Access& access, std::uint64_t now) {
    if (!access.writeback) return;
    ++statistics.l2_writebacks;
    to_dram(*access.writeback, true, now);
  }

  void reply(std::uint32_t index, std::uint64_t now) {
    schedule(now + config.l2.latency * noc_period, EventKind::reply_ready, index);
  }

  void to_dram(std::uint64_t line, bool write, std::uint64_t now) {
    const std::uint32_t number = map.channel_of(line);
    Channel& channel = channels[number];
    channel.dram.push({map.in_channel(line), line, write});
    if (!channel.decision_scheduled) {
      channel.decision_scheduled = true;
      schedule(std::max(now, channel.next_decision_fs), EventKind::dram_decide, number);
    }
  }

  void decide_dram(std::uint32_t number, std::uint64_t now) {
    Channel& channel = channels[number];
    const DramChannel::Decision decision = channel.dram.decide(now);
    const std::uint64_t line = decision.transfer.line;
    statistics.dram_busy_fs += channel.dram.burst_fs();
    statistics.dram_row_hits += decision.row_hit ? 1 : 0;
    if (decision.transfer.write) {
      ++statistics.dram_writes;
    } else {
      ++statistics.dram_reads;
      schedule(decision.done_fs + config.dram.fixed_latency * dram_period, EventKind::dram_done, 0,
               slice_of(line), line);
    }
    channel.next_decision_fs = decision.next_fs;
    channel.decision_scheduled = !channel.dram.empty();
    if (channel.decision_scheduled) schedule(decision.next_fs, EventKind::dram_decide, number);
    // The place in the queue goes to the slices of the channel in turn.
    const std::uint32_t sharers = config.l2.slices / config.dram.channels;
    channel.turn = (channel.turn + 1) % sharers;
    for (std::uint32_t i = 0; i < sharers; ++i) {
      retry_blocked(number + (channel.turn + i) % sharers * config.dram.channels, now);
    }
  }

  void fill(std::uint32_t number, std::uint64_t line, std::uint64_t now) {
    Slice& slice = slices[number];
    slice.tags.fill(line);
    auto waiting = slice.mshrs.find(line);
    const std::vector<std::uint32_t> requests = std::move(waiting->second);
    slice.mshrs.erase(waiting);
    for (std::uint32_t index : requests) {
      if (is_atomic(pool[index].request.kind)) slice.tags.mark_dirty(line);
      reply(index, now);
    }
    retry_blocked(number, now);
  }

  void handle(const Event& event, std::vector<Response>& responses) {
    switch (event.kind) {
      case EventKind::at_slice:
        arrive(event.index, event.time_fs);
        break;
      case EventKind::lookup:
        look_up(event.index, event.time_fs);
        break;
      case EventKind::dram_decide:
        decide_dram(event.index, event.time_fs);
        break;
      case EventKind::dram_done:
        fill(event.slice, event.line, event.time_fs);
        break;
      case EventKind::reply_ready: {
        const Request& request = pool[event.index].request;
        Slice& slice = slices[slice_of(request.line)];
        const std::uint64_t start = std::max(event.time_fs, slice.output_free_fs);
        slice.output_free_fs = start + flits_fs(reply_bytes(request));
        schedule(start + config.interconnect.latency * noc_period, EventKind::at_core, event.index);
        break;
      }
      case EventKind::at_core: {
        const Request& request = pool[event.index].request;
        std::uint64_t& port_free = core_input_free[request.core];
        port_free = std::max(event.time_fs, port_free) + flits_fs(reply_bytes(request));
        schedule(port_free, EventKind::delivered, event.index);
        break;
      }
      case EventKind::delivered: {
        const InFlight& flight = pool[event.index];
        const Request& request = flight.request;
        if (request.kind == RequestKind::load || request.kind == RequestKind::atomic) {
          statistics.latency_fs += event.time_fs - flight.sent_fs;
          ++statistics.latency_requests;
        }
        ++statistics.responses;
        responses.push_back({request.kind, request.core, request.line, request.tag});
        free_slots.push_back(event.index);
        break;
      }
    }
  }

  [[nodiscard]] static std::uint32_t reply_bytes(const Request& request) {
    switch (request.kind) {
      case RequestKind::load:
        return kLineBytes;
      case RequestKind::atomic:
      case RequestKind::instruction:
        return request.bytes;
      case RequestKind::store:
      case RequestKind::reduction:
        break;
    }
    return 0;
  }

  GpuConfig config;
  AddressMap map;
  std::uint64_t core_period, noc_period, dram_period;
  std::vector<std::uint64_t> core_output_free, core_input_free;
  std::vector<Slice> slices;
  std::vector<Channel> channels;
  std::vector<InFlight> pool;
  std::vector<std::uint32_t> free_slots;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  std::uint64_t order = 0;
  Statistics statistics;
};

MemorySystem::MemorySystem(const GpuConfig& config) : impl_(std::make_unique<Impl>(config)) {}
MemorySystem::~MemorySystem() = default;

bool MemorySystem::can_send(std::uint32_t core, std::uint64_t cycle) const {
  const std::uint64_t backlog_fs = impl_->config.interconnect.buffer_flits * impl_->noc_period;
  return impl_->core_output_free[core] <= cycle * impl_->core_period + backlog_fs;
}

void MemorySystem::send(const Request& request, std::uint64_t cycle) {
  Impl& impl = *impl_;
  std::uint32_t index = 0;
  if (impl.free_slots.empty()) {
    index = static_cast<std::uint32_t>(impl.pool.size());
    impl.pool.emplace_back();
  } else {
    index = impl.free_slots.back();
    impl.free_slots.pop_back();
  }
  const std::uint64_t now = cycle * impl.core_period;
  impl.pool[index] = {request, now};
  ++impl.statistics.requests;
  std::uint64_t& port_free = impl.core_output_free[request.core];
  port_free = std::max(now, port_free) + impl.flits_fs(is_read(request.kind) ? 0 : request.bytes);
  impl.schedule(port_free + impl.config.interconnect.latency * impl.noc_period, EventKind::at_slice,
                index);
}

void MemorySystem::advance(std::uint64_t cycle, std::vector<Response>& responses) {
  const std::uint64_t now = cycle * impl_->core_period;
  while (!impl_->events.empty() && impl_->events.top().time_fs <= now) {
    const Event event = impl_->events.top();
    impl_->events.pop();
    impl_->handle(event, responses);
  }
}

std::uint64_t MemorySystem::next_event() const {
  if (impl_->events.empty()) return std::numeric_limits<std::uint64_t>::max();
  return (impl_->events.top().time_fs + impl_->core_period - 1) / impl_->core_period;
}

const Statistics& MemorySystem::statistics() const { return impl_->statistics; }

std::uint64_t MemorySystem::bus_capacity_fs(std::uint64_t cycle) const {
  return cycle * impl_->core_period * impl_->channels.size();
}

}  // namespace paws::memory
