// SPDX-License-Identifier: MIT
#include "sim/memory/memory_system.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "sim/memory/clock.h"
#include "sim/memory/crossbar.h"
#include "sim/memory/dram_channel.h"
#include "sim/memory/nearly_sorted.h"
#include "sim/memory/non_blocking_cache.h"
#include "sim/support/random.h"

namespace paws::memory {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

/// In the order in which a request passes through; events of one time are served in this order.
enum class EventKind : std::uint8_t {
  at_slice,     // the request has crossed the crossbar
  lookup,       // the slice takes it up
  dram_decide,  // a channel chooses its next transfer
  line_come,    // a line has come from DRAM or from the other part of the L2
  reply_ready,  // the slice has the reply
};

/// Small, because the queue moves each of them on its way to the front.
struct Event {
  std::uint64_t time_fs;
  std::uint64_t order;  ///< kind, then a number: kNumberBits for it
  std::uint64_t what;   ///< request: its index; dram_decide: void; line_come: line and sectors

  static constexpr unsigned kNumberBits = 56;

  /// `number` is that of the request, of the channel (dram_decide) or of the slice (line_come).
  static Event make(std::uint64_t time_fs, EventKind kind, std::uint64_t number,
                    std::uint64_t what) {
    return {time_fs, static_cast<std::uint64_t>(kind) << kNumberBits | number, what};
  }
  [[nodiscard]] EventKind kind() const { return static_cast<EventKind>(order >> kNumberBits); }
  [[nodiscard]] std::uint32_t number() const { return static_cast<std::uint32_t>(order); }
  [[nodiscard]] std::uint32_t index() const { return static_cast<std::uint32_t>(what); }

  bool operator<(const Event& other) const {
    return time_fs != other.time_fs ? time_fs < other.time_fs : order < other.order;
  }
};

/// The events to come. Those of one kind are made nearly in the order of their times, so every kind
/// has a queue of its own.
class Events {
 public:
  [[nodiscard]] bool empty() const { return first_time() == kNever; }
  /// Of the earliest event; kNever without one.
  [[nodiscard]] std::uint64_t first_time() const { return times_[first()]; }
  /// The earliest event; there must be one.
  [[nodiscard]] const Event& top() const { return queues_[first()].front(); }
  void push(const Event& event) {
    const auto kind = static_cast<std::size_t>(event.kind());
    queues_[kind].push(event);
    times_[kind] = queues_[kind].front().time_fs;
  }
  void pop() {
    const std::size_t kind = first();
    queues_[kind].pop();
    times_[kind] = queues_[kind].empty() ? kNever : queues_[kind].front().time_fs;
  }

 private:
  static constexpr std::size_t kKinds = static_cast<std::size_t>(EventKind::reply_ready) + 1;

  /// The kind of the earliest event: of one time, the first kind.
  [[nodiscard]] std::size_t first() const {
    std::size_t found = 0;
    for (std::size_t kind = 1; kind < kKinds; ++kind) {
      if (times_[kind] < times_[found]) found = kind;
    }
    return found;
  }

  std::array<NearlySorted<Event>, kKinds> queues_;
  /// Of the first event of each queue.
  std::array<std::uint64_t, kKinds> times_{kNever, kNever, kNever, kNever, kNever};
};

/// A reply has crossed the crossbar and waits for the core's port.
struct Arrival {
  std::uint64_t time_fs;
  std::uint64_t number;  // of the request
  std::uint32_t index;

  bool operator>(const Arrival& other) const {
    return time_fs != other.time_fs ? time_fs > other.time_fs : number > other.number;
  }
};

bool is_atomic(RequestKind kind) {
  return kind == RequestKind::atomic || kind == RequestKind::reduction;
}

struct InFlight {
  Request request;
  std::uint64_t number = 0;  ///< order of sending
  std::uint64_t sent_cycle = 0;
  std::uint32_t slice = 0;  ///< to which the core has sent it
  std::uint32_t home = 0;   ///< slice of its line; with l2.partitions this may be another one
  bool away = false;        ///< passed on to `home`, and not back yet
  SectorMask fetch = kAllSectors;  ///< away: what a load or fetch brings to `slice`
};

struct Slice {
  explicit Slice(const L2Settings& settings)
      : cache({settings.bytes / settings.slices, settings.ways, kLineBytes,
               settings.slices / settings.partitions, settings.mshrs, settings.mshr_merges,
               settings.sectored}) {}

