# SPDX-License-Identifier: MIT
"""Results on disk: one JSON file per measurement, found again only if nothing it depends on changed.

The key covers the RTL, this flow, the library with its settings, the tools' versions and the
configuration, so an interrupted sweep continues and a stale figure cannot be shown.
"""

import functools
import json
import os
import pathlib

from flow import tools
from flow.paths import BUILD, SYNTH, rtl_sources
from flow.sources import measured_text
from lib.store import Store, digest

# Modules that turn a tool's output into a figure; the others only arrange figures.
_FLOW = ["liberty.py", "cell_library.py", "netlist.py", "sources.py", "yosys.py", "timing.py"]


# Modules whose files every key covers; a top with other files has those too.
_COMMON = ("", "paws_block_monitor")


def _measured_rtl(top: str) -> str:
    own = (top,) if rtl_sources(top) not in map(rtl_sources, _COMMON) else ()
    return digest(*(text for list_of in (*_COMMON, *own) for file in rtl_sources(list_of)
                    for text in (file.name, measured_text(file.read_text()))))


_seen: dict[str, str] = {}  # what the keys of this process say of the RTL, by top


def _rtl_digest(top: str) -> str:
    if top not in _seen:
        _seen[top] = _measured_rtl(top)
    return _seen[top]


def rtl_is_as_before() -> bool:
    """Whether the RTL is still what the keys of this process say."""
    return all(_measured_rtl(top) == digest for top, digest in list(_seen.items()))


@functools.cache
def _flow_digest(names: tuple[str, ...]) -> str:
    return digest(*(SYNTH / "flow" / name for name in names))


def key(kind: str, modules: list[str], *facts: str, top: str) -> str:
    """Of a measurement of `top` of some kind, made by these modules of the flow, that depends on `facts`."""
    return digest(kind, _rtl_digest(top), _flow_digest(tuple(_FLOW + modules)),
                  json.dumps(tools.versions(), sort_keys=True), *facts)


_measured = Store(BUILD / "measured")
find, keep = _measured.find, _measured.keep


def work_folder(name: str) -> pathlib.Path:
    """A folder for the tools' files of one measurement, of this process alone."""
    folder = BUILD / "work" / f"{name}-{os.getpid()}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
