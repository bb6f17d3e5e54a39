// SPDX-License-Identifier: MIT
// What a state of paws_two_level means, for proofs that a fault changes nothing.
//
// The registers are inputs here, under their names in the flattened scheduler (generate blocks left out,
// words of an array side by side, word 0 lowest).
//
//   good_o     the state is one of those that the scheduler can be in (an invariant: every command that
//              uses it proves first that it holds after reset and after every cycle)
//   meaning_o  the state without its representation: who is where, who comes before whom, which lengths
//              count. Good states of the same meaning behave alike.
//   care_...   the bits of a register that anybody will look at before they are loaded again
//
// With LOOSE, good_o also admits ages that only a scheduler with a fault can have, and that order the
// warps alike: the slots that have never been launched may have the rank of the warp in the last slot, if
// that is the oldest, and the entrant's age may have the lowest bit of the last slot's.
//
// PAWS_SHIFT and PAWS_TREE choose the micro-architecture of active; without them it is ranks. PAWS_LIMIT
// says that there is an age limit, LIMIT.
`default_nettype none

module two_level_view #(
    parameter int unsigned WARPS = 5,
    parameter int unsigned READY = 3,
    parameter int unsigned KEY_W = 4,
    parameter int unsigned LIMIT = 0,
    parameter bit LOOSE = 1'b0
) (
    input  wire logic [paws_pkg::POLICY_W-1:0] policy_i,
    input  wire logic [                 WARPS-1:0] live_i,  // what the host knows
    input  wire logic [                 WARPS-1:0] pending_q,
    input  wire logic [                 READY-1:0] u_ready_valid_q,
    input  wire logic [   READY*$clog2(WARPS)-1:0] u_ready_warp_q,
    input  wire logic [       READY*(READY-1)/2-1:0] u_ready_first_q,
    input  wire logic [   WARPS*$clog2(WARPS)-1:0] u_age_rank_q,
    input  wire logic [                 WARPS-1:0] u_collector_member_q,
    input  wire logic [         $clog2(WARPS)-1:0] u_collector_batches_q,
    input  wire logic [   WARPS*$clog2(WARPS)-1:0] u_places_place_q,
    input  wire logic [           WARPS*KEY_W-1:0] u_phase_length_q,
`ifdef PAWS_LIMIT
    input  wire logic [                 WARPS-1:0] u_limit_due_q,
    input  wire logic [(LIMIT > 2 ? $clog2(LIMIT) : 1)-1:0] u_limit_count_q,
    output logic      [                 WARPS-1:0] care_u_limit_due_q,
    output logic      [(LIMIT > 2 ? $clog2(LIMIT) : 1)-1:0] care_u_limit_count_q,
`endif
`ifdef PAWS_TREE
    input  wire logic [                 WARPS-1:0] u_active_member_q,
    input  wire logic [   WARPS*$clog2(WARPS)-1:0] u_active_u_arrival_rank_q,
    output logic      [                 WARPS-1:0] care_u_active_member_q,
    output logic      [   WARPS*$clog2(WARPS)-1:0] care_u_active_u_arrival_rank_q,
`else
    input  wire logic                              u_entrant_valid_q,
    input  wire logic                              u_entrant_launched_q,
    input  wire logic [                 WARPS-1:0] u_entrant_slot_q,
    input  wire logic [         $clog2(WARPS)-1:0] u_entrant_age_q,
    input  wire logic [                 KEY_W-1:0] u_entrant_length_q,
    output logic                                   care_u_entrant_valid_q,
    output logic                                   care_u_entrant_launched_q,
    output logic      [                 WARPS-1:0] care_u_entrant_slot_q,
    output logic      [         $clog2(WARPS)-1:0] care_u_entrant_age_q,
    output logic      [                 KEY_W-1:0] care_u_entrant_length_q,
`ifdef PAWS_SHIFT
    input  wire logic [              WARPS-READY-1:0] u_active_valid_q,
    input  wire logic [(WARPS-READY)*$clog2(WARPS)-1:0] u_active_warp_q,
    output logic      [              WARPS-READY-1:0] care_u_active_valid_q,
    output logic      [(WARPS-READY)*$clog2(WARPS)-1:0] care_u_active_warp_q,