  NonBlockingCache cache;  ///< of requests; a line's owner is a LineOwner
  std::uint64_t input_free_fs = 0;
  std::uint64_t output_free_fs = 0;
  unsigned waiting = 0;  ///< arrived, not yet looked up
  bool stop = false;     ///< what the cores have last been told
  /// In order of arrival: waiting for an MSHR, a way or a place in the DRAM queue.
  std::deque<std::uint32_t> blocked;
  std::uint64_t blocked_since_fs = 0;
  /// The same of what the other part has passed on, which waits for the DRAM queue alone and goes
  /// first: so the slices of the two parts never wait for each other.
  std::deque<std::uint32_t> passed_on;
};

struct Channel {
  Channel(const DramSettings& settings, unsigned line_bytes) : dram(settings, line_bytes) {}

  DramChannel dram;
  bool decision_scheduled = false;
  std::uint32_t turn = 0;  ///< which of its slices is looked at first for a free place
  std::uint64_t next_decision_fs = 0;
  std::uint64_t active_until_fs = 0;  // activity below this time is counted
};

}  // namespace

struct MemorySystem::Impl {
  explicit Impl(const GpuConfig& gpu)
      : config(gpu),
        crossbar(gpu),
        dram_period(period_fs(gpu.dram.clock_mhz)),
        last_sure(kNever / 2 / crossbar.time_of(1)),
        core_input_free(gpu.cores, 0),
        responses(gpu.cores) {
    for (unsigned i = 0; i < gpu.cores; ++i) ports.emplace_back(gpu, i);
    for (unsigned i = 0; i < gpu.l2.slices; ++i) slices.emplace_back(gpu.l2);
    for (unsigned i = 0; i < gpu.dram.channels; ++i) channels.emplace_back(gpu.dram, kLineBytes);
    statistics.l2_period_fs = crossbar.period();
  }

  [[nodiscard]] std::uint64_t noc(unsigned cycles) const { return cycles * crossbar.period(); }

  void schedule(std::uint64_t time_fs, EventKind kind, std::uint32_t index) {
    events.push(Event::make(time_fs, kind, pool[index].number, index));
  }

  void take_over(const Sent& sent) {
    std::uint32_t index = 0;
    if (free_slots.empty()) {
      index = static_cast<std::uint32_t>(pool.size());
      pool.emplace_back();
    } else {
      index = free_slots.back();
      free_slots.pop_back();
    }
    const std::uint32_t home = crossbar.slice_of(sent.request.line);
    pool[index] = {sent.request, statistics.requests++, sent.cycle,
                   crossbar.entrance(sent.request.core, home), home};
    schedule(sent.at_slice_fs, EventKind::at_slice, index);
  }

  /// The slice at which a request is.
  [[nodiscard]] std::uint32_t place(std::uint32_t index) const {
    return pool[index].away ? pool[index].home : pool[index].slice;
  }

  void arrive(std::uint32_t index, std::uint64_t now) {
    const InFlight& flight = pool[index];
    const Request& request = flight.request;
    const std::uint32_t number = place(index);
    if (!flight.away) ++statistics.slice_requests;
    Slice& slice = slices[number];
    const std::uint64_t start = std::max(now, slice.input_free_fs);
    std::uint64_t busy = noc(config.l2.interval);
    if (!is_read(request.kind)) busy = std::max(busy, crossbar.flits(request.bytes));
    if (is_atomic(request.kind) && number == flight.home) {
      busy += noc(request.conflicts * config.l2.atomic_interval);
    }
    slice.input_free_fs = start + busy;
    statistics.l2_input_fs += busy;
    ++slice.waiting;
    statistics.l2_queue_peak = std::max<std::uint64_t>(statistics.l2_queue_peak, slice.waiting);
    control_flow(number, now);
    const Event lookup = Event::make(start, EventKind::lookup, pool[index].number, index);
    // Mostly the slice is free and nothing else happens before: the way over the queue is saved.
    if (start == now && (events.empty() || lookup < events.top())) {
      look_up(index, now);
    } else {
      events.push(lookup);
    }
  }

