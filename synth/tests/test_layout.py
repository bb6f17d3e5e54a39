# SPDX-License-Identifier: MIT
"""The layout: its pieces by themselves, and a small block from RTL to sign-off, with faults that must be named."""

import copy
import csv
import dataclasses
import pathlib
import re
import shutil
import tempfile
import types
import unittest
from collections import Counter
from unittest import mock

from flow import cell_library, configurations, equivalence, tables, targets, wire_figures, yosys
from flow.configurations import Configuration, Set
from flow.errors import FlowError
from flow.figures import Results
from flow.layout import block as blocks
from flow.layout import (clock_tree, def_file, delays, energy, export, extraction, lay_out, lef, optimise, parasitics,
                         placement, routing, signoff, technology, timer, wires)
from flow.layout.block import Block, Instance, Port
from flow.paths import RTL

# Two counters, of which one has a clock gate, with the names of ports that recordings have.
RTL_TEXT = """module counters (input clk_i, input rst_ni, input [3:0] length_i, output [5:0] issue_warp_o);
  wire clk;
  reg [5:0] free_q, gated_q;
  paws_clock_gate u_gate (.clk_i(clk_i), .enable_i(length_i[3] | !rst_ni), .test_enable_i(1'b0), .clk_o(clk));
  always @(posedge clk_i) free_q <= rst_ni ? free_q + {2'b0, length_i} : 6'd0;
  always @(posedge clk) gated_q <= rst_ni ? gated_q + free_q : 6'd0;
  assign issue_warp_o = gated_q ^ {6{length_i[0]}};
endmodule
"""
LIBRARY = cell_library.load(cell_library.default_file())
TECHNOLOGY = technology.load(LIBRARY)


def mapped(folder: pathlib.Path):
    """The netlist of RTL_TEXT; its files are in the folder."""
    source = folder / "counters.sv"
    source.write_text(RTL_TEXT)
    yosys.elaborate(Configuration("counters"), folder, sources=[source, RTL / "paws_clock_gate.sv"])
    return yosys.map_cells(Configuration("counters"), LIBRARY, targets.read(LIBRARY)[0].script, folder, "netlist")


def recorded(cycles: int) -> list[str]:
    """What RTL_TEXT does in these cycles, as `paws decisions --ports` writes it; the first one is in reset."""
    lines, free, gated = [], 0, 0
    for cycle in range(cycles):
        length = cycle * 7 % 16
        output = gated ^ (63 if length & 1 else 0)
        lines.append(f"{cycle} {int(cycle > 0)} 0 0 0 0 0 0 0 0 0 {output} 0 {length & 3} {length >> 2}")
        if cycle == 0:
            free, gated = 0, 0
        else:
            gated = (gated + free) % 64 if length & 8 else gated
            free = (free + length) % 64
    return lines


def difference(folder: pathlib.Path, block: Block, netlist) -> str | None:
    """What the proof says of the block."""
    rtl = equivalence.of_rtl(equivalence.elaborate(Configuration("counters"), folder,
                                                   [folder / "counters.sv", RTL / "paws_clock_gate.sv"]))
    whole = blocks.to_netlist(block, netlist, TECHNOLOGY.liberty.cells)
    equivalence.write(rtl, equivalence.of_netlist(whole, TECHNOLOGY.liberty), equivalence.holders(folder), folder)
    return equivalence.prove(folder)


def spread(block: Block, utilisation: float) -> None:
    """Places cells and ports anywhere."""
    placement.plan(block, utilisation)
    for number, instance in enumerate(block.instances.values()):
        instance.x = number * 37 % 50
        instance.row = number * 7 % block.floorplan.rows
    for number, port in enumerate(block.ports.values()):
        port.place, port.layer = (0.4, 10.5 + 2 * number), "metal3"


