// SPDX-License-Identifier: MIT
// For any register of any warp: f_awaited_q says that a long operation has issued to it and nothing has written it since.
`include "started.svh"
  (* anyconst *) logic [WARP_W-1:0] f_warp;
  (* anyconst *) logic [REG_W-1:0] f_register;
  logic f_awaited_q, f_issues, f_writes, f_names;
  assign f_issues = issue_valid_i && issue_warp_i == f_warp && issue_register_i == f_register &&
                    !(ZERO && f_register == '0);
  always_comb begin
    f_writes = 1'b0;
    for (int p = 0; p < WRITES; p++) begin
      if (write_valid_i[p] && write_warp_i[p*WARP_W+:WARP_W] == f_warp &&
          write_register_i[p*REG_W+:REG_W] == f_register) f_writes = 1'b1;
    end
    f_names = 1'b0;
    for (int w = 0; w < WARPS; w++) begin
      for (int k = 0; k < READS; k++) begin
        if (32'(f_warp) == w && registers_i[(w*READS+k)*REG_W+:REG_W] == f_register) f_names = 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    f_awaited_q <= rst_ni && !clear_i[f_warp] && (f_issues || (f_awaited_q && !f_writes));
  end
  always_comb assume (32'(f_warp) < WARPS && 32'(f_register) < REGISTERS);
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_warp
    always_comb begin
      if (f_started_q && 32'(f_warp) == w) begin
        // The register is awaited as defined.
        assert (gen_warp[w].long_q[f_register] == f_awaited_q);
        // A warp with an awaited register has a long operation outstanding.
        assert (!f_awaited_q || long_outstanding_o[w]);
        // A warp waits whose next instruction names an awaited register.
        assert (!f_awaited_q || !valid_i[w] || !f_names || waits_o[w]);
        // A held warp waits.
        assert (!held_i[w] || waits_o[w]);
        // Without an awaited register, or an instruction, only a held warp waits.
        assert (waits_o[w] == held_i[w] || (valid_i[w] && long_outstanding_o[w]));
        // Nothing is outstanding without an awaited register.
        assert (!long_outstanding_o[w] || |gen_warp[w].long_q);
      end
    end
  end
`ifdef PROVE_paws_long_tracker
  always_comb begin
    // An issue and a write of one register in one cycle.
    cover (f_started_q && rst_ni && f_issues && f_writes && f_awaited_q);
    // A warp is cleared beside an issue.
    cover (f_started_q && rst_ni && f_issues && clear_i[f_warp]);
  end
`endif