  /// Tells the cores to stop while as many requests wait as the queue is meant for; it has room for
  /// those under way beyond that.
  void control_flow(std::uint32_t number, std::uint64_t now) {
    Slice& slice = slices[number];
    const bool stop = slice.waiting >= config.l2.queue;
    if (stop == slice.stop) return;
    slice.stop = stop;
    signals.push_back({crossbar.core_cycle(now + crossbar.one_way()), number, stop});
  }

  void look_up(std::uint32_t index, std::uint64_t now) {
    const std::uint32_t number = place(index);
    Slice& slice = slices[number];
    const bool away = pool[index].away;
    std::deque<std::uint32_t>& queue = away ? slice.passed_on : slice.blocked;
    if (queue.empty() && (away ? try_at_home(index, now) : try_lookup(slice, index, now))) {
      --slice.waiting;
      control_flow(number, now);
      return;
    }
    if (slice.blocked.empty() && slice.passed_on.empty()) slice.blocked_since_fs = now;
    queue.push_back(index);
  }

  void retry_blocked(std::uint32_t number, std::uint64_t now) {
    Slice& slice = slices[number];
    if (slice.blocked.empty() && slice.passed_on.empty()) return;
    statistics.l2_blocked_fs += now - slice.blocked_since_fs;
    slice.blocked_since_fs = now;
    while (!slice.passed_on.empty() && try_at_home(slice.passed_on.front(), now)) {
      slice.passed_on.pop_front();
      --slice.waiting;
      control_flow(number, now);
    }
    while (!slice.blocked.empty() && try_lookup(slice, slice.blocked.front(), now)) {
      slice.blocked.pop_front();
      --slice.waiting;
      control_flow(number, now);
    }
  }

  /// Looks the request up. False when it must wait for an MSHR, a way or a place in the DRAM queue.
  bool try_lookup(Slice& slice, std::uint32_t index, std::uint64_t now) {
    const InFlight& flight = pool[index];
    const Request& request = flight.request;
    const bool at_home = flight.slice == flight.home;
    if (!at_home && !is_read(request.kind)) {
      pass_on(index, request.sectors, now);
      return true;
    }
    const bool room = has_room(flight.slice);
    if (config.l2.bytes == 0) return past_the_cache(slice, index, room, now);
    if (request.kind == RequestKind::store) return try_store(slice, index, room, now);
    // While every MSHR is in use, hits wait as well.
    if (slice.cache.mshrs().full() && !slice.cache.mshrs().outstanding(request.line)) return false;
    using Result = NonBlockingCache::Result;
    const NonBlockingCache::Lookup found = slice.cache.read(
        request.line, index, request.user.number(), [room] { return room; }, request.sectors);
    switch (found.result) {
      case Result::full:
      case Result::no_way:
      case Result::held:
        return false;
      case Result::merged:
        break;
      case Result::hit:
        if (is_atomic(request.kind)) slice.cache.tags().mark_dirty(request.line, written(request));
        reply(index, now);
        break;
      case Result::miss:
        write_back(found.tags, now);
        if (!at_home) {
          pass_on(index, found.tags.fetch, now);
          return true;  // its home counts it
        }
        to_dram(request.line, found.tags.fetch, false, now);
        break;
    }
    if (is_atomic(request.kind)) drop_copy(request.line);
    count_access(found.tags, request);
    return true;
  }

  /// Whether the sectors had to be brought.
  bool touch(std::uint32_t number, LineOwner user, std::uint64_t line, SectorMask sectors) {
    TagArray& tags = slices[number].cache.tags();
    const TagArray::Access access = tags.read(line, user.number(), sectors);
    if (access.result != TagArray::Result::miss) return false;
    tags.fill(line, access.fetch);
    return true;
  }

  [[nodiscard]] bool has_room(std::uint32_t slice) const {
    return channels[crossbar.map().channel_of_slice(slice)].dram.has_room();
  }

  /// Sends the request on to the slice of its line; `fetch`: what of the line is to come back.
  void pass_on(std::uint32_t index, SectorMask fetch, std::uint64_t now) {
    pool[index].away = true;
    pool[index].fetch = fetch;
    schedule(now + noc(config.l2.far_latency), EventKind::at_slice, index);
  }

