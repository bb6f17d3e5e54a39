# SPDX-License-Identifier: MIT
"""What library cells compute: the functions of a Liberty file's pins as C expressions."""

import dataclasses
import re

from flow.errors import FlowError
from flow.liberty import Cell, Liberty

_GROUP = re.compile(
    r'/\*.*?\*/|(?P<group>[A-Za-z_]\w*)\s*\((?P<name>[^()]*)\)\s*\{|(?P<open>\{)|(?P<close>\})'
    r'|\b(?P<key>function|next_state|clocked_on|clear|preset|(?:rise_|fall_)?capacitance|data_in|enable'
    r'|clock_gate_(?:clock|enable|test|out)_pin)\s*:\s*"?(?P<value>[^";\n]*)"?'
    r'|"(?:[^"\\]|\\.)*"', re.DOTALL)
_WORD = re.compile(r"\s*([A-Za-z_]\w*|[01]|[!^&*|+()'])")


@dataclasses.dataclass
class Function:
    """A cell's outputs over its inputs; of a flip-flop, its next state and what its outputs show."""

    outputs: dict[str, str] = dataclasses.field(default_factory=dict)
    capacitance: dict[str, float] = dataclasses.field(default_factory=dict)  # of its inputs, in the library's unit
    largest_capacitance: dict[str, float] = dataclasses.field(default_factory=dict)  # as it rises or falls
    next_state: str | None = None
    clocked_on: str | None = None  # of a flip-flop: what rises when it takes the next state
    data: str | None = None  # of a latch: what it takes while it is open
    enable: str | None = None  # of a latch: when it is open
    gate: dict[str, str] = dataclasses.field(default_factory=dict)  # of a clock gate: clock, enable, test, out to pin
    states: tuple[str, ...] = ()  # names of the state and of its complement
    asynchronous: list[str] = dataclasses.field(default_factory=list)  # clear and preset

    @property
    def holds_state(self) -> bool:
        """A flip-flop or a latch; an integrated clock gate passes the clock on."""
        return self.next_state is not None or self.data is not None


def read(liberty: Liberty, cell: Cell) -> Function:
    """The function of a cell, as the Liberty file writes it."""
    found = Function()
    groups: list[tuple[str, str]] = []
    for token in _GROUP.finditer(liberty.text, cell.start, cell.end):
        if token["group"] or token["open"]:
            name = (token["name"] or "").strip()
            groups.append((token["group"] or "", name.strip('" ')))
            if token["group"] in ("ff", "ff_bank", "latch"):
                found.states = tuple(part.strip('" ') for part in name.split(",")[:2])
        elif token["close"]:
            groups.pop()
        elif token["key"] and len(groups) == 2:
            kind, pin = groups[-1]
            key, value = token["key"], token["value"].strip()
            if kind == "pin" and key == "function":
                found.outputs[pin] = value
            elif kind == "pin" and key == "capacitance":
                found.capacitance[pin] = float(value)
            elif kind == "pin" and key in ("rise_capacitance", "fall_capacitance"):
                found.largest_capacitance[pin] = max(found.largest_capacitance.get(pin, 0.0), float(value))
            elif kind == "ff" and key == "next_state":
                found.next_state = value
            elif kind == "ff" and key == "clocked_on":
                found.clocked_on = value
            elif kind == "latch" and key == "data_in":
                found.data = value
            elif kind == "latch" and key == "enable":
                found.enable = value
            elif kind == "pin" and key.startswith("clock_gate_") and value == "true":
                found.gate[key.split("_")[2]] = pin
            elif kind == "ff" and key in ("clear", "preset"):
                found.asynchronous.append(value)
    return found


def to_c(expression: str, names: dict[str, str], where: str) -> str:
    """A Liberty expression as C on values 0 and 1, with `names` for its pins.

    Liberty's order of precedence is !, ^, &, |; a quote behind inverts too, and two operands side by
    side are an AND.
    """
    words, position = [], 0
    text = expression.strip()
    while position < len(text):
        match = _WORD.match(text, position)
        if not match:
            raise FlowError(f"{where}: cannot read the function \"{expression}\"")
        words.append(match[1])
        position = match.end()
    words.append("")

    def fail() -> FlowError:
        return FlowError(f"{where}: cannot read the function \"{expression}\"")

    def operand() -> str:
        word = words.pop(0)
        if word == "!":
            return f"({operand()}^1)"
        if word == "(":
            value = either()
            if words.pop(0) != ")":
                raise fail()
        elif word in ("0", "1"):
            value = word
        elif word in names:
            value = names[word]
        else:
            raise fail()
        while words[0] == "'":
            words.pop(0)
            value = f"({value}^1)"
        return value

    def exclusive() -> str:
        value = operand()
        while words[0] == "^":
            words.pop(0)
            value = f"({value}^{operand()})"
        return value

    def both() -> str:
        value = exclusive()
        while words[0] not in ("", ")", "|", "+"):
            if words[0] in "&*":
                words.pop(0)
            value = f"({value}&{exclusive()})"
        return value

    def either() -> str:
        value = both()
        while words[0] in ("|", "+"):
            words.pop(0)
            value = f"({value}|{both()})"
        return value

    result = either()
    if words != [""]:
        raise fail()
    return result
