# SPDX-License-Identifier: MIT
"""Drawings in short look as before."""

import re
import unittest

import matplotlib.pyplot as plt

from report import draw


class Drawings(unittest.TestCase):
    def test_a_drawing_keeps_what_is_seen(self):
        """Bars, a line with markers, words and clips, all from matplotlib."""
        figure, axes = plt.subplots(figsize=(3, 2))
        axes.bar([0, 1, 2], [1, 3, 2], color="#1f77b4")
        axes.plot(range(100), [(x * x) % 7 for x in range(100)], "o-", color="#d98032")
        axes.set_title("so < it")
        text = draw.svg(figure, "made")
        self.assertTrue(text.startswith("<svg ") and text.endswith("</svg>"))
        self.assertNotIn("metadata", text)
        self.assertGreaterEqual(text.count("<use "), 100)
        self.assertEqual(len(re.findall(r'style="[^"]*fill:#1f77b4', text)), 3)
        styles = re.findall(r'<text [^>]*style="([^"]*)"', text)
        self.assertEqual(len(styles), text.count("<text "))
        for style in styles:
            self.assertRegex(style, r"font:\s*[\d.]+px 'DejaVu Sans'")
        self.assertIn(">so &lt; it</text>", text)
        links = re.findall(r'(?:url\(|href=")#([^")]+)', text)
        self.assertTrue(links)
        for link in links:
            self.assertEqual(text.count(f'id="{link}"'), 1, link)
            self.assertTrue(link.startswith("made-"))
        line = max(re.findall(r' d="([^"]*)"', text), key=len)
        self.assertGreater(len(re.findall(r"-?(?:\d+\.?\d*|\.\d+)", line)), 180)

    def test_the_same_drawing_gives_the_same_text(self):
        texts = []
        for _ in range(2):
            figure, axes = plt.subplots(figsize=(3, 2))
            axes.plot([0, 1], [2, 3])
            texts.append(draw.svg(figure, "made"))
        self.assertEqual(*texts)


if __name__ == "__main__":
    unittest.main()
