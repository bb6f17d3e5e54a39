# SPDX-License-Identifier: MIT
"""How many runs a speed gets, and the interval that is made of them."""

import math
import os
import random
import unittest
from unittest import mock

from report import page, repeats, sets, verdict
from lib.estimate import combined, ratio
from report.paws import paper, pilot, plan
from report.paws.data import Results
from report.paws.figures import claims


class Rule(unittest.TestCase):
    def test_the_number_of_runs_by_hand(self):
        # Logarithms -d, 0, d and two more zeros: standard deviation d / sqrt(2); t(4) = 2.776.
        for deviation in (0.01, 0.02):
            pilot_runs = [math.exp(step * deviation) for step in (-1, 0, 1, 0, 0)]
            self.assertEqual(repeats.wanted(pilot_runs),
                             math.ceil((2.776 * deviation / math.sqrt(2) / math.log(1.005)) ** 2))
        self.assertEqual(repeats.wanted([1.0, 1.0001, 1.0, 1.0, 1.0]), repeats.LEAST)

    def test_the_widest_ratio_counts_up_to_a_limit(self):
        quiet, loud, wild = ([math.exp(step * deviation) for step in (-1, 0, 1, 0, 0)] for deviation in (1e-5, 0.01, 0.2))
        self.assertEqual(repeats.number([quiet, loud]), repeats.wanted(loud))
        self.assertGreater(repeats.wanted(wild), repeats.MOST)
        self.assertEqual(repeats.number([quiet, wild]), repeats.MOST)
        self.assertEqual(repeats.number([]), repeats.LEAST)


class Combined(unittest.TestCase):
    def test_of_one_group_it_is_the_interval_of_a_mean_of_ratios(self):
        mine, its = [90.0, 104.0, 99.0, 101.0, 97.0, 110.0], [100.0, 102.0, 95.0, 99.0, 104.0, 98.0]

        def mean(values, draw):
            left_out = draw.left_out("group", len(values))
            logs = [math.log(value) for number, value in enumerate(values) if number != left_out]
            return math.exp(sum(logs) / len(logs))
        found = combined(lambda draw: mean(its, draw) / mean(mine, draw))
        known = ratio([one / other for one, other in zip(its, mine)])
        for name in ("mean", "low", "high"):
            self.assertAlmostEqual(getattr(found, name), getattr(known, name))

    def test_one_sample_has_no_interval_and_equal_ones_a_narrow_one(self):
        def same(size):
            def value(draw):
                draw.left_out("group", size)
                return 2.0
            return value
        self.assertIsNone(combined(same(1)).low)
        self.assertAlmostEqual(combined(same(3)).low, 2)
        self.assertAlmostEqual(combined(same(3)).high, 2)

    def test_it_covers_the_mean_of_groups_of_several_sizes(self):
        """And so it does if the sizes come from pilots that the measurement leaves out. PAWS_TEST_SEED sets the seed."""
        seed = int(os.environ.get("PAWS_TEST_SEED", "1"))
        draw_number = random.Random(seed)
        deviations, covered, trials = (0.001, 0.004, 0.012), 0, 400
        for _ in range(trials):
            groups = []
            for deviation in deviations:
                size = repeats.number([[math.exp(draw_number.gauss(0, deviation)) for _ in range(repeats.LEAST)]])
                groups.append([draw_number.gauss(0, deviation) for _ in range(min(size, 30))])

            def value(draw, groups=groups):
                means = []
                for number, group in enumerate(groups):
                    left_out = draw.left_out(number, len(group))
                    kept = len(group) - (left_out is not None)
                    means.append((sum(group) - (group[left_out] if left_out is not None else 0)) / kept)
                return math.exp(sum(means) / len(means))
            found = combined(value)
            covered += found.low < 1 < found.high
        # 95 % of 400 are 380, with a standard deviation of 4.4.
        self.assertGreaterEqual(covered, 362, f"seed {seed}")
        self.assertLessEqual(covered, 396, f"seed {seed}")