  /// Looks up a request that the other part has passed on. False when it must wait for a place in
  /// the DRAM queue. It waits for nothing else: it takes an MSHR beyond those that count, and what
  /// finds no way goes past the cache.
  bool try_at_home(std::uint32_t index, std::uint64_t now) {
    const InFlight& flight = pool[index];
    const Request& request = flight.request;
    Slice& slice = slices[flight.home];
    const SectorMask sectors = config.l2.sectored ? flight.fetch : kAllSectors;
    if (!has_room(flight.home) && slice.cache.tags().lacks(request.line, sectors) != 0) {
      return false;
    }
    const std::uint64_t owner = request.user.number();
    if (request.kind == RequestKind::store) {
      TagArray::Access access = slice.cache.write(request.line, owner, sectors);
      if (access.result == TagArray::Result::reservation_fail) {
        access.result = TagArray::Result::miss;
        write(request.line, sectors, now);
      }
      count_access(access, request);
      write_back(access, now);
      drop_copy(request.line);
      reply(index, now);
      return true;
    }
    const NonBlockingCache::Lookup found =
        slice.cache.read_at_once(request.line, index, owner, sectors);
    count_access(found.tags, request);
    write_back(found.tags, now);
    if (found.result == NonBlockingCache::Result::hit) {
      if (is_atomic(request.kind)) slice.cache.tags().mark_dirty(request.line, written(request));
      reply(index, now);
    } else if (found.result == NonBlockingCache::Result::miss) {
      to_dram(request.line, found.tags.fetch, false, now);
    }
    if (is_atomic(request.kind)) drop_copy(request.line);
    return true;
  }

  /// `line` is written: a copy in the other part no longer holds it.
  void drop_copy(std::uint64_t line) {
    if (config.l2.partitions == 1) return;
    slices[crossbar.counterpart(crossbar.slice_of(line))].cache.tags().evict(line);
  }

  /// The same of a store, which fetches nothing; its victim needs a place in the DRAM queue.
  bool try_store(Slice& slice, std::uint32_t index, bool room, std::uint64_t now) {
    const Request& request = pool[index].request;
    const std::uint64_t line = request.line;
    if (!room && !slice.cache.mshrs().outstanding(line) && !slice.cache.tags().holds(line)) {
      return false;
    }
    const TagArray::Access access = slice.cache.write(line, request.user.number(), request.sectors);
    if (access.result == TagArray::Result::reservation_fail) return false;
    count_access(access, request);
    write_back(access, now);
    drop_copy(line);
    reply(index, now);
    return true;
  }

  /// The same of a slice without a cache: what does not wait for a line on its way goes to DRAM.
  bool past_the_cache(Slice& slice, std::uint32_t index, bool room, std::uint64_t now) {
    const Request& request = pool[index].request;
    MshrFile& mshrs = slice.cache.mshrs();
    TagArray::Access found;
    found.result = TagArray::Result::miss;
    if (request.kind == RequestKind::store) {
      if (!room) return false;
      count_access(found, request);
      write(request.line, kAllSectors, now);
      reply(index, now);
      return true;
    }
    if (MshrFile::Waiting* const waiting = mshrs.find(request.line)) {
      found.result = TagArray::Result::pending;
      found.owner = pool[waiting->front()].request.user.number();
      if (!mshrs.join(*waiting, index)) return false;
    } else {
      if (mshrs.full() || !room) return false;
      mshrs.add(request.line, index);
      to_dram(request.line, kAllSectors, false, now);
    }
    count_access(found, request);
    return true;
  }

  void count_access(const TagArray::Access& found, const Request& request) {
    ++statistics.l2_accesses;
    if (found.result == TagArray::Result::miss) {
      ++statistics.l2_misses;
      return;
    }
    const bool hit = found.result == TagArray::Result::hit;
    ++(hit ? statistics.l2_hits : statistics.l2_pending_hits);
    if (request.kind == RequestKind::instruction) {
      ++(hit ? statistics.l2_instruction_hits : statistics.l2_instruction_pending_hits);
    } else {
      count(hit ? statistics.l2_hits_by_locality : statistics.l2_pending_hits_by_locality,
            request.user, found.owner);
    }
  }

