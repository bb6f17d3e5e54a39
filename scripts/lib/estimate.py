# SPDX-License-Identifier: MIT
"""Means of perturbed runs and their intervals."""

import dataclasses
import math
from collections.abc import Callable, Hashable

# Two-sided 95 % quantiles of Student's t by degrees of freedom.
_T = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262,
      10: 2.228, 12: 2.179, 15: 2.131, 20: 2.086, 25: 2.060, 30: 2.042, 40: 2.021, 60: 2.000, 80: 1.990, 100: 1.984,
      120: 1.980}


def quantile(freedom: float) -> float:
    """Of the interval: of the next lower number of degrees of freedom in the table, which is on the safe side."""
    return _T[max(known for known in _T if known <= max(1, freedom))]


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A mean over perturbed runs and its 95 % confidence interval, None if there is one run."""
    mean: float
    low: float | None = None
    high: float | None = None

    def above(self, value: float) -> bool:
        """Beyond the noise, as far as that is known."""
        return (self.mean if self.low is None else self.low) > value

    def below(self, value: float) -> bool:
        return (self.mean if self.high is None else self.high) < value

    def side(self, value: float = 1) -> int:
        """1: above the value, -1: below it, 0: the noise does not let it be told."""
        return self.above(value) - self.below(value)


def cell(estimate: Estimate) -> str:
    """A change in percent with half its interval; bold if the noise does not reach 0."""
    text = f"{100 * (estimate.mean - 1):+.2f} %"
    if estimate.low is not None:
        text += f" ±{50 * (estimate.high - estimate.low):.2f}"
    return f"**{text}**" if estimate.low is not None and estimate.side() else text


def estimate(samples: list[float]) -> Estimate:
    """Of a mean of numbers."""
    mean = sum(samples) / len(samples)
    if len(samples) < 2:
        return Estimate(mean)
    variance = sum((sample - mean) ** 2 for sample in samples) / (len(samples) - 1)
    half = quantile(len(samples) - 1) * math.sqrt(variance / len(samples))
    return Estimate(mean, mean - half, mean + half)


def ratio(samples: list[float]) -> Estimate:
    """Of a geometric mean of ratios."""
    logs = estimate([math.log(sample) for sample in samples])
    bounds = (None, None) if logs.low is None else (math.exp(logs.low), math.exp(logs.high))
    return Estimate(math.exp(logs.mean), *bounds)


class Draw:
    """What combined() has a number reckoned from: all samples of every group, or all but one of a group."""

    def __init__(self, without: tuple[Hashable, int] | None = None) -> None:
        self._without = without
        self.sizes: dict[Hashable, int] = {}  # samples of the groups that were used

    def left_out(self, group: Hashable, size: int) -> int | None:
        """The number of the sample of this group that is left out. Says that the group, of so many samples, is used."""
        self.sizes[group] = size
        return self._without[1] if self._without and self._without[0] == group else None


def combined(value: Callable[[Draw], float]) -> Estimate:
    """Of a positive number that is made of the means of several groups of independent samples, each of a size of its own.

    The interval is that of the number's logarithm: the variance is the sum of the groups' jackknife variances, with the degrees
    of freedom of Welch and Satterthwaite. Of the ratio of two geometric means of one group it is that of ratio()."""
    every = Draw()
    centre = math.log(value(every))
    variance = share = 0.0
    for group, size in every.sizes.items():
        if size < 2:
            return Estimate(math.exp(centre))
        logs = [math.log(value(Draw((group, number)))) for number in range(size)]
        mean = sum(logs) / size
        part = (size - 1) / size * sum((log - mean) ** 2 for log in logs)
        variance += part
        share += part ** 2 / (size - 1)
    half = quantile(variance ** 2 / share) * math.sqrt(variance) if share else 0.0
    return Estimate(math.exp(centre), math.exp(centre - half), math.exp(centre + half))
