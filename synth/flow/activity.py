# SPDX-License-Identifier: MIT
"""How often each net of a mapped netlist toggles while it makes a real kernel's decisions.

The netlist becomes a C program that steps through recorded inputs, one settled state per cycle (so
glitches do not count; what the clock passes through is looked at while it is low and while it is high), and holds
the netlist's outputs to the recorded decisions.
"""

import dataclasses
import pathlib

from flow import clocks, functions, tools
from flow.errors import FlowError
from flow.liberty import Liberty
from flow.netlist import Netlist

# Columns of `paws decisions --ports` before the phases, one per warp. Of the single level _GROUPS stand behind these,
# then the pairs and the rows, one per warp.
_COLUMNS = ["cycle", "rst_ni", "policy_i", "issue_en_i", "issuable_i", "waits_i", "long_outstanding_i",
            "exit_i", "launch_valid_i", "launch_warp_i", "issue_valid_o", "issue_warp_o", "quiet_o"]
_GROUPS = ["second_i", "yield_i"]
_NOT_RECORDED = {"end_valid_i": 0, "end_warp_i": 0}  # a simulated core has no late ends
_RESET_CYCLES = 2  # before the count begins


@dataclasses.dataclass(frozen=True)
class Activity:
    """Of one net: toggles per cycle, and the share of cycles in which it is 1."""

    toggles: float
    ones: float


def _order(netlist: Netlist, known: dict[str, functions.Function]) -> list[str]:
    """The combinational cells and the latches, each behind those that drive it."""
    cells = netlist.cells()
    driver = {bit: name for name, cell in cells.items() for pin, bits in cell["connections"].items()
              if cell["port_directions"][pin] == "output" for bit in bits}
    ordered: list[str] = []
    state: dict[str, int] = {}
    for first in cells:
        stack = [first]
        while stack:
            name = stack[-1]
            function = known[cells[name]["type"]]
            if state.get(name) == 2 or function.next_state is not None or function.gate:
                stack.pop()
                continue
            if state.get(name) == 1:
                state[name] = 2
                ordered.append(name)
                stack.pop()
                continue
            state[name] = 1
            stack += [driver[bit] for pin, bits in cells[name]["connections"].items()
                      if cells[name]["port_directions"][pin] == "input" for bit in bits
                      if bit in driver and state.get(driver[bit]) != 2]
    return ordered


