# SPDX-License-Identifier: MIT
"""Placement: graywolf says where cells and ports go, this module makes it legal in rows of sites.

graywolf fills rows without gaps. So it gets each cell wider than it is, by the utilisation: the gaps are then spread evenly, and
what is inserted later finds room nearby.
"""

import math
import pathlib
import re
import shutil

from flow import tools
from flow.errors import FlowError
from flow.layout.block import Block, Floorplan

_UNITS = 100  # of graywolf, in an um
_UNEVEN = 0.06  # by which share of its sites a row may be fuller than the mean
EDGES = ("L", "T", "R", "B")


def plan(block: Block, utilisation: float, rows: int | None = None) -> None:
    """Rows for the cells of the block: so many, or as a square."""
    lef = block.lef
    area = block.cells_um2 / utilisation
    rows = rows or max(1, round(math.sqrt(area) / lef.row_height))
    sites = math.ceil(area / (rows * lef.row_height * lef.site_width))
    block.floorplan = Floorplan(rows, sites, 10 * lef.site_width, lef.row_height)


def replan(block: Block, utilisation: float) -> None:
    """Other widths of the rows of a placed block; cells and ports stay where they are in proportion. With fewer rows, two would
    become one, which is then full. The placement is legal afterwards."""
    before, (width, height) = block.floorplan, block.die
    shares = {net: (port.place[0] / width, port.place[1] / height) for net, port in block.ports.items()}
    plan(block, utilisation, before.rows)
    for instance in block.instances.values():
        instance.x *= block.floorplan.sites / before.sites
    place_ports(block, shares)
    legalise(block)


def _cel(block: Block, stretch: float, edges: str) -> str:
    lines = []
    for number, (name, instance) in enumerate(block.instances.items()):
        macro = block.lef.macros[instance.kind]
        half = round(macro.width * stretch * _UNITS / 2)
        height = round(macro.height * _UNITS / 2)
        lines += [f"cell {number} {name}", f"left {-half} right {half} bottom {-height} top {height}"]
        for pin, net in instance.pins.items():
            x, y = macro.centre(pin)
            lines.append(f"pin name {pin} signal {net} layer 1 {round(x * _UNITS) - half} {round(y * _UNITS) - height}")
    for number, port in enumerate(block.ports.values(), 1):
        lines += [f"pad {number} name twpin_{port.net}", "corners 4 -40 -50 -40 50 40 50 40 -50",
                  *([f"restrict side {edges}"] if edges != "".join(EDGES) else []),
                  f"pin name {port.net} signal {port.net} layer 1 0 0", ""]
    return "\n".join(lines) + "\n"


def place(block: Block, seed: int, stretch: float, folder: pathlib.Path, parameters: pathlib.Path,
          edges: str = "".join(EDGES)) -> None:
    """Places every cell in rows and every port on one of `edges`. The same seed gives the same placement."""
    work = folder / "graywolf"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "block.cel").write_text(_cel(block, stretch, edges))
    text = re.sub(r"(?m)^\*random\.seed.*$", f"*random.seed : {seed}", parameters.read_text())
    text = re.sub(r"(?m)^TWMC\*chip\.aspect\.ratio.*$", "TWMC*chip.aspect.ratio : 1.0", text)
    text += f"GENR*numrows : {block.floorplan.rows}\n"
    (work / "block.par").write_text(text)
    tools.run(["graywolf", "-n", "block"], folder / "graywolf.log", folder=work)
    _read(block, work)
    legalise(block)


def _read(block: Block, work: pathlib.Path) -> None:
    """Takes over graywolf's rows, stretched to those of the floorplan, and its places of ports."""
    core_width = block.floorplan.sites * block.lef.site_width
    cells = [line.split() for line in (work / "block.pl1").read_text().splitlines()]
    cells = [words for words in cells if words and words[0] in block.instances]
    if len(cells) != len(block.instances):
        raise FlowError(f"graywolf placed {len(cells)} of {len(block.instances)} cells (log: {work}/block.out)")
    rows = {}
    for words in cells:
        left, right = rows.get(words[6], (math.inf, -math.inf))
        rows[words[6]] = min(left, float(words[1])), max(right, float(words[3]))
    if len(rows) > block.floorplan.rows:
        raise FlowError(f"graywolf made {len(rows)} rows of {block.floorplan.rows} (log: {work}/block.out)")
    for words in cells:
        left, right = rows[words[6]]
        instance = block.instances[words[0]]
        middle = ((float(words[1]) + float(words[3])) / 2 - left) / (right - left) * core_width
        instance.x, instance.row = middle - block.width(words[0]) / 2, int(words[6]) - 1
    box = (min(left for left, _ in rows.values()), max(right for _, right in rows.values()))
    height = 100 * block.lef.row_height * len(rows)
    pads = {}
    for line in (work / "block.pl2").read_text().splitlines():
        words = line.split()
        if words and words[0].startswith("twpin_"):
            x, y = (float(words[1]) + float(words[3])) / 2, (float(words[2]) + float(words[4])) / 2
            pads[words[0].removeprefix("twpin_")] = ((x - box[0]) / (box[1] - box[0]), (y + 200) / height)
    if set(pads) != set(block.ports):
        raise FlowError(f"graywolf placed {len(pads)} of {len(block.ports)} ports (log: {work}/block.out)")
    place_ports(block, pads)


