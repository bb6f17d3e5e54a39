# SPDX-License-Identifier: MIT
"""Names that SystemVerilog sources use before they declare them.

    python3 scripts/lib/check_declarations.py FILE...

The language wants nets, variables, parameters and genvars declared in an earlier line than the first that uses
them. Verilator 5.006, Yosys 0.23 and Icarus 11 do not ask for it, other tools do. One line per name, with file and
both places; exits with 1 if there is one, with 2 if a file cannot be read. Both sides of every `ifdef are read.

It knows the declarations that the sources have: of built-in types, separated by commas. Modules, instances, named
blocks, functions and the names behind a dot may stand in any order. Whether a name is declared at all is for
Verilator to say.
"""

import pathlib
import re
import sys

_TOKEN = re.compile(r"""
    (?P<space>\s+ | //[^\n]* | /\*.*?\*/ | \(\*(?!\s*\)).*?\*\))
  | (?P<string>"(?:\\.|[^"\\])*")
  | (?P<directive>`(?:include\s+"[^"]*" | default_nettype\s+\w+ | (?:ifdef|ifndef|elsif|undef)\s+\w+ | \w+))
  | (?P<number>\d*\s*'s?[bodhBODH]\s*[0-9a-fA-FxXzZ_?]+ | '[01xzXZ] | \d[\d_.]*)
  | (?P<name>\\\S+ | \$?[A-Za-z_][\w$]*)
  | (?P<mark>::|.)
""", re.VERBOSE | re.DOTALL)
_TYPES = set("input output inout parameter localparam genvar wire var reg logic bit byte shortint int longint integer "
             "time signed unsigned".split())
_OPENS = {"module": "endmodule", "package": "endpackage", "function": "endfunction", "task": "endtask",
          "begin": "end"}
_KEYWORDS = _TYPES | set(_OPENS) | set(_OPENS.values()) | set("""
    always always_comb always_ff always_latch and assert assign assume automatic case casex casez cover default else
    endcase endgenerate enum final for generate if initial negedge or posedge priority property struct typedef union
    unique while""".split())


def tokens(text):
    """(kind, text, line) of everything but space and directives."""
    line = 1
    for found in _TOKEN.finditer(text):
        if found.lastgroup not in ("space", "directive"):
            yield found.lastgroup, found.group(), line
        line += found.group().count("\n")


def _skip(stream, at, ends):
    """The first place from `at` on where one of `ends` stands outside of brackets, or a bracket is closed."""
    depth = 0
    while at < len(stream):
        text = stream[at][1]
        if depth == 0 and text in ends:
            return at
        if text in "([{":
            depth += 1
        elif text in ")]}":
            depth -= 1
            if depth < 0:
                return at
        at += 1
    return at


def _declared(stream, at):
    """Places of the names that the declaration beginning at `at` declares."""
    while True:
        while at < len(stream) and (stream[at][1] in _TYPES or stream[at][1] == "["):
            at = at + 1 if stream[at][1] != "[" else _skip(stream, at + 1, ()) + 1
        if at >= len(stream) or stream[at][0] != "name" or stream[at][1] in _KEYWORDS:
            return
        yield at
        at = _skip(stream, at + 1, (",", ";"))
        # Behind a comma the same declaration goes on, or, in a list of ports or parameters, the next one begins.
        if at + 1 >= len(stream) or stream[at][1] != "," or stream[at + 1][1] in _TYPES:
            return
        at += 1


def _is_use(stream, at):
    """Whether the name at `at` stands for something that needs a declaration before."""
    kind, text, _ = stream[at]
    before = stream[at - 1][1] if at > 0 else ""
    behind = stream[at + 1][1] if at + 1 < len(stream) else ""
    if kind != "name" or text in _KEYWORDS or text.startswith("$") or "::" in (before, behind):
        return False
    if before == ".":  # of a port list, .name alone is .name(name); else a member
        return behind in (",", ")") and at > 1 and stream[at - 2][1] in ("(", ",")
    return True


def used_too_early(text):
    """(name, line of the use, line of the declaration) of every name used before its declaration."""
    stream = list(tokens(text))
    scopes = [{}]       # name: places of its declarations, by scope
    inside = [0]        # the scopes that are open
    outer = {0: None}   # the scope around a scope
    uses = []           # place, scope
    declarations = set()
    at = 0
    while at < len(stream):
        word = stream[at][1]
        if word in _OPENS and stream[at][0] == "name":
            scopes.append({})
            outer[len(scopes) - 1] = inside[-1]
            inside.append(len(scopes) - 1)
        elif word in _OPENS.values():
            if len(inside) > 1:
                inside.pop()
        elif word in _TYPES and stream[at - 1][1] not in _TYPES:
            for place in _declared(stream, at):
                scopes[inside[-1]].setdefault(stream[place][1], []).append(place)
                declarations.add(place)
        elif at not in declarations and _is_use(stream, at):
            uses.append((at, inside[-1]))
        at += 1

    found = {}
    for place, scope in uses:
        name = stream[place][1]
        seen = []
        while scope is not None:
            seen += scopes[scope].get(name, [])
            scope = outer[scope]
        if seen and min(seen) > place:
            found.setdefault((name, min(seen)), place)
    return [(name, stream[place][2], stream[declaration][2]) for (name, declaration), place in found.items()]


def main(paths):
    bad = 0
    for path in paths:
        try:
            text = pathlib.Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            print(f"check_declarations: {path}: {error}", file=sys.stderr)
            return 2
        for name, use, declaration in used_too_early(text):
            print(f"{path}:{use}: {name} is used before its declaration in line {declaration}", file=sys.stderr)
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
