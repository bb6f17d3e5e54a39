# SPDX-License-Identifier: MIT
"""Buffers, sizes and pins by wired timing: what no packaged tool does here.

The worst path is looked at again and again. At each of its cells every change that may help is tried in the timer and taken
back, and the best is kept: a larger cell, another pin of the same function, a buffer in front of what is not urgent, a copy
of the cell for half of its sinks, a buffer taken out of the way. The timer gets all changes of a cell in one question, and times
anew only what lies behind each.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterator

from flow.layout import wires
from flow.layout.block import Block, Instance, Pin
from flow.layout.timer import Measured, Timer, measurement

# Cells of one function, the weak ones first.
_SIZES = (("INVX1", "INVX2", "INVX4", "INVX8"), ("BUFX2", "BUFX4"), ("AND2X1", "AND2X2"), ("OR2X1", "OR2X2"))
# Pins of a cell that may change places.
_ALIKE = {"NAND2X1": ("AB",), "NOR2X1": ("AB",), "AND2X1": ("AB",), "AND2X2": ("AB",), "OR2X1": ("AB",), "OR2X2": ("AB",),
          "NAND3X1": ("ABC",), "NOR3X1": ("ABC",), "AOI21X1": ("AB",), "OAI21X1": ("AB",), "AOI22X1": ("AB", "CD"),
          "OAI22X1": ("AB", "CD"), "XOR2X1": ("AB",), "XNOR2X1": ("AB",)}
_BUFFERS = ("BUFX2", "BUFX4")
# Cells that are not copied or buffered around: state, and gates of the clock.
_KEPT = re.compile(r"DFF|LATCH|CLKBUF")
_GAIN_NS = 0.0005

# What a change is called, and what makes it; it returns the nets whose wires have changed.
Change = tuple[str, Callable[[], set[str]]]


class Optimiser:
    """Edits the block and the timer together."""

    def __init__(self, block: Block, timer: Timer, library: str, clock_nets: set[str]) -> None:
        self._block = block
        self._timer = timer
        self._library = library
        self._clock_nets = clock_nets
        self._nets = block.nets()
        self._commands: list[str] = []
        self._by_slack = False
        self.kept: dict[str, int] = {}
        self._spare: dict[str, list[tuple[str, str]]] = {}
        self._undo: list[Callable[[], object]] = []
        self._found: list[Measured] = []  # what the changes of a stage have come to
        self.refresh()

    def refresh(self) -> None:
        """Tells the timer all wires anew, after cells have moved."""
        self._measure([])
        self._nets = self._block.nets()
        self._timer.ask("\n".join(map(self._load, self._nets)))

    def _load(self, net: str) -> str:
        length = wires.tree_length([self._block.place_of(pin) for pin in self._nets[net]])
        return f"fast::load {net} {wires.capacitance(length):.6f}"

    # Elementary edits: each changes block, nets and timer, and knows its inverse.

    def _connect(self, pin: Pin, net: str | None) -> None:
        name, terminal = pin
        before = self._block.instances[name].pins.pop(terminal, None)
        if before is not None:
            self._commands.append(f"fast::disconnect {name} {terminal}")
            self._nets[before].remove(pin)
        if net is not None:
            self._block.instances[name].pins[terminal] = net
            self._commands.append(f"fast::connect {net} {name} {terminal}")
            pins = self._nets.setdefault(net, [])
            pins.insert(0 if self._block.drives(name, terminal) else len(pins), pin)
        self._undo.append(lambda: self._connect(pin, before))

    def _resize(self, name: str, kind: str) -> None:
        before = self._block.instances[name].kind
        self._block.instances[name].kind = kind
        self._commands.append(f"fast::replace {name} {self._library}/{kind}")
        self._undo.append(lambda: self._resize(name, before))

    def _take(self, kind: str, place: tuple[float, int]) -> tuple[str, str]:
        """A new cell with one output, and the net behind it; both are used again after they were given back, because OpenSTA
        loses the wires of nets whose drivers are deleted."""
        output = next(iter(self._block.lef.macros[kind].outputs))
        if self._spare.get(kind):
            name, net = self._spare[kind].pop()
        else:
            name, net = self._block.new_name("add"), self._block.new_name("w")
            self._commands += [f"make_instance {name} {self._library}/{kind}", f"make_net {net}",
                               f"fast::connect {net} {name} {output}"]
        self._block.instances[name] = Instance(kind, {output: net}, *place)
        self._nets[net] = [(name, output)]
        self._undo.append(lambda: self._give(name, net))
        return name, net

    def _give(self, name: str, net: str) -> None:
        """Takes a cell without inputs and sinks out of the block."""
        instance = self._block.instances.pop(name)
        del self._nets[net]
        self._spare.setdefault(instance.kind, []).append((name, net))

    def _drop(self, name: str, output: str) -> None:
        """Takes a cell without inputs and sinks out of the block for good."""
        instance = self._block.instances.pop(name)
        self._nets[instance.pins[output]].remove((name, output))

        def back() -> None:
            self._block.instances[name] = instance
            self._nets[instance.pins[output]].insert(0, (name, output))

        self._undo.append(back)

    def _touch(self, touched: set[str]) -> None:
        """Has the timer told, before it is asked next, of what was edited and of new wires."""
        self._commands += [self._load(net) for net in sorted(touched) if net in self._nets]

    def _back(self, touched: set[str]) -> None:
        steps, self._undo = self._undo, []
        for step in reversed(steps):
            step()
        self._undo = []
        self._touch(touched)

    def _flush(self) -> str:
        commands, self._commands = self._commands, []
        return "\n".join(commands)

    def _measure(self, path: list[str]) -> Measured:
        """With the mean along the path: where many paths are equally slow the other figures do not see that one of them has
        become faster."""
        self._commands.append(measurement(path, self._by_slack))
        return self._timer.measured(self._flush())[0]

    # Changes that may help at a stage of the path: `driver` drives `net`, and the path goes on at `sink`.

    def _sizes(self, driver: str) -> Iterator[Change]:
        instance = self._block.instances[driver]
        for family in _SIZES:
            if instance.kind in family:
                for kind in family:
                    if kind != instance.kind:
                        yield "sized", lambda kind=kind: self._sized(driver, kind)

    def _sized(self, driver: str, kind: str) -> set[str]:
        self._resize(driver, kind)
        return set(self._block.instances[driver].pins.values())

    def _swaps(self, sink: Pin) -> Iterator[Change]:
        name, terminal = sink
        for group in _ALIKE.get(self._block.instances[name].kind, ()):
            if terminal in group:
                for other in group:
                    if other != terminal:
                        yield "swapped", lambda other=other: self._swapped(name, terminal, other)

    def _swapped(self, name: str, one: str, other: str) -> set[str]:
        pins = self._block.instances[name].pins
        first, second = pins[one], pins[other]
        self._connect((name, one), None)
        self._connect((name, other), None)
        self._connect((name, one), second)
        self._connect((name, other), first)
        return {first, second}

    def _splits(self, net: str, sink: Pin | None) -> list[list[Pin]]:
        """Sinks that something else could drive, several choices: those with slack to spare, the farther half."""
        sinks = [pin for pin in self._nets[net][1:] if pin[0] and pin != sink]
        if not sinks:
            return []
        found, slacks = self._timer.slacks([f"{name}/{pin}" for name, pin in sinks], self._flush())
        self._found += found
        spare, worst = dict(zip(sinks, slacks)), self._timer.worst()
        choices = [[pin for pin in sinks if spare[pin] > worst + margin] for margin in (0.2, 0.4)]
        place = self._block.place_of(sink) if sink else self._block.place_of(self._nets[net][0])
        far = sorted(sinks, key=lambda pin: -sum(abs(a - b) for a, b in zip(self._block.place_of(pin), place)))
        choices += [far[:len(far) // 2], far]
        return [list(choice) for choice in dict.fromkeys(map(tuple, choices)) if choice]

    def _buffers(self, net: str, sink: Pin | None) -> Iterator[Change]:
        for moved in self._splits(net, sink):
            for kind in _BUFFERS:
                yield "buffered", lambda moved=moved, kind=kind: self._buffered(net, moved, kind)

    def _buffered(self, net: str, moved: list[Pin], kind: str) -> set[str]:
        name, behind = self._take(kind, self._block.middle([self._nets[net][0], *moved]))
        for pin in moved:
            self._connect(pin, behind)
        self._connect((name, "A"), net)
        return {net, behind}

    def _copies(self, driver: str, net: str, sink: Pin | None) -> Iterator[Change]:
        kind = self._block.instances[driver].kind
        if _KEPT.search(kind) or len(self._block.lef.macros[kind].outputs) != 1:
            return
        for moved in self._splits(net, sink):
            yield "copied", lambda moved=moved: self._copied(driver, moved)

    def _copied(self, driver: str, moved: list[Pin]) -> set[str]:
        instance = self._block.instances[driver]
        name, behind = self._take(instance.kind, self._block.middle(moved))
        for pin in moved:
            self._connect(pin, behind)
        for pin, net in instance.pins.items():
            if not self._block.drives(driver, pin):
                self._connect((name, pin), net)
        return {behind, *instance.pins.values()}

    def _bypasses(self, driver: str, net: str) -> Iterator[Change]:
        if self._block.instances[driver].kind in _BUFFERS and all(name for name, _ in self._nets[net]):
            yield "bypassed", lambda: self._bypassed(driver, net)

    def _bypassed(self, driver: str, net: str) -> set[str]:
        source = self._block.instances[driver].pins["A"]
        for pin in self._nets[net][1:]:
            self._connect(pin, source)
        self._connect((driver, "A"), None)
        self._drop(driver, "Y")
        return {source, net}

    def _moves(self, before: Pin, name: str, after: Pin) -> Iterator[Change]:
        """Nearer to the way from the pin before to the pin behind."""
        yield "moved", lambda: self._moved(name, self._block.middle([before, after]))

    def _moved(self, name: str, place: tuple[float, int]) -> set[str]:
        instance = self._block.instances[name]
        old = instance.x, instance.row
        instance.x, instance.row = place
        self._undo.append(lambda: self._moved(name, old))
        return set(instance.pins.values())

    def _stages(self, path: list[str]) -> Iterator[Iterator[Change]]:
        """Of each pin of the path, what can be changed there, as long as it is still part of the block."""
        pins: list[Pin] = [tuple(pin.split("/")) if "/" in pin else ("", pin) for pin in path]
        for at, (name, terminal) in enumerate(pins):
            following = pins[at + 1] if at + 1 < len(pins) else ("", "")
            sink = following if following[0] in self._block.instances else None
            if not name:
                if at == 0 and terminal in self._block.ports:
                    yield self._buffers(terminal, sink)
            elif name not in self._block.instances or terminal not in self._block.instances[name].pins:
                continue
            elif not self._block.drives(name, terminal):
                yield self._swaps((name, terminal))
            elif self._block.instances[name].pins[terminal] not in self._clock_nets:
                net = self._block.instances[name].pins[terminal]
                if following not in self._nets[net]:
                    sink = None
                yield itertools.chain(self._sizes(name), self._buffers(net, sink), self._copies(name, net, sink))
                if at > 0 and name in self._block.instances and sink and pins[at - 1][0] == name:
                    driver = self._nets[self._block.instances[name].pins.get(pins[at - 1][1], net)][0]
                    yield self._moves(driver, name, sink)
                if name in self._block.instances:
                    yield self._bypasses(name, self._block.instances[name].pins[terminal])

    def _best(self, changes: Iterator[Change], path: list[str]) -> bool:
        """Keeps the best of these changes; False if none helps."""
        before = self._measure(path)
        least = before.slack - 1e-6
        # Of what lowers the least slack the pins are not looked at, but for slacks: OpenSTA's depend on what it was asked before.
        looked_at = -math.inf if self._by_slack else least
        self._found, tried = [], []
        for kind, change in changes:
            touched = change()
            self._touch(touched)
            self._commands.append(measurement([pin for pin in path if self._is_there(pin)], self._by_slack, looked_at))
            self._back(touched)
            tried.append((kind, change))
        self._found += self._timer.measured(self._flush())
        best = None
        for (kind, change), found in zip(tried, self._found, strict=True):
            gain = found.slack - before.slack + 0.02 * (found.missing - before.missing) + 0.1 * (before.mean - found.mean)
            if found.slack > least and gain > _GAIN_NS and (best is None or gain > best[0]):
                best = gain, kind, change
        if best is None:
            return False
        self._touch(best[2]())
        self._undo = []
        self.kept[best[1]] = self.kept.get(best[1], 0) + 1
        return True

    def _is_there(self, pin: str) -> bool:
        name, _, terminal = pin.partition("/")
        return name in self._block.instances and terminal in self._block.instances[name].pins if terminal else True

    def step(self) -> bool:
        """Changes along the worst path; False if none helps, neither by arrivals nor by slacks."""
        for self._by_slack in (False, True):
            self._measure([])
            path = self._timer.worst_path()
            if any([self._best(changes, [pin for pin in path if "/" in pin and self._is_there(pin)])
                    for changes in self._stages(path)]):
                return True
        return False
