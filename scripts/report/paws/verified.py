# SPDX-License-Identifier: MIT
"""Up to how many warps each scheduler is verified: by proofs of tb/formal/proofs.toml, and in lockstep with the
golden model on the engines of engine/matrix.cmake."""

import re
import tomllib

from lib import policies
from report import paths


def _policy(level: str, name: str) -> policies.Policy:
    return next(policy for policy in policies.in_rtl(level) if policy.name == name)


def proved_warps(level: str, policy: str) -> int:
    """The largest number of warps for which every promise is proved without a bound in time."""
    wanted, sizes = _policy(level, policy), []
    for proof in tomllib.loads((paths.ROOT / "tb" / "formal" / "proofs.toml").read_text())["proof"]:
        if proof["top"] != wanted.top or proof["engine"] != "induction":
            continue
        for case in (each for written in proof["cases"] for each in policies.expand(written, wanted.top)):
            parameters = dict(word.split("=") for word in case.split() if "=" in word)
            if "POLICIES" not in parameters or int(parameters["POLICIES"]) & wanted.bit:
                sizes.append(int(parameters["WARPS"]))
    return max(sizes)


def lockstep_warps(level: str, policy: str) -> int:
    """The largest number of warps that the tests run in lockstep."""
    name = policies.LEVELS[level]
    engines = re.findall(rf"^ *paws_engine\(\w+ +{name} +(\d+) (.*)\)$",
                         (paths.ROOT / "engine" / "matrix.cmake").read_text(), re.MULTILINE)
    sizes = []
    for warps, options in engines:
        built = re.search(r"POLICIES +(\S+)", options)
        if not built or built[1] == "${policy}" or policy in built[1].split("+"):  # ${policy}: each in turn
            sizes.append(int(warps))
    return max(sizes)
