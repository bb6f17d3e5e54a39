# SPDX-License-Identifier: MIT
"""A cell library ready for use: its settings of synth/libraries and the cells that logic may use."""

import dataclasses
import fnmatch
import pathlib
import re
import tomllib

from flow import liberty
from flow.errors import FlowError
from flow.paths import BUILD, SYNTH
from lib import store


@dataclasses.dataclass(frozen=True)
class Library:
    """Settings, and the Liberty file without the cells that are not for logic."""

    key: str  # short name, of the settings file
    title: str
    source: str
    name: str
    file: pathlib.Path
    digest: str  # of file and settings
    gate_area: float  # um2 of one gate equivalent
    gate_equivalent: str
    driving_cell: str
    driving_pin: str
    load_ff: float
    clock_transition_ns: float
    clock_uncertainty_ns: float
    gate_delay_ps: float  # of an inverter that drives four of itself; the sweep's goals are multiples of it
    clock_gate: pathlib.Path | None  # Verilog of a paws_clock_gate out of the library's cells
    latch_setup_ns: float  # of that gate's latch, if it is no integrated cell
    cells: dict[str, liberty.Cell]


_KEYS = {"title", "source", "name", "gate_equivalent", "driving_cell", "driving_pin", "load_ff",
         "clock_transition_ns", "clock_uncertainty_ns", "gate_delay_ps", "dont_use"}


def _read_settings(file: pathlib.Path) -> dict:
    try:
        entry = tomllib.loads(file.read_text())
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise FlowError(f"{file}: {error}") from None
    missing = _KEYS - set(entry)
    if missing:
        raise FlowError(f"{file}: no {', '.join(sorted(missing))}")
    if "clock_gate" in entry:
        gate = entry["clock_gate"]
        if not isinstance(gate, dict) or "file" not in gate or set(gate) - {"file", "area_of", "latch_setup_ns"}:
            raise FlowError(f"{file}: clock_gate must have file, and may have area_of and latch_setup_ns")
        gate["file"] = file.parent / gate["file"]
        if not gate["file"].exists():
            raise FlowError(f"{file}: clock_gate: there is no file {gate['file']}")
    return entry


def _clock_gate(settings: dict, parsed: liberty.Liberty) -> tuple[str, dict[str, liberty.Cell]]:
    """The text of the clock gate's file, and the cells that it is made of; a latch without an area of its own
    has the one of the cell that the settings name."""
    gate = settings.get("clock_gate")
    if not gate:
        return "", {}
    text = gate["file"].read_text()
    words = set(re.findall(r"\w+", re.sub(r"//.*", "", text)))
    cells = {name: cell for name, cell in parsed.cells.items() if name in words}
    if not any(cell.is_latch or cell.is_clock_gate for cell in cells.values()):
        raise FlowError(f"{gate['file']}: the clock gate has neither a latch nor an integrated clock-gating cell of "
                        f"library {parsed.name}")
    for name, like in gate.get("area_of", {}).items():
        if name not in cells or like not in parsed.cells:
            raise FlowError(f"clock_gate: area_of: {name} = {like}: not a cell of the clock gate, or of the library")
        cells[name] = dataclasses.replace(cells[name], area=parsed.cells[like].area)
    return text, cells


def _settings(name: str, where: str, chosen: pathlib.Path | None) -> tuple[str, dict]:
    """The short name and the settings of a library: of the chosen file, or of the one with its name."""
    if chosen:
        return chosen.stem, _read_settings(chosen)
    known = {}
    for file in sorted((SYNTH / "libraries").glob("*.toml")):
        entry = _read_settings(file)
        known[entry["name"]] = (file.stem, entry)
    if name not in known:
        raise FlowError(
            f"{where}: no settings for library '{name}' (known: {', '.join(sorted(known))}); write its driving "
            "cell, load, clock and gate equivalent into a file like synth/libraries/osu018.toml, and name it "
            "by --settings")
    return known[name]


def default_file() -> pathlib.Path:
    """The Debian library that is used when none is named."""
    file = pathlib.Path(tomllib.loads((SYNTH / "libraries" / "osu018.toml").read_text())["file"])
    if not file.exists():
        raise FlowError(f"{file} is missing: install the package qflow-tech-osu018 (scripts/setup --synth)")
    return file


def load(file: pathlib.Path, chosen: pathlib.Path | None = None) -> Library:
    """Reads a Liberty file and the settings for its name (or the chosen ones), and writes the file that
    the tools read. Raises FlowError for a library whose units cannot be read."""
    parsed = liberty.parse(liberty.read_text(file), str(file))
    key, settings = _settings(parsed.name, str(file), chosen)
    liberty.time_unit_ns(parsed, str(file))
    liberty.capacitance_unit_pf(parsed, str(file))
    for cell in (settings["gate_equivalent"], settings["driving_cell"]):
        if cell not in parsed.cells:
            raise FlowError(f"{file}: the settings {key}.toml name a cell {cell} that is not there")
    gate_text, gate_cells = _clock_gate(settings, parsed)
    # Logic synthesis takes no latches and no integrated clock gates by itself.
    dropped = {name for name in parsed.cells if name not in gate_cells
               for pattern in settings["dont_use"] if fnmatch.fnmatchcase(name, pattern)}
    # No wires: OpenSTA would apply a library's default wire loads, which ABC knows nothing of.
    text = re.sub(r"\bdefault_wire_load\w*\s*:[^;]*;", "", liberty.without(parsed, dropped))
    gate = {key: value for key, value in settings.get("clock_gate", {}).items() if key != "file"}
    plain = {**settings, "clock_gate": (gate_text, gate)}
    digest = store.digest(text, repr(sorted(plain.items())))
    used = BUILD / "libraries" / f"{key}-{digest}.lib"
    if not used.exists():
        used.parent.mkdir(parents=True, exist_ok=True)
        partial = used.with_suffix(".partial")
        partial.write_text(text)
        partial.rename(used)
    return Library(
        key=key, title=settings["title"], source=settings["source"], name=parsed.name, file=used,
        digest=digest, gate_area=parsed.cells[settings["gate_equivalent"]].area,
        gate_equivalent=settings["gate_equivalent"], driving_cell=settings["driving_cell"],
        driving_pin=settings["driving_pin"], load_ff=settings["load_ff"],
        clock_transition_ns=settings["clock_transition_ns"],
        clock_uncertainty_ns=settings["clock_uncertainty_ns"], gate_delay_ps=settings["gate_delay_ps"],
        clock_gate=settings["clock_gate"]["file"] if gate_cells else None,
        latch_setup_ns=settings.get("clock_gate", {}).get("latch_setup_ns", 0.0),
        cells={name: cell for name, cell in (parsed.cells | gate_cells).items() if name not in dropped})