  void write_back(const TagArray::Access& access, std::uint64_t now) {
    if (access.dirty) write(access.victim, access.dirty_sectors, now);
  }

  void write(std::uint64_t line, SectorMask sectors, std::uint64_t now) {
    ++statistics.l2_writebacks;
    to_dram(line, sectors, true, now);
  }

  /// Sectors that an atomic makes dirty.
  [[nodiscard]] SectorMask written(const Request& request) const {
    return config.l2.sectored ? request.sectors : kAllSectors;
  }

  void reply(std::uint32_t index, std::uint64_t now) {
    schedule(now + noc(config.l2.latency), EventKind::reply_ready, index);
  }

  void to_dram(std::uint64_t line, SectorMask sectors, bool write, std::uint64_t now) {
    const std::uint32_t number = crossbar.map().channel_of(line);
    Channel& channel = channels[number];
    statistics.dram_fetches += write ? 0 : 1;
    if (channel.dram.empty()) channel.active_until_fs = std::max(channel.active_until_fs, now);
    channel.dram.push({crossbar.map().in_channel(line), line, write, sectors});
    statistics.dram_queue_peak =
        std::max<std::uint64_t>(statistics.dram_queue_peak, channel.dram.waiting());
    if (!channel.decision_scheduled) {
      schedule_decision(number, std::max(now, channel.next_decision_fs));
    }
  }

  void schedule_decision(std::uint32_t number, std::uint64_t time_fs) {
    channels[number].decision_scheduled = true;
    events.push(Event::make(time_fs, EventKind::dram_decide, number, 0));
  }

  /// What the line, whose transfer was decided now, takes longer: none, or noise [command clocks].
  [[nodiscard]] std::uint64_t jitter(std::uint64_t line, std::uint64_t now) const {
    if (config.noise.seed == 0) return 0;
    return scramble(config.noise.seed, line, now) % (config.noise.dram_jitter + std::uint64_t{1});
  }

  void decide_dram(std::uint32_t number, std::uint64_t now) {
    Channel& channel = channels[number];
    const DramChannel::Decision decision = channel.dram.decide(now);
    const std::uint64_t line = decision.transfer.line;
    statistics.dram_busy_fs += channel.dram.burst_fs(decision.transfer.sectors);
    statistics.dram_active_fs += decision.done_fs - channel.active_until_fs;
    channel.active_until_fs = decision.done_fs;
    statistics.dram_row_hits += decision.row_hit ? 1 : 0;
    if (decision.transfer.write) {
      ++statistics.dram_writes;
    } else {
      ++statistics.dram_reads;
      const std::uint64_t clocks = config.dram.fixed_latency + jitter(line, now);
      events.push(Event::make(decision.done_fs + clocks * dram_period, EventKind::line_come,
                              crossbar.slice_of(line), line | decision.transfer.sectors));
    }
    channel.next_decision_fs = decision.next_fs;
    // The place in the queue goes to the slices of the channel in turn.
    channel.decision_scheduled = false;
    if (!channel.dram.empty()) schedule_decision(number, decision.next_fs);
    const std::uint32_t sharers = config.l2.slices / config.dram.channels;
    channel.turn = (channel.turn + 1) % sharers;
    for (std::uint32_t i = 0; i < sharers; ++i) {
      retry_blocked(number + (channel.turn + i) % sharers * config.dram.channels, now);
    }
  }

  void fill(std::uint32_t number, std::uint64_t line, SectorMask sectors, std::uint64_t now) {
    Slice& slice = slices[number];
    SectorMask dirty = 0;
    for (const std::uint32_t index : slice.cache.fill(line, sectors)) {
      const Request& request = pool[index].request;
      if (is_atomic(request.kind)) dirty |= written(request);
      reply(index, now);
    }
    // A line that found no way passes the cache by, as every line does without one.
    if (dirty != 0 && !slice.cache.tags().holds(line, dirty)) {
      write(line, config.l2.bytes == 0 ? kAllSectors : dirty, now);
    }
    if (dirty != 0) slice.cache.tags().mark_dirty(line, dirty);
    retry_blocked(number, now);
  }

