# SPDX-License-Identifier: MIT
"""Which simulations its page is made of: every kernel of Table 2 under every cell of setups.py, with 1, 2, ... blocks per
core, and the pairs of Table 3."""

from report.lee2014 import paper, setups
from report.lee2014.setups import GTO, SCA, Cell
from report.run import Run

KERNELS = tuple(paper.KERNELS)
PAIRS = tuple(paper.PAIRS)
GPU = "lee28"
HARDWARE = "c2050"  # the chip of the Tesla M2050 of Fig. 1 and 3
ON_HARDWARE = ("madd", "blk", "eip", "km", "bfs")  # Fig. 1
PAIRED = ("lps", "3dfd")                           # Fig. 15
SEEDS = 3  # perturbed runs of a measurement: the page is to take less than half an hour
MOST = max(entry["t_max"] for entry in paper.KERNELS.values())
# Two runs with a timeline, unperturbed: which block goes to which core, and what blocks issue until the first one ends.
PLACES = Run("lee2014/vectoradd/places", "vectoradd", (GTO,), gpu=HARDWARE, timeline="places", work=5)
COUNTS = Run("lee2014/lps/counts", "lps", (GTO,), gpu=GPU, timeline="counts", work=22)


def name_of(kernel: str, cell: str, seed: int, gpu: str = GPU) -> str:
    """Of a run of a kernel or a pair."""
    return f"lee2014/{kernel}/{cell}-{seed}" if gpu == GPU else f"lee2014/{gpu}-{kernel}/{cell}-{seed}"


def _run(kernel: str, cell: Cell, seed: int, gpu: str = GPU) -> Run:
    entry = (paper.KERNELS | paper.PAIRS)[kernel]
    parts = paper.PAIRS[kernel]["kernels"] if kernel in PAIRS else [kernel]
    definitions = [words for part in parts for words in paper.KERNELS[part].get("define", [])]
    settings = (*cell.settings, *([f"distributor.seed={seed + 1}"] if cell.draws else []),
                *([f"noise.seed={seed}"] if seed else []))
    return Run(name_of(kernel, cell.name, seed, gpu), kernel, cell.schedulers, settings, gpu, blocks=cell.blocks,
               throttle=cell.throttle, definitions=tuple(definitions), work=entry["work"])


def cells(kernel: str) -> list[Cell]:
    """Those that a kernel runs under on preset lee28."""
    entry = paper.KERNELS[kernel]
    found = [cell for cell in setups.CELLS.values() if paper.concerned(cell.only, kernel)]
    found += [setups.limited(limit, limit == entry["opt"]) for limit in range(1, entry["t_max"])]
    if kernel in PAIRED:
        found += [paired(limit) for limit in range(2, entry["t_max"], 2)]
    return found


def paired(limit: int) -> Cell:
    """BCS with SCA and fewer block slots on a core: pairs fill an even number."""
    return Cell(f"bcs-{limit}", (SCA,), "bcs", settings=(f"core.blocks={limit}",))


def pair_cells(pair: str) -> list[Cell]:
    entry = paper.PAIRS[pair]
    ours = [paper.KERNELS[kernel]["t"] for kernel in entry["kernels"]]
    return [Cell("cke", blocks="cke"), Cell("mcke", blocks="mcke:{},{}".format(*entry["limits"])),
            Cell("mcke-ours", blocks="mcke:{},{}".format(*ours)),
            Cell("mcke-expand", blocks="mcke:{},{}".format(*entry["limits"]), settings=("distributor.expand=true",))]


def measured(seeds: int) -> range:
    """The seeds of the runs that measurements are made of: those of the perturbed ones, or, if there are none, 0."""
    return range(1, seeds + 1) if seeds else range(1)


def runs(seeds: int = SEEDS) -> list[Run]:
    """All that its page needs."""
    found = [PLACES, COUNTS]
    for seed in measured(seeds):
        found += [_run(kernel, cell, seed) for kernel in KERNELS for cell in cells(kernel)]
        found += [_run(pair, cell, seed) for pair in PAIRS for cell in pair_cells(pair)]
        found += [_run(kernel, cell, seed, HARDWARE) for kernel in ON_HARDWARE
                  for cell in (Cell("rr"), *(setups.limited(limit, False) for limit in
                                             range(1, paper.KERNELS[kernel]["t_max"])))]
    return found


def quick_runs() -> list[Run]:
    """The same without perturbations."""
    return runs(0)


SETS = {"lee2014": runs, "lee2014-quick": quick_runs}
