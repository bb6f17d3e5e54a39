# SPDX-License-Identifier: MIT
"""Yosys: from RTL to generic gates, and from there to a library's cells.

What would make the figures meaningless ends with an error that names it: latches, combinational
loops, nets without a driver or with several.
"""

import pathlib
import re

from flow import netlist, tools
from flow.configurations import Configuration
from flow.errors import FlowError
from flow.cell_library import Library
from flow.netlist import Netlist
from flow.paths import rtl_sources
from flow.sources import measured_sources

# The module that a library's cells stand for; what the source has is a model of behaviour.
CLOCK_GATE = "paws_clock_gate"
# Each of these warnings means that Yosys has understood something else than what is written.
_MISREAD = "implicitly declared|is assigned in a block|out of bounds"

# Names every flip-flop after its register, one bit each.
NAMED = f"splitnets; rename -wire -suffix {netlist.REGISTER_SUFFIX} t:$_*DFF*"


def execute(script: str, folder: pathlib.Path, step: str) -> str:
    """Runs a script in Yosys; `step` names its files."""
    file = folder / f"{step}.ys"
    file.write_text(script)
    return tools.run(["yosys", "-Q", "-T", "-e", _MISREAD, "-s", str(file)], folder / f"{step}.log")


def _refuse(folder: pathlib.Path, step: str, name: str) -> None:
    """Raises FlowError for what `check` or the search for latches has written about a design."""
    problems = []
    latches = folder / f"{step}.latches"
    if latches.exists():
        problems += [f"latch: {line}" for line in latches.read_text().splitlines() if line.strip()]
    follows = False  # indented lines say more about the warning before them
    for line in (folder / f"{step}.check").read_text().splitlines():
        if line.startswith("Warning:"):
            follows = line not in problems
        elif not line.startswith(" "):
            follows = False
        if follows:
            problems.append(line)
    if problems:
        raise FlowError(f"{name}: not fit for synthesis:\n  " + "\n  ".join(problems[:40]))


def elaborate(configuration: Configuration, folder: pathlib.Path, flat: bool = True,
              sources: list[pathlib.Path] | None = None) -> None:
    """RTL to generic gates, in `folder`/gates.il. flat=False keeps the modules."""
    parameters = " ".join(f"-chparam {name} {value}" for name, value in configuration.changed)
    files = " ".join(str(file) for file in measured_sources(folder, sources or rtl_sources(configuration.top)))
    # Undriven nets and double drivers are looked for before anything is optimised away; loops only
    # between gates, because a word-level cell mixes bits that do not depend on each other.
    keep = "synth" if not flat else "synth -flatten"
    execute(f"""
        read_verilog -sv {files}
        hierarchy -check -top {configuration.top} {parameters}
        blackbox {CLOCK_GATE}
        proc
        design -save modules
        flatten
        select -set latches t:$dlatch t:$adlatch t:$dlatchsr
        tee -o {folder}/elaborated.latches select -list @latches %co1 @latches %d
        tee -o {folder}/elaborated.check check
        design -load modules
        {keep} -top {configuration.top}
        tee -o {folder}/gates.check check
        write_rtlil {folder}/gates.il
        """, folder, "elaborate")
    elaborated = folder / "elaborated.check"
    elaborated.write_text(re.sub(r"(?m)^Warning: found logic loop.*\n(?: .*\n)*", "", elaborated.read_text()))
    for step in ("elaborated", "gates"):
        _refuse(folder, step, configuration.name)


def map_each(configuration: Configuration, library: Library, scripts: dict[str, str],
             folder: pathlib.Path) -> dict[str, Netlist]:
    """Generic gates of `folder` to the library's cells, once by each ABC script; writes .v and .json of
    each step that the scripts are named by. Constants that do not matter become 0.
    """
    gates = len(re.findall(rf"(?m)^ *cell \\{CLOCK_GATE} ", (folder / "gates.il").read_text()))
    if gates and not library.clock_gate:
        raise FlowError(f"{configuration.name}: synth/libraries/{library.key}.toml names no clock gate (clock_gate)")
    (folder / "abc.constr").write_text(
        f"set_driving_cell {library.driving_cell}\nset_load {library.load_ff} [all_outputs]\n")
    commands = f"""
        read_rtlil {folder}/gates.il
        {NAMED}
        read_liberty -lib {library.file}
        {f"techmap -map {library.clock_gate}" if gates else ""}
        dfflibmap -liberty {library.file}
        design -save unmapped
        """
    for step, script in scripts.items():
        (folder / f"{step}.abc").write_text(script)
        commands += f"""
        design -load unmapped
        abc -liberty {library.file} -constr {folder}/abc.constr -script {folder}/{step}.abc
        setundef -zero
        splitnets
        clean
        rename -enumerate
        write_json {folder}/{step}.json
        clean -purge
        tee -o {folder}/{step}.check check -mapped
        write_verilog -noattr -noexpr {folder}/{step}.v
        """
    execute(commands, folder, "-".join(["mapping", next(iter(scripts))]))
    mapped = {}
    for step in scripts:
        _refuse(folder, step, configuration.name)
        mapped[step] = netlist.read(folder / f"{step}.json", configuration.top, library.cells)
        if len(mapped[step].latches) != gates:
            raise FlowError(f"{configuration.name}: not fit for synthesis: {gates} clock gates, but latches at "
                            f"{', '.join(mapped[step].latches)}")
    return mapped


def map_cells(configuration: Configuration, library: Library, script: str, folder: pathlib.Path, step: str) -> Netlist:
    """One mapping."""
    return map_each(configuration, library, {step: script}, folder)[step]
