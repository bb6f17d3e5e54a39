# SPDX-License-Identifier: MIT
"""Where things are."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = pathlib.Path(os.environ.get("PAWS_RTL", ROOT / "rtl")).resolve()  # of another version, if need be
SYNTH = ROOT / "synth"
RESULTS = SYNTH / "results"
BUILD = ROOT / "build-synth"


def rtl_sources() -> list[pathlib.Path]:
    """The files of rtl/paws.f, in its order."""
    return [RTL / line for line in (RTL / "paws.f").read_text().split()]