`else
    input  wire logic [                 WARPS-1:0] u_active_member_q,
    output logic      [                 WARPS-1:0] care_u_active_member_q,
`endif
`endif
    output logic      [                 WARPS-1:0] care_pending_q,
    output logic      [                 READY-1:0] care_u_ready_valid_q,
    output logic      [   READY*$clog2(WARPS)-1:0] care_u_ready_warp_q,
    output logic      [       READY*(READY-1)/2-1:0] care_u_ready_first_q,
    output logic      [   WARPS*$clog2(WARPS)-1:0] care_u_age_rank_q,
    output logic      [                 WARPS-1:0] care_u_collector_member_q,
    output logic      [         $clog2(WARPS)-1:0] care_u_collector_batches_q,
    output logic      [   WARPS*$clog2(WARPS)-1:0] care_u_places_place_q,
    output logic      [           WARPS*KEY_W-1:0] care_u_phase_length_q,
    output logic                                   good_o,
    output logic      [4*WARPS*WARPS+7*WARPS+17+WARPS*KEY_W-1:0] meaning_o
);
  localparam int unsigned L = $clog2(WARPS);
  logic is_gto, is_paws;
  assign is_gto = policy_i == paws_pkg::GTO;
  assign is_paws = policy_i == paws_pkg::PAWS;

  // Numbers warp by warp.
  logic [WARPS*L-1:0] age, place;
  logic [WARPS*KEY_W-1:0] length;
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      for (int b = 0; b < L; b++) age[w*L+b] = u_age_rank_q[b*WARPS+w];
      for (int b = 0; b < L; b++) place[w*L+b] = u_places_place_q[b*WARPS+w];
      for (int b = 0; b < KEY_W; b++) length[w*KEY_W+b] = u_phase_length_q[b*WARPS+w];
    end
  end

  // Ready: entries hold different warps and stand in one line.
  logic ready_good;
  logic [WARPS-1:0] in_ready;
  logic [READY*READY-1:0] ahead;  // [i*READY+j]: valid entry i comes before valid entry j
  logic [WARPS*WARPS-1:0] ready_before;
  always_comb begin
    ahead = '0;
    for (int j = 1; j < READY; j++) begin
      for (int i = 0; i < j; i++) begin
        ahead[i*READY+j] =
            u_ready_valid_q[i] & u_ready_valid_q[j] & u_ready_first_q[j*(j-1)/2+i];
        ahead[j*READY+i] =
            u_ready_valid_q[i] & u_ready_valid_q[j] & !u_ready_first_q[j*(j-1)/2+i];
      end
    end
    ready_good = 1'b1;
    in_ready = '0;
    ready_before = '0;
    for (int i = 0; i < READY; i++) begin
      for (int w = 0; w < WARPS; w++) begin
        if (u_ready_valid_q[i] && u_ready_warp_q[i*L+:L] == L'(w)) in_ready[w] = 1'b1;
      end
      ready_good = ready_good & (!u_ready_valid_q[i] | (32'(u_ready_warp_q[i*L+:L]) < WARPS));
      for (int j = 0; j < READY; j++) begin
        if (i != j) begin
          ready_good = ready_good & !(u_ready_valid_q[i] & u_ready_valid_q[j] &
              (u_ready_warp_q[i*L+:L] == u_ready_warp_q[j*L+:L]));
          for (int k = 0; k < READY; k++) begin
            ready_good = ready_good &
                !(ahead[i*READY+j] & ahead[j*READY+k] & !ahead[i*READY+k]);
          end
          for (int w = 0; w < WARPS; w++) begin
            for (int v = 0; v < WARPS; v++) begin
              if (ahead[i*READY+j] && u_ready_warp_q[i*L+:L] == L'(w) &&
                  u_ready_warp_q[j*L+:L] == L'(v)) ready_before[w*WARPS+v] = 1'b1;
            end
          end
        end
      end
    end
  end

  // Active: who is in order, who is about to be.
  logic active_good, entrant, launched;
  logic [WARPS-1:0] sorted, entering;
  logic [WARPS*WARPS-1:0] sorted_before;
`ifdef PAWS_TREE
  // The order is found anew in every cycle: from ages, lengths and the order of arrival.
  assign entrant = 1'b0;
  assign launched = 1'b0;
  assign entering = '0;
  assign sorted = u_active_member_q;
  always_comb begin
    active_good = 1'b1;
    sorted_before = '0;
    for (int w = 0; w < WARPS; w++) begin
      active_good = active_good & (32'(u_active_u_arrival_rank_q[w*L+:L]) < WARPS);
      for (int v = 0; v < WARPS; v++) begin
        if (w != v) begin
          active_good = active_good &
              (u_active_u_arrival_rank_q[w*L+:L] != u_active_u_arrival_rank_q[v*L+:L]);
        end
        sorted_before[w*WARPS+v] = !is_gto & !is_paws & sorted[w] & sorted[v] &
            (u_active_u_arrival_rank_q[w*L+:L] < u_active_u_arrival_rank_q[v*L+:L]);
      end
    end
  end
`else
  logic entrant_good;
  assign entrant = u_entrant_valid_q;
  assign launched = u_entrant_valid_q & u_entrant_launched_q;
  assign entering = u_entrant_slot_q & {WARPS{u_entrant_valid_q}};
  always_comb begin
    // Without an entrant its slot is nobody, but in the cycle after reset.
    entrant_good = entrant ? $onehot(u_entrant_slot_q)
        : !u_entrant_launched_q & (u_entrant_slot_q == '0 | live_i == '0);
    for (int w = 0; w < WARPS; w++) begin
      if (entering[w]) begin
        entrant_good = entrant_good & (u_entrant_age_q == age[w*L+:L] |
            (LOOSE & u_entrant_age_q == (age[w*L+:L] | L'(age[(WARPS-1)*L])))) &
            u_entrant_length_q == length[w*KEY_W+:KEY_W];
      end
    end
  end
`ifdef PAWS_SHIFT
  localparam int unsigned DEPTH = WARPS - READY;
  always_comb begin
    active_good = entrant_good;
    sorted = '0;
    sorted_before = '0;
    for (int e = 0; e < DEPTH; e++) begin
      for (int w = 0; w < WARPS; w++) begin
        if (u_active_valid_q[e] && u_active_warp_q[e*L+:L] == L'(w)) sorted[w] = 1'b1;
      end
      active_good = active_good & (!u_active_valid_q[e] | (32'(u_active_warp_q[e*L+:L]) < WARPS));
      if (e > 0) active_good = active_good & (!u_active_valid_q[e] | u_active_valid_q[e-1]);
      for (int f = 0; f < e; f++) begin
        active_good = active_good & !(u_active_valid_q[e] & u_active_valid_q[f] &
            (u_active_warp_q[e*L+:L] == u_active_warp_q[f*L+:L]));
        for (int w = 0; w < WARPS; w++) begin
          for (int v = 0; v < WARPS; v++) begin
            if (u_active_valid_q[e] && u_active_valid_q[f] && u_active_warp_q[f*L+:L] == L'(w) &&
                u_active_warp_q[e*L+:L] == L'(v)) sorted_before[w*WARPS+v] = 1'b1;
          end
        end
      end
    end
  end
`else
  // A member's place is the number of members before it.
  logic [31:0] fewer;
  assign sorted = u_active_member_q;
  always_comb begin
    active_good = entrant_good;
    for (int w = 0; w < WARPS; w++) begin
      fewer = 0;
      for (int v = 0; v < WARPS; v++) begin
        sorted_before[w*WARPS+v] = sorted[w] & sorted[v] & (place[w*L+:L] < place[v*L+:L]);
        if (sorted[v] && place[v*L+:L] < place[w*L+:L]) fewer = fewer + 1;
        if (v != w) begin
          active_good = active_good &
              !(sorted[w] & sorted[v] & (place[w*L+:L] == place[v*L+:L]));
        end
      end
      active_good = active_good & (!sorted[w] | (32'(place[w*L+:L]) == fewer));
    end
  end
`endif
`endif

  // Due warps are in order, and the count is below the limit.
  logic [WARPS-1:0] due;
  logic [15:0] count;
  logic due_good;
`ifdef PAWS_LIMIT
  assign due = u_limit_due_q;
  assign count = 16'(u_limit_count_q);
  assign due_good = ~|(due & ~sorted) & (32'(count) < LIMIT);
  assign care_u_limit_due_q = '1;
  assign care_u_limit_count_q = '1;
`else
  assign due = '0;
  assign count = '0;
  assign due_good = 1'b1;
`endif

  // Those in order are in the order of the policy, due ones first, and no more than can be.
  logic order_good;
  always_comb begin
    order_good =
        $countones(sorted) + $countones(entering) <= (WARPS > READY ? WARPS - READY : 1);
    for (int w = 0; w < WARPS; w++) begin
      for (int v = 0; v < WARPS; v++) begin
`ifndef PAWS_TREE
        order_good = order_good & !(sorted_before[w*WARPS+v] & due[v] & !due[w]);
`endif
        if (sorted_before[w*WARPS+v] && due[w] == due[v] && (is_gto || is_paws)) begin
          order_good = order_good &
              ({length[w*KEY_W+:KEY_W] & {KEY_W{is_paws}}, age[w*L+:L]} <
               {length[v*KEY_W+:KEY_W] & {KEY_W{is_paws}}, age[v*L+:L]});
        end
      end
    end
  end

  // Collector: batches without a gap. With two of them, one has met a launch or an admission, and that
  // warp is still in active; a batch more than half of the warps has nothing to come from: it takes a
  // pending warp, and a launch or a batch of several that keeps the first one from getting done.
  logic collector_good;
  logic [31:0] first_batch, spare, waiting;
  logic [WARPS-1:0] collected, batch_seen;
  logic [WARPS*WARPS-1:0] batch_before;
  assign collected = u_collector_member_q;
  always_comb begin
    collector_good = 32'(u_collector_batches_q) < WARPS;
    batch_seen = '0;
    for (int w = 0; w < WARPS; w++) begin
      collector_good = collector_good & (!collected[w] | (place[w*L+:L] < u_collector_batches_q));
      for (int n = 0; n < WARPS; n++) begin
        if (collected[w] && place[w*L+:L] == L'(n)) batch_seen[n] = 1'b1;
      end
      for (int v = 0; v < WARPS; v++) begin
        batch_before[w*WARPS+v] =
            collected[w] & collected[v] & (place[w*L+:L] < place[v*L+:L]);
      end
    end
    first_batch = 0;
    for (int w = 0; w < WARPS; w++) begin
      if (collected[w] && place[w*L+:L] == '0) first_batch = first_batch + 1;
    end
    spare = $countones(~live_i) + first_batch - (first_batch == 0 ? 0 : 1);
    waiting = $countones(pending_q);
    collector_good = collector_good & (32'(u_collector_batches_q) < 2 | (|(sorted | entering))) &
        (32'(u_collector_batches_q) + (waiting < spare ? waiting : spare) <= (WARPS + 1) / 2);
    for (int n = 0; n < WARPS; n++) begin
      collector_good = collector_good & (batch_seen[n] == (n < 32'(u_collector_batches_q)));
    end
  end

  // Ages: the last ranks are those of the warps launched since reset, one each; all others have the
  // rank before them. A launch that has just been made is not among them yet.
  logic age_good;
  logic [31:0] younger;
  logic [WARPS-1:0] aged;
  logic [WARPS*WARPS-1:0] older;
  assign aged = live_i & ~(entering & {WARPS{launched}});
  always_comb begin
    age_good = 1'b1;
    for (int w = 0; w < WARPS; w++) begin
      younger = 0;
      for (int v = 0; v < WARPS; v++) begin
        if (age[v*L+:L] > age[w*L+:L]) younger = younger + 1;
        older[w*WARPS+v] = aged[w] & aged[v] & (age[w*L+:L] < age[v*L+:L]);
        if (v != w) begin
          age_good = age_good & !(aged[w] & (age[w*L+:L] == age[v*L+:L]) &
              !(LOOSE & w == WARPS - 1 & !aged[v]));
          for (int u = 0; u < WARPS; u++) begin
            age_good = age_good & !(age[w*L+:L] == age[v*L+:L] & age[u*L+:L] < age[w*L+:L]);
          end
        end
      end
      age_good = age_good & (32'(age[w*L+:L]) == WARPS - 1 - younger);
    end
  end

  // Every live warp is in one place.
  logic places_good;
  logic [31:0] total;
  assign total = $countones(in_ready) + $countones(sorted) + $countones(entering) +
      $countones(collected) + $countones(pending_q);
  assign places_good = (in_ready | sorted | entering | collected | pending_q) == live_i &&
      total == $countones(live_i);

  assign good_o = ready_good & active_good & order_good & collector_good & age_good & places_good &
      due_good;

  // Lengths count outside ready, under PAWS.
  logic [WARPS-1:0] measured;
  logic [WARPS*KEY_W-1:0] known_length;
  assign measured = (pending_q | collected | sorted | entering) & {WARPS{is_paws}};
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      known_length[w*KEY_W+:KEY_W] = length[w*KEY_W+:KEY_W] & {KEY_W{measured[w]}};
    end
  end
  assign meaning_o = {ready_before, sorted_before, batch_before, older, in_ready, sorted, entering,
                      collected, pending_q, aged, due, count, launched, known_length};

  assign care_pending_q = '1;
  assign care_u_ready_valid_q = '1;
  assign care_u_age_rank_q = '1;
  assign care_u_collector_member_q = '1;
  assign care_u_collector_batches_q = '1;
  always_comb begin
    for (int i = 0; i < READY; i++) care_u_ready_warp_q[i*L+:L] = {L{u_ready_valid_q[i]}};
    for (int j = 1; j < READY; j++) begin
      for (int i = 0; i < j; i++) begin
        care_u_ready_first_q[j*(j-1)/2+i] = u_ready_valid_q[i] & u_ready_valid_q[j];
      end
    end
    for (int b = 0; b < L; b++) begin
`ifdef PAWS_TREE
      care_u_places_place_q[b*WARPS+:WARPS] = collected;
`elsif PAWS_SHIFT
      care_u_places_place_q[b*WARPS+:WARPS] = collected;
`else
      care_u_places_place_q[b*WARPS+:WARPS] = collected | sorted;
`endif
    end
    for (int b = 0; b < KEY_W; b++) care_u_phase_length_q[b*WARPS+:WARPS] = measured;
  end
`ifdef PAWS_TREE
  assign care_u_active_member_q = '1;
  assign care_u_active_u_arrival_rank_q = '1;
`else
  assign care_u_entrant_valid_q = 1'b1;
  assign care_u_entrant_launched_q = 1'b1;
  assign care_u_entrant_slot_q = '1;  // its place is loaded without asking for entrant_valid_q
  assign care_u_entrant_age_q = {L{entrant}};
  assign care_u_entrant_length_q = {KEY_W{entrant & is_paws}};
`ifdef PAWS_SHIFT
  assign care_u_active_valid_q = '1;
  always_comb begin
    for (int e = 0; e < DEPTH; e++) care_u_active_warp_q[e*L+:L] = {L{u_active_valid_q[e]}};
  end
`else
  assign care_u_active_member_q = '1;
`endif
`endif
endmodule

`default_nettype wire
