# SPDX-License-Identifier: MIT
"""Where things are."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = pathlib.Path(os.environ.get("PAWS_RTL", ROOT / "rtl")).resolve()  # of another version, if need be
SYNTH = ROOT / "synth"
RESULTS = SYNTH / "results"
BUILD = ROOT / "build-synth"


def rtl_sources(top: str = "") -> list[pathlib.Path]:
    """The files of rtl/<top>.f, if that exists, else those of rtl/paws.f, in their order. A module that is no part of a
    scheduler has a list of its own, so that its names move no figure of theirs."""
    own = RTL / f"{top}.f"
    return [RTL / line for line in (own if own.exists() else RTL / "paws.f").read_text().split()]
