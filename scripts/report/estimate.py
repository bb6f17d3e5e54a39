# SPDX-License-Identifier: MIT
"""Means of perturbed runs and their intervals."""

import dataclasses
import math

# Two-sided 95 % quantiles of Student's t by degrees of freedom.
_T = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262,
      10: 2.228, 15: 2.131, 20: 2.086, 30: 2.042}


def _quantile(freedom: int) -> float:
    return _T[max(known for known in _T if known <= freedom)]


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


def estimate(samples: list[float]) -> Estimate:
    """Of a mean of numbers."""
    mean = sum(samples) / len(samples)
    if len(samples) < 2:
        return Estimate(mean)
    variance = sum((sample - mean) ** 2 for sample in samples) / (len(samples) - 1)
    half = _quantile(len(samples) - 1) * math.sqrt(variance / len(samples))
    return Estimate(mean, mean - half, mean + half)


def ratio(samples: list[float]) -> Estimate:
    """Of a geometric mean of ratios."""
    logs = estimate([math.log(sample) for sample in samples])
    bounds = (None, None) if logs.low is None else (math.exp(logs.low), math.exp(logs.high))
    return Estimate(math.exp(logs.mean), *bounds)
