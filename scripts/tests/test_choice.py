# SPDX-License-Identifier: MIT
"""scripts/study choice by hand: builds of a made-up table, ratios, the front, what is verified, and what README
says of the study."""
import csv
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
from report.parts.synthesis_rows import Build  # noqa: E402

choice = study("choice")
Findings, Machine = choice.Findings, choice.Machine

CSV = """library,top,PICKER,POLICIES,fmax_mhz,area_um2,one_clock_mhz,one_clock_um2
x,paws_single_level,3,2,200.0,9000,75.0,6000
x,paws_single_level,1,2,400.0,8000,75.0,
x,paws_ordered,,,430.0,14000,200.0,10000
"""
MD = """Text.

| configuration | Fmax MHz |
| --- | --- |
| single-level POLICIES=2 | 200 |

| configuration | policies | dynamic mW at 100 MHz |
| --- | --- | --- |
| single-level POLICIES=2 | GTO | 1.50 |
| single-level PICKER=1 POLICIES=2 | GTO | 2.00 |
| ordered |  | 3.00 |
"""
A, B = designs.BASE, designs.DESIGNS[0]


class Builds(unittest.TestCase):
    def setUp(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for suffix, text in ((".csv", CSV), (".md", MD)):
            (folder / "x_choice").with_suffix(suffix).write_text(text)
        self.enterContext(mock.patch.object(synthesis_rows, "RESULTS", folder))

    def find(self, top, **parameters):
        return synthesis_rows.find("x", "choice", top, parameters)

    def test_power_is_that_of_the_build(self):
        # 1.5 mW at 100 MHz are 15 pJ in a cycle.
        self.assertEqual(self.find("paws_single_level", POLICIES=2, PICKER=3), Build(200, 9000, 75, 6000, 15))
        self.assertEqual(self.find("paws_single_level", POLICIES=2, PICKER=1), Build(400, 8000, 75, None, 20))
        self.assertEqual(self.find("paws_ordered").cycle_pj, 30)

    def test_a_build_is_there_once(self):
        with self.assertRaisesRegex(ValueError, "2 builds of paws_single_level"):
            self.find("paws_single_level", POLICIES=2)
        with self.assertRaisesRegex(ValueError, "0 builds of paws_ordered"):
            self.find("paws_ordered", PICKER=7)

    def test_the_committed_table_has_every_design(self):
        with mock.patch.object(synthesis_rows, "RESULTS", ROOT / "synth" / "results"):
            for design in designs.DESIGNS:
                with self.subTest(design=design.name):
                    self.assertGreater(synthesis_rows.find(designs.LIBRARY, designs.SET, design.top,
                                                           dict(design.built)).cycle_pj, 0)


def builds(design):
    """The base has 200 MHz and 100,000 um2, the first design half of both; the others are larger and slower."""
    return {A: Build(200, 1e5, 200, 9e4, 10), B: Build(100, 5e4, 200, 4e4, 5)}.get(design, Build(50, 2e5, 75, None, 50))


def machine(name, nominal, own):
    """Cycles of design B: `nominal` at the nominal clock, `own` at its own; 1000 for the others."""
    return Machine(name, 32, {design.name: 10 * builds(design).ports_mhz for design in designs.DESIGNS},
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

    def test_tables(self):
        tables = self.findings.tables()
        self.assertIn(f"| **{B.title}** | −10.0 % ±0.0 | 100 | −20.0 % ±0.0 | 50,000 | 0.20 |", tables["all"])
        self.assertEqual(len(tables["all"].splitlines()), 2 + len(designs.DESIGNS))
        self.assertIn("| −10.0 % ±0.0 | 1000 | +60.0 % ±0.0 | 0.40 | −10.0 % ±0.0 | 1000 | −60.0 % ±0.0 | 0.10 |",
                      tables["machines"])


class Verified(unittest.TestCase):
    def test_of_a_policy(self):
        self.assertEqual((verified.proved_warps("single:gto"), verified.lockstep_warps("single:gto")), (24, 64))
        self.assertEqual(verified.proved_warps("two-level:rr"), 8)

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
        rr, gto, paws = (designs_of[name] for name in ("single:rr", "single:gto-order", "single:paws-ordered-codes"))
        self.assertEqual(findings.front(), [rr, gto, paws])

        def time(one, other):
            return 100 * findings.against(Machine.time, one, base=other).mean - 100

        def area(one, other):
            return designs.build(one).area_um2 / designs.build(other).area_um2
        readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
        for words in (f"{-time(gto, A):.0f} % less time than two-level RR, {area(gto, A):.1f} times the area, but "
                      f"{findings.against(Machine.energy, gto).mean:.1f} times the energy",
                      f"{-time(paws, gto):.0f} % less time than GTO, which is within the noise of synthesis, but "
                      f"{area(paws, gto):.1f} times its area",
                      f"{area(rr, gto):.2f} times the area of GTO, but {time(rr, gto):.0f} % more time"):
            self.assertIn(words, readme)


if __name__ == "__main__":
    unittest.main()
