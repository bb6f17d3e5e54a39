# SPDX-License-Identifier: MIT
"""How many perturbed runs a mean needs (docs/evidence/variance.md).

Two stages: a pilot of a fixed number of runs gives the variance, and from it follows the number of runs of the
measurement. The runs of the pilot do not count in the measurement. So its number of runs does not depend on what it
finds, and its intervals are those of a measurement whose number of runs was given.
"""

import math
import statistics
from collections.abc import Iterable, Sequence

from lib.estimate import quantile

HALF = 0.005  # of an interval, relative to the mean: what is aimed at
LEAST = 5     # runs of a measurement, and of a pilot
MOST = 128    # beyond, a measurement costs more than its last digits are worth; the page names what stops here


def wanted(pilot: Sequence[float], half: float = HALF) -> int:
    """Runs for an interval of +-half of the geometric mean of such ratios. The quantile is that of the pilot, which makes up
    for how little a few runs say about the variance."""
    deviation = statistics.stdev(map(math.log, pilot))
    return max(LEAST, math.ceil((quantile(len(pilot) - 1) * deviation / math.log1p(half)) ** 2))


def number(pilots: Iterable[Sequence[float]]) -> int:
    """Runs for several ratios that the same runs give."""
    return min(MOST, max(map(wanted, pilots), default=LEAST))
