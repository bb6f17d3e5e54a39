# SPDX-License-Identifier: MIT
"""What the hardware costs: storage, area and clock of the logic, and area beside speed."""

import csv
import functools

from report import clocks, paths, verdict
from report.narasiman2011 import setups
from report.narasiman2011.data import Results
from report.section import Section, Table, percent, percent_of
from report.verdict import Reading

_LIBRARY = "osu018"
_ROWS, _WARPS, _GROUP = 8, 32, 8  # LWM256, and the fetch groups of 2Lev8
_STAGES = 5                       # of the back end, each with a sub-warp (Table 1)
_CLAIMED = 768                    # bits (Section 3.3)
_PACKER = ("paws_subwarp_packer", {"LANES": setups.LANES, "ROWS": _ROWS, "MODES": 7})
_MASKS = {buffers: ("paws_branch_masks", {"LANES": setups.LANES, "ROWS": _ROWS, "BUFFERS": buffers}) for buffers in (1, 2)}
_RR = ("paws_single_level", {"WARPS": _WARPS, "POLICIES": 1})
_GROUPS = ("paws_fetch_group", {"WARPS": _WARPS, "GROUP": _GROUP})
_OPTIONS = ("AGE_LIMIT", "TIMEOUT", "HELD_LENGTH")  # not built
_NO_BUILD = Reading("not synthesized", verdict.UNKNOWN)


@functools.cache
def _tables() -> tuple[dict, ...]:
    """All rows of synth/results of the library."""
    with (paths.ROOT / "synth" / "results" / f"{_LIBRARY}.csv").open(newline="") as file:
        return tuple(csv.DictReader(file))


def build(top: str, parameters: dict[str, int]) -> dict | None:
    """The module as synthesized with these parameters; None if it was not. One that the table does not name is a default."""
    for row in _tables():
        if row.get("top") == top and row.get("ge") and all(row.get(name) in (None, "", str(value))
                                                           for name, value in parameters.items()):
            if all(row.get(name) in (None, "", "0") for name in _OPTIONS):
                return row
    return None


def row_bits() -> int:
    """Bits of the rows of a sub-warp's threads, in all stages of the back end."""
    return _STAGES * setups.LANES * (_ROWS - 1).bit_length()


def _bits() -> tuple[int, int, int] | None:
    """Flip-flops of the packer, and of branch masks with one buffer and with two; None if one is not synthesized."""
    found = [build(*module) for module in (_PACKER, _MASKS[1], _MASKS[2])]
    return tuple(int(each["flipflops"]) for each in found) if all(found) else None


def _about_768(bits: int) -> str:
    """Whether it is what the paper says, within 1 %."""
    return verdict.HOLDS if abs(bits - _CLAIMED) < 0.01 * _CLAIMED else verdict.FAILS


def structures(results: Results) -> Reading:
    """What the paper's two structures have, as built."""
    if not (bits := _bits()):
        return _NO_BUILD
    copy, _, two = bits
    return Reading(f"{copy} + {two} flip-flops", _about_768(copy + two))


def storage(results: Results) -> Reading:
    """All the storage of large warps: without what is needless, with what the paper leaves out."""
    if not (bits := _bits()):
        return _NO_BUILD
    copy, one, two = bits
    needed = copy + one + row_bits()
    return Reading(f"{two - one} bits of the branch masks are needless, since the threads that do not branch are the "
                   f"others; and {row_bits()} bits are left out: the rows of a sub-warp's threads, in {_STAGES} "
                   f"stages. So {needed} are needed",
                   _about_768(needed))


def group_storage(results: Results) -> Reading:
    """The storage of fetch groups beside round robin."""
    groups, rr = build(*_GROUPS), build(*_RR)
    if not groups or not rr:
        return _NO_BUILD
    bits, base = int(groups["flipflops"]), int(rr["flipflops"])
    return Reading(f"{bits} flip-flops, round robin {base}; {float(groups['ge']):,.0f} gate equivalents, round robin "
                   f"{float(rr['ge']):,.0f}",
                   verdict.HOLDS if bits <= base else verdict.FAILS)


def register_file(results: Results) -> Reading:
    """The flow has no SRAM."""
    return Reading("no SRAM in the synthesis here", verdict.UNKNOWN)


def _modules() -> list[list[str]]:
    rows = []
    for words, module in (("round robin, 32 warps", _RR), ("fetch groups of 8, 32 warps", _GROUPS),
                          ("sub-warp packer, 8 rows", _PACKER), ("branch masks, two buffers", _MASKS[2]),
                          ("branch masks, one buffer", _MASKS[1])):
        its = build(*module)
        rows.append([words, f"`{module[0]}`", *([f"{float(its['ge']):,.0f}", its["flipflops"], f"{float(its['fmax_mhz']):.0f}"]
                                                if its else ["not synthesized", "", ""])])
    return rows


def _worth(results: Results) -> list[list[str]]:
    """Cycles × area. The order of selection has 32 warps everywhere: large warps would need less."""
    found = {name: build(*module) for name, module in (("rr", _RR), ("groups", _GROUPS), ("packer", _PACKER),
                                                       ("masks", _MASKS[1]))}
    if not all(found.values()):
        return []
    gates = {name: float(row["ge"]) for name, row in found.items()}
    rows = []
    for setup, parts in (("baseline", ("rr",)), ("2Lev", ("groups",)), ("LWM", ("rr", "packer", "masks")),
                         ("LWM+2Lev", ("groups", "packer", "masks"))):
        logic = sum(gates[part] for part in parts)
        cells = [setup, f"{logic:,.0f}"]
        cells.append("0" if setup == "baseline" else percent_of(results.compare(results.kernels, setup, "baseline")))
        for core in clocks.CORES.values():
            area = (core + logic - gates["rr"]) / core
            cycles = 1 / results.compare(results.kernels, setup, "baseline").mean
            cells += [percent(area, 2), f"{area * cycles:.3f}"]
        rows.append(cells)
    return rows


def section(results: Results) -> Section:
    worth = _worth(results)
    said = storage(results)
    text = [f"Of the paper's {_CLAIMED} bits of storage {said.ours}." if said is not _NO_BUILD else
            "The modules of large warps are not synthesized, so their cost cannot be told.",
            "Its other cost is a register file with a decoder for each lane, of which it quotes others' estimates: 11 "
            "to 18.7 % of the register file and 1.5 to 3 % of a chip. The synthesis here has no SRAM, so this cannot "
            "be told. It is not in the areas below."]
    tables = [Table(["", "module", "gate equivalents", "flip-flops", "Fmax, MHz"], _modules(),
                    "Area and clock on OSU 0.18 µm (scripts/synth)")]
    if worth:
        head = [words for core in clocks.CORES for words in (f"area of a {core} core", f"cycles × area, {core}")]
        tables.append(Table(["", "logic, gate equivalents", "mean speed", *head], worth,
                            "What the gain costs: logic of the selection, and cycles × area of the core with it, the "
                            "baseline being 1"))
    return Section("hardware", "What the hardware costs", text, tables, main=True, notes=[
        "Area counts the logic alone: selection of a warp, packer, and branch masks with one buffer. Each module is "
        "built alone; Fmax is with the ports' budget (docs/evidence/synthesis.md). The order of selection is that of "
        "32 warps in all rows; large warps are fewer, and would need less. The area of a core is that of two cores of "
        "other projects (docs/evidence/synthesis.md)."])
