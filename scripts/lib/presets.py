# SPDX-License-Identifier: MIT
"""The GPU presets as their files and bases say (sim/config/gpu_config.h)."""
import pathlib
import tomllib

from lib.places import ROOT

PRESETS = ROOT / "sim" / "presets"


def files(name: str) -> list[pathlib.Path]:
    """The file of a preset, that of its base, and so on."""
    file = PRESETS / f"{name}.toml"
    base = tomllib.loads(file.read_text()).get("base")
    return [file, *(files(base) if base else [])]


def values(name: str) -> dict:
    """Every number of a preset: keys outside of sections, and a table for each section."""
    found: dict = {}
    for file in reversed(files(name)):
        for key, value in tomllib.loads(file.read_text()).items():
            found[key] = found.get(key, {}) | value if isinstance(value, dict) else value
    return found
