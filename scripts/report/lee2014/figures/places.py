# SPDX-License-Identifier: MIT
"""Fig. 3: which block goes to which core."""

from report.lee2014 import plan
from report.lee2014.data import Results
from report.section import Section, Table

_ROUNDS = 12  # rows of the table: two rounds of six blocks per core


def section(results: Results) -> Section:
    places = results.places()
    cores = len(places)
    first = [blocks[:6] for blocks in places.values()]
    in_turn = all(block % cores == core for core, blocks in enumerate(first) for block in blocks)
    later = [(core, block) for core, blocks in enumerate(places.values()) for block in blocks[6:]]
    same = sum(block % cores == core for core, block in later)
    rows = [[str(number + 1), *(str(blocks[number]) if number < len(blocks) else "" for blocks in places.values())]
            for number in range(_ROUNDS)]
    text = [
        "The paper finds that blocks go 'approximately' round robin to the cores of a Tesla M2050, six per core for VADD, and "
        "takes exact round robin for its baseline. Here the first six blocks of each core "
        + ("are" if in_turn else "are not") + " in exact turn. Then a core gets the next block when one of its own has "
        f"ended, so the order is that of the ends: {same} of the other {len(later)} blocks "
        f"({100 * same / max(1, len(later)):.0f} %) start on the core that exact turns would give, where chance would give "
        f"{100 / cores:.0f} %."]
    return Section("fig3", "Fig. 3: blocks and cores", text, [Table(
        ["", *(f"core {core}" for core in places)], rows,
        f"Fig. 3: the first {_ROUNDS} blocks of each core, VADD on preset {plan.HARDWARE}, in the order in which they start. One "
        "run without perturbations", committed=False)], main=True)
