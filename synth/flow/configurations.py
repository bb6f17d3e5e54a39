# SPDX-License-Identifier: MIT
"""What is measured: a top module with parameters, and the named sets of configurations.toml."""

import dataclasses
import functools
import itertools
import pathlib
import re
import tomllib

from flow.errors import FlowError
from flow.paths import RTL, SYNTH
from lib import policies

_PARAMETER = re.compile(r"^ *parameter (?:int|int unsigned|(?P<flag>bit)) (?P<name>\w+) *= *"
                        r"(?:(?:1'b)?(?P<default>-?\d+)|paws_pkg::(?P<mask>\w+))", re.MULTILINE)


def _header(top: str) -> list[re.Match]:
    source = RTL / f"{top}.sv"
    if not source.exists():
        raise FlowError(f"there is no module {top} in {RTL}")
    return list(_PARAMETER.finditer(source.read_text()))


@functools.cache
def rtl_defaults(top: str) -> dict[str, int]:
    """The parameters of a top module with their defaults, as its header gives them."""
    return {found["name"]: int(found["default"]) if found["default"] else
            policies.read_package(RTL / "paws_pkg.sv").masks[found["mask"]] for found in _header(top)}


@functools.cache
def rtl_flags(top: str) -> frozenset[str]:
    """The parameters of a top module that are one bit."""
    return frozenset(found["name"] for found in _header(top) if found["flag"])


@dataclasses.dataclass(frozen=True, order=True)
class Configuration:
    """A scheduler as it is built. Only parameters that differ from the header's are kept, so that
    equal schedulers are equal configurations."""

    top: str
    changed: tuple[tuple[str, int], ...] = ()

    @staticmethod
    def make(top: str, parameters: dict[str, int], where: str) -> "Configuration":
        """Raises FlowError, beginning with `where`, for an unknown top or parameter."""
        if not top.startswith("paws_"):
            top = f"paws_{top}"
        defaults = rtl_defaults(top)
        for name, value in parameters.items():
            if name not in defaults:
                raise FlowError(f"{where}: {top} has no parameter {name}; it has {', '.join(defaults)}")
            if isinstance(value, bool) or not isinstance(value, int):
                raise FlowError(f"{where}: {name} must be a whole number, not {value!r}")
            # The language would keep the lowest bit without a word.
            if name in rtl_flags(top) and value not in (0, 1):
                raise FlowError(f"{where}: {name} must be 0 or 1, not {value}")
        return Configuration(top, tuple(sorted(
            (name, value) for name, value in parameters.items() if value != defaults[name])))

    def parameters(self) -> dict[str, int]:
        """All parameters, defaults included."""
        return rtl_defaults(self.top) | dict(self.changed)

    @property
    def level(self) -> str:
        return self.top.removeprefix("paws_").replace("_level", "-level")

    @property
    def kind(self) -> str:
        """The level and all parameters that differ from the defaults but for policies and warps."""
        return " ".join([self.level, *(f"{n}={v}" for n, v in self.changed if n not in ("POLICIES", "WARPS"))])

    @property
    def policies(self) -> str:
        """The policies built, in words; nothing for a module that knows none."""
        mask = self.parameters().get("POLICIES", 0)
        return "+".join(policy.label for policy in policies.of_module(self.top) if mask & policy.bit)

    @property
    def name(self) -> str:
        """Short and complete: the level or module and the parameters that differ from the defaults."""
        return " ".join([self.level, *(f"{n}={v}" for n, v in self.changed)])


def of_words(words: list[str], where: str) -> Configuration:
    """The configuration of a command line: a top and NAME=VALUE. Raises FlowError, beginning with `where`."""
    parameters = {}
    for word in words[1:]:
        name, equals, value = word.partition("=")
        if not equals or not value.lstrip("-").isdigit():
            raise FlowError(f"{where}: '{word}' is not NAME=VALUE with a whole number")
        parameters[name] = int(value)
    return Configuration.make(words[0], parameters, where)


@dataclasses.dataclass(frozen=True)
class Set:
    """A named set of configurations and what is asked about them."""

    name: str
    question: str
    members: tuple[Configuration, ...]
    parts: bool
    fpga: bool
    power: bool
    candidates: bool = False
    without: tuple[str, ...] = ()  # schedulers that "each" leaves out
    layout: str = ""  # laid out, with ports on these edges (L, T, R, B)


def check_edges(edges: str, where: str) -> None:
    """Raises FlowError, beginning with `where`, unless `edges` are letters of L, T, R and B, each once at most."""
    if set(edges) - set("LTRB") or len(set(edges)) != len(edges):
        raise FlowError(f"{where}: edges are letters of L (left), T, R and B, each once, not '{edges}'")


# Another version of the RTL may have sets of its own.
_FILE = next(file for file in (RTL / "configurations.toml", SYNTH / "configurations.toml") if file.exists())


def _values(key: str, value: object, top: str, without: list[str]) -> list:
    """The values of a parameter in a grid. "each" of POLICIES is every policy of `top`, built alone."""
    values = value if isinstance(value, list) else [value]
    if key != "POLICIES":
        return values
    alone = [policy.bit for policy in policies.of_module(top) if policy.scheduler not in without]
    return [mask for entry in values for mask in (alone if entry == "each" else [entry])]


def read_sets(file: pathlib.Path = _FILE) -> dict[str, Set]:
    """All sets by name, in the file's order."""
    try:
        text = tomllib.loads(file.read_text())
    except tomllib.TOMLDecodeError as error:
        raise FlowError(f"{file}: {error}") from None
    sets = {}
    for name, entry in text.items():
        where = f"{file}: set '{name}'"
        unknown = set(entry) - {"question", "grid", "parts", "fpga", "power", "candidates", "without", "layout", "members_of"}
        if unknown:
            raise FlowError(f"{where}: unknown key {', '.join(sorted(unknown))}")
        without = entry.get("without", [])
        for scheduler in without:
            if scheduler not in (policy.scheduler for policy in policies.read() if policy.rtl_code is not None):
                raise FlowError(f"{where}: without names '{scheduler}', which is no policy of the RTL")
        members = []
        for grid in entry.get("grid", []):
            if "top" not in grid:
                raise FlowError(f"{where}: a grid names no top")
            axes = {key: _values(key, value, grid["top"], without)
                    for key, value in grid.items() if key != "top"}
            members += [Configuration.make(grid["top"], dict(zip(axes, values)), where)
                        for values in itertools.product(*axes.values())]
        if "members_of" in entry:
            if entry["members_of"] not in sets:
                raise FlowError(f"{where}: members_of names '{entry['members_of']}', which is no set before it")
            members += sets[entry["members_of"]].members
        if not members:
            raise FlowError(f"{where}: no configuration")
        check_edges(entry.get("layout", ""), where)
        sets[name] = Set(name, entry.get("question", name), tuple(dict.fromkeys(members)),
                         entry.get("parts", False), entry.get("fpga", False), entry.get("power", False),
                         entry.get("candidates", False), tuple(without), entry.get("layout", ""))
    return sets
