# SPDX-License-Identifier: MIT
"""scripts/study choice by hand: builds of a made-up table, ratios, the front, what is verified, and what README
says of the study."""
import csv
import math
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

from written import ROOT, study

sys.path.insert(0, str(ROOT / "scripts"))

from lib.kernel_study import KERNELS  # noqa: E402
from lib.places import GENERATED  # noqa: E402
from report.parts import designs, synthesis_rows, verified  # noqa: E402
from report.parts.synthesis_rows import Layout  # noqa: E402

choice = study("choice")
Findings, Machine = choice.Findings, choice.Machine

CSV = """set,top,PICKER,POLICIES,seed,routed_ns,slow_ns,wireless_ns,core_um2,cells_um2,wire_um,gates_pj,wires_pj
layout,x_single,3,2,1,5,8,4,9000,4500,20000,10,5
layout,x_single,3,2,2,4,8,4,9000,4500,30000,12,5
layout,x_single,1,2,1,2.5,4,2,8000,4000,20000,15,5
layout,x_ordered,,,1,2,4,2,14000,7000,50000,20,10
layout,x_ordered,,,2,2,4,2,14000,7000,50000,20,10
"""
A, B = designs.BASE, designs.DESIGNS[0]


class Builds(unittest.TestCase):
    def setUp(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "x_layouts.csv").write_text(CSV)
        self.enterContext(mock.patch.object(synthesis_rows, "RESULTS", folder))

    def find(self, top, **parameters):
        return synthesis_rows.layouts("x", "layout", top, parameters)

    def test_a_figure_for_each_seed(self):
        self.assertEqual(self.find("x_single", POLICIES=2, PICKER=3),
                         Layout(250, (200, 250), (125, 125), (9000, 9000), (0.5, 0.5), (20, 30), (15, 17)))
        self.assertEqual(self.find("x_single", POLICIES=2, PICKER=1).mhz, (400,))
        self.assertEqual(self.find("x_ordered").cycle_pj, (30, 30))

    def test_a_build_is_there_once(self):
        with self.assertRaisesRegex(ValueError, "several builds of x_single"):
            self.find("x_single", POLICIES=2)
        with self.assertRaisesRegex(ValueError, "no build of x_ordered"):
            self.find("x_ordered", PICKER=7)

    def test_the_committed_table_has_every_design(self):
        with mock.patch.object(synthesis_rows, "RESULTS", ROOT / "synth" / "results"):
            for design in designs.DESIGNS:
                with self.subTest(design=design.name):
                    self.assertEqual(len(synthesis_rows.layouts(designs.LIBRARY, designs.SET, design.top,
                                                                dict(design.built)).cycle_pj), 3)


def layouts(mhz, area, cycle_pj, spread=0.0):
    """Two layouts whose clocks are so far from their mean."""
    return Layout(mhz, (mhz - spread, mhz + spread), (mhz, mhz), (area, area), (0.75, 0.75), (1, 1), (cycle_pj, cycle_pj))


def builds(design):
    """The base has 200 MHz and 100,000 um2, the first design half of both; the others are larger and slower."""
    return {A: layouts(200, 1e5, 10), B: layouts(100, 5e4, 5)}.get(design, layouts(50, 2e5, 50))


def machine(name, nominal, own):
    """Cycles of design B: `nominal` at the nominal clock, `own` at its own; 1000 for the others."""
    return Machine(name, 32, {design.name: 10 * builds(design).mhz[0] for design in designs.DESIGNS},
                   {(design.name, kernel, seed): (nominal, own) if design is B else (1000, 1000)
                    for design in designs.DESIGNS for kernel in ("a", "b") for seed in (1, 2)}, (1, 2))


