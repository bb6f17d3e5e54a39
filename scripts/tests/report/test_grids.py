# SPDX-License-Identifier: MIT
"""The study of grids: which are run, what the parts of a gain are, and what is said of them."""

import pathlib
import unittest
from unittest import mock

from report import store
from report.paws import grids, paper, plan
from report.paws.data import Results
from report.paws.figures import grids as figures
from tests.report import made_up


def row(cycles: int, startup: tuple, first_round: tuple, steady: tuple, tail: tuple, cores: int = 2) -> dict:
    """Each part: core cycles and warp instructions."""
    found = {"cycles": cycles, "core_cycles": cores * cycles}
    for name, part in (("startup", startup), ("first_round", first_round), ("steady", steady), ("tail", tail)):
        found |= {f"{name}_core_cycles": part[0], f"{name}_warp_insn": part[1]}
    return found


class Grids(unittest.TestCase):
    def test_rounds_double_and_end_with_the_papers_grid(self):
        for kernel in plan.KERNELS:
            with self.subTest(kernel):
                every = grids.grids(kernel)
                self.assertEqual(every[-1].definitions, ())
                self.assertEqual(every[-1].blocks, paper.KERNELS[kernel]["blocks"])
                for grid, larger in zip(every, every[1:]):
                    self.assertGreater(larger.rounds, 1.2 * grid.rounds)
                    self.assertTrue(grid.definitions)
                    self.assertAlmostEqual(grid.rounds, grid.blocks / grids.round_of(kernel))
        self.assertEqual([grid.rounds for grid in grids.grids("bp_k2")][:-1], [1, 2, 4, 8, 16, 32, 64])
        self.assertEqual([grid.words for grid in grids.grids("hist256")], ["1", "2", "2.7"])
        self.assertEqual(len(grids.grids("heartwall")), 1)

    def test_definitions_give_the_blocks(self):
        for blocks in (48, 96, 192, 384, 768):
            sides = grids._box(blocks)
            self.assertEqual(sides["width"] * sides["depth"] * sides["height"], 32 * blocks)
        for grid in grids.grids("srad")[:-1]:
            sides = dict(definition.split("=") for definition in grid.definitions)
            self.assertEqual(int(sides["width"]) * int(sides["height"]), 256 * grid.blocks)
            self.assertEqual([int(side) % 16 for side in sides.values()], [0, 0])
        self.assertEqual(grids.grids("dwt")[1].definitions, ("blocks=96",))
        self.assertEqual(grids.grids("km")[0].definitions, ("side=10", "points=25600"))
        self.assertEqual(grids.grids("km")[0].words, "1")

    def test_the_papers_grid_is_run_once_for_the_claims_and_the_study(self):
        claims = set(plan.claims_runs("full", plan.FULL_SEEDS))
        for kernel in plan.KERNELS:
            self.assertIn(plan.grid_run(kernel, grids.grids(kernel)[-1], 1), claims)
        runs = plan.full_runs()
        self.assertEqual(len(runs), len(set(runs)))

    def test_a_grid_is_defined_on_the_command_line(self):
        run = plan.grid_run("km", grids.grids("km")[0], 2)
        words = " ".join(store.arguments(run, "full"))
        self.assertIn("--define side=10 --define points=25600", words)
        self.assertIn("--size full", words)
        self.assertLess(run.share, 0.2)


class Cost(unittest.TestCase):
    def test_parts_sum_to_the_cycles(self):
        # After the first round two cycles an instruction: 1000 instructions take 1000 cycles on two cores.
        found = grids.cost(row(1200, (10, 0), (590, 200), (1790, 800), (600, 200)))
        self.assertEqual((found.steady, found.start, found.tail), (1000, 100, 100))

    def test_few_instructions_after_the_first_round_give_no_rate(self):
        found = grids.cost(row(1000, (0, 0), (1200, 600), (1600, 800), (400, 200)))
        self.assertEqual((found.steady, found.start, found.tail), (1000, 0, 0))
        self.assertIsNone(grids.cost(row(1000, (4, 0), (0, 0), (0, 0), (1996, 1000))))

    def test_from_where_on_the_speeds_are_alike(self):
        one, two, four, eight = (grids.Grid(rounds, rounds) for rounds in (1, 2, 4, 8))
        speeds = {one: [1.0, 1.0], two: [1.2, 1.0], four: [1.205, 1.0], eight: [1.21, 0.995]}
        self.assertEqual(figures.alike_from(speeds), two)
        self.assertEqual(figures.alike_from(speeds | {eight: [1.21, 0.95]}), eight)


class Pages(unittest.TestCase):
    def section(self, exists: bool):
        with made_up.results(), mock.patch.object(store, "path", lambda run, size: pathlib.Path("/" if exists else "/?")):
            return figures.section(Results("default", 2))

    def test_every_kernel_with_several_grids_has_its_figure(self):
        section = self.section(True)
        drawn = made_up.figures([section])
        self.assertEqual(set(drawn), {f"grids-{kernel}" for kernel in plan.KERNELS if len(grids.grids(kernel)) > 1})
        table = section.parts[0]
        self.assertEqual(len(table.rows), len(plan.KERNELS))
        for line in table.rows:
            self.assertEqual(len(line), len(table.head))
            self.assertNotIn("nan", " ".join(line))
        heart, = (line for line in table.rows if line[0] == paper.label("heartwall"))
        self.assertEqual(heart[2], "–", "it has no smaller grid")

    def test_a_gain_is_the_sum_of_its_parts(self):
        with made_up.results():
            found = figures.gain(Results("full", 3), "srad", grids.grids("srad")[1], "single", "gto")
        whole = 100 * (found.speed.mean - 1)
        self.assertAlmostEqual(sum(part.mean for part in found.parts.values()), whole, delta=0.1)

    def test_without_results_it_says_how_to_get_them(self):
        section = self.section(False)
        self.assertEqual(section.parts, [])
        self.assertIn("./scripts/reproduce --size full", " ".join(section.text))


if __name__ == "__main__":
    unittest.main()
