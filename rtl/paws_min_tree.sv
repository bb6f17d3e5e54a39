// SPDX-License-Identifier: MIT
// Smallest of COUNT keys: a balanced tree of two-input comparisons.
//
// Responsibility: among the entries with valid_i, find the one with the smallest key. Equal keys go to
// the lower index, so the result is always one definite entry; users that need age as the tie-break
// put the age rank below the key.
// Timing: combinational, ceil(log2 COUNT) levels of compare and select. Validity does not enter the
// comparison, only the select, so a late valid_i skips the carry chain.
// Cost: COUNT-1 comparators and multiplexers of KEY_W bits.
`default_nettype none

module paws_min_tree #(
    parameter int COUNT = 24,  // number of entries, 2 or more; any number, not only powers of two
    parameter int KEY_W = 14   // width of a key
) (
    input  wire logic [        COUNT-1:0] valid_i,  // the entry takes part
    input  wire logic [  COUNT*KEY_W-1:0] key_i,    // key of entry e at [e*KEY_W +: KEY_W]
    output logic                          valid_o,  // some entry takes part
    output logic      [$clog2(COUNT)-1:0] index_o   // the winner; 0 if there is none
);
  localparam int INDEX_W = $clog2(COUNT);

  // Level l has ceil(COUNT / 2^l) nodes; an odd one out passes to the next level as it is.
  for (genvar l = 0; l <= INDEX_W; l++) begin : gen_level
    localparam int NODES = (COUNT + (1 << l) - 1) >> l;
    logic [NODES-1:0] valid;
    logic [NODES*KEY_W-1:0] key;
    logic [NODES*INDEX_W-1:0] index;

    if (l == 0) begin : gen_leaf
      assign valid = valid_i;
      assign key   = key_i;
      for (genvar n = 0; n < NODES; n++) begin : gen_index
        assign index[n*INDEX_W+:INDEX_W] = valid_i[n] ? INDEX_W'(n) : '0;
      end
    end else begin : gen_inner
      localparam int BELOW = (COUNT + (1 << (l - 1)) - 1) >> (l - 1);
      for (genvar n = 0; n < NODES; n++) begin : gen_node
        if (2 * n + 1 < BELOW) begin : gen_pair
          logic right;
          assign right = gen_level[l-1].valid[2*n+1] &
              (!gen_level[l-1].valid[2*n] |
               (gen_level[l-1].key[(2*n+1)*KEY_W+:KEY_W] < gen_level[l-1].key[2*n*KEY_W+:KEY_W]));
          assign valid[n] = gen_level[l-1].valid[2*n] | gen_level[l-1].valid[2*n+1];
          assign key[n*KEY_W+:KEY_W] = right ? gen_level[l-1].key[(2*n+1)*KEY_W+:KEY_W]
                                             : gen_level[l-1].key[2*n*KEY_W+:KEY_W];
          assign index[n*INDEX_W+:INDEX_W] =
              right ? gen_level[l-1].index[(2*n+1)*INDEX_W+:INDEX_W]
                    : gen_level[l-1].index[2*n*INDEX_W+:INDEX_W];
        end else begin : gen_odd
          assign valid[n] = gen_level[l-1].valid[2*n];
          assign key[n*KEY_W+:KEY_W] = gen_level[l-1].key[2*n*KEY_W+:KEY_W];
          assign index[n*INDEX_W+:INDEX_W] = gen_level[l-1].index[2*n*INDEX_W+:INDEX_W];
        end
      end
    end
  end

  assign valid_o = gen_level[INDEX_W].valid[0];
  assign index_o = gen_level[INDEX_W].index;

  logic unused_key;
  assign unused_key = ^gen_level[INDEX_W].key;

`ifdef FORMAL
`include "paws_min_tree.svh"
`endif
endmodule

`default_nettype wire
