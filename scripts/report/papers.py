# SPDX-License-Identifier: MIT
"""The papers that scripts/reproduce makes a page of each."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Paper:
    name: str    # on the command line, and of the package that makes its page
    title: str   # of its page
    about: str   # whose results they are
    machine: str  # what runs here, for the method at the end of its page
    page: str    # its file, without the ending
    numbers: str  # the files with its numbers, without the ending
    sets: dict[str, str]  # by what is asked for, the set of runs (sets.SETS)


PAWS = Paper(
    "paws", "Phase Aware Warp Scheduling, reproduced",
    "The results of Awatramani, Zhu, Zambreno and Rover (PACT 2015) beside those of this project's simulator, for "
    "readers of their paper.",
    "The schedulers are the RTL or its golden model, and the GPU preset is m2090.", "paws", "numbers",
    {name: name for name in ("report", "trial", "quick", "full", "time", "sensitivity")})
LEE2014 = Paper(
    "lee2014", "Alternative thread-block scheduling, reproduced",
    "The results of Lee, Song, Moon, Kim, Seo, Cho and Ryu (HPCA 2014) beside those of this project's simulator, for "
    "readers of their paper.",
    "The warp schedulers are golden models, which agree with the RTL in every cycle where there is RTL, and the GPU preset "
    "is lee28.", "lee2014", "lee2014-numbers",
    {"report": "lee2014", "quick": "lee2014-quick"})
NARASIMAN2011 = Paper(
    "narasiman2011", "Large warps and two-level scheduling, reproduced",
    "The results of Narasiman, Shebanow, Lee, Miftakhutdinov, Mutlu and Patt (2011) beside those of this project's simulator, "
    "for readers of their paper.",
    "The order of selection, the sub-warps and the masks of branches are golden models, which agree with the RTL in every "
    "cycle, and the GPU preset is lwm2011.", "narasiman2011", "narasiman2011-numbers",
    {"report": "narasiman2011", "quick": "narasiman2011-quick"})
ALL = {paper.name: paper for paper in (PAWS, LEE2014, NARASIMAN2011)}
