# SPDX-License-Identifier: MIT
"""The regression notices a figure that moves in either direction."""

import tomllib
import unittest

from flow import configurations, regression

FIGURES = {"two-level": {"area_um2": 300_000, "fmax_mhz": 150.0}}


def moved(**factors: float) -> dict:
    return {"two-level": {name: value * factors.get(name, 1) for name, value in FIGURES["two-level"].items()}}


class Regression(unittest.TestCase):
    def test_within_the_margin(self):
        self.assertEqual(regression.differences(moved(area_um2=1.019, fmax_mhz=0.981), FIGURES), [])

    def test_beyond_it_in_either_direction(self):
        for name in FIGURES["two-level"]:
            for factor in (0.979, 1.021):
                with self.subTest(name=name, factor=factor):
                    self.assertEqual(len(regression.differences(moved(**{name: factor}), FIGURES)), 1)

    def test_a_configuration_on_one_side_only(self):
        self.assertEqual(len(regression.differences({}, FIGURES)), 1)
        self.assertEqual(len(regression.differences(FIGURES, {})), 1)
        self.assertEqual(len(regression.differences(FIGURES, {"two-level": {"area_um2": 300_000}})), 1)

    def test_what_it_writes_it_accepts(self):
        self.assertEqual(regression.differences(FIGURES, tomllib.loads(regression.text_of(FIGURES))), [])

    def test_the_committed_file_covers_the_default_configurations(self):
        names = {member.name for member in configurations.read_sets()["default"].members}
        self.assertEqual(set(regression.read_expected()), names)


if __name__ == "__main__":
    unittest.main()
