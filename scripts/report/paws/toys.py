# SPDX-License-Identifier: MIT
"""The two toy kernels of Fig. 5, as PTX with a launch description.

The paper gives their phases as medium, short, long (a) and medium, long, short (b), without lengths.
Ours are chosen so that the schedules show the paper's order of selections: with a fetch group of six
warps that issue one instruction in two cycles, three medium phases just cover a load from DRAM, three
short ones do not. The address of each load depends on all that the phase before has computed, so that
no scheduling moves it.
"""

import pathlib

from report import paths

FOLDER = paths.CACHE / "toys"
MEDIUM, SHORT, LONG = 6, 1, 35  # instructions of a phase's two chains, each
TOYS = {"short_in_the_middle": (MEDIUM, SHORT, LONG), "long_in_the_middle": (MEDIUM, LONG, SHORT)}

_HEAD = """// Made by scripts/report/paws/toys.py.
.version 7.0
.target sm_70
.address_size 64
.visible .entry toy(.param .u64 data)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %ctaid.x;
  mad.lo.u32 %r2, %r1, 512, %r0;
  mul.wide.u32 %rd1, %r2, 4;
  ld.param.u64 %rd0, [data];
  add.u64 %rd2, %rd0, %rd1;
  ld.global.u32 %r3, [%rd2];
  mov.u32 %r4, 0;
  mov.u32 %r5, 0;
"""
_TOML = """name = "{name}"
description = "toy kernel of Fig. 5"
ptx = "{name}.ptx"

[size]
blocks = 3

[size.small]

[size.full]

[[buffer]]
name = "data"
type = "u32"
count = "512 * blocks * {words}"
init = {{ fill = 0 }}

[[step]]
kernel = "toy"
grid = ["blocks"]
block = [512]
args = [{{ buffer = "data" }}]
"""


def _ptx(phases: tuple[int, ...]) -> str:
    lines = [_HEAD]
    for number, instructions in enumerate(phases):
        if number > 0:
            # A phase begins here: it needs the value that the one before has loaded. All values
            # are 0; every phase reads a part of the buffer of its own.
            lines.append("  add.u32 %r4, %r4, %r3;\n  add.u32 %r6, %r4, %r5;\n")
            if number < len(phases) - 1:
                lines.append("  cvt.u64.u32 %rd3, %r6;\n  add.u64 %rd4, %rd2, %rd3;\n"
                             f"  ld.global.u32 %r3, [%rd4+{number * 3 * 512 * 4}];\n")
            lines.append("  mov.u32 %r5, %r6;\n")
        lines.append("  add.u32 %r4, %r4, %r4;\n  add.u32 %r5, %r5, %r5;\n" * instructions)
    lines.append("  add.u32 %r6, %r4, %r5;\n  st.global.u32 [%rd2], %r6;\n  ret;\n}\n")
    return "".join(lines)


def write() -> None:
    """Makes the files; those that are there already are as they should be."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, phases in TOYS.items():
        for file, text in ((FOLDER / f"{name}.ptx", _ptx(phases)),
                           (FOLDER / f"{name}.toml", _TOML.format(name=name, words=len(phases)))):
            if not file.exists() or file.read_text() != text:
                file.write_text(text)


def description(name: str) -> str:
    """The launch description's path from the root, as a Run names it."""
    return str(pathlib.Path(FOLDER / f"{name}.toml").relative_to(paths.ROOT))
