# SPDX-License-Identifier: MIT
"""The command scripts/check synth: area and clock of the default configurations against the committed."""

import argparse
import os
import pathlib
import sys
import tomllib

from flow import cell_library, configurations, measurements
from flow.errors import FlowError
from flow.figures import Figures
from flow.paths import SYNTH

MARGIN = 0.02
_FILE = SYNTH / "expected.toml"
_FIGURES = {"area_um2": "area", "fmax_mhz": "Fmax"}


def read_expected(file: pathlib.Path = _FILE) -> dict[str, dict[str, float]]:
    """The committed figures by configuration."""
    try:
        return tomllib.loads(file.read_text())
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise FlowError(f"{file}: {error}") from None


def differences(measured: dict[str, dict[str, float]], expected: dict[str, dict[str, float]]) -> list[str]:
    """One line for every figure that is off by more than the margin, or that only one side has."""
    lines = [f"{name}: expected, but it is no default configuration" for name in expected if name not in measured]
    for name, figures in measured.items():
        if name not in expected:
            lines.append(f"{name}: nothing is expected")
            continue
        for figure, title in _FIGURES.items():
            if figure not in expected[name]:
                lines.append(f"{name}: no expected {title} ({figure})")
                continue
            change = figures[figure] / expected[name][figure] - 1
            if abs(change) > MARGIN:
                lines.append(f"{name}: {title} {figures[figure]:g}, expected {expected[name][figure]:g} "
                             f"({change:+.1%})")
    return lines


def text_of(measured: dict[str, dict[str, float]]) -> str:
    """The file of expected figures."""
    lines = ["# Area and Fmax of the default configurations on OSU 0.18 um, as scripts/check synth expects them",
             f"# within {MARGIN:.0%} either way. A change of the RTL that moves them changes this file in the same",
             "# commit: scripts/check synth --update."]
    for name, figures in measured.items():
        lines += ["", f'["{name}"]', *(f"{figure} = {figures[figure]:g}" for figure in _FIGURES)]
    return "\n".join(lines) + "\n"


def _of(figures: Figures) -> dict[str, float]:
    return {"area_um2": round(figures.area_um2), "fmax_mhz": round(figures.fmax_mhz, 1)}


def _run() -> int:
    parser = argparse.ArgumentParser(prog="scripts/check synth", description=__doc__.split(": ", 1)[1])
    parser.add_argument("--update", action="store_true", help="write what is measured to synth/expected.toml")
    arguments = parser.parse_args()
    members = configurations.read_sets()["default"].members
    mapped = measurements.map_all(members, cell_library.load(cell_library.default_file()), os.cpu_count() or 1)
    measured = {member.name: _of(figures) for member, figures in mapped.items()}
    if arguments.update:
        _FILE.write_text(text_of(measured))
        return 0
    found = differences(measured, read_expected())
    for line in found:
        print(f"check synth: {line}", file=sys.stderr)
    if found:
        print("check synth: if that is intended, run scripts/check synth --update and commit "
              "synth/expected.toml with the change", file=sys.stderr)
        return 1
    print("check synth: " + "; ".join(
        f"{name} {figures['area_um2']:,g} um2, {figures['fmax_mhz']:g} MHz" for name, figures in measured.items()))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(_run())
    except FlowError as failure:
        print(f"check synth: {failure}", file=sys.stderr)
        sys.exit(1)
