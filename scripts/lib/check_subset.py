# SPDX-License-Identifier: MIT
"""Constructs of SystemVerilog outside of the subset that the synthesizable RTL keeps to.

    python3 scripts/lib/check_subset.py FILE...

docs/guide/integration.md, "Subset of the language", says what the subset is: what sv2v and old front ends read. One
line per construct, with file and line; exits with 1 if there is one, with 2 if a file cannot be read. What stands in
`ifdef PAWS_ASSERT or `ifdef FORMAL is not looked at. It sees words and marks, not grammar: reserved words, system
names, scopes and patterns.
"""

import pathlib
import re
import sys

# All reserved words of IEEE 1800-2012.
_RESERVED = set("""
accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind bins
binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const
constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist do edge
else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule
endpackage endprimitive endprogram endproperty endspecify endsequence endtable endtask enum event eventually expect
export extends extern final first_match for force foreach forever fork forkjoin function generate genvar global highz0
highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input inside
instance int integer interconnect interface intersect join join_any join_none large let liblist library local
localparam logic longint macromodule matches medium modport module nand negedge nettype new nexttime nmos nor
noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive priority program
property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase
randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed small
soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 sync_accept_on
sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand
trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual void
wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor
""".split())
_ALLOWED = set("""
always_comb always_ff always_latch assign begin bit case default else end endcase endmodule endpackage for genvar if
input int localparam logic module output package parameter posedge wire
""".split())
_SYSTEM = {"$clog2", "$error"}
_PACKAGE = "paws_pkg"

_TOKEN = re.compile(r"""
    (?P<skip>\s+ | //[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\])*" | \d*\s*'s?[bodhBODH]\s*[0-9a-fA-FxXzZ_?]+)
  | (?P<directive>`\w+(?:[ \t]+\w+)?)
  | (?P<name>\$?[A-Za-z_]\w*)
  | (?P<pattern>'\{)
  | (?P<scope>::)
  | (?P<mark>.)
""", re.VERBOSE | re.DOTALL)
_VERIFICATION = ("PAWS_ASSERT", "FORMAL")


def outside(text):
    """(line, construct) of everything in `text` that is not in the subset."""
    found = []
    branches = []  # of each open `ifdef: whether it is for verification
    line = 1
    last = ""
    for token in _TOKEN.finditer(text):
        kind, word = token.lastgroup, token[0]
        if kind == "directive":
            name, _, macro = word.partition(" ")
            if name in ("`ifdef", "`ifndef"):
                branches.append(name == "`ifdef" and macro.strip() in _VERIFICATION)
            elif name == "`else":
                branches[-1] = False
            elif name == "`endif":
                branches.pop()
            elif name != "`default_nettype" and not any(branches):
                found.append((line, name))
        elif kind != "skip" and not any(branches):
            if kind == "pattern":
                found.append((line, "'{"))
            elif kind == "scope" and last != _PACKAGE:
                found.append((line, f"{last}::"))
            elif kind == "name" and word in _RESERVED - _ALLOWED or word.startswith("$") and word not in _SYSTEM:
                found.append((line, word))
        if kind != "skip":
            last = word
        line += word.count("\n")
    return found


def main(paths):
    bad = 0
    for path in paths:
        try:
            text = pathlib.Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            print(f"check_subset: {path}: {error}", file=sys.stderr)
            return 2
        for line, construct in outside(text):
            print(f"{path}:{line}: {construct} is outside of the subset of the RTL", file=sys.stderr)
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
