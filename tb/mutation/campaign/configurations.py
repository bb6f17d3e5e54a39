# SPDX-License-Identifier: MIT
"""The campaigns: which scheduler is mutated, and at which size."""

import dataclasses

from lib import policies as catalogue

SORTER_SUFFIXES = ("_shift", "_tree", "")  # by value of the RTL's parameter SORTER
DEFAULT_PICKER = 3


@dataclasses.dataclass(frozen=True)
class Campaign:
    """One scheduler with every policy of its level. The sizes are small, so that proofs are quick."""

    name: str
    level: str  # two_level or single_level
    warps: int
    ready: int  # two-level only, else 0
    phase_bits: int
    count: int  # faults that are put in unless another number is asked for
    sorter: int = 2
    picker: int = DEFAULT_PICKER
    age_limit: int = 0
    pair_bits: int = 3  # single level only, as EngineParameters has it

    @property
    def top(self) -> str:
        return f"paws_{self.level}"

    @property
    def policies(self) -> tuple[catalogue.Policy, ...]:
        return catalogue.of_module(self.top)

    @property
    def policy_mask(self) -> int:
        """POLICIES of a build with all of them."""
        return sum(policy.bit for policy in self.policies)

    @property
    def parameters(self) -> dict[str, int]:
        """Of the RTL; those that are not named have their default."""
        chosen = {"WARPS": self.warps, "PHASE_W": self.phase_bits}
        if self.level == "two_level":
            chosen |= {"READY": self.ready, "SORTER": self.sorter}
        else:
            chosen |= {"PICKER": self.picker}
        if self.age_limit:
            chosen["AGE_LIMIT"] = self.age_limit
        return chosen

    @property
    def engine(self) -> str:
        """Of the same size in the test bench: seeds depend on it (engine_name(), checked)."""
        name = f"{self.level}_{self.warps}"
        if self.level == "two_level":
            name += f"_{self.ready}"
        name += f"_{self.phase_bits}"
        if self.level == "two_level":
            name += SORTER_SUFFIXES[self.sorter]
        elif self.picker != DEFAULT_PICKER:
            name += f"_picker{self.picker}"
        if self.age_limit:
            name += f"_limit{self.age_limit}"
        return name + "_checked"


CAMPAIGNS = {campaign.name: campaign for campaign in (
    Campaign("two_level", "two_level", 5, 3, 4, 600),
    Campaign("single_level", "single_level", 5, 0, 7, 600),
    Campaign("two_level_shift", "two_level", 5, 2, 4, 200, sorter=0),
    Campaign("two_level_tree", "two_level", 5, 2, 4, 200, sorter=1),
    Campaign("single_level_eliminate", "single_level", 5, 0, 7, 200, picker=0),
    Campaign("two_level_limit", "two_level", 5, 3, 4, 200, age_limit=3),
    Campaign("single_level_limit", "single_level", 5, 0, 7, 200, age_limit=3),
)}
