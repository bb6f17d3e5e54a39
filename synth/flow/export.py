# SPDX-License-Identifier: MIT
"""A mapped netlist and its constraints, for other tools."""

import pathlib
import shutil
import tempfile

from flow import measurements, store, targets, timing, yosys
from flow.cell_library import Library
from flow.configurations import Configuration
from flow.errors import FlowError
from flow.figures import smallest


def for_others(script: str) -> str:
    """The constraints of a timing script alone: what reads the netlist is the other tool's affair."""
    lines = [" ".join(line.split()) for line in script.splitlines()]
    return "".join(f"{line}\n" for line in lines if line and not line.startswith(("read_", "link_design")))


def leave(configuration: Configuration, library: Library, file: pathlib.Path) -> list[pathlib.Path]:
    """Writes the netlist that the tables count, to `file`, and its SDC beside it; the configuration is measured.
    Returns both."""
    sdc = file.with_suffix(".sdc")
    if sdc == file:
        raise FlowError(f"--netlist {file}: the constraints have that name")
    found = store.find(measurements.mapping_job(configuration, library).key)
    chosen = smallest(found, targets.one_clock_ns(configuration.top, library))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        yosys.elaborate(configuration, folder)
        mapped = yosys.map_cells(configuration, library, targets.read(library)[chosen].script, folder, "netlist")
        script = timing.constraints(library, mapped, folder / "netlist.v", found["runs"][chosen]["period_ns"])
        try:
            shutil.copy(folder / "netlist.v", file)
            sdc.write_text(f"# {configuration.name}, {library.title}\n{for_others(script)}")
        except OSError as error:
            raise FlowError(f"--netlist: {error.filename}: cannot be written: {error.strerror}") from error
    return [file, sdc]
