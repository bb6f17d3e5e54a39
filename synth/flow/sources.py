# SPDX-License-Identifier: MIT
"""The RTL as it is measured: without comments and without what only checks it.

ABC is sensitive to the names that Yosys makes from line numbers; so a new assertion or a changed
comment must neither move a figure nor make a kept one stale.
"""

import pathlib
import re

# Nothing defines these in a measurement.
_CHECKS = {"PAWS_ASSERT", "FORMAL"}
_OTHER_TOOLS = {"__ICARUS__"}  # what they cannot read, Yosys can


def measured_text(text: str) -> str:
    """`text` without comments, blank lines and the blocks of checks; what stands instead stays, and so does
    what is hidden from other tools."""
    kept: list[str] = []
    skipped = 0  # depth of conditionals within a block of checks
    instead = False  # in the `else of one, or in what is hidden from other tools
    for line in text.splitlines():
        line = re.sub(r"//.*", "", line).rstrip()
        directive = re.match(r"\s*`(ifdef|ifndef|else|endif)\b\s*(\w*)", line)
        if directive and skipped == 1 and directive[1] == "else":
            skipped, instead = 0, True
        elif directive and instead and directive[1] == "endif":
            instead = False
        elif directive and skipped:
            skipped += {"ifdef": 1, "ifndef": 1, "else": 0, "endif": -1}[directive[1]]
        elif directive and directive[1] == "ifdef" and directive[2] in _CHECKS:
            skipped = 1
        elif directive and directive[1] == "ifndef" and directive[2] in _OTHER_TOOLS:
            instead = True
        elif line and not skipped:
            kept.append(line)
    return "\n".join(kept) + "\n"


def measured_sources(folder: pathlib.Path, sources: list[pathlib.Path]) -> list[pathlib.Path]:
    """`sources` as they are measured, in a subfolder of `folder`."""
    copies = folder / "rtl"
    copies.mkdir(exist_ok=True)
    measured = []
    for source in sources:
        measured.append(copies / source.name)
        measured[-1].write_text(measured_text(source.read_text()))
    return measured
