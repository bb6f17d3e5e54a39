# SPDX-License-Identifier: MIT
"""Equivalence of the RTL and a mapped netlist, proved.

Both sides are cut at their registers: a register's value becomes an input, its next value an output.
Registers are paired by name, since a flip-flop of the netlist is named after the register that it is.
If all outputs and all next values are then equal for all inputs and all values of the registers, the two
can never be told apart, however long they run. ABC's `cec` proves that, or gives a counterexample.

Behind a clock gate a register keeps its value unless its clock rises. A clock net therefore has two signals,
its values while clk_i is low and while it is high; a latch must be open in the one and closed in the other.

The RTL side is elaborated and not optimised: it shares Yosys's reader with the netlist, but neither
optimisation nor mapping, and the cells' functions are the Liberty file's.
"""

import dataclasses
import functools as memo
import itertools
import json
import pathlib
import re

from flow import clocks, functions, tools, yosys
from flow.configurations import Configuration
from flow.errors import FlowError
from flow.liberty import Liberty
from flow.netlist import REGISTER_SUFFIX, Netlist
from flow.paths import rtl_sources
from flow.sources import measured_sources

# Yosys's gates over their pins, as Liberty would write them; Y is the output of each.
_GATES = {"$_BUF_": "A", "$_NOT_": "!A", "$_AND_": "A&B", "$_NAND_": "!(A&B)", "$_OR_": "A|B", "$_NOR_": "!(A|B)",
          "$_XOR_": "A^B", "$_XNOR_": "!(A^B)", "$_ANDNOT_": "A&!B", "$_ORNOT_": "A|!B", "$_MUX_": "(S&B)|(!S&A)"}
_REGISTER = "$_DFF_P_"


@dataclasses.dataclass(frozen=True)
class Register:
    """One bit of state: what it holds next, and the nets that show it (True: inverted)."""

    following: tuple[str, dict[str, str]]  # an expression over pins, and the signals at them
    shows: tuple[tuple[str, bool], ...]
    inverted: bool = False  # whether the cell holds the register's complement
    rises: tuple[str, str] | None = None  # its gated clock while clk_i is low, and while it is high


@dataclasses.dataclass
class Side:
    """One side of the comparison, between its ports and its registers."""

    inputs: list[str]
    outputs: dict[str, str]  # port bit: signal
    gates: list[tuple[str, str, dict[str, str]]]  # output signal, expression, signals at its pins
    registers: dict[str, Register]
    required: list[str] = dataclasses.field(default_factory=list)  # signals that have to be 1


def _signal(bit: int | str) -> str:
    if bit in ("x", "z"):
        return "const0"  # what does not matter is 0 in the netlist too
    return f"const{bit}" if isinstance(bit, str) else f"n{bit}"


def _high(signal: str) -> str:
    """What a clock net's signal is while clk_i is high."""
    return f"high:{signal}"


def _bits(name: str, bits: list) -> list[tuple[str, int | str]]:
    return [(f"{name}[{i}]" if len(bits) > 1 else name, bit) for i, bit in enumerate(bits)]


def _frame(module: dict) -> Side:
    """A side with its ports, without cells."""
    side = Side([], {}, [], {})
    for name, port in module["ports"].items():
        for label, bit in _bits(name, port["bits"]):
            if port["direction"] == "output":
                side.outputs[label] = _signal(bit)
            elif name == clocks.PORT:
                side.gates += [(_signal(bit), "A", {"A": "const0"}), (_high(_signal(bit)), "A", {"A": "const1"})]
            else:
                side.inputs.append(label)
                side.gates.append((_signal(bit), "A", {"A": f"in:{label}"}))
    return side


def _pins(cell: dict) -> dict[str, str]:
    return {pin: _signal(bits[0]) for pin, bits in cell["connections"].items() if bits}


def _register_name(instance: str, where: str) -> str:
    if not instance.endswith(REGISTER_SUFFIX):
        raise FlowError(f"{where}: flip-flop {instance} is not named after a register")
    return instance.removesuffix(REGISTER_SUFFIX)


