# SPDX-License-Identifier: MIT
"""The tables and the figure of docs/evidence/agreement.md."""

from lib.agreement import GTO, GUARDED, REFERENCE, RR, Comparison, Facts
from lib.kernel_study import measured, write_between
from lib.places import EVIDENCE, GENERATED

COMMAND = "scripts/check agreement --update"
PAGE = EVIDENCE / "agreement.md"
FIGURE = GENERATED / "agreement.svg"
SHORT = {RR: "RR", GTO: "GTO"}
ENOUGH = 3  # kernels from which on a correlation says something


def percent(value: float) -> str:
    return f"{100 * value:+.1f} %"


def table(columns: list[str], rows: list[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def summary(facts: Facts, ours: dict, kernels: list[str]) -> list[str]:
    """Markdown: how near the two are, over the kernels."""
    count = len(kernels)
    rows = []
    for parameters in facts.description["parameters"]:
        for variant in facts.variants:
            pair = Comparison(facts, ours, variant, parameters, kernels)
            row = [parameters, variant, *(f"{pair.error(scheduler):.1f} %" for scheduler in GUARDED)]
            if count >= ENOUGH:
                row += [*(f"{pair.ipc_correlation(scheduler):.3f}" for scheduler in GUARDED),
                        f"{pair.same_sign()} of {count}", f"{pair.lead_order():.2f}", f"{pair.same_best()} of {count}"]
            rows.append(row)
    columns = ["GPGPU-Sim", "here", "cycles, RR", "cycles, GTO"]
    if count >= ENOUGH:
        columns += ["IPC, RR", "IPC, GTO", "same sign", "order", "same best"]
    return table(columns, rows)


def cycles_of(facts: Facts, ours: dict, scheduler: str) -> list[str]:
    """Markdown: every cycle count under one scheduler."""
    parameters = list(facts.description["parameters"])
    pairs = {variant: Comparison(facts, ours, variant, REFERENCE, facts.kernels) for variant in facts.variants}
    columns = ["kernel", *(f"GPGPU-Sim, {name}" for name in parameters)]
    columns += [cell for variant in facts.variants for cell in (f"here, {variant}", f"from {REFERENCE}")]
    rows = []
    for kernel in facts.kernels:
        row = [kernel, *(f"{facts.runs[name, scheduler, kernel].cycles:,}" for name in parameters)]
        for variant, pair in pairs.items():
            row += [f"{ours[variant, scheduler, kernel].cycles:,}", percent(pair.difference(scheduler, kernel))]
        rows.append(row)
    return table(columns, rows)


def ipc_and_leads(facts: Facts, ours: dict) -> list[str]:
    """Markdown: IPC under RR and the lead of GTO, of both."""
    def runs_of(scheduler: str, kernel: str) -> list:
        return [facts.runs[REFERENCE, scheduler, kernel],
                *(ours[variant, scheduler, kernel] for variant in facts.variants)]

    sides = (f"GPGPU-Sim, {REFERENCE}", *(f"here, {variant}" for variant in facts.variants))
    columns = ["kernel", *(f"IPC, {side}" for side in sides), *(f"GTO over RR, {side}" for side in sides)]
    rows = []
    for kernel in facts.kernels:
        rr, gto = (runs_of(scheduler, kernel) for scheduler in (RR, GTO))
        rows.append([kernel, *(f"{run.ipc:.1f}" for run in rr),
                     *(percent(slow.cycles / fast.cycles - 1) for slow, fast in zip(rr, gto))])
    return table(columns, rows)


def tables(facts: Facts, ours: dict) -> str:
    lines = [*summary(facts, ours, facts.kernels), "",
             "*Cycles*: mean of the absolute differences. *IPC*: correlation r of the logarithms. *Same sign*: kernels",
             "on which GTO gains over RR, or loses, in both. *Order*: Spearman's correlation of GTO over RR. *Same best*:",
             "kernels on which the same of the three schedulers takes the fewest cycles.", "",
             "## Every kernel", "Thread instructions per cycle under RR, and how much faster GTO is:", "",
             *ipc_and_leads(facts, ours)]
    for theirs, here in facts.description["schedulers"].items():
        name = f"`{theirs}`" if theirs == here else f"`{theirs}` there, `{here}` here"
        lines += ["", f"Cycles, {name}:", "", *cycles_of(facts, ours, theirs)]
    return "\n".join(lines)


class Dots:
    """One panel of the figure: a row per kernel, dots over an axis of percent."""
    TOP, ROW, WIDTH = 52, 18, 270

    def __init__(self, left: int, title: str, values: list[float], step: int):
        self.left, self.title, self.step = left, title, step
        self.low = min(0, *(int(value // step) * step for value in values))
        self.high = max(step, *(-int(-value // step) * step for value in values))

    def x(self, value: float) -> float:
        return self.left + self.WIDTH * (value - self.low) / (self.high - self.low)

    def y(self, row: int) -> float:
        return self.TOP + self.ROW * (row + 0.5)

    def frame(self, rows: int) -> list[str]:
        bottom = self.TOP + self.ROW * rows
        parts = [f'<text x="{self.left + self.WIDTH / 2}" y="16" text-anchor="middle" font-weight="bold">'
                 f'{self.title}</text>']
        for tick in range(self.low, self.high + 1, self.step):
            colour = "#888" if tick == 0 else "#ddd"
            parts.append(f'<path d="M{self.x(tick):.1f} {self.TOP}V{bottom}" stroke="{colour}"/>'
                         f'<text x="{self.x(tick):.1f}" y="{bottom + 16}" text-anchor="middle">{tick}</text>')
        return parts

    def dot(self, row: int, value: float, colour: str, hollow: bool, tip: str) -> str:
        fill = "white" if hollow else colour
        return (f'<circle cx="{self.x(value):.1f}" cy="{self.y(row):.1f}" r="4" fill="{fill}" stroke="{colour}" '
                f'stroke-width="1.5"><title>{tip}: {value:+.1f} %</title></circle>')

    def legend(self, entries: list[tuple[str, bool, str]]) -> list[str]:
        parts = []
        for number, (colour, hollow, text) in enumerate(entries):
            x, y = self.left + 135 * (number % 2), 28 + 14 * (number // 2)
            fill = "white" if hollow else colour
            parts.append(f'<circle cx="{x + 6}" cy="{y}" r="4" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>'
                         f'<text x="{x + 15}" y="{y + 4}">{text}</text>')
        return parts


COLOURS = {RR: "#555555", GTO: "#d98032"}
THEIRS, OURS = "#b02020", "#2b6cb5"


def figure(facts: Facts, ours: dict) -> str:
    """SVG: differences of cycles, and the lead of GTO, kernel by kernel."""
    shown = facts.variants[:2]  # the front-end's scheduling on and off
    pairs = {variant: Comparison(facts, ours, variant, REFERENCE, facts.kernels) for variant in shown}
    cycles = [(row, scheduler, variant, 100 * pair.difference(scheduler, kernel))
              for variant, pair in pairs.items() for scheduler in GUARDED for row, kernel in enumerate(facts.kernels)]
    leads = [pair.leads() for pair in pairs.values()]
    series = [(THEIRS, False, "GPGPU-Sim", [100 * theirs for _, theirs in leads[0]])]
    series += [(OURS, variant != shown[0], f"here, {variant}", [100 * mine for mine, _ in lead])
               for variant, lead in zip(shown, leads)]
    left = Dots(80, "cycles here, % from GPGPU-Sim", [value for *_, value in cycles], 10)
    right = Dots(410, "GTO, % faster than RR", [value for *_, values in series for value in values], 10)
    rows = len(facts.kernels)
    height = Dots.TOP + Dots.ROW * rows + 28
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 710 {height}" '
             'font-family="sans-serif" font-size="12">', f'<rect width="710" height="{height}" fill="white"/>']
    for panel in (left, right):
        parts += panel.frame(rows)
    parts += left.legend([(COLOURS[scheduler], variant != shown[0], f"{SHORT[scheduler]}, {variant}")
                          for scheduler in GUARDED for variant in shown])
    parts += right.legend([entry[:3] for entry in series])
    parts += [f'<text x="{left.left - 8}" y="{left.y(row) + 4:.1f}" text-anchor="end">{kernel}</text>'
              for row, kernel in enumerate(facts.kernels)]
    parts += [left.dot(row, value, COLOURS[scheduler], variant != shown[0],
                       f"{facts.kernels[row]}, {SHORT[scheduler]}, {variant}")
              for row, scheduler, variant, value in cycles]
    parts += [right.dot(row, value, colour, hollow, f"{facts.kernels[row]}, {name}")
              for colour, hollow, name, values in series for row, value in enumerate(values)]
    return "\n".join(parts + ["</svg>"]) + "\n"


def write(facts: Facts, ours: dict) -> None:
    """The figure, and the tables between the marks of the page."""
    FIGURE.write_text(figure(facts, ours))
    write_between(PAGE, COMMAND, f"{tables(facts, ours)}\n\n{measured()}")
