# SPDX-License-Identifier: MIT
"""Intervals, verdicts and rankings by hand."""

import math
import unittest
from unittest import mock

from report import verdict
from lib.estimate import Estimate, estimate, ratio
from report.paws import build, paper, plan, summary
from report.paws.data import Results
from report.paws.figures import answer, claims, controls, phase_graph, sensitivity, speed, tail
from tests.report import made_up


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

    def test_sides(self):
        self.assertEqual([Estimate(1.1, *bounds).side() for bounds in
                          ((1.05, 1.15), (0.95, 1.25), (None, None))], [1, 0, 1])
        self.assertEqual(Estimate(0.9, 0.85, 0.95).side(), -1)


class Speeds(unittest.TestCase):
    """Rows made up: cycles by scheduler."""

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

    def test_the_keys_are_those_of_paws(self):
        self.results.row("km", "single:gto", 0, "random")
        self.results.row("km", "two-level:paws", 1, "random")
        self.assertEqual(self.asked, ["m2090/km/static-0", "m2090/km/random-1"])


class Noise(unittest.TestCase):
    """Rows made up: what slows RR down slows GTO down, which is a tenth slower each time; PAWS is as
    fast as RR on average, but by noise of its own."""

    def setUp(self):
        def rows(name):
            seed = int(name[-1])
            rr = 1000 + 200 * seed
            gto, paws = 1.1 * rr, rr * (1.2 if seed % 2 else 1 / 1.2)
            counts = {"rr": rr, "gto": gto, "paws": paws}
            return {f"{level}:{policy}": {"cycles": count, "idle_fraction": count / 10000,
                                          "alu_load": count, "memory_load": count,
                                          "active_core_cycles": 100, "active_cycles_compute_only": 20,
                                          "active_cycles_memory_only": 30 + seed}
                    for level in plan.LEVELS for policy, count in counts.items()}
        self.enterContext(mock.patch.object(Results, "_rows", lambda self, name: rows(name)))
        self.results = Results("small", 4)

    def claim(self, **named):
        return {"text": "V", "level": "single", "kernels": "A", "policy": "gto", "over": "rr"} | named

    def verdict(self, **named):
        return claims.read(self.results, self.claim(**named)).verdict

    def test_a_shared_perturbation_does_not_hide_a_difference(self):
        value = self.results.speed("km", "single:rr", "gto")
        self.assertAlmostEqual(value.low, 1.1)
        self.assertAlmostEqual(value.high, 1.1)
        self.assertEqual(self.results.speed("km", "single:paws", "rr").side(), 0)

    def test_orders(self):
        self.assertEqual(self.verdict(), verdict.REVERSE)
        self.assertEqual(self.verdict(policy="rr", over="gto"), verdict.HOLDS)
        self.assertEqual(self.verdict(policy="paws"), verdict.UNKNOWN)
        self.assertEqual(self.verdict(measure="idle"), verdict.HOLDS)
        self.assertEqual(self.verdict(measure="alu_load", kernels=["km"], **{"is": "less"}), verdict.REVERSE)

    def test_every_kernel_and_policy_counts(self):
        reading = claims.read(self.results, self.claim(kernels=["km", "lud"], over="gto", policy="rr"),
                              )
        self.assertEqual((reading.ours, reading.verdict), ("2 of 2", verdict.HOLDS))
        self.assertEqual(self.verdict(kernels=["km"], policy=["gto", "paws"]), verdict.FAILS)

    def test_kernels_of_a_type_here(self):
        # RR is always the faster.
        self.assertEqual(claims.read(self.results, self.claim(kernels="found A")),
                         verdict.Reading("no kernel", verdict.UNKNOWN))
        self.assertIn("(14)", claims.read(self.results, self.claim(kernels="found B")).ours)

    def test_closer_to_the_better_one(self):
        self.assertEqual(self.verdict(kernels=["km"], policy="rr", over="middle"), verdict.HOLDS)
        self.assertEqual(self.verdict(kernels=["km"], policy="gto", over="middle"), verdict.REVERSE)
        with mock.patch.object(Results, "_rows", lambda self, name: {
                f"single:{policy}": {"cycles": 1000 + (int(name[-1]) if policy == "gto" else 2 * (
                    int(name[-1]) % 2) + 1)} for policy in plan.POLICIES}):
            reading = claims.read(Results("small", 4), self.claim(kernels="all", policy="paws",
                                                                  over="middle"))
        self.assertTrue(reading.ours.startswith("0 of 0; RR = GTO: BP-K1"), reading)
        self.assertEqual(reading.verdict, verdict.UNKNOWN)

    def test_a_gain_that_is_the_same_at_both_levels_is_not_less_at_two(self):
        self.assertEqual(self.verdict(level="both", **{"is": "less at two levels"}), verdict.UNKNOWN)

    def test_computation_and_memory(self):
        verdicts = {row.claim.partition(",")[0]: row.reading.verdict
                    for row in claims._breakdown(self.results)}
        self.assertEqual(verdicts, {"BP-K1: compute intensive": verdict.REVERSE,
                                    "B+T-K2: memory intensive": verdict.HOLDS,
                                    "Heart: compute intensive": verdict.REVERSE,
                                    "Heart: computation alone": verdict.HOLDS,
                                    "CFD: memory intensive": verdict.HOLDS})

    def test_tails(self):
        def points(longer):
            return lambda results, policy, seed: [(0, 48), (100 * seed, 40), (
                100 * seed + 500 + (longer if policy == "gto" else 0), 48), (9000, 40), (9100, 48)]
        for longer, told in ((750, verdict.HOLDS), (200, verdict.SMALLER), (-200, verdict.REVERSE)):
            with mock.patch.object(tail, "internal", points(longer)):
                self.assertEqual(claims._tail(self.results).reading.verdict, told)

    def test_speeds_beside_the_better_one(self):
        found = speed._beside_better(self.results, "single")
        self.assertEqual(len(found["cannot be told"]), len(plan.KERNELS))
        # Without perturbations: the run 0, in which PAWS is a fifth faster.
        found = speed._beside_better(Results("small", 0), "single")
        self.assertEqual(len(found["faster"]), len(plan.KERNELS))

    def test_pairs_of_policies(self):
        self.assertEqual(sensitivity.ranking(self.results, sensitivity.PRESET, "single"), {("rr", "gto")})
        self.assertEqual(sensitivity.ranking(Results("small", 0), sensitivity.PRESET, "single"),
                         {("rr", "gto"), ("paws", "rr"), ("paws", "gto")})


