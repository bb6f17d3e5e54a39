# SPDX-License-Identifier: MIT
"""What is compared: size of a warp, order of selection and optimizations by the names that the page uses. LWM64 has warps of
64 threads, 2Lev8 fetch groups of 8 warps; LWM is LWM256, 2Lev is 2Lev8, and LWM+2Lev has groups of 2 warps of 256."""

import dataclasses

GPU = "lwm2011"
THREADS = 1024  # resident
LANES = 32
BLOCK = 256     # threads of a block
RR, GROUP, PAWS, READY = "single:rr", "single:group", "single:paws", "two-level:rr"


@dataclasses.dataclass(frozen=True)
class Cell:
    """Runs that differ in the order of selection alone."""
    name: str
    rows: int = 1                # of a warp, 32 threads each
    schedulers: tuple[str, ...] = (RR,)
    group: int = 0               # warps of a fetch group
    settings: tuple[str, ...] = ()
    block: int = BLOCK
    memory: bool = False         # of another preset (memory.py)
    long: bool = False           # as many instructions as the paper's programs have: size full
    base: str = "32"             # the cell with the baseline that speeds are relative to, alike in all of the above
    times: int = 1               # times the perturbed runs of the others

    def all_settings(self) -> tuple[str, ...]:
        return (f"core.warp_rows={self.rows}", *((f"scheduler.group={self.group}",) if self.group else ()), *self.settings)


def size(rows: int) -> int:
    """Threads of a warp of so many rows."""
    return LANES * rows


# Warps of a fetch group by rows of a warp: those of Fig. 13, and of each large warp those that can be the best ones, which
# just fill the pipeline (Section 3.2.1). The first of each is run beside round robin.
GROUPS = {1: (8, 1, 2, 4, 16), 2: (4, 8), 4: (2, 4), 8: (2, 1, 4), 16: (1,)}
WIDE = 512  # threads of a block where a warp has as many: it cannot span blocks
LONGER = 3  # times the perturbed runs of long programs: their speeds spread by several percent
# Cell, accesses to global memory by rows, and jumps done with the first sub-warp.
OPTIMIZATIONS = {"LWM, neither": ("neither", False, False), "LWM, by rows": ("by-rows", True, False),
                 "LWM, jump once": ("jump-once", False, True)}
# Another way to form warps, dynamic warp formation with its two priorities: cell and core.divergence.
FORMED = {"DWF, majority": ("dwf-majority", 1), "DWF, PDOM": ("dwf-pdom", 2)}
# What Table 1 does not tell of the DRAM, or tells in part: name, cell and setting. "First ready" is a scheduler that chooses
# the transfer whose data can come first, not the oldest one.
DRAM = {"first ready": ("ready", "dram.reorder=32"), "10 GB/s": ("10gb", "dram.bytes_per_clock=8"),
        "41 GB/s": ("41gb", "dram.bytes_per_clock=32"), "rows of 2 KB": ("2kb", "dram.row_bytes=2048"),
        "rows of 8 KB": ("8kb", "dram.row_bytes=8192")}


def _flag(on: bool) -> str:
    return "true" if on else "false"


def _sizes() -> list[Cell]:
    found = [Cell("wide", block=WIDE, base="wide"), Cell("wide-256", 8, block=WIDE, base="wide")]
    for rows, (first, *others) in GROUPS.items():
        also = (PAWS, READY) if rows == 1 else (PAWS,) if rows == 8 else ()
        block, base = (WIDE, "wide") if rows == 16 else (BLOCK, "32")
        settings = ("scheduler.ready=8",) if READY in also else ()
        found.append(Cell(f"{size(rows)}", rows, (RR, GROUP, *also), first, settings, block, base=base))
        found += [Cell(f"{size(rows)}-group{group}", rows, (GROUP,), group, block=block, base=base) for group in others]
    return found


CELLS = {cell.name: cell for cell in (
    *_sizes(),
    *(Cell(name, 8, settings=(f"large.global_by_rows={_flag(rows)}", f"large.jump_once={_flag(once)}"))
      for name, rows, once in OPTIMIZATIONS.values()),
    *(Cell(name, settings=(f"core.divergence={code}",)) for name, code in FORMED.values()),
    *(Cell(f"memory-{size(rows)}", rows, (RR, GROUP, PAWS), GROUPS[rows][0], memory=True, base="memory-32") for rows in (1, 8)),
    *(Cell(f"long-{size(rows)}", rows, (RR, GROUP), GROUPS[rows][0], long=True, base="long-32", times=LONGER)
      for rows in (1, 8)),
    *(Cell(f"{variant}-{size(rows)}", rows, (RR, GROUP), GROUPS[rows][0], (setting,), base=f"{variant}-32")
      for variant, setting in DRAM.values() for rows in (1, 8)))}


def _sized(rows: int) -> str:
    return "baseline" if rows == 1 else f"LWM{size(rows)}"


def _grouped(rows: int, group: int) -> str:
    return f"2Lev{group}" if rows == 1 else f"LWM{size(rows)}+2Lev{group}"


# Cell and scheduler by name.
SETUPS = {
    **{_sized(rows): (f"{size(rows)}", RR) for rows in GROUPS},
    **{_grouped(rows, group): (f"{size(rows)}" if group == groups[0] else f"{size(rows)}-group{group}", GROUP)
       for rows, groups in GROUPS.items() for group in groups},
    "LWM256, blocks of 512": ("wide-256", RR),
    **{name: (cell, RR) for name, (cell, _, _) in OPTIMIZATIONS.items()},
    **{name: (cell, RR) for name, (cell, _) in FORMED.items()},
    "PAWS": ("32", PAWS), "LWM+PAWS": ("256", PAWS), "ready queue of 8": ("32", READY),
    **{f"{name}{suffix}": (f"{cell}-{warp}", scheduler)
       for suffix, cell in ((", other memory", "memory"), (", long", "long"),
                            *((f", {name}", cell) for name, (cell, _) in DRAM.items()))
       for name, warp, scheduler in (("baseline", 32, RR), ("2Lev", 32, GROUP), ("LWM", 256, RR), ("LWM+2Lev", 256, GROUP))},
    "PAWS, other memory": ("memory-32", PAWS), "LWM+PAWS, other memory": ("memory-256", PAWS)}
SHORT = {"LWM": "LWM256", "2Lev": "2Lev8", "LWM+2Lev": "LWM256+2Lev2", "LWM+2Lev1": "LWM256+2Lev1",
         "LWM+2Lev4": "LWM256+2Lev4"}
# Names of which each means the fastest of some: for each kernel, or for the mean of all.
BEST_OF_EACH = {"DWF": ("DWF, majority", "DWF, PDOM")}
BEST_OF_ALL = {f"{_sized(rows)}+2Lev": tuple(_grouped(rows, group) for group in groups) for rows, groups in GROUPS.items()
               if rows in (2, 4, 16)}


def base_of(cell: str) -> tuple[str, str]:
    """Cell and scheduler of the baseline that its speed is relative to: with blocks, memory and length of the same kind."""
    return CELLS[cell].base, RR


def times(name: str) -> int:
    """How many times the perturbed runs of the others a name of SETUPS has."""
    return CELLS[SETUPS[name][0]].times if name in SETUPS else 1