class Noting(optimise.Optimiser):
    """Remembers each change that was tried: the block with it, the path, and what the timer has found."""

    def __init__(self, *arguments) -> None:
        super().__init__(*arguments)
        self.noted: list[tuple[dict[str, Instance], list[str], timer.Measured]] = []
        self._tried: list[dict[str, Instance]] = []

    def _back(self, touched: set[str]) -> None:
        self._tried.append(copy.deepcopy(self._block.instances))
        super()._back(touched)

    def _best(self, changes, path: list[str]) -> bool:
        self._tried = []
        helped = super()._best(changes, path)
        self.noted += [(instances, path, found) for instances, found in zip(self._tried, self._found, strict=True)]
        return helped


class Files(unittest.TestCase):
    """What is read from the technology's files, and changed in them."""

    def test_cells_and_layers(self):
        cells = TECHNOLOGY.lef
        self.assertEqual((cells.site_width, cells.row_height), (0.8, 10.0))
        self.assertEqual([layer.horizontal for layer in cells.layers.values()], [True, False] * 3)
        nand = cells.macros["NAND2X1"]
        self.assertEqual((nand.width, set(nand.pins), nand.outputs), (2.4, {"A", "B", "Y"}, {"Y"}))

    def test_pads_have_the_area_that_the_rules_ask_for(self):
        text = lef.with_long_pads(TECHNOLOGY.lef.file.read_text(), TECHNOLOGY.lef)
        for via in re.findall(r"(?ms)^VIA \S+ DEFAULT$.*?^END \S+$", text):
            for layer, box in re.findall(r"LAYER (metal[2-6]) ;\s*RECT ([-0-9. ]+);", via):
                left, bottom, right, top = map(float, box.split())
                self.assertGreaterEqual((right - left) * (top - bottom), 0.2 - 1e-9, (via, layer))

    def test_every_pin_has_a_clean_tap(self):
        text = lef.with_clean_taps(TECHNOLOGY.lef.file.read_text(), TECHNOLOGY.lef)
        self.assertEqual(text.count("MACRO "), TECHNOLOGY.lef.file.read_text().count("MACRO "))
        cell = text[text.index("MACRO OAI21X1"):text.index("END OAI21X1")]
        self.assertIn("RECT 1.150 7.450 1.250 7.550", cell)  # beside Y, and too near to other metal
        free = text[text.index("MACRO FILL"):text.index("END FILL")]
        self.assertNotIn("RECT 0.350 4.450 0.450 4.550", free)
        far = text.replace("RECT 0.200 3.300 0.600 4.100", "RECT 0.200 0.900 0.250 0.950")  # AND2X1/A
        self.assertTrue(far != text)
        with self.assertRaisesRegex(FlowError, "cannot be reached where tracks cross"):
            lef.with_clean_taps(far, TECHNOLOGY.lef)

    def test_sidewalls_are_halved_and_metal_4_is_like_metal_3(self):
        line = " sidewall (m{0})/metal{0} ~(m{0})/metal{0} ~(m{0})/metal{0} (m{0})/metal{0}  {1}\n"
        other = " areacap (m3)/metal3 0.088\n"
        self.assertEqual(technology.corrected_sidewalls(line.format(3, "24.000") + line.format(4, "64.000") + other),
                         line.format(3, "12.000") + line.format(4, "12.000") + other)

    def test_another_library_has_no_layout(self):
        other = LIBRARY.__class__(**{**LIBRARY.__dict__, "key": "other", "title": "Other"})
        with self.assertRaisesRegex(FlowError, "no layout for Other"):
            technology.load(other)


