# SPDX-License-Identifier: MIT
"""What the hardware of each costs, beside what it gains."""

from report import clocks
from report.lee2014 import paper
from report.lee2014.data import Results
from report.parts import synthesis_rows
from report.section import Section, Table, percent, percent_of

_MONITOR = "block_monitor"
_COMPARED = "comparators"  # single-level schedulers beside each other
_SINGLE = ("single:rr", "single:gto", "single:paws", "single:sca")
_READY = 6
_CORE = {"SLOTS": "8", "PORTS": "2", "COUNT_W": "20", "ROUNDING": "0"}  # of preset lee28


def _monitor() -> tuple[float, float]:
    """Gate equivalents and Fmax in MHz of the block monitor of a core. ValueError if it is not there."""
    for row in synthesis_rows.table(clocks.LIBRARY, _MONITOR):
        if all(row[name] == value for name, value in _CORE.items()):
            return float(row["ge"]), float(row["fmax_mhz"])
    raise ValueError(f"there is no block monitor with {_CORE}: scripts/synth --set {_MONITOR}")


def section(results: Results) -> Section:
    builds = clocks.read_builds(clocks.SET) | clocks.read_builds(_COMPARED)
    gates, fmax = _monitor()
    two_dimensional = paper.group("2D", results.kernels)

    def gain(kernels, setup: str) -> str:
        return percent_of(results.compare(kernels, setup, "GTO"))
    gains = {"single:gto": "0", "single:rr": gain(results.kernels, "RR"), "single:paws": gain(results.kernels, "PAWS"),
             "single:sca": f"{gain(two_dimensional, 'BCS+SCA')} with BCS, {gain(two_dimensional, 'SCA without BCS')} without "
             "(two-dimensional)"}
    gto = builds["single:gto", None]
    rows = []
    for scheduler in (*_SINGLE, "two-level:gto", "two-level:paws"):
        build = builds[scheduler, None if scheduler in _SINGLE else _READY]
        setup = gains.get(scheduler) or gain(results.kernels, scheduler.replace(":", " ").replace("gto", "GTO")
                                             .replace("paws", "PAWS"))
        rows.append([f"`{scheduler}`", str(clocks.PER_CORE), f"{build.gates:,.0f}", percent(build.gates / gto.gates, 0),
                     f"{build.fmax['ports']:.0f}", setup])
    rows.append(["block monitor (LCS)", "1 or one of all cores", f"{gates:,.0f}", f"{100 * gates / gto.gates:.0f} % of a GTO",
                 f"{fmax:.0f}", f"{gain(results.kernels, 'LCS')}"])
    rows.append(["pairs of blocks (BCS)", "", "not built here", "", "", f"{gain(two_dimensional, 'BCS+GTO')} (two-dimensional)"])
    sca = builds["single:sca", None]
    text = [f"SCA has {sca.gates / gto.gates:.1f} times the area of GTO and "
            f"{100 * sca.fmax['ports'] / gto.fmax['ports']:.0f} % of its clock, and the block monitor "
            f"{gates / gto.gates:.1f} times the area of one GTO, of which a core has {clocks.PER_CORE}. The block "
            "scheduler itself (counts of resident blocks, limits, pairs) stands outside the cores and is not built "
            "here. LCS needs a block monitor, in one core at least; SCA takes the place of GTO in every warp "
            "scheduler, and needs the pair, the group and the place in it of each warp as inputs."]
    return Section("hardware", "What the hardware costs", text, [Table(
        ["", "per core", "gate equivalents", "against GTO", "Fmax, MHz", "mean speed against GTO"], rows,
        "Area and clock on OSU 0.18 µm (scripts/synth), 24 warps each, beside the gain")], main=True,
        notes=["Each scheduler is built alone. Fmax is with the ports' budget; docs/evidence/synthesis.md has the method. The "
               "gains are in cycles, at one clock for all."])