class Choice(unittest.TestCase):
    def setUp(self):
        for module in (choice, designs):
            self.enterContext(mock.patch.object(module, "build", builds))
        self.findings = Findings([machine("one", 900, 800), machine("two", 900, 200)], ("a", "b"))

    def test_ratios(self):
        first = self.findings.machines[:1]
        self.assertAlmostEqual(self.findings.against(Machine.cycles, B).mean, 0.9)
        # 800 cycles at half the clock; on the other machine 200.
        self.assertAlmostEqual(self.findings.against(Machine.time, B, first).mean, 1.6)
        self.assertAlmostEqual(self.findings.time(B).mean, 0.8)
        # Half of the energy in a cycle.
        self.assertAlmostEqual(self.findings.against(Machine.energy, B, first).mean, 0.4)
        self.assertAlmostEqual(first[0].energy(A, "a", 1), 1000 * 10e-6 * 32)

    def test_the_clock_is_nominal_for_the_base(self):
        self.assertEqual([designs.core_clock(design, 1300) for design in (A, B)], [1300, 650])

    def test_the_front(self):
        slow = Findings([machine("one", 900, 800)], ("a", "b"))
        self.assertEqual(slow.front(), [B, A])
        self.assertEqual(self.findings.front(), [B])  # faster and smaller than all

    def test_a_clock_within_the_spread_of_layouts_is_no_faster(self):
        spread = {A: layouts(200, 1e5, 10, spread=100)}
        with mock.patch.multiple(designs, build=lambda design: spread.get(design, builds(design))), \
                mock.patch.object(choice, "build", designs.build):
            slow = Findings([machine("one", 900, 800)], ("a", "b"))
            self.assertEqual(slow.front(), [B])
            # Half of the clock takes B 16/9 of the time, and a quarter takes the other designs four times as long.
            others = (len(designs.DESIGNS) - 2) * math.log(4) ** 2
            self.assertAlmostEqual(slow.worth, -(math.log(2) * math.log(16 / 9) + others) / (math.log(2) ** 2 + others))

    def test_tables(self):
        tables = self.findings.tables()
        self.assertIn(f"| **{B.title}** | −10.0 % ±0.0 | 100 ±0 | −20.0 % ±0.0 | 50,000 | 0.20 ±0.00 |", tables["all"])
        self.assertEqual(len(tables["all"].splitlines()), 2 + len(designs.DESIGNS))
        self.assertIn("| −10.0 % ±0.0 | 1000 | +60.0 % ±0.0 | 0.40 | −10.0 % ±0.0 | 1000 | −60.0 % ±0.0 | 0.10 |",
                      tables["machines"])


class Verified(unittest.TestCase):
    def test_of_a_policy(self):
        self.assertEqual((verified.proved_warps("single:gto"), verified.lockstep_warps("single:gto")), (24, 64))
        self.assertEqual(verified.proved_warps("single:rr"), 24)  # question by question
        self.assertEqual(verified.proved_warps("two-level:rr"), 24)  # of the sorter, its promise

    def test_a_module_of_its_own(self):
        self.assertEqual(verified.proved_warps("single:paws-ordered"), 24)
        self.assertLess(24, verified.lockstep_warps("single:paws-ordered"))

    def test_other_builds_count_for_themselves(self):
        order, held = {"PICKER": 1}, {"HELD_LENGTH": 1}
        self.assertEqual(verified.lockstep_warps("single:gto", order), 24)
        self.assertEqual(verified.lockstep_warps("two-level:paws", held), 24)
        self.assertLess(verified.proved_warps("two-level:paws", held), verified.proved_warps("two-level:paws"))


def measured(rows, kernels=KERNELS):
    """The findings of a study's table, whose machines have one scheduler here: ratios do not depend on their number."""
    clocks, runs = {}, {}
    for row in rows:
        machine_name, design, kernel = row["machine"], row["design"], row["kernel"]
        clocks.setdefault(machine_name, {})[design] = float(row["core_clock_mhz"])
        for seed in range(1, (len(row) - 4) // 2 + 1):
            runs.setdefault(machine_name, {})[design, kernel, seed] = (int(row[f"nominal {seed}"]), int(row[f"own {seed}"]))
    return Findings([Machine(name, 1, clocks[name], runs[name], tuple(sorted({seed for *_, seed in runs[name]})))
                     for name in runs], kernels)


class Table(unittest.TestCase):
    def test_it_gives_back_what_was_measured(self):
        machines = [machine("one", 900, 800), machine("two", 900, 200)]
        with mock.patch.object(choice, "KERNELS", ("a", "b")), mock.patch.multiple(designs, build=builds):
            rows = [dict(zip(choice.table_columns((1, 2)), row, strict=True)) for row in choice.table_rows(machines)]
        self.assertEqual(len(rows), 2 * 2 * len(designs.DESIGNS))
        for found, made in zip(measured(rows, ("a", "b")).machines, machines, strict=True):
            self.assertEqual((found.name, found.clocks, found.runs, found.seeds),
                             (made.name, made.clocks, made.runs, made.seeds))


class Readme(unittest.TestCase):
    def test_the_answer_is_that_of_the_study(self):
        with (GENERATED / "choice_study.csv").open(newline="") as table:
            findings = measured(csv.DictReader(table))
        designs_of = {design.name: design for design in designs.DESIGNS}
        rr, gto, paws = (designs_of[name] for name in ("single:rr", "single:gto-order", "single:paws-ordered"))
        self.assertEqual(findings.front(), [rr, gto])

        def time(one, other):
            return 100 * findings.against(Machine.time, one, base=other).mean - 100

        def area(one, other):
            return designs.area(one) / designs.area(other)
        readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
        for words in (f"{-time(gto, A):.0f} % less time than two-level RR, {area(gto, A):.1f} times the area, but "
                      f"{findings.against(Machine.energy, gto).mean:.1f} times the energy",
                      f"{area(rr, gto):.2f} times the area of GTO, but {time(rr, gto):.0f} % more time",
                      f"{time(paws, gto):.0f} % more time than GTO and {area(paws, gto):.1f} times its area"):
            self.assertIn(words, readme)


if __name__ == "__main__":
    unittest.main()
