// SPDX-License-Identifier: MIT
// Technology map of scripts/check prove, for the step of an induction: an assertion that is proved of a cycle
// is taken for granted in the cycle before.
(* techmap_celltype = "$assert" *)
module assertion_with_hypothesis (input A, input EN);
  wire past, past_enable;
  \$assert conclusion (.A(A), .EN(EN));
  \$ff #(.WIDTH(1)) delay (.D(A), .Q(past));
  \$ff #(.WIDTH(1)) delay_enable (.D(EN), .Q(past_enable));
  \$assume hypothesis (.A(past), .EN(past_enable));
endmodule
