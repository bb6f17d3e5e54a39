# SPDX-License-Identifier: MIT
"""Faults: which there are, and the command that puts each in."""

import dataclasses
import json
import pathlib
import re

from .errors import CampaignError
from .netlist import MODULE
from .tools import yosys

KINDS = {"inv": "inverted", "const0": "stuck at 0", "const1": "stuck at 1",
         "cnot0": "inverted where bit {other} is 0", "cnot1": "inverted where bit {other} is 1"}


@dataclasses.dataclass(frozen=True)
class Fault:
    """One bit at one port of one cell of the elaborated RTL."""

    id: int
    mode: str
    cell: str
    cell_type: str
    port: str
    bit: int
    other: int | None  # bit of the same port that a conditional inversion looks at
    wires: tuple[str, ...]  # names of the bit in the source, if it has one
    sources: tuple[str, ...]  # FILE:LINE.COLUMN-LINE.COLUMN, from the outermost instance inwards

    def __str__(self) -> str:
        return f"{self.id} {self.source} {self.what} {self.net}".rstrip()

    @property
    def source(self) -> str:
        """File and line."""
        return ":".join(map(str, self.place))

    @property
    def place(self) -> tuple[str, int]:
        file, line = re.match(r"(?:rtl/)?(.*):(\d+)\.", self.sources[-1]).groups()
        return file, int(line)

    @property
    def net(self) -> str:
        """The shortest name that the bit's net has in the source; "" for a part of an expression."""
        return min(self.wires, key=lambda name: (len(name), name), default="")

    @property
    def what(self) -> str:
        """In words: "input A[2] of $and stuck at 0"."""
        side = "output" if self.port == "Y" else "input"
        return f"{side} {self.port}[{self.bit}] of {self.cell_type} " + \
            KINDS[self.mode].format(other=self.other)

    def command(self, *, control: str = "", module: str = MODULE) -> str:
        """The Yosys command that puts the fault into `module`, for good or under `control`."""
        other = "" if self.other is None else f" -ctrlbit {self.other}"
        return (f"mutate {control} -mode {self.mode} -module {module} -cell {self.cell} "
                f"-port {self.port} -portbit {self.bit}{other}")


def _parse(line: str, cells: dict) -> Fault:
    words = line.split()
    options = dict(zip(words[1::2], words[2::2]))
    wires = tuple(sorted(value.lstrip("\\") for option, value in zip(words[1::2], words[2::2])
                         if option == "-wire"))
    cell = cells[options["-cell"].lstrip("\\")]
    return Fault(0, options["-mode"], options["-cell"], cell["type"], options["-port"].lstrip("\\"),
                 int(options["-portbit"]),
                 int(options["-ctrlbit"]) if "-ctrlbit" in options else None,
                 wires, tuple(cell["attributes"]["src"].split("|")))


def choose(function: pathlib.Path, count: int, seed: int) -> list[Fault]:
    """`count` different faults, spread by Yosys over cells, wires and lines of the source; the same
    ones for the same function and seed. Numbered from 1 in the order of the source."""
    printed = yosys(f"read_json {function}\nmutate -list {count} -seed {seed}\n")
    cells = json.loads(function.read_text())["modules"][MODULE]["cells"]
    faults = sorted({_parse(line, cells) for line in printed.splitlines()
                     if line.startswith("mutate -mode ")},
                    key=lambda fault: (fault.place, fault.cell, fault.port, fault.bit, fault.mode,
                                       -1 if fault.other is None else fault.other))
    if len(faults) < count:
        raise CampaignError(f"--count: there are {len(faults)} different faults, not {count}")
    return [dataclasses.replace(fault, id=number) for number, fault in enumerate(faults, 1)]