def _rises(signal: str, module: dict) -> tuple[str, str] | None:
    """Of a register's clock; None if it is clk_i itself."""
    return None if signal == _signal(module["ports"][clocks.PORT]["bits"][0]) else (signal, _high(signal))


def of_rtl(module: dict) -> Side:
    """The RTL's side, of Yosys's JSON with generic gates; clock gates are as their header says."""
    side = _frame(module)
    gated = set()
    for instance, cell in module["cells"].items():
        pins = _pins(cell)
        if cell["type"] == yosys.CLOCK_GATE:
            if _rises(pins["clk_i"], module):
                raise FlowError(f"RTL: clock gate {instance} is not at {clocks.PORT}")
            side.gates += [(pins["clk_o"], "A", {"A": "const0"}),
                           (_high(pins["clk_o"]), "A|B", {"A": pins["enable_i"], "B": pins["test_enable_i"]})]
            gated.add(pins["clk_o"])
        elif cell["type"] in _GATES:
            side.gates.append((pins["Y"], _GATES[cell["type"]], pins))
        elif cell["type"] != _REGISTER:
            raise FlowError(f"RTL: {instance} is a {cell['type']}, which the comparison does not know")
    for instance, cell in module["cells"].items():
        if cell["type"] == _REGISTER:
            pins, name = _pins(cell), _register_name(instance, "RTL")
            rises = _rises(pins["C"], module)
            if rises and pins["C"] not in gated:
                raise FlowError(f"RTL: the clock of {name} comes neither from {clocks.PORT} nor from a clock gate")
            side.registers[name] = Register(("D", pins), ((pins["Q"], False),), False, rises)
    return side


def _evaluate(expression: str, values: dict[str, int]) -> int:
    text = functions.to_c(expression, {name: str(value) for name, value in values.items()}, expression)
    return eval(text, {"__builtins__": {}})  # pylint: disable=eval-used  # digits, operators, parentheses


def _add_clock_cell(side: Side, function: functions.Function, pins: dict[str, str], carries: set[str]) -> None:
    """A cell that passes the clock on, while clk_i is low and while it is high."""
    high = {pin: _high(signal) if signal in carries else signal for pin, signal in pins.items()}
    for signals in (pins, high):
        if gate := function.gate:
            enables = "|".join(gate[role] for role in ("enable", "test") if gate.get(role) in pins)
            side.gates.append((signals[gate["out"]], f"{gate['clock']}&({enables})", signals))
        else:
            side.gates += [(signals[pin], expression, signals)
                           for pin, expression in function.outputs.items() if pin in pins]


def _add_latch(side: Side, function: functions.Function, pins: dict[str, str], carries: set[str]) -> None:
    """A clock gate's latch: it shows its data, is open while clk_i is low, and closed while it is high."""
    state = next(pins[pin] for pin in function.outputs if pin in pins)
    high = {pin: _high(signal) if signal in carries else signal for pin, signal in pins.items()}
    side.gates += [(f"data:{state}", function.data, pins), (f"inverse:{state}", "!A", {"A": f"data:{state}"}),
                   (f"open:{state}", function.enable, pins), (f"closed:{state}", f"!({function.enable})", high)]
    side.required += [f"open:{state}", f"closed:{state}"]
    names = pins | dict(zip(function.states, (f"data:{state}", f"inverse:{state}")))
    side.gates += [(pins[pin], expression, names) for pin, expression in function.outputs.items() if pin in pins]


def _register(function: functions.Function, pins: dict[str, str], where: str, module: dict, carries: set[str]) -> Register:
    if function.clocked_on not in pins:
        raise FlowError(f"{where}: it is clocked by \"{function.clocked_on}\", not by the rising edge of a pin")
    if pins[function.clocked_on] not in carries:
        raise FlowError(f"{where}: its clock does not come from {clocks.PORT}")
    constant = {pin: int(signal == "const1") for pin, signal in pins.items() if signal.startswith("const")}
    for expression in function.asynchronous:
        try:
            used = _evaluate(expression, constant)
        except FlowError:
            used = 1
        if used:
            raise FlowError(f"{where}: an asynchronous set or reset that is in use")
    shows = tuple((pins[pin], bool(_evaluate(expression, dict(zip(function.states, (0, 1))))))
                  for pin, expression in function.outputs.items() if pin in pins)
    data = {pin: constant.get(pin, 0) for pin in pins}
    return Register((function.next_state, pins), shows, bool(_evaluate(function.next_state, data)),
                    _rises(pins[function.clocked_on], module))


