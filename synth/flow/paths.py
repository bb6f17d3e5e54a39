# SPDX-License-Identifier: MIT
"""Where things are."""

import os
import pathlib

from lib import rtl_files

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = pathlib.Path(os.environ.get("PAWS_RTL", ROOT / "rtl")).resolve()  # of another version, if need be
SYNTH = ROOT / "synth"
RESULTS = SYNTH / "results"
BUILD = ROOT / "build-synth"


def rtl_sources(top: str = "") -> list[pathlib.Path]:
    """The files of a module, without a name those of the schedulers. A module that is no part of a scheduler has files of
    its own, so that its names move no figure of theirs."""
    return rtl_files.sources(top or "paws", RTL)
