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
    return def_file.read_routes(folder / "routed.def")
