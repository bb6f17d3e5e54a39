# SPDX-License-Identifier: MIT
"""The readers of settings, Liberty files and timing, and what they refuse."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from flow import cell_library, configurations, figures, fpga, liberty, parts, publish, recordings, tables, targets, timing, yosys
from flow.configurations import Configuration
from flow.errors import FlowError
from flow.netlist import Netlist
from flow.paths import ROOT, RTL, SYNTH
from lib import policies

SMALL = '''library (small) { /* a comment with } */
  note : "a string with { and \\" in it";
  cell ("NAND") { area : 4.5; pin (A) { capacitance : 1; } }
  cell (FLIP) { area : 20; ff (IQ, IQN) { clocked_on : "C"; } }
  cell (HOLD) { area : 9; latch ("IQ", "IQN") { enable : "E"; } }
}
'''


class Liberty(unittest.TestCase):
    def test_cells(self):
        cells = liberty.parse(SMALL, "small.lib").cells
        self.assertEqual({name: (c.area, c.is_flipflop, c.is_latch) for name, c in cells.items()},
                         {"NAND": (4.5, False, False), "FLIP": (20, True, False), "HOLD": (9, False, True)})

    def test_leaving_cells_out(self):
        parsed = liberty.parse(SMALL, "small.lib")
        self.assertEqual(set(liberty.parse(liberty.without(parsed, {"HOLD"}), "less").cells), {"NAND", "FLIP"})

    def test_refusals(self):
        for text in ("", "module x;", SMALL[:150], SMALL.replace("area : 4.5;", ""), "library (l) { }"):
            with self.subTest(text=text), self.assertRaises(FlowError):
                liberty.parse(text, "bad.lib")

    def load(self, text: str, settings: str | None = None):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "small.lib").write_text(text)
            if settings is not None:
                (folder / "own.toml").write_text(settings)
            return cell_library.load(folder / "small.lib", folder / "own.toml" if settings is not None else None)

    def test_unknown_library(self):
        with self.assertRaisesRegex(FlowError, "no settings for library 'small'"):
            self.load(SMALL)

    def test_own_settings(self):
        own = (SYNTH / "libraries" / "osu018.toml").read_text().partition("[clock_gate]")[0]
        own = own.replace("NAND2X1", "NAND").replace("BUFX4", "NAND").replace('"LATCH"', '"HOLD"')
        units = 'time_unit : "1ns"; capacitive_load_unit (1,pf);'
        loaded = self.load(SMALL.replace("note", f"{units} note"), own)
        self.assertEqual((loaded.key, loaded.gate_area, set(loaded.cells)), ("own", 4.5, {"NAND", "FLIP"}))
        for text, settings, message in ((SMALL, own, "time_unit"), (SMALL.replace("note", f"{units} note"),
                                        own.replace("load_ff", "load"), "no load_ff"),
                                        (SMALL.replace("note", f"{units} note"), own.replace('"NAND"', '"NOR"'),
                                         "names? a cell NOR")):
            with self.subTest(message=message), self.assertRaisesRegex(FlowError, message):
                self.load(text, settings)


class Configurations(unittest.TestCase):
    def read(self, text: str):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "sets.toml"
            file.write_text(text)
            return configurations.read_sets(file)

    def test_a_grid_is_every_combination(self):
        members = self.read('[s]\n[[s.grid]]\ntop = "paws_two_level"\nWARPS = [8, 24]\nREADY = [2, 6]\n')["s"].members
        self.assertEqual(len(members), 4)

    def test_a_default_is_the_same_configuration(self):
        self.assertEqual(Configuration.make("two_level", {"WARPS": 24}, ""), Configuration.make("two_level", {}, ""))

    def test_refusals(self):
        for text, message in (
                ('[s]\n', "no configuration"), ('[s]\n[[s.grid]]\nWARPS = 8\n', "no top"),
                ('[s]\n[[s.grid]]\ntop = "paws_two_level"\nWARP = 8\n', "no parameter WARP"),
                ('[s]\n[[s.grid]]\ntop = "paws_two_level"\nWARPS = "8"\n', "whole number"),
                ('[s]\n[[s.grid]]\ntop = "paws_two_level"\nHELD_LENGTH = 2\n', "HELD_LENGTH must be 0 or 1, not 2"),
                ('[s]\n[[s.grid]]\ntop = "nothing"\n', "no module"), ('[s\n', "sets.toml"),
                ('[s]\npart = true\n', "unknown key part"),
                ('[s]\nwithout = ["single:newest"]\n', "set 's': without names 'single:newest'"),
                ('[s]\n[[s.grid]]\ntop = "paws_two_level"\nWARPS = "each"\n', "WARPS must be a whole number")):
            with self.subTest(text=text), self.assertRaisesRegex(FlowError, message):
                self.read(text)

    def test_each_is_every_policy_built_alone(self):
        grid = '[[s.grid]]\ntop = "paws_single_level"\nPOLICIES = ["each", 7]\n'
        alone = [policy.bit for policy in policies.in_rtl("single")]
        for text, masks in ((f"[s]\n{grid}", [*alone, 7]),
                            (f'[s]\nwithout = ["single:gto"]\n{grid}', [*(mask for mask in alone if mask != 2), 7])):
            with self.subTest(text=text):
                self.assertEqual([member.parameters()["POLICIES"] for member in self.read(text)["s"].members], masks)

    def test_a_build_with_all_policies_is_the_default(self):
        for level, top in (("single", "paws_single_level"), ("two-level", "paws_two_level")):
            self.assertEqual(configurations.rtl_defaults(top)["POLICIES"], policies.all_of(level))

    def test_power_is_recorded_with_the_policy_of_the_build(self):
        for policy in policies.in_rtl("single") + policies.in_rtl("two-level"):
            alone = Configuration.make(policy.top, {"POLICIES": policy.bit}, "")
            self.assertEqual(recordings.scheduler(alone), policy.scheduler)
        self.assertEqual(recordings.scheduler(Configuration.make("paws_two_level", {}, "")), "two-level:paws")

    def test_the_committed_sets(self):
        self.assertEqual(len(configurations.read_sets()["default"].members), 2)


class Parts(unittest.TestCase):
    def test_every_module_that_a_scheduler_holds_has_a_part(self):
        for top in ("paws_two_level", "paws_single_level"):
            rules = parts.read(top)
            text = (RTL / f"{top}.sv").read_text()
            source = re.sub(r"`ifdef PAWS_ASSERT.*?`endif", "", text, flags=re.S)  # not synthesized
            for module in {file.stem for file in RTL.glob("paws_*.sv")}:
                if module != top and f" {module} #(" in source:
                    with self.subTest(top=top, module=module):
                        self.assertNotEqual(parts.part_of(module, rules), parts.UNASSIGNED)

    def test_the_cone_stops_at_registers(self):
        cells = {"G": liberty.Cell("G", 1.0, False, False, 0, 0), "F": liberty.Cell("F", 5.0, True, False, 0, 0)}
        gate = {"type": "G", "port_directions": {"A": "input", "Y": "output"}}
        register = {"type": "F", "port_directions": {"D": "input", "Q": "output"}}
        held = Netlist("top", {
            "top": {"cells": {"u": {"type": "$paramod\\\\paws_ready_list\\\\X", "connections": {}}}},
            "$paramod\\\\paws_ready_list\\\\X": {"ports": {"issue_valid_o": {"bits": [5]}}, "cells": {
                "out": gate | {"connections": {"A": [4], "Y": [5]}},
                "state": register | {"connections": {"D": [3], "Q": [4]}},
                "next": gate | {"connections": {"A": [2], "Y": [3]}}}}}, cells)
        rules = {"order": ["selection", "queues", "control"], "queues": ["paws_ready_list"],
                 "cone": {"paws_ready_list": ["issue_valid_o"]}}
        self.assertEqual(parts.split(held, rules)[0], {"selection": 1.0, "queues": 6.0, "control": 0.0})


class Timing(unittest.TestCase):
    def test_the_budget_sets_the_period(self):
        paths = {"reg_reg": timing.Path(5, "a", "b"), "in_reg": timing.Path(4.5, "a", "b"),
                 "reg_out": None, "in_out": timing.Path(1, "a", "b")}
        self.assertEqual(timing.period_ns(paths), (6.0, "in_reg"))

    def test_the_constraints_file_agrees_at_the_period(self):
        """constraints.sdc, read by itself at the period that was worked out, leaves no slack."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            configuration = Configuration.make("paws_single_level", {"WARPS": 4, "POLICIES": 3}, "")
            cells = cell_library.load(cell_library.default_file())
            yosys.elaborate(configuration, folder)
            mapped = yosys.map_cells(configuration, cells, targets.read(cells)[0].script, folder, "map")
            period, _ = timing.period_ns(timing.slowest_paths(cells, mapped, folder, "map"))
            output = timing.execute(f"read_liberty {cells.file}\nread_verilog {folder}/map.v\nlink_design "
                                    f"{mapped.top}\nset PAWS_PERIOD {period}\nsource {SYNTH}/constraints.sdc\n"
                                    "report_worst_slack -digits 4\n", folder, "sdc")
            slack = float(output.split("worst slack")[1].split()[0])
            self.assertAlmostEqual(slack, 0, delta=0.002)

    def test_an_error_of_sta_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(FlowError, "nothing_like_this"):
                timing.execute("read_liberty nothing_like_this.lib\n", pathlib.Path(folder), "bad")

    def test_a_missing_cell_is_noticed(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "map.v").write_text("module m (clk_i, y_o); input clk_i; output y_o;\n"
                                          "MISSING u (.A(clk_i), .Y(y_o)); endmodule\n")
            cells = cell_library.load(cell_library.default_file())
            with self.assertRaisesRegex(FlowError, "MISSING"):
                timing.slowest_paths(cells, Netlist("m", {"m": {"cells": {}, "netnames": {}, "ports": {}}}, cells.cells),
                                     folder, "map")


