# SPDX-License-Identifier: MIT
"""The figures of scripts/study affinity, from runs that are made up."""
import sys
import unittest

from written import ROOT, study

sys.path.insert(0, str(ROOT / "scripts"))

from lib.kernel_study import KERNELS  # noqa: E402

affinity = study("affinity")
RULES, Runs, points = affinity.RULES, affinity.Runs, affinity.points

SEEDS = range(1, 3)


def made_up_rows():
    """Of one machine: `finish` is 25 % faster than PAWS alone on lud, everything else is equal. Only lud and km have
    replaced blocks."""
    rows = {}
    for ready, rule, seed, scheduler in points(SEEDS, [3, 6], list(RULES)):
        for kernel in KERNELS:
            faster = (rule, scheduler, kernel) == ("finish", "two-level:paws", "lud")
            waits = kernel in ("lud", "km")
            rows["m2090", ready, rule, seed, scheduler, kernel] = {
                "cycles": 800 * seed if faster else 1000 * seed,
                "replaced_blocks": 2 * seed if waits else 0,
                "block_tail_cycles": (40 if kernel == "km" else 20) * seed if waits else 0,
                "lost_warp_cycles": 30 * seed if waits else 0,
                "block_warp_cycles": 300 * seed if waits else 0}
    return rows


class Affinity(unittest.TestCase):
    def setUp(self):
        self.runs = Runs(made_up_rows(), SEEDS)

    def test_every_policy_has_a_run_without_affinity_and_one_with_each_rule(self):
        found = points(SEEDS, [3], list(RULES))
        for policy, rules in RULES.items():
            for seed in SEEDS:
                self.assertEqual(found[3, "none", seed, f"two-level:{policy}"],
                                 {"scheduler.ready": 3, "noise.seed": seed})
                for rule in rules:
                    self.assertEqual(found[3, rule, seed, f"two-level:{policy}"]["scheduler.affinity"], rule)

    def test_speed_is_against_the_same_policy_and_perturbation(self):
        speed = self.runs.speed("m2090", 6, "paws", "finish", "lud")
        self.assertAlmostEqual(speed.mean, 1.25)
        self.assertTrue(speed.above(1))
        self.assertEqual(self.runs.speed("m2090", 6, "rr", "finish", "lud").side(), 0)
        self.assertAlmostEqual(self.runs.mean_speed("m2090", 3, "paws", "finish").mean, 1.25 ** (1 / len(KERNELS)))

    def test_tails_are_of_the_kernels_whose_blocks_are_replaced(self):
        place = "m2090", 6, "gto", "group"
        self.assertEqual(self.runs.tail(*place, "km"), 20)
        self.assertAlmostEqual(self.runs.lost(*place, "km"), 0.1)
        self.assertFalse(self.runs.replaced(*place, "cfd"))
        self.assertEqual(self.runs.mean_tail(*place), 15)
        self.assertAlmostEqual(self.runs.mean_lost(*place), 0.1)

    def test_one_run_of_each_point_has_no_interval(self):
        rows = {point: row for point, row in made_up_rows().items() if point[3] == 1}
        runs = Runs(rows, range(1, 2))
        self.assertIsNone(runs.mean_speed("m2090", 3, "paws", "finish").low)

    def test_the_table_has_a_row_for_every_rule_with_and_without_intervals(self):
        one = {point: row for point, row in made_up_rows().items() if point[3] == 1}
        for runs, speed, counts in ((self.runs, "**+1.61 % ±0.00**", ("1", "0")), (Runs(one, range(1, 2)), "+1.61 %", ("", ""))):
            lines = affinity.means(runs, ["m2090"]).splitlines()[2:]
            rows = [tuple(cell.strip() for cell in line.split("|")[1:-1]) for line in lines]
            self.assertEqual([row[:4] for row in rows], [("m2090", ready, policy, rule) for ready in ("3", "6")
                                                         for policy, rules in RULES.items() for rule in ("none", *rules)])
            found = {row[2:4]: (row[4], row[7:]) for row in rows}
            self.assertEqual({found[policy, "none"] for policy in RULES}, {("1", ("", ""))})
            self.assertEqual(found["paws", "finish"], (speed, counts))


if __name__ == "__main__":
    unittest.main()
