// SPDX-License-Identifier: MIT
// Technology map of scripts/check prove, to search a trace: a cover statement is met where the assertion of
// its opposite fails.
(* techmap_celltype = "$cover" *)
module cover_as_assertion (input A, input EN);
  \$assert opposite (.A(!A), .EN(EN));
endmodule