class MadeUp(unittest.TestCase):
    """Whole sections."""

    def setUp(self):
        self.enterContext(made_up.results())

    def test_without_perturbations_no_noise_is_spoken_of(self):
        for module in (answer, claims, speed, sensitivity, controls):
            section = module.section(Results("small", 0))
            text = " ".join([*section.text, *section.notes])
            self.assertIn("noise is not measured", text)
            self.assertNotIn("95 %", text)
            self.assertNotIn("cannot be told apart for", text)

    def test_the_papers_grids_have_their_sections(self):
        with made_up.results():
            results = Results("full", plan.FULL_SEEDS)
            sections = [module.section(results) for module in build.FULL_SECTIONS]
            means = summary.of_full(results)
        self.assertLessEqual({"answer", "fig9a", "fig9b", "fig10", "fig12", "fig13"}, set(made_up.figures(sections)))
        self.assertEqual({row["phases"] for row in means}, {None})


class Verdicts(unittest.TestCase):
    def test_an_interval_inside_outside_and_across(self):
        for (low, high), expected in (((1.05, 1.15), verdict.HOLDS), ((0.95, 1.25), verdict.UNKNOWN),
                                      ((0.85, 0.95), verdict.REVERSE)):
            self.assertEqual(verdict.judge(Estimate((low + high) / 2, low, high), "more"), expected)
        for (low, high), expected in (((0.99, 1.15), verdict.HOLDS), ((0.95, 1.25), verdict.UNKNOWN),
                                      ((0.85, 0.95), verdict.FAILS)):
            self.assertEqual(verdict.judge(Estimate((low + high) / 2, low, high), "reaches", 98), expected)
        for (low, high), expected in (((0.995, 1.005), verdict.HOLDS), ((0.995, 1.05), verdict.UNKNOWN),
                                      ((1.02, 1.05), verdict.FAILS), ((0.9, 0.98), verdict.FAILS)):
            self.assertEqual(verdict.judge(Estimate((low + high) / 2, low, high), "alike"), expected)
        self.assertEqual(verdict.judge(Estimate(0.9, 0.85, 0.95), "no more"), verdict.HOLDS)

    def test_on_several(self):
        holds, smaller, reason, unknown = verdict.HOLDS, verdict.SMALLER, verdict.REASON, verdict.UNKNOWN
        self.assertEqual(verdict.every([holds, holds]), holds)
        self.assertEqual(verdict.every([verdict.REVERSE] * 2), verdict.REVERSE)
        self.assertEqual(verdict.every([holds, verdict.REVERSE, unknown]), verdict.FAILS)
        self.assertEqual(verdict.every([smaller, verdict.NONE]), verdict.FAILS)
        self.assertEqual(verdict.every([holds, unknown]), unknown)
        self.assertEqual(verdict.every([]), unknown)
        self.assertEqual(verdict.every([holds, smaller, verdict.LARGER]), smaller)
        self.assertEqual(verdict.every([holds, smaller, reason]), reason)

    def test_a_number_is_judged_by_its_size(self):
        for percent, (low, high), expected in (
                (10, (1.04, 1.06), verdict.HOLDS), (10, (1.15, 1.21), verdict.HOLDS), (10, (1.01, 1.04), verdict.SMALLER),
                (10, (1.21, 1.25), verdict.LARGER), (10, (0.99, 1.04), verdict.NONE), (10, (0.99, 1.06), verdict.UNKNOWN),
                (10, (0.9, 0.99), verdict.REVERSE), (-10, (0.93, 0.94), verdict.HOLDS), (-10, (0.96, 0.99), verdict.SMALLER),
                (-10, (0.7, 0.75), verdict.LARGER), (-10, (1.01, 1.2), verdict.REVERSE)):
            with self.subTest(percent=percent, low=low, high=high):
                relation = "more" if percent > 0 else "less"
                self.assertEqual(verdict.judge(Estimate((low + high) / 2, low, high), relation, percent), expected)
        self.assertEqual(verdict.judge(Estimate(1.03), "more", 10), verdict.SMALLER)  # one run
        self.assertEqual(verdict.show(Estimate(1.03, 1.02, 1.04), "more", 10), "+3.0 % ±1.0, 0.30 of it")
        self.assertEqual(verdict.show(Estimate(1.03, 1.02, 1.04), "less", -10), "+3.0 % ±1.0, \u22120.30 of it")

    def test_what_rests_on_another_claim(self):
        self.assertEqual(verdict.because(verdict.HOLDS, [verdict.SMALLER]), verdict.HOLDS)
        self.assertEqual(verdict.because(verdict.HOLDS, [verdict.HOLDS, verdict.REVERSE]), verdict.REASON)
        self.assertEqual(verdict.because(verdict.SMALLER, [verdict.UNKNOWN]), verdict.REASON)
        self.assertEqual(verdict.because(verdict.FAILS, [verdict.REVERSE]), verdict.FAILS)

    def test_counts_in_words(self):
        self.assertEqual(verdict.in_words({verdict.HOLDS: 3, verdict.FAILS: 1}), "3 are as the paper says and 1 not so")
        self.assertEqual(verdict.in_words({verdict.UNKNOWN: 2}), "2 are open because of noise")
        self.assertEqual(verdict.in_words({verdict.SMALLER: 2, verdict.REVERSE: 1, verdict.UNMODELLED: 4}),
                         "2 are in the same direction and smaller, 1 the opposite and 4 not modelled")

    def test_what_becomes_of_orders(self):
        base = {("gto", "rr"), ("gto", "paws")}
        self.assertEqual(sensitivity.changes(base, {("rr", "gto"), ("paws", "rr")}),
                         {"reversed": {("rr", "gto")}, "lost": {("gto", "paws")},
                          "new": {("paws", "rr")}})

    def test_controls(self):
        slower, unknown, faster = Estimate(0.9, 0.8, 0.95), Estimate(1, 0.9, 1.1), Estimate(1.1, 1.05, 1.2)
        for random, inverted, conclusion in (
                (slower, slower, "The key matters, because random and inverted keys are slower"),
                (unknown, slower, "The key matters, because inverted keys are slower"),
                (unknown, unknown, "It cannot be told whether the key matters"),
                (faster, slower, "Another order is better for PAWS than its own")):
            text = controls._verdict({"random": random, "inverted": inverted, "measured": unknown})
            self.assertTrue(text.endswith(conclusion), text)
            self.assertIn("with measured keys (not distinguishable)", text)