def program(netlist: Netlist, liberty: Liberty, inputs: list[int], outputs: list[int]) -> tuple[str, list[int]]:
    """The C program and the net behind each of its counters. v holds a cycle's values while the clock is low (latches
    of clock gates are open), h those of clock nets while it is high. `inputs` and `outputs` are the nets of
    the bits of a record, in order; a record is the inputs' bits and then the outputs' bits."""
    cells = netlist.cells()
    known = {kind: functions.read(liberty, liberty.cells[kind])
             for kind in {cell["type"] for cell in cells.values()}}
    index: dict[int, int] = {}
    network = clocks.find(netlist, known)

    def value(bit: int | str) -> str:
        if isinstance(bit, str):
            return "1" if bit == "1" else "0"
        return f"v[{index.setdefault(bit, len(index))}]"

    def pins(cell: dict) -> dict[str, str]:
        return {pin: value(bits[0]) for pin, bits in cell["connections"].items() if bits}

    def high_pins(cell: dict) -> dict[str, str]:
        return {pin: f"h{text[1:]}" if cell["connections"][pin][0] in network.nets else text
                for pin, text in pins(cell).items()}

    high, settle, edge, store = [], [], [], []
    if network.root is not None:
        high.append(f"h{value(network.root)[1:]}=1;")
    for name in network.cells:
        names, function = high_pins(cells[name]), known[cells[name]["type"]]
        if function.gate:
            enables = "|".join(names[function.gate[role]] for role in ("enable", "test") if role in function.gate)
            high.append(f"{names[function.gate['out']]}={names[function.gate['clock']]}&({enables});")
        else:
            high += [f"{names[pin]}={functions.to_c(expression, names, cells[name]['type'])};"
                     for pin, expression in function.outputs.items() if pin in names]
    for name in _order(netlist, known):
        names = pins(cells[name])
        function = known[cells[name]["type"]]
        if function.data is not None:
            if not any(bits[0] in network.nets for bits in cells[name]["connections"].values() if bits):
                raise FlowError(f"{name} ({cells[name]['type']}): a latch without the clock")
            state = functions.to_c(function.data, names, cells[name]["type"])
            names |= dict(zip(function.states, (state, f"({state}^1)")))
        for pin, expression in known[cells[name]["type"]].outputs.items():
            if pin in names:
                settle.append(f"{names[pin]}={functions.to_c(expression, names, cells[name]['type'])};")
    for name, cell in cells.items():
        function = known[cell["type"]]
        if function.next_state is None:
            continue
        names = pins(cell)
        for expression in function.asynchronous:
            if functions.to_c(expression, names, cell["type"]) not in ("0", "(1^1)"):
                raise FlowError(f"{name} ({cell['type']}): an asynchronous set or reset that is in use")
        number = len(edge)
        net = clocks.of_flipflop(name, cell, function, network)
        rises = "" if net == network.root else f"if(h{value(net)[1:]}&~{value(net)})"
        edge.append(f"{rises}n[{number}]={functions.to_c(function.next_state, names, cell['type'])};")
        states = dict(zip(function.states, (f"n[{number}]", f"(n[{number}]^1)")))
        store += [f"{names[pin]}={functions.to_c(expression, states, cell['type'])};"
                  for pin, expression in function.outputs.items() if pin in names]
    read = [f"{value(bit)}=r[{i >> 3}]>>{i & 7}&1;" for i, bit in enumerate(inputs)]
    check = [f"if({value(bit)}!=(r[{(i + len(inputs)) >> 3}]>>{(i + len(inputs)) & 7}&1))return {i};"
             for i, bit in enumerate(outputs)]

    def functions_of(name: str, lines: list[str]) -> str:
        # In pieces: compilers are slow on very long functions.
        pieces = [lines[at:at + 500] for at in range(0, len(lines), 500)]
        text = "".join(f"static void {name}{i}(void){{{' '.join(piece)}}}\n" for i, piece in enumerate(pieces))
        return text + f"static void {name}(void){{{''.join(f'{name}{i}();' for i in range(len(pieces)))}}}\n"

    size = (len(inputs) + len(outputs) + 7) // 8
    text = f"""#include <stdio.h>
#define NETS {len(index)}
static unsigned char v[NETS], h[NETS], old[NETS], n[{max(len(edge), 1)}], r[{size}];
static unsigned toggles[NETS], ones[NETS];
{functions_of('read', read)}{functions_of('settle', settle)}{functions_of('high', high)}{
    functions_of('edge', edge)}{functions_of('store', store)}
static int check(void){{{' '.join(check)} return -1;}}
int main(void) {{
  unsigned cycles = 0;
  for (; fread(r, sizeof r, 1, stdin) == 1; ++cycles) {{
    read(); settle(); high();
    int wrong = cycles < {_RESET_CYCLES} ? -1 : check();
    if (wrong >= 0) {{ printf("DIFFERENT %u %d\\n", cycles - {_RESET_CYCLES}, wrong); return 0; }}
    if (cycles > {_RESET_CYCLES})
      for (int i = 0; i < NETS; ++i) toggles[i] += v[i] ^ old[i];
    if (cycles >= {_RESET_CYCLES})
      for (int i = 0; i < NETS; ++i) {{ ones[i] += v[i]; old[i] = v[i]; }}
    if (cycles >= {_RESET_CYCLES}) {{ {' '.join(f"toggles[{index[net]}]+=2*({value(net)}^h{value(net)[1:]});"
                                               for net in sorted(network.nets) if net in index)} }}
    edge(); store();
  }}
  printf("CYCLES %u\\n", cycles - {_RESET_CYCLES});
  for (int i = 0; i < NETS; ++i) printf("%u %u\\n", toggles[i], ones[i]);
  return 0;
}}
"""
    return text, list(index)


