# SPDX-License-Identifier: MIT
"""The pictures of studies have what their pages name, from made-up results."""

import html
import re
import sys
import unittest
from unittest import mock

from lib import agreement_plot
from lib.agreement import read_facts, read_record
from lib.places import ROOT
from report.parts import designs, ready_queue

sys.path.insert(0, str(ROOT / "scripts" / "tests"))
import test_choice  # noqa: E402
import test_ready  # noqa: E402
from written import study  # noqa: E402


def texts(picture: str) -> list[str]:
    return [html.unescape(text).strip() for text in re.findall(r"<text [^>]*>([^<]*)</text>", picture)]


def of_colour(picture: str, colour: str) -> int:
    """Lines and marks."""
    return len(re.findall(rf'<(?:path|use) [^>]*style="[^"]*(?:stroke|fill):\s*{colour}', picture))


class Pictures(unittest.TestCase):
    def test_choice_has_every_design_twice(self):
        with mock.patch.object(test_choice.choice, "build", test_choice.builds):
            case = test_choice.Choice()
            case.setUp()
            self.addCleanup(case.doCleanups)
            found = texts(test_choice.choice.plot(case.findings))
        for number, design in enumerate(designs.DESIGNS, 1):
            title = design.title.replace("`", "")
            self.assertEqual(len([text for text in found if text.split() == [str(number), *title.split()]]), 1, title)
            self.assertEqual(found.count(str(number)), 1)

    def test_ready_has_a_line_for_every_workload_and_policy(self):
        picture = study("ready").plot(test_ready.findings(lambda size: 100 + size))
        self.assertEqual(of_colour(picture, "#9bb8d8"), 2 + 1)  # the last one stands in the legend
        for scheduler in ready_queue.LEVEL:
            self.assertIn(f"{scheduler}, mean", texts(picture))

    def test_keys_have_lines_and_circles(self):
        points = {scheduler: [(4, 2.0), (9, 0.0)] for scheduler in ("single:paws", "two-level:paws")}
        picture = study("keys").plot(points, {scheduler: [(5, 1.0)] for scheduler in points})
        for scheduler in points:
            self.assertIn(scheduler, texts(picture))
            self.assertIn(f"{scheduler}, quantized", texts(picture))

    def test_agreement_has_every_kernel(self):
        facts = read_facts()
        picture = agreement_plot.plot(facts, read_record())
        self.assertLess(set(facts.kernels), set(texts(picture)))
        for colour, dots in (("#b02020", 1), ("#2b6cb5", 2), ("#d98032", 2), ("#555555", 2)):
            self.assertGreaterEqual(of_colour(picture, colour), dots * len(facts.kernels))


if __name__ == "__main__":
    unittest.main()