  void send_reply(std::uint32_t index, std::uint64_t now) {
    InFlight& flight = pool[index];
    const Request& request = flight.request;
    Slice& slice = slices[place(index)];
    const std::uint64_t start = std::max(now, slice.output_free_fs);
    const bool brings_line = flight.away && is_read(request.kind);
    const std::uint64_t busy =
        crossbar.flits(brings_line ? bytes_of(flight.fetch) : reply_bytes(request));
    slice.output_free_fs = start + busy;
    statistics.l2_output_fs += busy;
    if (!flight.away) {
      ++statistics.slice_replies;
      arrivals.push({start + crossbar.one_way(), flight.number, index});
      return;
    }
    flight.away = false;
    const std::uint64_t back = start + busy + noc(config.l2.far_latency);
    if (brings_line) {
      events.push(
          Event::make(back, EventKind::line_come, flight.slice, request.line | flight.fetch));
    } else {
      reply(index, back);
    }
  }

  void handle(const Event& event) {
    switch (event.kind()) {
      case EventKind::at_slice:
        arrive(event.index(), event.time_fs);
        break;
      case EventKind::lookup:
        look_up(event.index(), event.time_fs);
        break;
      case EventKind::dram_decide:
        decide_dram(event.number(), event.time_fs);
        break;
      case EventKind::line_come:
        fill(event.number(), event.what & ~std::uint64_t{kAllSectors},
             static_cast<SectorMask>(event.what & kAllSectors), event.time_fs);
        break;
      case EventKind::reply_ready:
        send_reply(event.index(), event.time_fs);
        break;
    }
  }

  void count_reply(RequestKind kind, std::uint64_t latency) {
    ++statistics.responses;
    switch (kind) {
      case RequestKind::load:
      case RequestKind::atomic:
        statistics.load_latency += latency;
        ++statistics.load_replies;
        break;
      case RequestKind::store:
      case RequestKind::reduction:
        statistics.store_latency += latency;
        ++statistics.store_replies;
        break;
      case RequestKind::instruction:
        statistics.fetch_latency += latency;
        break;
    }
  }

  /// The replies that reach a core's side before `limit` pass its port. Returns the cycle of the
  /// earliest.
  std::uint64_t deliver_before(std::uint64_t limit) {
    std::uint64_t earliest = kNever;
    while (!arrivals.empty() && arrivals.top().time_fs < limit) {
      const Arrival arrival = arrivals.top();
      arrivals.pop();
      const InFlight& flight = pool[arrival.index];
      const Request& request = flight.request;
      std::uint64_t& port_free = core_input_free[request.core];
      port_free = std::max(arrival.time_fs, port_free) + crossbar.flits(reply_bytes(request));
      const std::uint64_t cycle = crossbar.core_cycle(port_free);
      count_reply(request.kind, cycle - flight.sent_cycle);
      responses[request.core].push_back(
          {cycle, request.kind, request.line, request.tag, request.sectors});
      free_slots.push_back(arrival.index);
      earliest = std::min(earliest, cycle);
    }
    return earliest;
  }

  [[nodiscard]] static std::uint32_t reply_bytes(const Request& request) {
    switch (request.kind) {
      case RequestKind::load:
        return bytes_of(request.sectors);
      case RequestKind::atomic:
      case RequestKind::instruction:
        return request.bytes;
      case RequestKind::store:
      case RequestKind::reduction:
        break;
    }
    return 0;
  }

  /// No request sent in cycle `sure` or later reaches a slice before this time.
  [[nodiscard]] std::uint64_t horizon(std::uint64_t sure) const {
    if (sure > last_sure) return kNever / 2;
    return crossbar.time_of(sure) + crossbar.flits(0) + crossbar.one_way();
  }

  GpuConfig config;
  Crossbar crossbar;
  std::uint64_t dram_period;
  std::uint64_t last_sure;  ///< the last cycle whose time can be told
  std::vector<Port> ports;
  std::vector<std::uint64_t> core_input_free;
  std::vector<Slice> slices;
  std::vector<Channel> channels;
  std::vector<InFlight> pool;
  std::vector<std::uint32_t> free_slots;
  Events events;
  /// The first one on top. No NearlySorted: slices that many wait for lag far behind the others.
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals;
  std::vector<std::vector<Response>> responses;  ///< by core, for the next exchange
  std::vector<Signal> signals;                   ///< the same
  std::vector<Sent> merged;                      ///< scratch of exchange()
  Statistics statistics;
};

