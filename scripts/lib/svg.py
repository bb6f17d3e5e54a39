# SPDX-License-Identifier: MIT
"""A figure of matplotlib as SVG text: short, and the same bytes for the same figure."""

import io
import re

import matplotlib.pyplot as plt
import scour.scour

# Coordinates to a tenth of a point in a picture as wide as a page, and nothing that the eye cannot see.
_SHORT = scour.scour.sanitizeOptions()
_SHORT.digits, _SHORT.indent_type, _SHORT.newlines = 4, "none", False
_SHORT.style_to_xml = False  # SVG has no attribute for the shorthand `font`
_SHORT.strip_ids = _SHORT.strip_xml_prolog = _SHORT.remove_metadata = _SHORT.quiet = True


def text(figure, name: str, **how) -> str:
    """An SVG element; its ids begin with `name`, so that several fit in a page. `how`: for savefig. Closes the figure."""
    with plt.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None}, **how)
    plt.close(figure)
    return _short(buffer.getvalue(), name)


def _short(drawn: str, name: str) -> str:
    drawn = drawn[drawn.index("<svg"):]
    for reference in (r'\bid="', r"url\(#", r'href="#'):
        drawn = re.sub(reference, lambda found: f"{found[0]}{name}-", drawn)
    return scour.scour.scourString(drawn, _SHORT).strip()