def of_netlist(netlist: Netlist, cells: Liberty) -> Side:
    """The netlist's side, by the functions of the Liberty file."""
    module = netlist.modules[netlist.top]
    side = _frame(module)
    known = {kind: functions.read(cells, cells.cells[kind]) for kind in {c["type"] for c in module["cells"].values()}}
    network = clocks.find(netlist, known)
    carries = {_signal(net) for net in network.nets}
    for instance, cell in module["cells"].items():
        pins, function = _pins(cell), known[cell["type"]]
        if function.next_state is not None:
            where = f"netlist: {instance} ({cell['type']})"
            side.registers[_register_name(instance, "netlist")] = _register(function, pins, where, module, carries)
        elif function.data is not None:
            _add_latch(side, function, pins, carries)
        elif instance in network.cells:
            _add_clock_cell(side, function, pins, carries)
        else:
            side.gates += [(pins[pin], expression, pins) for pin, expression in function.outputs.items() if pin in pins]
    return side


@memo.cache
def _table(expression: str) -> tuple[list[str], list[str]]:
    """The pins of an expression and the rows of its truth table that give 1."""
    pins = sorted(set(re.findall(r"[A-Za-z_]\w*", expression)))
    return pins, ["".join(map(str, row)) for row in itertools.product((0, 1), repeat=len(pins))
                  if _evaluate(expression, dict(zip(pins, row)))]


def _names(output: str, expression: str, signals: dict[str, str], invert: bool = False) -> str:
    pins, rows = _table(f"!({expression})" if invert else expression)
    lines = [f".names {' '.join(signals[pin] for pin in pins)} {output}"]
    return "\n".join(lines + ([f"{row} 1" for row in rows] if pins else ["1"] * bool(rows)))


def _blif(side: Side, inputs: list[str], compared: list[str], held: dict[str, str]) -> str:
    """The combinational network; `held` is the value of each of its registers, an input or a constant."""
    lines = [".model compared", ".inputs " + " ".join(inputs), ".outputs " + " ".join(compared),
             ".names const0", ".names const1", "1"]
    lines += [_names(output, expression, signals) for output, expression, signals in side.gates]
    for name, register in side.registers.items():
        expression, signals = register.following
        lines += [_names(signal, "A", {"A": held[name]}, inverted != register.inverted)
                  for signal, inverted in register.shows]
        taken = f"taken:{name}" if register.rises else f"next:{name}"
        lines.append(_names(taken, expression, signals, register.inverted))
        if register.rises:
            lines.append(_names(f"next:{name}", "(H&!L&T)|(!(H&!L)&S)", {
                "L": register.rises[0], "H": register.rises[1], "T": taken, "S": held[name]}))
    lines += [_names(f"out:{label}", "A", {"A": signal}) for label, signal in side.outputs.items()]
    return "\n".join(lines) + "\n.end\n"


@dataclasses.dataclass(frozen=True)
class Pairing:
    """How the registers of both sides belong together, and which differ at once."""

    compared: int  # registers
    merged: int  # registers of the RTL that the netlist holds in another's flip-flop or as a constant
    unused: int  # registers of the RTL that the netlist does without

    def text(self) -> str:
        """In words."""
        more = [f"{count} {word}" for count, word in ((self.merged, "merged"), (self.unused, "unused")) if count]
        return ", ".join([f"{self.compared} registers", *more])


def _pair(rtl: Side, mapped: Side, holders: dict[str, str]) -> tuple[dict[str, str], Pairing]:
    """What stands for each register of the RTL: a register of the netlist, a constant, or itself alone."""
    foreign = [name for name in mapped.registers if name not in rtl.registers]
    if foreign:
        raise FlowError(f"netlist: no register of the RTL is called {foreign[0]}")
    stands, merged, unused = {}, 0, 0
    for name in rtl.registers:
        if name in mapped.registers:
            stands[name] = name
        elif name in holders:
            stands[name] = holders[name]
            merged += 1
        else:
            stands[name] = name
            unused += 1
    return stands, Pairing(len(mapped.registers), merged, unused)


