"""What is measured: a top module with parameters, and the named sets of configurations.toml."""

import dataclasses
import itertools
import pathlib
import re
import tomllib

from flow.errors import FlowError
from flow.paths import RTL, SYNTH

_PARAMETER = re.compile(r"^ *parameter int (\w+) *= *(-?\d+)", re.MULTILINE)


def rtl_defaults(top: str) -> dict[str, int]:
    """The parameters of a top module with their defaults, as its header gives them."""
    source = RTL / f"{top}.sv"
    if not source.exists():
        raise FlowError(f"there is no module {top} in {RTL}")
    return {name: int(value) for name, value in _PARAMETER.findall(source.read_text())}


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
        return Configuration(top, tuple(sorted(
            (name, value) for name, value in parameters.items() if value != defaults[name])))

    def parameters(self) -> dict[str, int]:
        """All parameters, defaults included."""
        return rtl_defaults(self.top) | dict(self.changed)

    @property
    def name(self) -> str:
        return " ".join([self.top.removeprefix("paws_"), *(f"{n}={v}" for n, v in self.changed)])


def read_sets(file: pathlib.Path = SYNTH / "configurations.toml") -> dict[str, list[Configuration]]:
    """Every set with its configurations, in the file's order."""
    try:
        text = tomllib.loads(file.read_text())
    except tomllib.TOMLDecodeError as error:
        raise FlowError(f"{file}: {error}") from None
    sets = {}
    for name, entry in text.items():
        found = []
        for grid in entry.get("grid", []):
            axes = {key: value if isinstance(value, list) else [value]
                    for key, value in grid.items() if key != "top"}
            if "top" not in grid:
                raise FlowError(f"{file}: a grid of set '{name}' names no top")
            for values in itertools.product(*axes.values()):
                found.append(Configuration.make(
                    grid["top"], dict(zip(axes, values)), f"{file}: set '{name}'"))
        if not found:
            raise FlowError(f"{file}: set '{name}' has no configuration")
        sets[name] = list(dict.fromkeys(found))
    return sets


def read_questions(file: pathlib.Path = SYNTH / "configurations.toml") -> dict[str, str]:
    """What each set answers, in words."""
    return {name: entry.get("question", name)
            for name, entry in tomllib.loads(file.read_text()).items()}
