# SPDX-License-Identifier: MIT
"""Drawings in short look as before."""

import re
import unittest

import matplotlib.pyplot as plt

from report import draw, svg

_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9.75 9">'


def corners(data: str) -> list[tuple[float, float]]:
    """Where the commands of a path lead, in points: M, z, and relative h, v, l, q, c."""
    found, x, y, start = [], 0.0, 0.0, (0.0, 0.0)
    for command, words in re.findall(r"([A-Za-z])([^A-Za-z]*)", data):
        numbers = [float(word) for word in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", words)]
        if command == "M":
            x, y = start = numbers[0], numbers[1]
        elif command == "z":
            x, y = start
        else:
            x += 0 if command == "v" else numbers[-2 if command in "lqc" else -1]
            y += 0 if command == "h" else numbers[-1]
        found.append((round(x, 3), round(y, 3)))
    return found


class Paths(unittest.TestCase):
    def test_lines_are_relative_and_rounded(self):
        self.assertEqual(svg.path("M 10.04 20 \nL 30 20 \nL 30 5.5 \nL 29.5 5 \nz\n"), "M10 20h20v-14.5l-.5-.5z")

    def test_rounding_does_not_add_up(self):
        steps = [(0.26 * x, 0.14 * x * x) for x in range(100)]
        data = svg.path("M " + " L ".join(f"{x:.4f} {y:.4f}" for x, y in steps))
        self.assertEqual(corners(data)[-1], (round(steps[-1][0], 1), round(steps[-1][1], 1)))

    def test_points_that_change_no_course_go(self):
        self.assertEqual(svg.path("M 0 0 L 1 0 L 2 0 L 2 0 L 2.01 0 L 5 0 L 5 7"), "M0 0h5v7")
        self.assertEqual(svg.path("M 0 0 L 1 2 L 2 4 L 3 5"), "M0 0l2 4l1 1")

    def test_a_line_that_turns_back_keeps_its_corner(self):
        self.assertEqual(svg.path("M 0 0 L 9 0 L 4 0"), "M0 0h9h-5")

    def test_curves_and_several_subpaths(self):
        data = svg.path("M 0 -2 C 0.5 -2 1 -1.6 1.4 -1.4 L 3 -1.4 Q 4 -1.4 4 0 z M 8 8 L 9 8")
        self.assertEqual(data, "M0-2c.5 0 1 .4 1.4 .6h1.6q1 0 1 1.4zM8 8h1")
        self.assertEqual(corners(data)[-2:], [(8, 8), (9, 8)])

    def test_what_matplotlib_does_not_write_is_refused(self):
        for data in ("M 0 0 A 1 1 0 0 1 2 2", "M 0 0 l 1 1", "M 0 0 L 1"):
            with self.subTest(data), self.assertRaisesRegex(ValueError, "SVG path with"):
                svg.path(data)


class Elements(unittest.TestCase):
    def test_what_says_nothing_goes(self):
        text = svg.compact(_HEAD + """
            <metadata><x/></metadata>
            <defs><clipPath id="p1"><rect x="1" y="2.34567"/></clipPath></defs>
            <g id="axes"><path d="M 3 3 L 3 3.01"/>
            <g id="patch"><path d="M 0 0 L 9 0" clip-path="url(#p1)" style="fill: none"/></g></g>
            <g style="fill: red"><text style="font: 7px 'One', 'Other', sans-serif, sans-serif; fill: red"
             transform="rotate(-0 1 2)">so &lt; it</text></g></svg>""")
        self.assertEqual(text[text.index("<defs>"):],
                         '<defs><clipPath id="p1"><rect x="1" y="2.35" /></clipPath></defs>'
                         '<path d="M0 0h9" clip-path="url(#p1)" style="fill:none" />'
                         '<g style="fill:red"><text style="font:7px \'One\',sans-serif;fill:red">so &lt; it</text></g>'
                         "</svg>")
        self.assertIn(' viewBox="0 0 9.75 9"', text)

    def test_a_drawing_keeps_what_is_seen(self):
        """Bars, a line with markers, words and clips, all from matplotlib."""
        figure, axes = plt.subplots(figsize=(3, 2))
        axes.bar([0, 1, 2], [1, 3, 2])
        axes.plot(range(100), [(x * x) % 7 for x in range(100)], "o-")
        axes.set_title("so < it")
        text = draw.svg(figure, "made")
        self.assertGreaterEqual(text.count("<use "), 100)
        self.assertEqual(len(re.findall(r'fill:#1f77b4"', text)), 3)
        self.assertIn(">so &lt; it</text>", text)
        for link in re.findall(r'(?:url\(|href=")#([^")]+)', text):
            self.assertEqual(text.count(f'id="{link}"'), 1, link)
            self.assertTrue(link.startswith("made-"))
        line = max(re.findall(r' d="([^"]*)"', text), key=len)
        self.assertGreater(len(corners(line)), 90)


if __name__ == "__main__":
    unittest.main()