class Fpga(unittest.TestCase):
    def test_the_harness_connects_every_port(self):
        ports = {"clk_i": {"direction": "input", "bits": [1]}, "a_i": {"direction": "input", "bits": [2, 3]},
                 "b_i": {"direction": "input", "bits": [4]}, "y_o": {"direction": "output", "bits": [5, 6]}}
        text = fpga.harness("scheduler", ports)
        for connection in (".clk_i(clk)", ".a_i(in_q[0 +: 2])", ".b_i(in_q[2 +: 1])", ".y_o(out[0 +: 2])"):
            self.assertIn(connection, text)


class Recordings(unittest.TestCase):
    def settings(self, top: str, **parameters: int) -> dict[str, int | str]:
        return recordings.settings(Configuration.make(top, parameters, ""))

    def test_the_machine_is_that_of_the_scheduler(self):
        self.assertEqual(self.settings("two_level", POLICIES=4, SORTER=0, LENGTH_W=9, HELD_LENGTH=1), {})
        self.assertEqual(self.settings("two_level", READY=3, PHASE_W=6),
                         {"scheduler.ready": 3, "scheduler.phase_bits": 6})
        self.assertEqual(self.settings("two_level", TIE_ARRIVAL=1, WAKE_OLDEST=1),
                         {"scheduler.tie_by_arrival": "true", "scheduler.wake_oldest": "true"})
        self.assertEqual(self.settings("single_level", WARPS=32)["core.warps"], 64)
        self.assertEqual(self.settings("two_level", PHASE_W=3, LENGTH_W=3),
                         {"scheduler.phase_bits": 3, "phases.code": 3})
        self.assertEqual(self.settings("ordered", COMPARES=2), {"scheduler.compares": 2})

    def test_the_scheduler_is_the_policy_that_is_built(self):
        for top, mask, named in (("single_level", {"POLICIES": 2}, "single:gto"), ("two_level", {}, "two-level:paws"),
                                 ("ordered", {}, "single:paws-ordered")):
            self.assertEqual(recordings.scheduler(Configuration.make(top, mask, "")), named)

    def test_every_parameter_is_recorded_or_changes_no_decision(self):
        # The recorded machine has eight block slots, so three bits hold the number of every pair.
        free = {"WARPS", "POLICIES", "SORTER", "PICKER", "LENGTH_W", "HELD_LENGTH", "CLOCK_GATES", "PAIR_W"}
        for chosen in configurations.read_sets().values():
            for member in chosen.members if chosen.power else ():
                for name, value in member.changed:
                    with self.subTest(configuration=member.name, parameter=name):
                        self.assertTrue(name in free or self.settings(member.top, **{name: value}))


