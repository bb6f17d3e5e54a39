# SPDX-License-Identifier: MIT
"""The memory of another preset behind the core of lwm2011: its L1, crossbar, L2 and DRAM, and the clock of its cores."""

import functools

from lib import presets
from report.narasiman2011 import setups

NAME = "m2090"
_SECTIONS = ("l1", "interconnect", "l2", "dram")


def _preset(name: str) -> dict:
    return presets.values(name)


def _word(value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@functools.cache
def settings() -> tuple[str, ...]:
    """For runs on preset lwm2011."""
    ours, theirs = _preset(setups.GPU), _preset(NAME)
    found = [f"core.clock_mhz={theirs['core']['clock_mhz']}"]
    for section in _SECTIONS:
        found += [f"{section}.{key}={_word(value)}" for key, value in theirs[section].items()
                  if key != "array_bytes" and ours[section][key] != value]
    return tuple(found)
