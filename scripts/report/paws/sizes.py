# SPDX-License-Identifier: MIT
"""The sizes of the kernels whose results a reader sees side by side: the default ones and the paper's grids."""

from report import store
from report.paws import plan
from report.paws.data import Results

NAMES = {"default": "default sizes", "small": "smallest sizes, for trials only", "full": "the paper's grids"}


def there(size: str, seeds: int | None = None) -> tuple[int, int]:
    """Of the runs by which the claims are judged, those that are there, and all. `seeds`: perturbed ones of each
    measurement; None: as many as the size has."""
    runs = plan.claims_runs(size, plan.seeds_of(size) if seeds is None else seeds)
    return sum(store.path(run, size).exists() for run in runs), len(runs)


def results(size: str) -> Results | None:
    """Those by which the claims are judged, perturbed if all perturbed runs are there; None if runs are missing."""
    for seeds in (plan.seeds_of(size), 0):
        found, wanted = there(size, seeds)
        if found == wanted:
            return Results(size, seeds, repeated=plan.is_repeated(size, seeds))
    return None


def shown(here: Results) -> dict[str, Results | None]:
    """By size, the results of this report and, as far as they are there, those of the default and the full size."""
    return {size: here if size == here.size else results(size)
            for size in ("small", "default", "full") if size in (here.size, "default", "full")}