class Paper(unittest.TestCase):
    def test_each_claim_can_be_read(self):
        """With the fields that paper.toml explains, and what it names."""
        for claim in (claim for group in paper.CLAIMS.values() for claim in group):
            with self.subTest(claim):
                self.assertLessEqual(set(claim), {"text", "measure", "level", "kernels", "policy", "over",
                                                  "is", "percent", "paper", "because"})
                self.assertTrue(claims._words(claim))
                if isinstance(claim["kernels"], list):
                    self.assertLessEqual(set(claim["kernels"]), set(plan.KERNELS))
                    self.assertNotEqual(claim["level"], "both")

    def test_of_type_b_speeds_over_rr_follow_from_those_over_gto(self):
        self.assertAlmostEqual(paper.average("single", "A", "gto"), 1.10)
        self.assertAlmostEqual(paper.average("two-level", "B", "gto"), 1 / 1.07)
        self.assertAlmostEqual(paper.average("two-level", "B", "paws"), 1.04 / 1.07)

    def test_idle_times(self):
        self.assertIn({"level": "two-level", "type": "A", "gto": 0.0, "paws": 0.0}, paper.IDLE)
        self.assertIn({"level": "single", "type": "B", "gto": 13.66, "paws": 6.8}, paper.IDLE)
        self.assertEqual(len(paper.IDLE), 4)


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
