"""Intervals and rankings by hand."""

import math
import unittest
from unittest import mock

from report import plan
from report.data import Estimate, Machine, Results, estimate, ratio
from report.figures import claims, phase_graph, sensitivity, tail


class Estimates(unittest.TestCase):
    def test_interval_of_a_mean(self):
        # Mean 3, standard deviation sqrt(2.5), five samples: t(4) = 2.776.
        value = estimate([1, 2, 3, 4, 5])
        self.assertAlmostEqual(value.mean, 3)
        self.assertAlmostEqual(value.high - 3, 2.776 * math.sqrt(2.5 / 5), places=3)
        self.assertFalse(value.above(1.5))
        self.assertTrue(value.above(1.0))
        self.assertTrue(value.below(5.0))

    def test_ratios_have_a_geometric_mean(self):
        value = ratio([0.5, 2.0])
        self.assertAlmostEqual(value.mean, 1)
        self.assertFalse(value.above(1) or value.below(1))

    def test_one_sample_has_no_interval(self):
        value = ratio([1.1])
        self.assertIsNone(value.low)
        self.assertTrue(value.above(1.05))


class Speeds(unittest.TestCase):
    """Rows made up: cycles by scheduler, machine-independent but for the ready queue."""

    def setUp(self):
        cycles = {"single:rr": 100, "single:gto": 80, "single:paws": 90,
                  "two-level:rr": 100, "two-level:gto": 125, "two-level:paws": 110}
        self.asked = []

        def rows(name):
            self.asked.append(name)
            return {scheduler: {"cycles": count} for scheduler, count in cycles.items()}
        self.results = Results("small", 1)
        self.enterContext(mock.patch.object(self.results, "_rows", rows))

    def test_speed_is_the_others_cycles_over_its_own(self):
        self.assertAlmostEqual(self.results.speed("km", "single:gto", "rr").mean, 1.25)
        self.assertEqual(self.results.found_type("km", "single"), "A")
        self.assertEqual(self.results.found_type("km", "two-level"), "B")

    def test_what_cannot_differ_is_read_from_one_run(self):
        machine = Machine(3, "blocks")
        self.results.row("km", "single:gto", machine)
        self.results.row("km", "two-level:rr", machine)
        self.results.row("km", "single:paws", machine)
        self.results.row("km", "two-level:paws", machine, 1, "random")
        self.assertEqual(self.asked, ["m2090/km/ready6-order-static-0", "m2090/km/ready3-order-static-0",
                                      "m2090/km/ready6-blocks-static-0",
                                      "m2090/km/ready3-blocks-random-1"])

    def test_how_far_paws_is_behind(self):
        self.assertAlmostEqual(claims.behind(self.results, "km", "single", Machine()), 90 / 80)
        self.assertAlmostEqual(claims.behind(self.results, "km", "two-level", Machine()), 110 / 100)


class Verdicts(unittest.TestCase):
    def test_gain(self):
        self.assertEqual(claims._gain(Estimate(1.1, 1.05, 1.15)), "holds")
        self.assertEqual(claims._gain(Estimate(1.1, 0.95, 1.25)), "within the noise")
        self.assertEqual(claims._gain(Estimate(0.9, 0.85, 0.95)), "the reverse")

    def test_rankings(self):
        self.assertTrue(sensitivity._contradicts("GTO > RR = PAWS", "RR > GTO = PAWS"))
        self.assertFalse(sensitivity._contradicts("GTO = RR > PAWS", "RR > PAWS = GTO"))


class Samples(unittest.TestCase):
    def test_crowding_and_tail(self):
        rows = [{"warps": 4, "phase_1": 4, "phase_2": 0, "memory_in_flight": 1},
                {"warps": 4, "phase_1": 2, "phase_2": 2, "memory_in_flight": 0},
                {"warps": 0, "phase_1": 0, "phase_2": 0, "memory_in_flight": 0}]
        self.assertAlmostEqual(phase_graph.at_once(rows), 0.75)
        self.assertAlmostEqual(phase_graph.without_memory(rows), 0.5)
        # Full from 100 on, short of warps from 200 to 400, full again; the end does not count.
        self.assertEqual(tail.tail([(0, 3), (100, 8), (200, 6), (300, 7), (400, 8), (500, 2)]), 200)


if __name__ == "__main__":
    unittest.main()