MemorySystem::MemorySystem(const GpuConfig& config) : impl_(std::make_unique<Impl>(config)) {}
MemorySystem::~MemorySystem() = default;

Port& MemorySystem::port(std::uint32_t core) { return impl_->ports[core]; }

void MemorySystem::exchange() {
  Impl& impl = *impl_;
  std::vector<Sent>& sent = impl.merged;
  sent.clear();
  for (Port& port : impl.ports) {
    sent.insert(sent.end(), port.sent_.begin(), port.sent_.end());
    port.sent_.clear();
    std::vector<Response>& responses = impl.responses[port.core_];
    port.responses_.insert(port.responses_.end(), responses.begin(), responses.end());
    responses.clear();
    port.signals_.insert(port.signals_.end(), impl.signals.begin(), impl.signals.end());
  }
  impl.signals.clear();
  std::stable_sort(sent.begin(), sent.end(),
                   [](const Sent& a, const Sent& b) { return a.cycle < b.cycle; });
  for (const Sent& each : sent) impl.take_over(each);
}

std::uint64_t MemorySystem::advance(std::uint64_t sure) {
  Impl& impl = *impl_;
  const std::uint64_t one_way = impl.crossbar.one_way();
  std::uint64_t horizon = impl.horizon(sure);
  while (impl.events.first_time() < horizon) {
    const Event event = impl.events.top();
    // A reply that is already crossing may wake a core before this event can.
    const std::uint64_t woken = impl.deliver_before(event.time_fs + one_way);
    if (woken < sure) {
      sure = woken;
      horizon = impl.horizon(sure);
      continue;
    }
    impl.events.pop();
    impl.handle(event);
  }
  return std::min(sure, impl.deliver_before(horizon + one_way));
}

std::uint64_t MemorySystem::round_trip() const {
  const Crossbar& crossbar = impl_->crossbar;
  return crossbar.core_cycle(crossbar.flits(0) + 2 * crossbar.one_way());
}

bool MemorySystem::busy() const { return !impl_->events.empty() || !impl_->arrivals.empty(); }

bool MemorySystem::touch(std::uint32_t core, LineOwner user, std::uint64_t line, SectorMask sectors,
                         bool written) {
  Impl& impl = *impl_;
  if (impl.config.l2.bytes == 0) return false;
  if (!impl.config.l2.sectored) sectors = kAllSectors;
  const std::uint32_t home = impl.crossbar.slice_of(line);
  if (written) {
    const TagArray::Access access = impl.slices[home].cache.write(line, user.number(), sectors);
    impl.drop_copy(line);
    return access.result == TagArray::Result::miss;
  }
  const std::uint32_t entrance = impl.crossbar.entrance(core, home);
  const bool brought = impl.touch(entrance, user, line, sectors);
  if (brought && entrance != home) impl.touch(home, user, line, sectors);
  return brought;
}

const Statistics& MemorySystem::statistics() const { return impl_->statistics; }

Residue MemorySystem::residue() const {
  Residue residue;
  residue.requests = impl_->pool.size() - impl_->free_slots.size();
  for (const Slice& slice : impl_->slices) {
    residue.l2_mshrs += slice.cache.mshrs().lines();
    residue.blocked += slice.blocked.size() + slice.passed_on.size();
  }
  for (const Channel& channel : impl_->channels) {
    residue.writes += channel.dram.queued_writes();
    residue.reads += channel.dram.waiting() - channel.dram.queued_writes();
  }
  return residue;
}

std::uint64_t MemorySystem::bus_capacity_fs(std::uint64_t cycle) const {
  return impl_->crossbar.time_of(cycle) * impl_->channels.size();
}

std::uint64_t MemorySystem::l2_capacity_fs(std::uint64_t cycle) const {
  return impl_->crossbar.time_of(cycle) * impl_->slices.size();
}

}  // namespace paws::memory
