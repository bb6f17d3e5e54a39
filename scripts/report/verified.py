# SPDX-License-Identifier: MIT
"""Up to how many warps each scheduler is verified: by proofs of tb/formal/proofs.toml, and in lockstep with the
golden model on the engines of tb/engine/matrix.cmake."""

import re
import tomllib

from report import paths

TOPS = {"single": "paws_single_level", "two-level": "paws_two_level"}


def _policy_bit(policy: str) -> int:
    """Its bit in a POLICIES parameter, as rtl/paws_pkg.sv says."""
    package = (paths.ROOT / "rtl" / "paws_pkg.sv").read_text()
    code = re.search(rf"localparam logic \[\d:0\] {policy.upper()} = \d'd(\d+);", package)
    return 1 << int(code[1])


def _built(policies: str | None, policy: str) -> bool:
    return policies is None or bool(int(policies) & _policy_bit(policy))


def proved_warps(level: str, policy: str) -> int:
    """The largest number of warps for which every promise is proved without a bound in time."""
    sizes = []
    for proof in tomllib.loads((paths.ROOT / "tb" / "formal" / "proofs.toml").read_text())["proof"]:
        if proof["top"] != TOPS[level] or proof["engine"] != "induction":
            continue
        for case in proof["cases"]:
            parameters = dict(word.split("=") for word in case.split() if "=" in word)
            if _built(parameters.get("POLICIES"), policy):
                sizes.append(int(parameters["WARPS"]))
    return max(sizes)


def lockstep_warps(level: str, policy: str) -> int:
    """The largest number of warps that the tests run in lockstep."""
    name = {"single": "single_level", "two-level": "two_level"}[level]
    engines = re.findall(rf"^paws_engine\(\w+ +{name} +(\d+) (.*)\)$",
    (paths.ROOT / "tb" / "engine" / "matrix.cmake").read_text(), re.MULTILINE)
    return max(int(warps) for warps, options in engines
               if _built((re.findall(r"POLICIES +(\d+)", options) or [None])[0], policy))
