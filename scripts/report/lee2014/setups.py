# SPDX-License-Identifier: MIT
"""What is compared: warp scheduler, block scheduler and throttle by the names that the page uses.

Some are not alike for all kernels: BCS pairs blocks that have threads in y, so without them nothing is paired, and
LCS+BCS is then LCS with GTO (Fig. 10).
"""

import dataclasses

from report.lee2014 import paper

GTO = "single:gto"
SCA = "single:sca"
KEEP = "single:sca-keep"  # a group is left only if neither of its members can issue
PAWS = "single:paws"
TWO_LEVEL = ("two-level:gto", "two-level:paws")


@dataclasses.dataclass(frozen=True)
class Cell:
    """Runs that differ in the warp scheduler alone."""
    name: str
    schedulers: tuple[str, ...] = (GTO,)
    blocks: str = "rr"
    throttle: str = "none"
    settings: tuple[str, ...] = ()
    only: str = ""       # kernels that it concerns (paper.concerned)
    draws: bool = False  # has a seed of its own


CELLS = {cell.name: cell for cell in (
    Cell("rr", (GTO, "single:rr", PAWS, SCA, "single:tlv", *TWO_LEVEL)),
    Cell("lcs", (GTO, PAWS, *TWO_LEVEL), "lcs"),
    Cell("lcs-nearest", blocks="lcs", settings=("distributor.rounding=1",)),
    Cell("lcs-up", blocks="lcs", settings=("distributor.rounding=2",)),
    Cell("lcs-each", blocks="lcs", settings=("distributor.scope=1",)),
    Cell("bcs", (GTO, SCA, KEEP, PAWS, *TWO_LEVEL), "bcs", only="2D"),
    Cell("lcs+bcs", (SCA, PAWS), "lcs+bcs", only="2D"),
    Cell("lcs-remember", blocks="lcs", settings=("distributor.remember=true",), only="launches"),
    Cell("bcs-row", (SCA,), "bcs", settings=("distributor.row=true",), only="2D"),
    Cell("bcs-single", (SCA,), "bcs", settings=("distributor.single=true",), only="odd"),
    Cell("ccws", throttle="ccws"),
    Cell("dyncta", throttle="dyncta"),
    Cell("random-limit", blocks="random-limit", draws=True),
    Cell("random-pairs", (SCA,), "random-pairs", only="2D", draws=True))}


def limited(limit: int, best: bool) -> Cell:
    """With at most so many blocks per core; if that is the best number, under PAWS too."""
    return Cell(f"limit-{limit}", (GTO, PAWS, *TWO_LEVEL) if best else (GTO,), f"limit:{limit}")


@dataclasses.dataclass(frozen=True)
class Setup:
    """A cell and a scheduler for kernels without threads in y, and for those with them."""
    one: tuple[str, str]
    two: tuple[str, str]


def _setup(cell: str, scheduler: str = GTO) -> Setup:
    return Setup((cell, scheduler), (cell, scheduler))


def _paired(cell: str, scheduler: str, else_cell: str = "rr", else_scheduler: str = GTO) -> Setup:
    return Setup((else_cell, else_scheduler), (cell, scheduler))


SETUPS = {
    "GTO": _setup("rr"), "RR": _setup("rr", "single:rr"), "TLV": _setup("rr", "single:tlv"),
    "CCWS": _setup("ccws"), "DYNCTA": _setup("dyncta"),
    "LCS": _setup("lcs"), "LCS, to the nearest": _setup("lcs-nearest"), "LCS, rounded up": _setup("lcs-up"),
    "LCS, each core": _setup("lcs-each"),
    "BCS+GTO": _paired("bcs", GTO), "BCS+SCA": _paired("bcs", SCA),
    "BCS+SCA, keep": _paired("bcs", KEEP),
    "LCS+BCS": _paired("lcs+bcs", SCA, "lcs"),
    "SCA without BCS": _setup("rr", SCA), "T at random": _setup("random-limit"),
    "pairs at random, SCA": _paired("random-pairs", SCA),
    "PAWS": _setup("rr", PAWS), "LCS, PAWS": _setup("lcs", PAWS), "BCS, PAWS": _paired("bcs", PAWS, "rr", PAWS),
    "LCS+BCS, PAWS": _paired("lcs+bcs", PAWS, "lcs", PAWS),
    "two-level GTO": _setup("rr", TWO_LEVEL[0]), "two-level PAWS": _setup("rr", TWO_LEVEL[1]),
    "LCS, two-level GTO": _setup("lcs", TWO_LEVEL[0]), "LCS, two-level PAWS": _setup("lcs", TWO_LEVEL[1]),
    "BCS, two-level GTO": _paired("bcs", TWO_LEVEL[0], "rr", TWO_LEVEL[0]),
    "BCS, two-level PAWS": _paired("bcs", TWO_LEVEL[1], "rr", TWO_LEVEL[1])}
# Cell and scheduler, of the kernels that each concerns.
ABLATIONS = {"LCS, T remembered": ("lcs-remember", GTO), "BCS+SCA, pairs within rows": ("bcs-row", SCA),
             "BCS+SCA, odd place used": ("bcs-single", SCA)}
BEST = {"OPT": GTO, "OPT, PAWS": PAWS, "OPT, two-level GTO": TWO_LEVEL[0], "OPT, two-level PAWS": TWO_LEVEL[1]}


def with_limit(kernel: str, limit: int, scheduler: str = GTO) -> tuple[str, str]:
    """Cell and scheduler with at most so many blocks per core; as many as fit are round robin's."""
    return ("rr" if limit == paper.KERNELS[kernel]["t_max"] else f"limit-{limit}"), scheduler


def find(name: str, kernel: str) -> tuple[str, str]:
    """The cell and the scheduler that the name means for a kernel or a pair."""
    if kernel in paper.PAIRS:
        return {"CKE": "cke", "mCKE": "mcke", "mCKE, T of ours": "mcke-ours",
                "mCKE, the rest taken": "mcke-expand"}[name], GTO
    if name == "1 block":
        return with_limit(kernel, 1)
    if name in BEST:
        return with_limit(kernel, paper.KERNELS[kernel]["opt"], BEST[name])
    if name in ABLATIONS:
        return ABLATIONS[name]
    return SETUPS[name].two if paper.two_dimensional(kernel) else SETUPS[name].one
