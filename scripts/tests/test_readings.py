# SPDX-License-Identifier: MIT
"""The readings and distances of scripts/study readings, from runs that are made up."""
import sys
import unittest

from written import ROOT, study

sys.path.insert(0, str(ROOT / "scripts"))

from lib.kernel_study import KERNELS  # noqa: E402

readings = study("readings")
Findings, POLICIES, READINGS, Reading, group = (readings.Findings, readings.POLICIES, readings.READINGS, readings.Reading,
                                                readings.group)
SEEDS = range(1, 4)


def cycles(scheduler, kernel):
    """GTO and PAWS have the paper's mean speeds on every kernel of a type."""
    level, _, policy = scheduler.partition(":")
    if policy not in POLICIES:
        return 1000
    kind = "A" if kernel in group(level, "A") else "B"
    return 1000 / (1 + readings.paper_speeds(level)[kind, policy] / 100)


class Readings(unittest.TestCase):
    def setUp(self):
        self.findings = Findings({
            (*readings.point(reading, policy, seed), kernel): {
                "cycles": cycles(reading.scheduler(policy), kernel) * seed, "idle_fraction": 0.5}
            for reading in READINGS for policy in ("rr", *POLICIES) for seed in SEEDS for kernel in KERNELS}, SEEDS)

    def test_each_reading_is_there_once(self):
        self.assertEqual(len(set(READINGS)), 4 + 16)
        self.assertEqual(len({reading.words() for reading in READINGS}), 4 + 16)

    def test_a_policy_runs_once_for_readings_that_it_cannot_tell_apart(self):
        def points(policy):
            return {readings.point(reading, policy, 1) for reading in READINGS if reading.level == "two-level"}
        self.assertEqual((len(points("rr")), len(points("gto")), len(points("paws"))), (4, 4, 16))
        self.assertEqual({readings.point(reading, "gto", 1)[-1] for reading in READINGS if reading.level == "single"},
                         {"single:gto", "single:oldest"})

    def test_the_papers_own_speeds_are_off_by_nothing(self):
        speed, idle = self.findings.distance(Reading("two-level"))
        self.assertAlmostEqual(speed.mean, 0)
        self.assertAlmostEqual(idle.mean, (0 + 0 + 8.73 + 3.9) / 4)
        self.assertAlmostEqual(self.findings.speed(Reading("single"), "gto", group("single", "A")).mean, 1.1)

    def test_tables_have_a_row_for_the_paper_and_each_reading(self):
        for level, count in (("single", 4), ("two-level", 16)):
            lines = readings.table(self.findings, level).splitlines()
            self.assertEqual(len(lines), 2 + 1 + count)
            self.assertEqual(len({line.count("|") for line in lines}), 1)

    def test_the_papers_grids_have_the_readings_that_default_sizes_tell_apart(self):
        self.assertEqual(readings.readings_of("default"), READINGS)
        full = readings.readings_of("full")
        self.assertEqual([reading.words() for reading in full if reading.level == "single"],
                         ["program order, greedy, then oldest"])
        self.assertEqual([(reading.ready, reading.branches) for reading in full if reading.level == "two-level"],
                         [(6, False), (6, True), (3, False), (3, True)])
        page = readings.PAGE.read_text()
        for part in ("single, full", "two-level, full", "full"):
            self.assertIn(f"<!-- {readings.COMMAND}: {part} writes from here -->", page)


if __name__ == "__main__":
    unittest.main()