def records(lines: list[str], ports: dict[str, dict], length_bits: int) -> tuple[list[int], list[int], bytes]:
    """The nets of input bits, of output bits, and the packed records of a recorded run."""
    inputs = [(name, port["bits"]) for name, port in ports.items()
              if port["direction"] == "input" and name != "clk_i"]
    outputs = [(name, port["bits"]) for name, port in ports.items() if port["direction"] == "output"]
    phases = next(name for name, _ in inputs if name in ("length_i", "distance_i"))
    warps = len(ports[phases]["bits"]) // length_bits
    packed = []
    before = [0] * warps
    size = (sum(len(bits) for _, bits in inputs + outputs) + 7) // 8
    for line in lines:
        words = [int(word) for word in line.split()]
        values = dict(zip(_COLUMNS, words)) | _NOT_RECORDED
        rest = words[len(_COLUMNS):]
        values[phases] = sum(phase << (length_bits * warp) for warp, phase in enumerate(rest[:warps]))
        values["moved_i"] = sum((phase != old) << warp for warp, (phase, old) in enumerate(zip(rest[:warps], before)))
        before = rest[:warps]
        values |= zip(_GROUPS, rest[warps:])
        for name, first in (("pair_i", warps + len(_GROUPS)), ("row_i", 2 * warps + len(_GROUPS))):
            if name not in ports:
                continue
            width = len(ports[name]["bits"]) // warps
            values[name] = sum(number << (width * warp) for warp, number in enumerate(rest[first:first + warps]))
        record, at = 0, 0
        for name, bits in inputs + outputs:
            if values[name] >> len(bits):
                raise FlowError(f"recorded {name} does not fit {len(bits)} bits: other parameters were recorded")
            record |= values[name] << at
            at += len(bits)
        packed.append(record.to_bytes(size, "little"))
    return ([bit for _, bits in inputs for bit in bits], [bit for _, bits in outputs for bit in bits],
            b"".join(packed[:1] * _RESET_CYCLES + packed))


def count(netlist: Netlist, liberty: Liberty, lines: list[str], length_bits: int,
          folder: pathlib.Path) -> tuple[int, dict[int, Activity]]:
    """Counted cycles, and the activity of every net. Raises FlowError if the netlist decides otherwise
    than was recorded."""
    inputs, outputs, data = records(lines, netlist.modules[netlist.top]["ports"], length_bits)
    text, nets = program(netlist, liberty, inputs, outputs)
    (folder / "activity.c").write_text(text)
    (folder / "records").write_bytes(data)
    tools.run(["gcc", "-O1", "-o", str(folder / "activity"), str(folder / "activity.c")], folder / "gcc.log")
    printed = tools.run(["sh", "-c", f"'{folder}/activity' < '{folder}/records'"], folder / "activity.log").split()
    if printed[0] == "DIFFERENT":
        cycle = lines[int(printed[1])].split()[0]
        raise FlowError(f"the netlist does not decide as recorded: cycle {cycle}, output bit {printed[2]}")
    cycles = int(printed[1])
    numbers = [int(word) for word in printed[2:]]
    if cycles != len(lines) or len(numbers) != 2 * len(nets):
        raise FlowError(f"the netlist's simulation ended early (log: {folder}/activity.log)")
    found = {net: Activity(numbers[2 * i] / cycles, numbers[2 * i + 1] / cycles) for i, net in enumerate(nets)}
    # A clock is high for half of a cycle in which it rises.
    known = {kind: functions.read(liberty, liberty.cells[kind])
             for kind in {cell["type"] for cell in netlist.cells().values()}}
    return cycles, found | {net: Activity(found[net].toggles, found[net].toggles / 4)
                            for net in clocks.find(netlist, known).nets if net in found}
