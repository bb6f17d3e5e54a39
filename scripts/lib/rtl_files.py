# SPDX-License-Identifier: MIT
"""The sources of a module of rtl/, in the order of compilation.

    python3 scripts/lib/rtl_files.py MODULE [RTL]     # their names, one in a line

They are those of rtl/MODULE.f, if that exists; those of rtl/paws.f for a part of the schedulers; else the module's file
alone.
"""

import pathlib
import sys


def sources(top, rtl):
    own = rtl / f"{top}.f"
    names = (own if own.exists() else rtl / "paws.f").read_text(encoding="utf-8").split()
    if not own.exists() and f"{top}.sv" not in names:
        names = [f"{top}.sv"]
    return [rtl / name for name in names]


if __name__ == "__main__":
    for path in sources(sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "rtl")):
        print(path.name)