def write(rtl: Side, mapped: Side, holders: dict[str, str], folder: pathlib.Path) -> Pairing:
    """The two networks as `folder`/rtl.blif and netlist.blif, with the same inputs and outputs."""
    if (rtl.inputs, set(rtl.outputs)) != (mapped.inputs, set(mapped.outputs)):
        raise FlowError("RTL and netlist have different ports")
    stands, pairing = _pair(rtl, mapped, holders)
    held = {name: stand if stand.startswith("const") else f"held:{stand}" for name, stand in stands.items()}
    inputs = [f"in:{label}" for label in rtl.inputs] + sorted({h for h in held.values() if h.startswith("held:")})
    # A register that the netlist does without can be anything: it must then not matter for any other.
    kept = [name for name, stand in stands.items() if stand != name or name in mapped.registers]
    compared = [f"out:{label}" for label in rtl.outputs] + [f"next:{name}" for name in kept]
    compared += mapped.required
    text = _blif(rtl, inputs, compared, held)
    always = [_names(signal, "A", {"A": "const1"}) for signal in mapped.required]
    (folder / "rtl.blif").write_text(text.replace("\n.end\n", "\n" + "\n".join([*always, ".end\n"])))
    text = _blif(mapped, inputs, compared, {name: f"held:{name}" for name in mapped.registers})
    more = [_names(f"next:{name}", "A", {"A": stands[name] if stands[name].startswith("const") else f"next:{stands[name]}"})
            for name in kept if name not in mapped.registers]
    (folder / "netlist.blif").write_text(text.replace("\n.end\n", "\n" + "\n".join([*more, ".end\n"])))
    return pairing


def prove(folder: pathlib.Path) -> str | None:
    """None if the networks of `folder` are equivalent, else what differs."""
    log = tools.run(["yosys-abc", "-q", f"cec {folder}/rtl.blif {folder}/netlist.blif"], folder / "cec.log")
    if "Networks are equivalent" in log and "NOT" not in log:
        return None
    found = re.search(r"Verification failed for at least .*?(?:outputs?|POs?): *(.*)", log)
    return found[1] if found else log.strip()


def _read(file: pathlib.Path) -> dict:
    """The top module of Yosys's JSON."""
    return next(module for module in json.loads(file.read_text())["modules"].values()
                if int(module["attributes"].get("top", "0"), 2))


def elaborate(configuration: Configuration, folder: pathlib.Path, sources: list[pathlib.Path] | None = None) -> dict:
    """The RTL with generic gates, as it is written."""
    parameters = " ".join(f"-chparam {name} {value}" for name, value in configuration.changed)
    files = " ".join(str(file) for file in measured_sources(folder, sources or rtl_sources(configuration.top)))
    yosys.execute(f"""
        read_verilog -sv {files}
        hierarchy -check -top {configuration.top} {parameters}
        blackbox {yosys.CLOCK_GATE}
        proc
        flatten
        memory -nomap
        memory_map
        techmap
        splitnets
        rename -wire -suffix {REGISTER_SUFFIX} t:$_*DFF*
        write_json {folder}/rtl.json
        """, folder, "rtl")
    return _read(folder / "rtl.json")


def holders(folder: pathlib.Path) -> dict[str, str]:
    """What optimisation made of every named bit of `folder`/gates.il that shows a register: the register
    that holds it, or a constant. Registers with equal contents share one flip-flop."""
    yosys.execute(f"read_rtlil {folder}/gates.il\n{yosys.NAMED}\nwrite_json {folder}/named.json\n", folder, "named")
    module = _read(folder / "named.json")
    shown = {cell["connections"]["Q"][0]: _register_name(instance, "synthesis")
             for instance, cell in module["cells"].items() if "Q" in cell["connections"]}
    # A bit without a value is a register that nothing reads: it has no holder.
    shown |= {"0": "const0", "1": "const1"}
    return {label: shown[bit] for name, net in module["netnames"].items() for label, bit in _bits(name, net["bits"])
            if bit in shown}
