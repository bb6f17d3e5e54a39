# SPDX-License-Identifier: MIT
"""What a layout needs of a technology: the whole cell library, clock buffers included, and the files of the tools."""

import dataclasses
import os
import pathlib
import re

from flow import liberty
from flow.cell_library import Library
from flow.errors import FlowError
from flow.layout import lef
from flow.layout.lef import Lef
from flow.paths import BUILD
from lib import store

_FOLDER = pathlib.Path("/usr/share/qflow/tech/osu018")


def corrected_sidewalls(text: str) -> str:
    """magic's technology file with capacitances between neighbours that are physical.

    magic 8.3.105 counts a pair of edges from both sides: of two wires of metal 2, 100 um long and 0.3 um apart, it makes 15.7 fF
    out of the file's 23.5 aF um / um, where a plate of 0.68 um has 7.8 fF. And metal 4 has 64.9 in the file, which would be a
    wire 1.9 um thick; metals 1 to 3 have 20.6 to 24.2. So all are halved, and metal 4 has that of metal 3."""
    values = {metal: float(value) for metal, value in re.findall(r"(?m)^\s*sidewall \(.*?/(\w+)\s.*?([0-9.]+)\s*$", text)}

    def halved(line: re.Match) -> str:
        metal = "metal3" if line[2] == "metal4" else line[2]
        return f"{line[1]}{values[metal] / 2:.3f}"

    return re.sub(r"(?m)^(\s*sidewall \(.*?/(\w+)\s.*?)[0-9.]+\s*$", halved, text)


def _kept(name: str, text: str, suffix: str) -> pathlib.Path:
    """A file of this text for the tools, made if it is not there."""
    file = BUILD / "libraries" / f"{name}-{store.digest(text)}{suffix}"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_suffix(f".partial{os.getpid()}")
        partial.write_text(text)
        partial.rename(file)
    return file


@dataclasses.dataclass(frozen=True)
class Technology:
    """OSU 0.18 um; `logic` is its library for mapping, without clock buffers."""

    logic: Library
    liberty: liberty.Liberty
    liberty_file: pathlib.Path
    lef: Lef
    placer_parameters: pathlib.Path
    magic: pathlib.Path  # without .tech
    models: pathlib.Path  # Verilog of the cells, with delays for SDF

    def is_flipflop(self, kind: str) -> bool:
        return self.liberty.cells[kind].is_flipflop

    def is_latch(self, kind: str) -> bool:
        return self.liberty.cells[kind].is_latch

    @property
    def liberty_name(self) -> str:
        """By which OpenSTA knows its cells."""
        return self.liberty.name


def load(logic: Library) -> Technology:
    """Raises FlowError for another library, or if a file of Debian's package qflow-tech-osu018 is missing."""
    if logic.key != "osu018":
        raise FlowError(f"no layout for {logic.title}: only OSU 0.18 um has files for the tools")
    files = {name: _FOLDER / name for name in ("osu018_stdcells.lib", "osu018_stdcells.lef", "osu018.par",
                                               "SCN6M_SUBM.10.tech", "osu018_stdcells.v")}
    for file in files.values():
        if not file.exists():
            raise FlowError(f"{file}: not found: install qflow-tech-osu018 (scripts/setup --synth)")
    text = liberty.read_text(files["osu018_stdcells.lib"])
    # All wires are known, so the library's guesses of wires go.
    text = re.sub(r"\bdefault_wire_load\w*\s*:[^;]*;", "", text)
    return Technology(logic, liberty.parse(text, str(files["osu018_stdcells.lib"])), _kept("osu018-whole", text, ".lib"),
                      lef.read(files["osu018_stdcells.lef"]), files["osu018.par"],
                      _kept("osu018", corrected_sidewalls(files["SCN6M_SUBM.10.tech"].read_text()), ".tech").with_suffix(""),
                      files["osu018_stdcells.v"])
