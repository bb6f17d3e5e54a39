# SPDX-License-Identifier: MIT
"""Toy kernels of which every cycle is known in advance: Fig. 8 (workloads/large_warps), and, made here as PTX with a launch
description, a full pipeline, jumps, and a group that starves another.

The frontend must leave them as they are (SETTINGS): nothing of what they compute is used. Instructions always hit in the
cache, and each load of Fig. 8 brings a line of its own from a DRAM that gives one per cycle, so that loads take equally long.
"""

import pathlib

from report import paths
from report.narasiman2011.setups import GPU, GROUP, LANES, RR
from report.run import Run

FOLDER = paths.CACHE / "narasiman2011"
SETTINGS = ("icache.bytes=0", "frontend.remove_copies=false", "frontend.remove_dead_code=false", "frontend.schedule=false")
# DRAM in which a row is opened and closed in no time, with a line in every cycle of the core's clock.
_EVEN = ("dram.clock_mhz=1000", "dram.bytes_per_clock=128", "dram.trp=0", "dram.trcd=0", "interconnect.latency=14")
_ON_THE_WAY = 44  # cycles by which a load with them makes its warp selectable later, beside dram.fixed_latency

_HEAD = """// Made by scripts/report/narasiman2011/toys.py.
.version 7.0
.target sm_70
.address_size 64
.visible .entry toy(.param .u64 data, .param .u32 spins, .param .u32 loads)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
"""
_TOML = """name = "{name}"
description = "toy kernel of the page on large warps"
ptx = "{name}.ptx"

[size]
threads = 256
spins = 0
loads = 0

[size.small]

[size.full]

[[buffer]]
name = "data"
type = "u32"
count = "32 * (threads + loads)"
init = {{ fill = 0 }}

[[step]]
kernel = "toy"
grid = [1]
block = ["threads"]
args = [{{ buffer = "data" }}, "spins", "loads"]
"""
_ADD = "  add.u32 %r1, %r1, %r1;\n"
_END = "  ret;\n}\n"
# The first 256 threads count, the others load one line after another.
_STARVE = """  ld.param.u32 %r2, [spins];
  ld.param.u32 %r3, [loads];
  ld.param.u64 %rd0, [data];
  mov.u32 %r0, %tid.x;
  setp.ge.u32 %p0, %r0, 256;
  @%p0 bra others;
count:
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra end;
  sub.u32 %r2, %r2, 1;
  bra.uni count;
others:
  setp.eq.u32 %p1, %r3, 0;
  @%p1 bra end;
  ld.global.u32 %r4, [%rd0];
  add.u64 %rd0, %rd0, 128;
  sub.u32 %r3, %r3, 1;
  bra.uni others;
end:
"""


def _additions(number: int) -> str:
    return _HEAD + _ADD * number + _END


def _jumps(number: int) -> str:
    """In the text the even ones and then the odd ones, so that none leads to the next instruction."""
    order = [*range(0, number, 2), *range(1, number, 2)]
    text = "".join(f"jump{label}:\n  bra.uni {f'jump{label + 1}' if label + 1 < number else 'end'};\n" for label in order)
    return f"{_HEAD}{text}end:\n{_END}"


FIGURE_8 = ((10, 100), (10, 60), (20, 100))  # compute instructions before and behind the load; the load's cycles
WARPS_8 = 16
GROUPS_8 = (8, 4)
FILLED = ((1, 1), (2, 1), (4, 1), (8, 1), (1, 8), (2, 8), (2, 16), (1, 32))  # large warps, and rows of each
LENGTHS = (300, 600)  # of two runs: their difference has neither start nor end
JUMPING_ROWS = 8
SPINS, LOADS = 2000, 100
_TEXTS = {**{f"additions-{length}": _additions(length) for length in LENGTHS},
          **{f"jumps-{length}": _jumps(length) for length in LENGTHS},
          "starve": f"{_HEAD}{_STARVE}{_END}"}


def _run(toy: str, name: str, settings: tuple[str, ...], threads: int, schedulers: tuple[str, ...] = (RR,),
         more: tuple[str, ...] = (), folder: pathlib.Path = FOLDER) -> Run:
    return Run(f"narasiman2011/toys/{toy}-{name}", str((folder / f"{toy}.toml").relative_to(paths.ROOT)), schedulers,
               (*SETTINGS, *settings), GPU, definitions=(f"threads={threads}", *more), work=0.1)


def _phases(compute: int, later: int, name: str, warps: int, schedulers: tuple[str, ...], settings: tuple[str, ...]) -> Run:
    return _run(f"two_phases_{compute}", f"{later}-{name}", (*_EVEN, *_later(later), *settings), warps * LANES, schedulers,
                ("blocks=1",), paths.WORKLOADS / "large_warps")


def figure_8(compute: int, later: int, group: int) -> Run:
    """Under round robin, and with fetch groups."""
    return _phases(compute, later, f"group{group}", WARPS_8, (RR, GROUP), (f"scheduler.group={group}",))


def alone(compute: int, later: int) -> Run:
    """One warp of Fig. 8, from whose cycles the latency of its load follows."""
    return _phases(compute, later, "alone", 1, (RR,), ())


def _later(cycles: int) -> tuple[str, ...]:
    """Settings with which a load makes its warp selectable so many cycles later."""
    return (f"dram.fixed_latency={cycles - _ON_THE_WAY}",)


def filled(warps: int, rows: int, length: int) -> Run:
    """Large warps, all threads active, that compute only."""
    return _run(f"additions-{length}", f"{warps}-of-{rows}", (f"core.warp_rows={rows}",), warps * rows * LANES)


def jumps(once: bool, length: int) -> Run:
    """A large warp, all threads active, that jumps only."""
    return _run(f"jumps-{length}", "once" if once else "all",
                (f"core.warp_rows={JUMPING_ROWS}", f"large.jump_once={str(once).lower()}"), JUMPING_ROWS * LANES)


def starving(spins: int, loads: int) -> Run:
    """Two fetch groups of eight warps, of which the first counts and the second loads."""
    return _run("starve", f"{spins}-{loads}", ("scheduler.group=8",), 512, (RR, GROUP), (f"spins={spins}", f"loads={loads}"))


def runs() -> list[Run]:
    found = [figure_8(*case, group) for case in FIGURE_8 for group in GROUPS_8] + [alone(*case) for case in FIGURE_8]
    found += [filled(*case, length) for case in FILLED for length in LENGTHS]
    found += [jumps(once, length) for once in (False, True) for length in LENGTHS]
    return found + [starving(spins, loads) for spins, loads in ((SPINS, LOADS), (SPINS, 0), (0, LOADS))]


def write() -> None:
    """Makes the files; those that are there already are as they should be."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in _TEXTS.items():
        for file, words in ((FOLDER / f"{name}.ptx", text), (FOLDER / f"{name}.toml", _TOML.format(name=name))):
            if not file.exists() or file.read_text() != words:
                file.write_text(words)
