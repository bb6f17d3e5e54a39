// Collector of the two-level scheduler: puts warps that wake together into one line.
//
// Responsibility: take any number of warps per cycle, hand out one per cycle. Order: earliest wake
// first, of the same cycle the oldest first. Exact, without moving entries: the warps of one cycle get
// the same ticket, and tickets are served in turn.
// Structure: the head stands in a register of its own (front), chosen one cycle ahead, so that the
// insertion into active starts from registers. Behind it wait the others (rest), each with its ticket.
// Number of tickets: those in use are fewer than WARPS, because each has at least one warp of rest
// and one warp more is the front; so log2(WARPS) bits that wrap around are enough.
// Timing: a warp that wakes in t can be the front of t+1. front_valid_o, front_warp_o are registered.
// Coincidences: wake and admit in one cycle: if rest is empty, the oldest that wakes is the next
// front. Wake into an empty collector: likewise, the others enter rest.
// Cost: WARPS * (1 + log2 WARPS) flip-flops and as many equality comparators, one choice of
// the oldest.
`default_nettype none

module paws_collector #(
    parameter int WARPS = 24  // warp slots
) (
    input  wire logic                           clk_i,          // clock
    input  wire logic                           rst_ni,         // synchronous reset, active low
    input  wire logic [              WARPS-1:0] wake_i,         // the warp enters
    input  wire logic [WARPS*$clog2(WARPS)-1:0] age_i,          // age rank, smaller is older
    input  wire logic                           admit_i,        // the front leaves
    output logic                                front_valid_o,  // the collector is not empty
    output logic      [      $clog2(WARPS)-1:0] front_warp_o    // its head
);
  localparam int WARP_W = $clog2(WARPS);

  logic front_valid_q;
  logic [WARP_W-1:0] front_warp_q;
  logic [WARPS-1:0] rest_q;
  (* mem2reg *) logic [WARP_W-1:0] ticket_q[0:WARPS-1];
  logic [WARP_W-1:0] serve_q;  // ticket whose warps leave rest next
  logic [WARP_W-1:0] next_q;   // ticket of the next warps that enter; serve_q while rest is empty

  logic rest_any, refill, last;
  logic [WARPS-1:0] candidate, oldest, picked, rest_enter;
  logic [WARP_W-1:0] picked_warp;

  // The next front comes from the ticket in service, or, if rest is empty, from those who wake.
  assign rest_any = serve_q != next_q;
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      candidate[w] = rest_any ? (rest_q[w] & (ticket_q[w] == serve_q)) : wake_i[w];
    end
  end

  paws_oldest #(
      .WARPS(WARPS)
  ) u_oldest (
      .valid_i (candidate),
      .age_i   (age_i),
      .choice_o(oldest)
  );
  always_comb begin
    picked_warp = '0;
    for (int w = 0; w < WARPS; w++) picked_warp = picked_warp | (WARP_W'(w) & {WARP_W{oldest[w]}});
  end

  assign refill = |candidate & (!front_valid_q | admit_i);
  assign picked = oldest & {WARPS{refill}};
  assign last = ~|(candidate & (candidate - 1'b1));  // one candidate: the ticket is used up
  assign rest_enter = wake_i & ~picked;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      front_valid_q <= 1'b0;
      rest_q <= '0;
      serve_q <= '0;
      next_q <= '0;
    end else begin
      front_valid_q <= refill | (front_valid_q & !admit_i);
      rest_q <= (rest_q | wake_i) & ~picked;
      if (rest_any && refill && last) serve_q <= serve_q + 1'b1;
      if (|wake_i && (rest_any || !refill || !last)) next_q <= next_q + 1'b1;
    end
    if (refill) front_warp_q <= picked_warp;
    for (int w = 0; w < WARPS; w++) begin
      if (rest_enter[w]) ticket_q[w] <= next_q;
    end
  end

  assign front_valid_o = front_valid_q;
  assign front_warp_o  = front_warp_q;

`ifdef PAWS_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!admit_i || front_valid_q) else $error("collector: admission from an empty collector");
      assert (rest_any == (|rest_q)) else $error("collector: tickets and warps disagree");
      assert (!rest_any || |candidate) else $error("collector: the ticket in service has no warp");
      assert (!rest_any || front_valid_q) else $error("collector: warps wait behind no front");
      assert ((wake_i & rest_q) == '0) else $error("collector: a warp enters that is inside");
      assert (!front_valid_q || !(wake_i[front_warp_q] || rest_q[front_warp_q]))
      else $error("collector: the front stands in line a second time");
    end
  end
`endif
endmodule

`default_nettype wire