class OtherVersions(unittest.TestCase):
    def test_a_folder_brings_its_own_rtl_and_sets(self):
        found = subprocess.run([sys.executable, "-B", "-m", "flow", "--list"], cwd=SYNTH, check=True, text=True,
                               env=os.environ | {"PAWS_RTL": str(SYNTH / "reference"),
                                                 "PYTHONPATH": f"{SYNTH}:{ROOT / 'scripts'}"},
                               stdout=subprocess.PIPE).stdout
        self.assertIn("reference_age_matrix STATE=1", found)
        self.assertNotIn("two-level", found)


class Tables(unittest.TestCase):
    def test_modules_stand_beside_their_sum(self):
        member = Configuration.make("two_level", {"POLICIES": 2}, "")
        split = {"parts_um2": {"selection": 10.0, "queues": 2000.0, "control": 3.0},
                 "modules_um2": {"paws_ages": 2010.0, "paws_quantize": 0.0}}
        header, rows = tables.modules_table((member,), figures.Results(None, {}, {member: split}, {}, {}))
        self.assertEqual(header[1:], ["policies", "ages", "control", "sum"])
        self.assertEqual(rows, [["two-level POLICIES=2", "GTO", "2,010", "3", "2,013"]])


class Committed(unittest.TestCase):
    """A file of synth/results, of which a run writes one set."""

    OLD = "set,top,WARPS,area_um2,um2_old\nb,x,8,10,\nb,x,16,20,\nc,y,8,30,5\n"

    def test_a_set_replaces_its_own_rows_alone(self):
        self.assertEqual(publish.with_rows(self.OLD, "b", "top,WARPS,area_um2\nx,8,11\n"),
                         "set,top,WARPS,area_um2,um2_old\nb,x,8,11,\nc,y,8,30,5\n")
        self.assertEqual(publish.with_rows(self.OLD, "b", "top,WARPS,area_um2\nx,8,10\nx,16,20\n"), self.OLD)

    def test_columns_stand_behind_those_before_them(self):
        self.assertEqual(publish.with_rows(self.OLD, "a", "top,PICKER,area_um2\nz,3,7\n").splitlines()[:2],
                         ["set,top,PICKER,WARPS,area_um2,um2_old", "a,z,3,,7,"])
        self.assertEqual(publish.with_rows(self.OLD, "c", "top,area_um2\nz,7\n").splitlines()[0], "set,top,WARPS,area_um2")
        self.assertEqual(publish.with_rows("", "a", "top,x\nz,7\n"), "set,top,x\na,z,7\n")

    def test_sections_stand_in_order_of_their_names(self):
        page = publish.with_section("", "# L\n\nText.\n", "b", "Of b.\n\n| x |\n| --- |\n| 1 |\n")
        both = publish.with_section(page, "# L\n\nText.\n", "a", "Of a.\n")
        self.assertEqual(both, "# L\n\nText.\n\n## a\n\nOf a.\n\n## b\n\nOf b.\n\n| x |\n| --- |\n| 1 |\n")
        self.assertEqual(publish.with_section(both, "# L\n\nText.\n", "a", "Of a.\n"), both)
        self.assertIn("## b\n\nNew.\n", publish.with_section(both, "# L\n", "b", "New.\n"))

    def test_the_committed_files_are_in_this_form(self):
        for table in (SYNTH / "results").glob("*.csv"):
            with self.subTest(file=table.name):
                text = table.read_text()
                name, _, rows = text.partition("\n")[2].partition(",")
                own = [line.split(",", 1)[1] for line in text.splitlines() if line.startswith(name + ",")]
                self.assertTrue(rows)
                self.assertEqual(publish.with_rows(text, name, "\n".join([text.split("\n", 1)[0].split(",", 1)[1], *own])), text)


if __name__ == "__main__":
    unittest.main()
