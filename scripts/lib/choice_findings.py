# SPDX-License-Identifier: MIT
"""What scripts/study choice finds, as tables of docs/evidence/choice.md."""

import dataclasses
from collections.abc import Callable

from lib import verified
from lib.designs import BASE, DESIGNS, Design, build
from lib.kernel_study import mean
from lib.ready_findings import table
from report.estimate import Estimate, ratio

Run = tuple[int, int]  # cycles at the nominal clock, cycles at the clock that the design allows
_LEFT_OUT = 3  # ready queue of designs that tables by kernel leave out


@dataclasses.dataclass(frozen=True)
class Machine:
    """`schedulers` is their number; `clocks` are the cores' by design, in MHz; `runs` by design, kernel and seed."""

    name: str
    schedulers: int
    clocks: dict[str, float]
    runs: dict[tuple[str, str, int], Run]
    seeds: tuple[int, ...]

    def cycles(self, design: Design, kernel: str, seed: int) -> float:
        """At the nominal clock."""
        return self.runs[design.name, kernel, seed][0]

    def time(self, design: Design, kernel: str, seed: int) -> float:
        """Microseconds at the design's clock."""
        return self.runs[design.name, kernel, seed][1] / self.clocks[design.name]

    def energy(self, design: Design, kernel: str, seed: int) -> float:
        """Microjoules of all schedulers: power at the design's clock x time."""
        return 1e-6 * build(design).cycle_pj * self.runs[design.name, kernel, seed][1] * self.schedulers


Measure = Callable[[Machine, Design, str, int], float]


def percent(estimate: Estimate) -> str:
    """A ratio as a change with half its interval."""
    change = f"{100 * (estimate.mean - 1):+.1f} %".replace("-", "\u2212")
    half = 50 * (estimate.high - estimate.low)
    return f"{change} ±{half:.1f}"


class Findings:
    """Of several machines; all ratios are against BASE, of runs with the same perturbation."""

    def __init__(self, machines: list[Machine], kernels: tuple[str, ...]):
        self.machines, self.kernels = machines, kernels

    def against(self, measure: Measure, design: Design, machines: list[Machine] | None = None,
                kernels: tuple[str, ...] | None = None, base: Design = BASE) -> Estimate:
        """Geometric mean over machines and kernels, each perturbation by itself."""
        chosen = machines or self.machines
        return ratio([mean([measure(machine, design, kernel, seed) / measure(machine, base, kernel, seed)
                            for machine in chosen for kernel in kernels or self.kernels])
                      for seed in chosen[0].seeds])

    def time(self, design: Design) -> Estimate:
        return self.against(Machine.time, design)

    def front(self) -> list[Design]:
        """The designs that no other one beats in time and area, by area."""
        found, fastest = [], float("inf")
        for design in sorted(DESIGNS, key=lambda each: (build(each).area_um2, self.time(each).mean)):
            if self.time(design).mean < fastest:
                found.append(design)
                fastest = self.time(design).mean
        return found

    def _line(self, design: Design) -> list[str]:
        title = f"**{design.title}**" if design in self.front() else design.title
        return [title, percent(self.against(Machine.cycles, design)), f"{build(design).ports_mhz:.0f}",
                percent(self.time(design)), f"{build(design).area_um2:,.0f}",
                f"{self.against(Machine.energy, design).mean:.2f}",
                *(str(warps or "none") for warps in (verified.proved_warps(design.scheduler, dict(design.built)),
                                                     verified.lockstep_warps(design.scheduler, dict(design.built))))]

    def _summary(self) -> str:
        return table(["scheduler", "cycles", "clock, MHz", "time", "area, µm²", "energy", "proved, warps",
                      "lockstep, warps"], [self._line(design) for design in DESIGNS])

    def _machines(self) -> str:
        head = ["scheduler", *(f"{machine.name}: {what}" for machine in self.machines
                               for what in ("cycles", "core, MHz", "time", "energy"))]
        return table(head, [[design.title, *(cell for machine in self.machines for cell in (
            percent(self.against(Machine.cycles, design, [machine])), f"{machine.clocks[design.name]:.0f}",
            percent(self.against(Machine.time, design, [machine])),
            f"{self.against(Machine.energy, design, [machine]).mean:.2f}"))] for design in DESIGNS])

    def _hardware(self) -> str:
        lines = []
        for design in DESIGNS:
            built = build(design)
            least = f"{built.one_clock_um2:,.0f} at {built.one_clock_mhz:.0f} MHz" if built.one_clock_um2 else "none"
            lines.append([design.title, f"{built.ports_mhz:.0f}", f"{built.area_um2:,.0f}", least,
                          f"{built.cycle_pj:.1f}", f"{built.cycle_pj * built.ports_mhz / 1000:.2f}"])
        return table(["scheduler", "clock, MHz", "area of the fastest mapping, µm²", "least area", "energy of a cycle, pJ",
                      "power at its clock, mW"], lines)

    def _kernels(self) -> str:
        """Time."""
        shown = [design for design in DESIGNS if ("READY", _LEFT_OUT) not in design.built]
        return table(["kernel", *(design.title for design in shown)],
                     [[kernel, *(percent(self.against(Machine.time, design, kernels=(kernel,))) for design in shown)]
                      for kernel in self.kernels])

    def tables(self) -> dict[str, str]:
        """By the part of docs/evidence/choice.md."""
        return {"all": self._summary(), "machines": self._machines(), "hardware": self._hardware(),
                "time of kernels": self._kernels()}