class Plan(unittest.TestCase):
    def test_the_pilot_is_not_in_the_measurement_and_measurements_share_no_perturbation(self):
        first = {}
        for setup in plan.setups():
            seeds = plan.repeat_seeds(setup)
            self.assertGreater(seeds[0], plan.SEEDS)
            self.assertLess(seeds[-1], 65536)  # noise.seed
            place = setup.kernel, setup.level
            for seed in seeds:
                self.assertEqual(first.setdefault(seed, place), place)

    def test_the_report_of_default_size_has_them_and_no_other(self):
        names = {run.name for run in plan.repeated()}
        self.assertLessEqual(names, {run.name for run in sets.SETS["report"]()})
        for other in ("trial", "quick", "full", "time"):
            self.assertFalse(names & {run.name for run in sets.SETS[other]()}, other)
        self.assertLessEqual(names, {run.name for run in plan.claims_runs("default", plan.SEEDS)})

    def test_the_number_follows_from_the_pilot(self):
        setup = pilot.Setup("km", "two-level")
        self.assertEqual(pilot.number(setup), repeats.number(pilot.ratios(setup).values()))
        self.assertEqual(set(map(len, pilot.ratios(setup).values())), {5})
        self.assertEqual({setup.kernel for setup in plan.setups()}, set(paper.KERNELS))


class Repeated(unittest.TestCase):
    """Rows made up: GTO is a tenth slower in every run; PAWS swings about RR."""

    def setUp(self):
        self.asked = []

        def rows(name):
            self.asked.append(name)
            seed = int(name.rpartition("-")[2])
            rr = 1000 + 37 * (seed % 7)
            counts = {"rr": rr, "gto": 1.1 * rr, "paws": rr * (1.02 if seed % 2 else 1 / 1.02)}
            return {f"{level}:{policy}": {"cycles": count, "idle_fraction": count / 10000}
                    for level in plan.LEVELS for policy, count in counts.items()}
        self.results = Results("default", repeated=True)
        self.enterContext(mock.patch.object(self.results, "_rows", rows))

    def test_a_speed_is_made_of_all_runs_of_its_measurement(self):
        setup = pilot.Setup("km", "two-level")
        value = self.results.speed("km", "two-level:rr", "gto")
        self.assertAlmostEqual(value.low, 1.1)
        self.assertAlmostEqual(value.high, 1.1)
        self.assertEqual(set(self.asked), {plan.repeat_name(setup, seed) for seed in plan.repeat_seeds(setup)})
        self.assertEqual(self.results.speed("km", "two-level:paws", "rr").side(), 0)

    def test_means_of_kernels_with_other_numbers_of_runs(self):
        value = self.results.mean_speed(["km", "dwt"], "single:gto", "rr")
        self.assertAlmostEqual(value.mean, 1 / 1.1)
        self.assertAlmostEqual(value.high, 1 / 1.1)
        self.assertEqual(self.results.mean_speed(["km", "dwt"], "single:paws", "rr").side(), 0)

    def test_controls_have_the_runs_of_the_pilot(self):
        self.results.mean_speed(["km"], "single:paws", "paws", keys="random")
        self.assertEqual({int(name.rpartition("-")[2]) for name in self.asked}, set(plan.measured(plan.SEEDS)))

    def test_claims_are_judged_by_all_runs(self):
        claim = {"text": "V", "level": "single", "kernels": ["dwt", "srad"], "over": "rr"}
        with mock.patch.object(pilot, "number", lambda setup: 6 if setup.kernel == "dwt" else 9):
            idle = claims.read(self.results, claim | {"kernels": "B", "policy": "gto", "measure": "idle"})
            both = claims.read(self.results, claim | {"policy": "gto"})
            less = claims.read(self.results, claim | {"kernels": "A", "level": "both", "policy": "rr", "over": "gto",
                                                      "is": "less at two levels"})
        self.assertEqual((idle.verdict, idle.ours), (verdict.HOLDS, "+10.0 % \u00b10.0"))
        self.assertEqual((both.verdict, both.ours), (verdict.REVERSE, "0 of 2; not: DWT, SRAD"))
        self.assertEqual(less.verdict, verdict.UNKNOWN)
        self.assertEqual({int(name.rpartition("-")[2]) % 1000 for name in self.asked if "/dwt/" in name}, set(range(6)))

    def test_the_page_says_how_many(self):
        self.assertIn(f"of 5 to {self.results.most} runs", page.noise(5, self.results.most))
        self.assertNotIn(" to ", page.noise(3, 3))
        self.assertEqual(self.results.most, repeats.MOST)


if __name__ == "__main__":
    unittest.main()
