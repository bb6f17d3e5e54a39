# SPDX-License-Identifier: MIT
"""Up to how many warps each scheduler is verified: by proofs of tb/formal/proofs.toml, and in lockstep with the
golden model on the engines of engine/matrix.cmake."""

import re
import tomllib

from lib import policies
from lib.places import ROOT


def _policy(scheduler: str) -> policies.Policy:
    return next(policy for policy in policies.read() if policy.scheduler == scheduler)


def _top(policy: policies.Policy) -> str:
    return policy.rtl_module or policy.top


def _same_build(parameters: dict[str, str], built: dict[str, int]) -> bool:
    """Whether a proof is of a build like this: with the order of ages or without, the sorter, lengths held or stored."""
    return ((parameters.get("PICKER") == "1") == (built.get("PICKER") == 1)
            and int(parameters.get("SORTER", 2)) == built.get("SORTER", 2)
            and int(parameters.get("HELD_LENGTH", 0)) == built.get("HELD_LENGTH", 0))


def proved_warps(scheduler: str, built: dict[str, int] | None = None) -> int | None:
    """The largest number of warps for which every promise is proved without a bound in time; None: of no such build."""
    wanted, sizes = _policy(scheduler), []
    for proof in tomllib.loads((ROOT / "tb" / "formal" / "proofs.toml").read_text())["proof"]:
        if proof["top"] != _top(wanted) or proof["engine"] not in ("induction", "step"):
            continue
        for case in (each for written in proof["cases"] for each in policies.expand(written, _top(wanted))):
            parameters = dict(word.split("=") for word in case.split() if "=" in word)
            has = wanted.rtl_module or "POLICIES" not in parameters or int(parameters["POLICIES"]) & wanted.bit
            if has and _same_build(parameters, built or {}):
                sizes.append(int(parameters["WARPS"]))
    return max(sizes, default=None)


def lockstep_warps(scheduler: str, built: dict[str, int] | None = None) -> int | None:
    """The largest number of warps that the tests run in lockstep; None: no such build."""
    policy = _policy(scheduler)
    name, spelled = policies.LEVELS[policy.level], policy.name.replace("-", "_")
    wanted = [(built or {}).get(parameter) == 1 for parameter in ("PICKER", "HELD_LENGTH")]
    engines = re.findall(rf"^ *paws_engine\(\w+ +{name} +(\d+) (.*)\)$",
                         (ROOT / "engine" / "matrix.cmake").read_text(), re.MULTILINE)
    sizes = []
    for warps, options in engines:
        if [re.search(option, options) is not None for option in (r"\bPICKER=1\b", r"\bHELD_LENGTH=1\b")] != wanted:
            continue
        named = re.search(r"POLICIES=(\S+)", options)
        every = not named or named[1] == "${policy}"  # ${policy}: each in turn
        if every and not policy.rtl_module or named and spelled in named[1].split("+"):
            sizes.append(int(warps))
    return max(sizes, default=None)