class Pieces(unittest.TestCase):
    """Steps by themselves."""

    def row_of(self, *kinds: str) -> Block:
        block = Block("row", TECHNOLOGY.lef)
        for number, kind in enumerate(kinds):
            block.instances[f"c{number}"] = Instance(kind, {"A": f"n{number}", "Y": f"n{number + 1}"})
        return block

    def test_spanning_trees(self):
        self.assertEqual(wires.tree_length([(0, 0)]), 0)
        self.assertEqual(wires.tree_length([(0, 0), (3, 4)]), 7)
        self.assertEqual(wires.tree_length([(0, 0), (10, 0), (5, 1), (10, 3)]), 6 + 6 + 3)

    def test_a_legal_placement_has_no_overlaps_and_keeps_the_order(self):
        block = self.row_of(*["INVX1", "BUFX2", "NAND2X1", "DFFPOSX1"] * 10)
        placement.plan(block, 0.9)
        for number, instance in enumerate(block.instances.values()):
            instance.x, instance.row = number % 5, number % block.floorplan.rows
        placement.legalise(block)
        site, taken = block.lef.site_width, set()
        for name, instance in block.instances.items():
            self.assertAlmostEqual(instance.x / site, round(instance.x / site), 6)
            for at in range(round(instance.x / site), round((instance.x + block.width(name)) / site)):
                self.assertLess(at, block.floorplan.sites)
                self.assertNotIn((instance.row, at), taken)
                taken.add((instance.row, at))

    def test_cells_that_fit_stay(self):
        block = self.row_of("INVX1", "INVX1")
        block.floorplan = blocks.Floorplan(2, 20, 8.0, 10.0)
        block.instances["c0"].x, block.instances["c1"].x, block.instances["c1"].row = 4.0, 8.8, 1
        placement.legalise(block)
        self.assertEqual([(round(i.x, 6), i.row) for i in block.instances.values()], [(4.0, 0), (8.8, 1)])

    def test_full_rows_are_refused(self):
        block = self.row_of("DFFPOSX1", "DFFPOSX1")
        block.floorplan = blocks.Floorplan(1, 20, 8.0, 10.0)
        with self.assertRaisesRegex(FlowError, "the rows are full"):
            placement.legalise(block)

    def test_routes_of_a_def_file(self):
        with tempfile.TemporaryDirectory() as name:
            file = pathlib.Path(name) / "routed.def"
            file.write_text("UNITS DISTANCE MICRONS 1000 ;\nNETS 1 ;\n- n1\n  ( a Y )\n  ( b A )\n"
                            "+ ROUTED metal1 ( 400 500 ) M2_M1\n  NEW metal2 ( 400 500 ) ( * 2500 ) M3_M2\n"
                            "  NEW metal3 ( 400 2500 ) ( 2000 * ) ;\nEND NETS\n")
            route = def_file.read_routes(file)["n1"]
        self.assertEqual([(s.layer, s.length) for s in route.segments], [("metal2", 2.0), ("metal3", 1.6)])
        self.assertEqual(route.vias, [("M2_M1", (0.4, 0.5)), ("M3_M2", (0.4, 2.5))])
        nodes, edges = parasitics.graph(route, TECHNOLOGY.lef)
        self.assertEqual(len(parasitics.pieces(nodes, edges)), 1)
        self.assertAlmostEqual(sum(edges.values()), 0.08 * (2.0 + 1.6) / 0.3)
        route.segments.pop(0)
        self.assertEqual(len(parasitics.pieces(*parasitics.graph(route, TECHNOLOGY.lef))), 2)

    def test_every_second_row_is_upside_down(self):
        block = self.row_of("NAND2X1", "NAND2X1")
        block.floorplan = blocks.Floorplan(2, 20, 8.0, 10.0)
        block.instances["c1"].row = 1
        (x0, y0), (x1, y1) = (block.place_of((name, "A")) for name in ("c0", "c1"))
        self.assertEqual(x0, x1)
        self.assertAlmostEqual((y0 - 10.0) + (y1 - 20.0), 10.0)
        self.assertNotAlmostEqual(y0 - 10.0, y1 - 20.0)

    def test_ports_keep_their_order_along_an_edge(self):
        block = self.row_of(*["BUFX2"] * 40)
        placement.plan(block, 0.5)
        block.ports = {f"n{i}": Port(f"p[{i}]", f"n{i}", True) for i in range(9)}
        wanted = {f"n{i}": (0.0, i * 4 % 9 / 9) for i in range(9)}
        placement.place_ports(block, wanted)
        by_place = sorted(wanted, key=lambda net: block.ports[net].place[1])
        self.assertEqual(by_place, sorted(wanted, key=lambda net: wanted[net][1]))

    def test_two_ports_never_share_a_track(self):
        block = self.row_of(*["BUFX2"] * 40)
        placement.plan(block, 0.5)
        block.ports = {f"n{i}": Port(f"p[{i}]", f"n{i}", True) for i in range(30)}
        placement.place_ports(block, {net: (0.0, 0.5) for net in block.ports})
        self.assertEqual(len({port.place for port in block.ports.values()}), 30)


