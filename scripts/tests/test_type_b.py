# SPDX-License-Identifier: MIT
"""Where the sign turns and the intervals of scripts/study type-b, from cycles that are made up."""
import math
import sys
import unittest

from written import ROOT, study

sys.path.insert(0, str(ROOT / "scripts"))

from lib.estimate import quantile  # noqa: E402
from lib.kernel_study import PRESET, PRESETS  # noqa: E402

type_b = study("type-b")
SEEDS = range(1, 4)
STEEP = 0.1  # RR over GTO loses so much with each doubling of the instruction cache
TURN = {"heartwall": {80: None, 160: 1.0, 320: 1.3}, "cfd": {80: 1.2, 160: 2.5, 320: 5.0}}  # KB, of the second seed


def findings(others=1.0):
    """On the map a straight line over the logarithm of the size, which the first and the third seed move by a tenth of a
    doubling; elsewhere RR over GTO is `others`, and 1 % less and more."""
    cycles = {}
    for settings in type_b.everything():
        keys = dict(settings)
        size, latency = keys.get(type_b.ACROSS, 8192), keys.get(type_b.UP, 80)
        for kernel in type_b.KERNELS:
            for seed in SEEDS:
                if set(keys) <= {type_b.ACROSS, type_b.UP}:
                    turn = 1024 * (TURN[kernel][latency] or 0.5)
                    speed = 1 + STEEP * (math.log2(turn / size) + 0.1 * (seed - 2))
                else:
                    speed = others * 1.01 ** (seed - 2)
                cycles[settings, seed, type_b.RR, kernel] = 1000
                cycles[settings, seed, type_b.GTO, kernel] = 1000 * speed
    return type_b.Findings(cycles, SEEDS)


class Crossing(unittest.TestCase):
    def test_the_zero_of_the_straight_line(self):
        self.assertAlmostEqual(type_b.crossing([0, 1, 3], [5, 3, -1]), 2.5)
        self.assertAlmostEqual(type_b.crossing([0, 1, 3], [1, 0, -1]), 1)

    def test_no_zero(self):
        self.assertIsNone(type_b.crossing([0, 1, 3], [-1, -2, -3]))
        self.assertIsNone(type_b.crossing([0, 1, 3], [3, 2, 1]))
        self.assertIsNone(type_b.crossing([0, 1, 3], [-1, 2, -1]))


class Points(unittest.TestCase):
    def test_each_is_there_once_and_differs_from_the_preset(self):
        every = type_b.everything()
        self.assertEqual(len(set(every)), len(every))
        self.assertIn((), every)
        self.assertEqual(type_b.on_map(8192, 80), ())
        self.assertEqual(type_b.on_map(1024, 80), type_b.changed("icache.bytes", 1024))
        for settings in every:
            for key, value in settings:
                self.assertNotEqual(type_b.preset(key), value, key)

    def test_the_preset_is_the_machine_of_the_paper(self):
        self.assertEqual(PRESET, PRESETS / "m2090.toml")
        for key in type_b.VALUES:
            self.assertIsNotNone(type_b.preset(key), key)

    def test_a_large_cache_has_room(self):
        self.assertEqual(dict(type_b.changed("l1.bytes", 65536)), {"l1.bytes": 65536, "l1.array_bytes": 131072})


class Speeds(unittest.TestCase):
    def test_the_interval_is_that_of_the_logarithms(self):
        speed = findings(1.05).speed(type_b.changed("l2.latency", 20), "cfd")
        self.assertAlmostEqual(speed.mean, 1.05)
        half = quantile(2) * math.log(1.01) / math.sqrt(3)
        self.assertAlmostEqual(speed.high, 1.05 * math.exp(half))
        self.assertAlmostEqual(speed.low, 1.05 * math.exp(-half))

    def test_bold_is_a_win_beyond_the_interval(self):
        for others, words in ((1.05, "**+5.0 ±2.6**"), (1.01, "+1.0 ±2.5"), (0.9, "\u221210.0 ±2.2")):
            self.assertEqual(type_b.change(findings(others).speed(type_b.changed("core.schedulers", 1), "cfd")), words)

    def test_the_furthest_value_has_the_highest_speed(self):
        value, speed = findings().furthest("icache.bytes", "cfd")
        self.assertEqual(value, 1024)
        self.assertAlmostEqual(speed.mean, 1 + STEEP * math.log2(1.2), places=4)


class Turns(unittest.TestCase):
    def test_the_line_and_its_interval(self):
        where = findings().turn(160, "cfd")
        self.assertAlmostEqual(where.mean, 2.5 * 1024)
        self.assertAlmostEqual(math.log2(where.high / where.mean), quantile(2) * 0.1 / math.sqrt(3))
        self.assertIn("| 160 | not told | 2.50 ±0.43 |", type_b.turns(findings()))

    def test_no_line_where_a_perturbation_has_none(self):
        self.assertIsNone(findings().turn(80, "heartwall"))
        self.assertIsNone(findings().turn(160, "heartwall"))
        self.assertIn("| 80 | below 1 | 1.20 ±0.21 |", type_b.turns(findings()))

    def test_the_drawn_line_is_there_too(self):
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            self.skipTest("python3-matplotlib is missing")
        some = findings()
        figure, axes = plt.subplots()
        line = type_b.draw_map(axes, some, "cfd")
        drawn = [tuple(place) for segments in line.allsegs for segment in segments for place in segment]
        plt.close(figure)
        for latency in type_b.LATENCIES:
            found = [x for x, y in drawn if math.isclose(y, math.log2(latency))]
            self.assertEqual(len(found), 1, latency)
            self.assertAlmostEqual(2 ** found[0], 1024 * TURN["cfd"][latency], delta=2)  # a mean of speeds, not of sizes

    def test_a_point_is_hollow_where_the_noise_reaches_zero(self):
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            self.skipTest("python3-matplotlib is missing")
        figure, axes = plt.subplots()
        type_b.draw_map(axes, findings(), "heartwall")
        hollow = {(round(2 ** line.get_xdata()[0]), round(2 ** line.get_ydata()[0])) for line in axes.lines
                  if line.get_markerfacecolor() == "white"}
        plt.close(figure)
        self.assertEqual(hollow, {(1024, 160), (1536, 320)})


class Page(unittest.TestCase):
    def test_tables_have_a_row_for_each_key_and_latency(self):
        for table, count in ((type_b.alone(findings()), 1 + len(type_b.VALUES) + len(type_b.CACHES)),
                             (type_b.turns(findings()), len(type_b.LATENCIES))):
            lines = table.splitlines()
            self.assertEqual(len(lines), 2 + count)
            self.assertEqual(len({line.count("|") for line in lines}), 1)

    def test_every_part_has_its_place(self):
        page = type_b.PAGE.read_text(encoding="utf-8")
        for part in ("alone", "turns"):
            self.assertEqual(page.count(f"<!-- {type_b.COMMAND}: {part} writes from here -->"), 1, part)


if __name__ == "__main__":
    unittest.main()
