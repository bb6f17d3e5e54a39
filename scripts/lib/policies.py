# SPDX-License-Identifier: MIT
"""The catalogue of scheduling policies, model/policies.toml. CMake checks the file when it configures a build.

  python3 scripts/lib/policies.py names|masks|all LEVEL   what the RTL has at LEVEL, single or two-level: the names,
                                                          POLICIES of a build with each of them alone, or with all
"""
import dataclasses
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "model" / "policies.toml"
PACKAGE = ROOT / "rtl" / "paws_pkg.sv"
LEVELS = {"single": "single_level", "two-level": "two_level"}  # spelled by users, and in names of files and modules


@dataclasses.dataclass(frozen=True)
class Policy:
    """An entry of the catalogue. A policy of the golden model alone has neither rtl_code nor rtl_module. Each parameter
    has a name, default, smallest, largest and meaning."""

    scheduler: str
    label: str
    rule: str = ""
    reads: str = ""
    rtl_code: int | None = None
    rtl_module: str | None = None  # of the RTL that is this policy alone
    parameter: tuple[dict[str, int | str], ...] = ()

    @property
    def level(self) -> str:
        return self.scheduler.partition(":")[0]

    @property
    def name(self) -> str:
        return self.scheduler.partition(":")[2]

    @property
    def top(self) -> str:
        """The RTL's module."""
        return f"paws_{LEVELS[self.level]}"

    @property
    def bit(self) -> int:
        """POLICIES of a build with this policy alone."""
        return 1 << self.rtl_code


def read(file: pathlib.Path = CATALOGUE) -> tuple[Policy, ...]:
    """Every policy in the order of the catalogue. Raises OSError, ValueError or TypeError, where the file is wrong."""
    return tuple(Policy(**entry) for entry in tomllib.loads(file.read_text())["policy"])


def in_rtl(level: str, catalogue: tuple[Policy, ...] | None = None) -> tuple[Policy, ...]:
    """The policies of `level` (single or two-level) that the RTL has, by code."""
    found = [policy for policy in catalogue or read() if policy.level == level and policy.rtl_code is not None]
    return tuple(sorted(found, key=lambda policy: policy.rtl_code))


def of_module(top: str) -> tuple[Policy, ...]:
    """The policies of a module of the RTL, for example paws_two_level, by code; none of a module without policies."""
    return tuple(policy for level in LEVELS for policy in in_rtl(level) if policy.top == top)


def all_of(level: str, catalogue: tuple[Policy, ...] | None = None) -> int:
    """POLICIES of a build of `level` with all of its policies."""
    return sum(policy.bit for policy in in_rtl(level, catalogue))


def level_of(top: str) -> str:
    """The level of a module of the RTL, as users spell it."""
    return next(level for level, module in LEVELS.items() if top == f"paws_{module}")


@dataclasses.dataclass(frozen=True)
class Package:
    """What rtl/paws_pkg.sv says of policies."""

    width: int  # of policy_i
    codes: dict[str, int]  # policy_i of each policy, by its name there
    masks: dict[str, int]  # all policies of a level, the default of its POLICIES, by its name there


def read_package(file: pathlib.Path = PACKAGE) -> Package:
    """Raises OSError if the file is missing, KeyError if a mask names no code, ValueError if it has no POLICY_W."""
    text = file.read_text()
    width = re.search(r"^ *localparam int POLICY_W = (\d+);", text, re.MULTILINE)
    if not width:
        raise ValueError(f"{file} has no POLICY_W")
    codes = {name: int(code) for name, code in
             re.findall(r"^ *localparam logic \[[^]]*\] (\w+) = \d+'d(\d+);", text, re.MULTILINE)}
    masks = {name: sum(1 << codes[code] for code in set(re.findall(r"1 << (\w+)", value)))
             for name, value in re.findall(r"^ *localparam int (\w+) =\s+([^;]*<<[^;]*);", text, re.MULTILINE)}
    return Package(int(width[1]), codes, masks)


def expand(case: str, top: str) -> list[str]:
    """The parameters `case` of module `top`, for POLICIES=each once with each of the module's policies alone."""
    if "POLICIES=each" not in case.split():
        return [case]
    return [case.replace("POLICIES=each", f"POLICIES={policy.bit}") for policy in of_module(top)]


def built(level: str, mask: int) -> tuple[str, ...]:
    """The names of the policies of a build with POLICIES = `mask`."""
    return tuple(policy.name for policy in in_rtl(level) if policy.bit & mask)


def main(words: list[str]) -> int:
    if len(words) != 2 or words[0] not in ("names", "masks", "all") or words[1] not in LEVELS:
        print("usage: scripts/lib/policies.py names|masks|all single|two-level", file=sys.stderr)
        return 2
    what, level = words
    if what == "all":
        print(all_of(level))
    else:
        print(*(policy.name if what == "names" else policy.bit for policy in in_rtl(level)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