class Tables(unittest.TestCase):
    """Of made-up layouts."""

    def setUp(self):
        self.member = Configuration.make("single_level", {"POLICIES": 1}, "")

    def run_of(self, seed: int, period: float) -> dict:
        timing = {"period": period, "limit": "in_out", "kinds": {"in_out": period / 2}, "latency": 0.5, "skew": 0.1, "hold": 0.05}
        return {"seed": seed, "edges": "LTRB", "wireless_ns": 2.0, "placed": timing, "timing": timing, "slow": timing,
                "core_um2": 2000.0, "cells_um2": 1500.0, "mapped_um2": 1000.0, "cells": 100, "clock_cells": 3, "levels": 2,
                "wire_um": 1000, "wire_ff": 120, "failed": ["0.75: 3 nets found no way"], "kept": {"sized": 2}}

    def results(self, energies: dict) -> Results:
        runs = [self.run_of(seed, period) for seed, period in ((1, 2.0), (2, 2.5), (3, 2.5))]
        return Results(LIBRARY, {}, {}, {}, {self.member: {"clocked_mw": 0.1, "clock_nets_mw": 0.2, "gates_mw": 0.3}}, {},
                       {(self.member, "LTRB"): runs}, energies)

    def test_clocks_are_means_with_intervals(self):
        chosen = Set("s", "?", (self.member,), False, False, False, layout="LTRB")
        header, rows = tables.layout_table(chosen, self.results({}))
        row = dict(zip(header, rows[0]))
        self.assertEqual((row["MHz without wires"], row["MHz routed"], row["utilisation"]), ("500", "433 ±143", "0.75"))
        self.assertEqual((row["wire fF/µm"], row["hold ps"], row["skew ps"]), ("0.12", "50", "100"))

    def test_every_column_of_the_csv_has_its_name(self):
        part = dict.fromkeys(energy.PARTS, 2.0) | {"recording": "run", "glitch_toggles": 0.1, "leakage_mw": 1e-4}
        chosen = Set("s", "?", (self.member,), False, False, True, layout="LTRB")
        for energies in ({}, {(self.member, "LTRB"): [part] * 3}):
            lines = list(csv.reader(tables.layout_csv(chosen, self.results(energies)).splitlines()))
            self.assertEqual({len(line) for line in lines}, {len(lines[0])})
            self.assertEqual(len(lines), 4)
        header, rows = tables.energy_table(chosen, self.results(energies))
        row = dict(zip(header, rows[0]))
        self.assertEqual((row["all"], row["before layout"]), (f"{2 * len(energy.PARTS):.1f} ±0.0", "6.0"))

    def test_sets_and_edges_that_are_not_there_are_refused(self):
        with tempfile.TemporaryDirectory() as name:
            file = pathlib.Path(name) / "sets.toml"
            for text, message in (('[a]\nmembers_of = "b"\n', "members_of names 'b', which is no set before it"),
                                  ('[a]\nlayout = "LX"\n[[a.grid]]\ntop = "paws_ordered"\n', "edges are letters of L"),
                                  ('[a]\nlayout = "LL"\n[[a.grid]]\ntop = "paws_ordered"\n', "each once")):
                file.write_text(text)
                with self.subTest(text=text), self.assertRaisesRegex(FlowError, message):
                    configurations.read_sets(file)


