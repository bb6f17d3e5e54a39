# SPDX-License-Identifier: MIT
"""What scripts/study adaptive says of its runs: is an adaptation at least 0.99 of the better static policy?"""

import math

from lib.kernel_study import mean

STATIC = ("rr", "gto")
JUDGED = ("duel", "pattern")
CONTROLS = ("ipaws", "ccws", "cggty", "random", "duel-swapped", "pattern-swapped")
LEAST = 0.99  # speed that is to be shown
HEAD = ("| machine | level | scheduler | best static | speed over it | worst kernel | kernels below 0.99 | not shown |",
        "|---|---|---|---|---|---|---|---|")


def upper_tail(t: float, freedom: int) -> float:
    """P(T > t) of Student's t, by Simpson's rule over the angle atan(t / sqrt(freedom))."""
    begin, end, steps = math.atan(t / math.sqrt(freedom)), math.pi / 2, 2000
    width = (end - begin) / steps
    area = sum((1 if i in (0, steps) else 4 if i % 2 else 2) * max(0.0, math.cos(begin + i * width)) ** (freedom - 1)
               for i in range(steps + 1)) * width / 3
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    return scale * area


def p_value(ratios: list[float]) -> float:
    """Of the hypothesis that the geometric mean is below LEAST."""
    logs = [math.log(ratio / LEAST) for ratio in ratios]
    centre = sum(logs) / len(logs)
    variance = sum((log - centre) ** 2 for log in logs) / (len(logs) - 1)
    if variance == 0:
        return 0.0 if centre >= 0 else 1.0
    return upper_tail(centre / math.sqrt(variance / len(logs)), len(logs) - 1)


def not_shown(p_values: dict[str, float]) -> list[str]:
    """Kernels whose hypothesis Holm's correction does not reject at 5 %."""
    order = sorted(p_values, key=p_values.get)
    for rank, kernel in enumerate(order):
        if p_values[kernel] > 0.05 / (len(order) - rank):
            return sorted(order[rank:])
    return []


class Findings:
    """Of a set of kernels; cycles by (machine, level, label, seed, kernel)."""

    def __init__(self, cycles: dict[tuple, float], kernels: tuple[str, ...]):
        self.cycles = cycles
        self.kernels = kernels
        self.points = list(dict.fromkeys(key[:2] for key in cycles))  # (machine, level)
        self.labels = {point: list(dict.fromkeys(key[2] for key in cycles if key[:2] == point))
                       for point in self.points}

    def seeds(self, point: tuple, label: str) -> list[int]:
        return sorted({key[3] for key in self.cycles if key[:3] == (*point, label)})

    def total(self, point: tuple, label: str, seeds: list[int]) -> float:
        """Mean cycles over the kernels."""
        return mean([self.cycles[*point, label, seed, kernel] for seed in seeds for kernel in self.kernels])

    def best(self, point: tuple) -> str:
        """The static policy with the least mean."""
        return min(STATIC, key=lambda policy: self.total(point, policy, self.seeds(point, policy)))

    def better(self, point: tuple, kernel: str) -> str:
        """The static policy that suits the kernel."""
        return min(STATIC, key=lambda policy: mean([self.cycles[*point, policy, seed, kernel]
                                                    for seed in self.seeds(point, policy)]))

    def ratios(self, point: tuple, label: str, kernel: str) -> list[float]:
        better = self.better(point, kernel)
        return [self.cycles[*point, better, seed, kernel] / self.cycles[*point, label, seed, kernel]
                for seed in self.seeds(point, label)]

    def row(self, point: tuple, label: str) -> str:
        best, seeds = self.best(point), self.seeds(point, label)
        speed = self.total(point, best, seeds) / self.total(point, label, seeds)
        speeds = {kernel: mean(self.ratios(point, label, kernel)) for kernel in self.kernels}
        worst = min(speeds, key=speeds.get)
        missing = not_shown({kernel: p_value(self.ratios(point, label, kernel)) for kernel in self.kernels})
        below = sum(value < LEAST for value in speeds.values())
        return (f"| {' | '.join(point)} | {label} | {best.upper()} | {speed:.4f} | {worst} {speeds[worst]:.3f} | "
                f"{below} | {len(missing)} of {len(self.kernels)} |")

    def oracle(self, point: tuple) -> str:
        best, seeds = self.best(point), self.seeds(point, STATIC[0])
        better = {kernel: self.better(point, kernel) for kernel in self.kernels}
        speed = self.total(point, best, seeds) / mean(
            [self.cycles[*point, better[kernel], seed, kernel] for seed in seeds for kernel in self.kernels])
        other = next(policy for policy in STATIC if policy != best)
        return "\n".join([self.row(point, policy) for policy in (best, other)] +
                         [f"| {' | '.join(point)} | oracle | {best.upper()} | {speed:.4f} | | 0 | |"])

    def judged(self) -> str:
        """Static policies, the oracle, and what is judged."""
        return "\n".join([
            *HEAD,
            *(line for point in self.points
              for line in [self.oracle(point), *(self.row(point, label) for label in JUDGED)])])

    def controls(self) -> str:
        return "\n".join([
            *HEAD,
            *(self.row(point, label) for point in self.points for label in CONTROLS if label in self.labels[point])])

    def failures(self) -> str:
        """The kernels on which what is judged has a mean below LEAST, with the speeds of static policies, too."""
        lines = ["| machine | level | kernel | " + " | ".join(STATIC + JUDGED) + " |",
                 "|---|---|---|" + "---|" * len(STATIC + JUDGED)]
        for point in self.points:
            for kernel in self.kernels:
                speeds = {label: mean(self.ratios(point, label, kernel)) for label in STATIC + JUDGED}
                if any(speeds[label] < LEAST for label in JUDGED):
                    cells = [f"**{speeds[label]:.3f}**" if label in JUDGED and speeds[label] < LEAST
                             else f"{speeds[label]:.3f}" for label in STATIC + JUDGED]
                    lines.append(f"| {' | '.join(point)} | {kernel} | {' | '.join(cells)} |")
        return "\n".join(lines)

    def tables(self) -> dict[str, str]:
        """Markdown, by the part of the page."""
        return {"judged": self.judged(), "kernels": self.failures(), "controls": self.controls()}