def place_ports(block: Block, wanted: dict[str, tuple[float, float]]) -> None:
    """Each port to a free track at its edge, where the outermost track of the other direction crosses it. `wanted` are places
    as shares of the width and of the height of the core."""
    across, along = block.lef.layers["metal3"], block.lef.layers["metal2"]
    width, height = block.die
    sides: dict[str, list[tuple[float, str]]] = {edge: [] for edge in EDGES}
    for net, (x, y) in wanted.items():
        edge = min({"L": x, "R": 1 - x, "B": y, "T": 1 - y}.items(), key=lambda item: item[1])[0]
        sides[edge].append((y if edge in "LR" else x, net))
    for edge, ports in sides.items():
        layer, length = (across, height) if edge in "LR" else (along, width)
        tracks = int((length - layer.offset) / layer.pitch)
        if len(ports) > tracks:
            raise FlowError(f"{len(ports)} ports at one edge, which has {tracks} tracks")
        step = max(1, min(3, tracks // max(len(ports), 1)))
        taken = -step
        for number, (share, net) in enumerate(sorted(ports)):
            latest = tracks - 1 - step * (len(ports) - 1 - number)
            taken = min(max(round(share * tracks), taken + step), latest)
            place = layer.offset + taken * layer.pitch
            block.ports[net].layer = layer.name
            block.ports[net].place = {
                "L": (along.offset, place), "R": (width - along.offset, place),
                "B": (place, across.offset), "T": (place, height - across.offset)}[edge]


class _Row:
    """A row that is filled from the left, with the least movement of its cells (Abacus, Spindler et al., 2008)."""

    def __init__(self, sites: int, limit: int) -> None:
        self.sites = sites
        self.limit = limit  # of sites that may be used
        self.used = 0
        self.clusters: list[list] = []  # [left, width, sum of wanted lefts, names]; in sites

    def try_add(self, wanted: float, width: int) -> float | None:
        """Where a cell would come to lie; None if the row is full."""
        if self.used + width > self.limit:
            return None
        left = min(max(wanted, 0), self.sites - width)
        total, count, behind = wanted, 1, width  # a cluster of its own, which grows to the left
        offset = 0
        for cluster in reversed(self.clusters):
            if cluster[0] + cluster[1] <= left:
                break
            total = cluster[2] + total - count * cluster[1]
            count += len(cluster[3])
            offset += cluster[1]
            behind += cluster[1]
            left = min(max(total / count, 0), self.sites - behind)
        return left + offset

    def add(self, name: str, wanted: float, width: int) -> None:
        """Adds a cell that fits."""
        self.used += width
        new = [min(max(wanted, 0), self.sites - width), width, wanted, [name]]
        while self.clusters and self.clusters[-1][0] + self.clusters[-1][1] > new[0]:
            before = self.clusters.pop()
            new = [0, before[1] + new[1], before[2] + new[2] - len(new[3]) * before[1], before[3] + new[3]]
            new[0] = min(max(new[2] / len(new[3]), 0), self.sites - new[1])
        self.clusters.append(new)


def _packed(block: Block, widths: dict[str, int], limit: int) -> list[_Row] | None:
    """The cells in rows that are filled up to a limit; None if some find no place."""
    site, height, plan = block.lef.site_width, block.lef.row_height, block.floorplan
    rows = [_Row(plan.sites, limit) for _ in range(plan.rows)]
    for name in sorted(block.instances, key=lambda n: (block.instances[n].x, n)):
        instance = block.instances[name]
        wanted, best = instance.x / site, None
        for distance in range(len(rows)):
            if best is not None and distance * height >= best[0]:
                break
            for number in {instance.row - distance, instance.row + distance}:
                if 0 <= number < len(rows):
                    found = rows[number].try_add(wanted, widths[name])
                    if found is not None:
                        cost = abs(found - wanted) * site + distance * height
                        if best is None or (cost, number) < best:
                            best = (cost, number)
        if best is None:
            return None
        rows[best[1]].add(name, wanted, widths[name])
    return rows


def legalise(block: Block) -> None:
    """Moves cells as little as it can so that none overlap and all are on sites. If it can be, no row is much fuller than the
    others, since nets over a full row find no way. Raises FlowError if the rows are full."""
    plan, site = block.floorplan, block.lef.site_width
    widths = {name: round(block.width(name) / site) for name in block.instances}
    even = min(plan.sites, math.ceil(sum(widths.values()) / plan.rows + _UNEVEN * plan.sites))
    rows = _packed(block, widths, even) or _packed(block, widths, plan.sites)
    if rows is None:
        raise FlowError(f"the rows are full: {block.cells_um2:,.0f} um2 of cells in {block.core_um2:,.0f} um2")
    for number, row in enumerate(rows):
        for left, _, _, names in row.clusters:
            at = math.floor(left + 0.5)
            for name in names:
                block.instances[name].x, block.instances[name].row = at * site, number
                at += widths[name]