class SmallBlock(unittest.TestCase):
    """From RTL to sign-off."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.netlist = mapped(cls.folder)
        cls.done = lay_out.lay_out(cls.netlist, TECHNOLOGY, 1, "LTRB", cls.folder)

    def test_it_is_the_rtl(self):
        self.assertIsNone(difference(self.folder, self.done.block, self.netlist))

    def test_a_swapped_pin_is_not(self):
        block = blocks.from_netlist(self.netlist, TECHNOLOGY.lef)
        name = next(name for name, instance in block.instances.items() if instance.kind == "DFFPOSX1")
        other = next(n for n, i in block.instances.items() if i.kind == "DFFPOSX1" and n != name)
        pins, others = block.instances[name].pins, block.instances[other].pins
        pins["D"], others["D"] = others["D"], pins["D"]
        self.assertRegex(difference(self.folder, block, self.netlist) or "", "next:")

    def test_figures_are_plausible(self):
        timing = self.done.timing
        self.assertLess(timing.period, self.done.slow.period)
        self.assertGreater(timing.latency, 0.1)
        self.assertGreaterEqual(timing.hold, 0)
        self.assertTrue(self.done.path)
        total = sum(map(self.done.extraction.total, self.done.block.nets()))
        length = sum(s.length for r in self.done.routes.values() for s in r.segments)
        self.assertTrue(0.05 < total / length < 0.3, total / length)

    def test_wires_have_a_share_of_the_capacitance(self):
        lay_out.save(self.done, self.folder / "layout.json")
        found = wire_figures.of(lay_out.restore(self.folder / "layout.json", TECHNOLOGY), TECHNOLOGY.liberty)
        self.assertTrue(0.02 < found.wire_share < 0.5 and 0 < found.path_share < 0.6, found)
        self.assertTrue(1 <= found.path_sinks <= found.most_sinks, found)
        # The clock's net, which has the most, does not count.
        self.assertLess(found.most_sinks, sum(i.kind == "DFFPOSX1" for i in self.done.block.instances.values()))
        self.assertEqual(found.path_cells, len({pin.partition("/")[0] for pin in self.done.path if "/" in pin}))

    def test_spef_has_the_capacitance_of_every_net_and_the_slow_one_a_quarter_more(self):
        totals = []
        for name in ("routed.spef", "slow.spef"):
            found = {}
            for net, total, body in re.findall(r"(?ms)^\*D_NET (\S+) (\S+)\n.*?\*CAP\n(.*?)\*RES",
                                               (self.folder / name).read_text()):
                found[net] = sum(float(line.split()[-1]) for line in body.splitlines())
                self.assertAlmostEqual(found[net], float(total), 2)
            totals.append(found)
        self.assertEqual(set(totals[0]), set(self.done.block.nets()))
        for net, total in totals[0].items():
            self.assertAlmostEqual(total, self.done.extraction.total(net), 2)
            self.assertAlmostEqual(1.25 * total, totals[1][net], 2)

    def test_the_same_seed_gives_the_same_layout(self):
        folder = self.folder / "again"
        folder.mkdir()
        again = lay_out.lay_out(self.netlist, TECHNOLOGY, 1, "LTRB", folder)
        self.assertEqual((folder / "routed.def").read_text(), (self.folder / "routed.def").read_text())
        self.assertEqual(again.timing, self.done.timing)

    def test_ports_on_one_edge(self):
        block = blocks.from_netlist(self.netlist, TECHNOLOGY.lef)
        placement.plan(block, 0.6)
        placement.place(block, 1, 1 / 0.6, self.folder / "edge", TECHNOLOGY.placer_parameters, "L")
        self.assertEqual({port.place[0] for port in block.ports.values()}, {0.4})

    def broken(self, before: str, after: str, message: str) -> None:
        """A fault in the routed DEF is named."""
        text = (self.folder / "routed.def").read_text()
        folder = self.folder / "broken"
        folder.mkdir(exist_ok=True)
        changed, count = re.subn(before, after, text, count=1)
        self.assertEqual(count, 1, before)
        (folder / "routed.def").write_text(changed)
        with self.assertRaisesRegex(FlowError, message):
            extraction.extract(self.done.block, folder, self.folder / "cells.lef", TECHNOLOGY.magic)

    def test_a_breach_of_a_design_rule_is_found(self):
        """Pads as short as the library's have too little metal."""
        folder = self.folder / "short"
        folder.mkdir()
        shutil.copy(self.folder / "routed.def", folder / "routed.def")
        found = extraction.extract(self.done.block, folder, TECHNOLOGY.lef.file, TECHNOLOGY.magic)
        self.assertTrue(any("area < 20" in rule for rule in found.breaches), found.breaches)
        self.assertEqual(self.done.extraction.breaches, {})

    def test_a_wire_that_turns_back_is_a_stub_on_metal_1(self):
        head = "- u0 AND2X1 + PLACED ( 1 2 ) N ;\nEND COMPONENTS\nNETS 1 ;\n- n1\n  ( u0 A )\n  ( u1 Y )\n+ ROUTED "
        good = "metal1 ( 0 0 ) ( 800 * ) M2_M1 \n  NEW metal2 ( 800 0 ) ( * 6000 ) ( 3200 * ) ;\nEND NETS\n"
        self.assertEqual(routing.with_stubs(head + good), head + good)
        back, stub = (good.replace("( 3200 * ) ;", end) for end in (
            "( 3200 * ) ( 2400 * ) ;", "( 3200 * ) M2_M1 \n  NEW metal1 ( 3200 6000 ) ( 2400 6000 ) ;"))
        self.assertEqual(routing.with_stubs(head + back), head + stub)

    def test_rows_are_spread_where_a_design_rule_is_broken(self):
        found = types.SimpleNamespace(breaches={"Metal1 area < 20": 2})
        with (mock.patch.object(routing, "route", lambda *words: {}),
              mock.patch.object(lay_out.extraction, "extract", lambda *words: found),
              self.assertRaisesRegex(routing.Unroutable, "design rules: 2 × Metal1 area < 20")):
            lay_out._route(self.done.block, TECHNOLOGY, self.folder)

    def test_rows_with_more_wire_than_ever_routed_are_not_tried(self):
        folder = self.folder / "dense"
        folder.mkdir()
        with (mock.patch.object(lay_out, "_MOST_WIRE", 0.0), mock.patch.object(lay_out, "_route", side_effect=AssertionError),
              self.assertRaisesRegex(FlowError, r"^0\.75: \d\.\d\d um of wire for a um2; .*0\.3: ")):
            lay_out.lay_out(self.netlist, TECHNOLOGY, 1, "LTRB", folder)

    def test_an_open_net_is_named(self):
        net = next(net for net, route in self.done.routes.items() if any(s.length > 5 for s in route.segments))
        self.broken(rf"(?s)(- {net}\n.*?)\+ ROUTED.*?;", r"\1;", f"net {net} is open")

    def test_a_wrong_tap_is_named(self):
        name = next(n for n, i in self.done.block.instances.items() if i.kind == "NAND2X1")
        place = re.search(rf"(?m)^- {name} NAND2X1 \+ PLACED \( (\d+)", (self.folder / "routed.def").read_text())
        self.broken(rf"- {name} NAND2X1 \+ PLACED \( {place[1]} ", f"- {name} NAND2X1 + PLACED ( {int(place[1]) + 800} ",
                    "is open|are shorted|which has no net")

    def test_a_cell_that_is_not_placed_is_named(self):
        name = next(iter(self.done.block.instances))
        text = (self.folder / "routed.def").read_text()
        count = int(re.search(r"COMPONENTS (\d+) ;", text)[1])
        folder = self.folder / "missing"
        folder.mkdir(exist_ok=True)
        (folder / "routed.def").write_text(re.sub(rf"(?m)^- {name} .*\n", "", text, count=1).replace(
            f"COMPONENTS {count}", f"COMPONENTS {count - 1}"))
        with self.assertRaisesRegex(FlowError, f"cell {name} is not in the layout|is open"):
            extraction.extract(self.done.block, folder, self.folder / "cells.lef", TECHNOLOGY.magic)

    def test_the_tree_reaches_every_flip_flop_over_as_many_cells(self):
        for leaf, fan in ((14, 9), (2, 9), (2, 2)):  # groups of flip-flops, of drivers
            with self.subTest(leaf=leaf, fan=fan), mock.patch.multiple(clock_tree, _LEAF=leaf, _FAN=fan):
                self.tree(leaf, fan)

    def tree(self, leaf: int, fan: int) -> None:
        """A tree with groups of these sizes."""
        block = blocks.from_netlist(self.netlist, TECHNOLOGY.lef)
        spread(block, 0.5)
        levels = clock_tree.grow(block, TECHNOLOGY)
        sinks = Counter(instance.pins["CLK"] for instance in block.instances.values() if TECHNOLOGY.is_flipflop(instance.kind))
        self.assertLessEqual(max(sinks.values()), leaf)
        gates = [i for i in block.instances.values() if i.kind.startswith("AND2") and i.pins["Y"] in sinks]
        self.assertEqual(len(gates), 1 if leaf == 14 else 3)  # of 6 flip-flops
        driver = {net: name for name, i in block.instances.items() for pin, net in i.pins.items() if block.drives(name, pin)}
        depths = set()
        for instance in block.instances.values():
            if TECHNOLOGY.is_flipflop(instance.kind):
                depth, net = 0, instance.pins["CLK"]
                while net in driver:
                    depth, net = depth + 1, block.instances[driver[net]].pins["A"]
                self.assertEqual(net, export.clock_net(block))
                depths.add(depth)
        self.assertEqual(depths, {levels})
        self.assertIsNone(difference(self.folder, block, self.netlist))

    def test_the_optimiser_keeps_the_function_and_the_timer_in_step(self):
        block = blocks.from_netlist(self.netlist, TECHNOLOGY.lef)
        spread(block, 0.5)
        folder = self.folder / "optimise"
        folder.mkdir()
        export.write_verilog(block, folder / "routed.v")
        script = signoff.script(block, TECHNOLOGY, folder, None) + "\n" + export.period_script(block, TECHNOLOGY, 1.0, 0.0)
        with timer.Timer(script, folder / "log") as timed:
            before = timed.worst()
            optimiser = optimise.Optimiser(block, timed, TECHNOLOGY.liberty_name, export.clock_nets(block, TECHNOLOGY))
            for _ in range(4):
                optimiser.step()
            optimiser.refresh()
            after = timed.worst()
        self.assertGreater(after, before)
        self.assertTrue(optimiser.kept)
        export.write_verilog(block, folder / "routed.v")
        with timer.Timer(script, folder / "log2") as timed:
            optimise.Optimiser(block, timed, TECHNOLOGY.liberty_name, export.clock_nets(block, TECHNOLOGY))
            self.assertAlmostEqual(timed.worst(), after, 4)
        self.assertIsNone(difference(self.folder, block, self.netlist))

    def test_a_change_that_is_taken_back_was_timed_as_the_whole_block_is(self):
        block = blocks.from_netlist(self.netlist, TECHNOLOGY.lef)
        spread(block, 0.5)
        folder = self.folder / "tried"
        folder.mkdir()
        script = signoff.script(block, TECHNOLOGY, folder, None) + "\n" + export.period_script(block, TECHNOLOGY, 1.0, 0.0)
        clocks = export.clock_nets(block, TECHNOLOGY)
        export.write_verilog(block, folder / "routed.v")
        with timer.Timer(script, folder / "log") as timed:
            optimiser = Noting(block, timed, TECHNOLOGY.liberty_name, clocks)
            self.assertTrue(optimiser.step())
        self.assertGreater(len(optimiser.noted), 50)
        looked_at = 0
        for instances, path, found in optimiser.noted[::7]:
            changed = copy.copy(block)
            changed.instances = instances
            export.write_verilog(changed, folder / "routed.v")
            with timer.Timer(script, folder / "log2") as timed:
                whole = optimise.Optimiser(changed, timed, TECHNOLOGY.liberty_name, clocks)
                expected = whole._measure([pin for pin in path if whole._is_there(pin)])
            self.assertAlmostEqual(found.slack, expected.slack, 4)
            self.assertAlmostEqual(found.missing, expected.missing, 4)
            if found.mean:
                looked_at += 1
                self.assertAlmostEqual(found.mean, expected.mean, 3)
        self.assertGreater(looked_at, 0)

    def test_a_timer_knows_no_other_names(self):
        block = blocks.from_netlist(self.netlist, TECHNOLOGY.lef)
        folder = self.folder / "names"
        folder.mkdir()
        export.write_verilog(block, folder / "routed.v")
        script = signoff.script(block, TECHNOLOGY, folder, None)
        for command, message in (("fast::load nowhere 0.1", "net nowhere not found"),
                                 ("fast::connect nowhere c0 A", "instance c0 not found")):
            with self.subTest(command), timer.Timer(script, folder / "log") as timed, self.assertRaisesRegex(FlowError, message):
                timed.ask(command)

    def test_a_saved_layout_comes_back(self):
        lay_out.save(self.done, self.folder / "layout.json")
        saved = lay_out.restore(self.folder / "layout.json", TECHNOLOGY)
        self.assertEqual(saved.block.instances, self.done.block.instances)
        self.assertEqual((saved.block.ports, saved.block.die, saved.path), (self.done.block.ports, self.done.block.die,
                                                                            self.done.path))

    def measured(self, lines: list[str]) -> dict:
        """The energy over a recording."""
        lay_out.save(self.done, self.folder / "layout.json")
        recording = self.folder / "run_1.ports"
        recording.write_text("\n".join(lines))
        folder = self.folder / "energy"
        folder.mkdir(exist_ok=True)
        return energy.of_block(Configuration("counters"), TECHNOLOGY, self.folder, self.done.timing, recording, folder, 2)

    def test_it_decides_as_recorded_with_its_delays_and_has_an_energy(self):
        found = self.measured(recorded(200))
        self.assertEqual((found["cycles"], found["recording"]), (200, "run"))
        for part in energy.PARTS:
            self.assertGreater(found[part], 0, part)
        self.assertTrue(0 < found["glitch_toggles"] < 0.5)
        with mock.patch.object(delays, "simulate", return_value={}):  # no net toggles more often than it settles
            still = self.measured(recorded(200))
        self.assertEqual((still["glitches"], still["glitch_toggles"]), (0.0, 0.0))
        self.assertEqual([still[part] for part in energy.PARTS[:-1]], [found[part] for part in energy.PARTS[:-1]])

    def test_another_decision_is_named(self):
        lines = recorded(200)
        words = lines[150].split()
        lines[150] = " ".join([*words[:11], str(int(words[11]) ^ 4), *words[12:]])
        with self.assertRaisesRegex(FlowError, "does not decide as recorded: cycle 150"):
            self.measured(lines)

    def test_a_clock_that_is_too_fast_is_noticed(self):
        fast = dataclasses.replace(self.done.timing, period=0.4 * self.done.timing.period)
        folder = self.folder / "fast"
        folder.mkdir()
        export.write_verilog(self.done.block, folder / "routed.v")
        with self.assertRaisesRegex(FlowError, "decides otherwise than recorded in cycle"):
            delays.simulate(self.done.block, self.netlist, TECHNOLOGY, fast, self.folder / "routed.spef", recorded(200), 2,
                            folder)

    def test_a_layout_that_is_gone_is_named(self):
        with self.assertRaisesRegex(FlowError, "gone.json: cannot be read"):
            lay_out.restore(self.folder / "gone.json", TECHNOLOGY)

    def test_a_timer_says_what_failed(self):
        with self.assertRaisesRegex(FlowError, "sta: Error"), timer.Timer("read_verilog /nowhere.v", self.folder / "bad"):
            pass

    def test_glitches_are_counted(self):
        vcd = self.folder / "a.vcd"
        vcd.write_text('$var wire 1 ! n1 $end\n$var wire 1 " n2 $end\n'
                       '#0\nx!\n0"\n#1000\n1!\n#3000\n0!\n1"\n#3100\n0"\n#3200\n1!\n')
        self.assertEqual(delays.count_changes(vcd, 2.0), {"n1": 2, "n2": 2})


if __name__ == "__main__":
    unittest.main()
