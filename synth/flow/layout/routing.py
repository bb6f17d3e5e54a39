# SPDX-License-Identifier: MIT
"""Routing by qrouter, on all layers."""

import pathlib
import re

from flow import tools
from flow.errors import FlowError
from flow.layout import def_file
from flow.layout.block import Block


class Unroutable(FlowError):
    """Some nets found no way, or none that keeps the design rules."""


# With so many nets left after the quick passes, those over the whole block take minutes and do not end well.
_HOPELESS = 80
_SCRIPT = """
verbose 1
read_lef {lef}
layers {layers}
via stack all
vdd vdd
gnd gnd
read_def {folder}/placed.def
set failed [stage1]
for {{set mask 10}} {{$failed > 0 && $mask <= 50}} {{incr mask 20}} {{ set failed [stage2 mask $mask effort 20] }}
foreach effort {{20 50 100}} {{
  if {{$failed > 0 && $failed < {hopeless}}} {{ set failed [stage2 mask none effort $effort] }}
}}
if {{$failed == 0}} {{
  cleanup all
  write_def {folder}/routed.def
}}
puts "FAILED $failed"
flush stdout
# With nets left, qrouter would not end: it cleans up without end.
if {{$failed > 0}} {{ exec kill -KILL [pid] }}
quit
"""


def with_stubs(text: str) -> str:
    """A routed DEF with what qrouter leaves out: from a track it reaches a pin beside the track by a stub on metal 1, behind a
    via; a stub towards where the wire has come from is written as if the wire on metal 2 turned back, without via and layer."""
    def complete(found: re.Match) -> str:
        corners = re.findall(r"\( (\S+) (\S+) \)", found[1])
        places, x, y = [], "", ""
        for corner in corners:
            x, y = (word if word != "*" else before for word, before in zip(corner, (x, y)))
            places.append((int(x), int(y)))
        if len(places) < 3:
            return found[0]
        (x0, y0), (x1, y1), (x2, y2) = places[-3:]
        if (x1 - x0) * (x2 - x1) + (y1 - y0) * (y2 - y1) >= 0:
            return found[0]
        wire = " ".join(f"( {corner[0]} {corner[1]} )" for corner in corners[:-1])
        return f"metal2 {wire} M2_M1 \n  NEW metal1 ( {x1} {y1} ) ( {x2} {y2} ) "
    head, nets, rest = text.partition("\nNETS ")
    return head + nets + re.sub(r"metal2 ((?:\( \S+ \S+ \) )+)(?=;|\n)", complete, rest)


def route(block: Block, folder: pathlib.Path, lef: pathlib.Path) -> dict[str, def_file.Route]:
    """The wires of every net. Raises Unroutable if some found no way."""
    def_file.write(block, folder / "placed.def")
    (folder / "route.tcl").write_text(_SCRIPT.format(lef=lef, layers=len(block.lef.layers), folder=folder,
                                                     hopeless=_HOPELESS))
    text = tools.run(["sh", "-c", 'qrouter -noc -nog -s "$0" || true', str(folder / "route.tcl")], folder / "route.log")
    failed = re.findall(r"(?m)^FAILED (\d+)", text)
    if not failed:
        raise FlowError(f"qrouter ended early (log: {folder}/route.log)")
    if int(failed[-1]):
        raise Unroutable(f"{failed[-1]} nets found no way (log: {folder}/route.log)")
    routed = folder / "routed.def"
    routed.write_text(with_stubs(routed.read_text()))
    return def_file.read_routes(routed)
