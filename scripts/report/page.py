# SPDX-License-Identifier: MIT
"""The report as one HTML page that needs nothing else."""

import html as escape

from report.section import Picture, Section, escaped

_STYLE = """
:root { color-scheme: light; --line: #ccc; --link: #1f5a9c; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; margin: 0 auto;
       max-width: 62rem; padding: 0 1rem 4rem; }
h1 { line-height: 1.2; } h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
a { color: var(--link); } nav ol { columns: 18rem; column-gap: 2.5rem; padding-left: 1.5rem; }
figure { margin: 1.5rem 0; overflow-x: auto; } figure svg { width: 100%; height: auto; min-width: 54rem; }
figcaption { font-size: 0.875rem; color: #444; position: sticky; left: 0; max-width: calc(100vw - 2rem); }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums;
        width: max-content; max-width: 62rem; }
caption { text-align: left; color: #444; padding-bottom: 0.3rem; max-width: calc(100vw - 2rem); }
th, td { text-align: left; padding: 0.15rem 0.7rem 0.15rem 0; border-bottom: 1px solid #e4e4e4;
         vertical-align: top; }
@page { size: A4; margin: 12mm; }
@media print { body { max-width: none; font-size: 10pt; padding: 0; } figure svg { min-width: 0; }
  figure, tr { break-inside: avoid; } h2, caption, thead { break-after: avoid; } nav { display: none; }
  .table, figure { overflow: visible; } caption, figcaption { max-width: none; font-size: 8pt; }
  table { font-size: 7pt; width: auto; max-width: 100%; }
  th, td { padding-right: 0.4rem; overflow-wrap: break-word; } }
"""

_SIZES = {"default": "their default sizes", "full": "the paper's grids",
          "small": "the smallest sizes, which are for trials only and give no result"}


def _section(section: Section) -> str:
    parts = [f'<section id="{section.name}">\n<h2>{escape.escape(section.title)}</h2>']
    parts += [f"<p>{escaped(paragraph)}</p>" for paragraph in section.text]
    for part in section.parts:
        if isinstance(part, Picture):
            parts.append(f'<figure id="figure-{part.name}" role="img" '
                         f'aria-label="{escape.escape(part.caption)}">\n{part.svg}\n'
                         f"<figcaption>{escaped(part.caption)}</figcaption></figure>")
        else:
            parts.append(part.to_html())
    return "\n".join(parts) + "\n</section>"


def noise(perturbed: int) -> str:
    """What a measurement is made of, in words."""
    if perturbed == 0:
        return "from one run each without a perturbation, so that any difference is 'beyond the noise'"
    return f"means of {perturbed} perturbed runs with 95 % intervals"


def html(sections: list[Section], size: str, perturbed: int, numbers: str, made_from: str = "") -> str:
    """The page. `perturbed`: runs of each measurement; `numbers`: the files with them, without their ending;
    `made_from`: for its foot."""
    contents = "".join(f'<li><a href="#{section.name}">{escape.escape(section.title)}</a></li>'
                       for section in sections)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Phase Aware Warp Scheduling, reproduced</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>Phase Aware Warp Scheduling, reproduced</h1>
<p>This report compares the results of Awatramani, Zhu, Zambreno and Rover (PACT 2015) with the results of
this project's simulator. It is for readers of their paper. The schedulers are the RTL or its golden model,
and the GPU preset is m2090. The kernels have {_SIZES[size]}; the numbers are {escaped(noise(perturbed))}.
Red marks are the paper's numbers. The simulator is not tuned to remove differences from the paper.</p>
<p>All numbers: <a href="{numbers}.csv">{numbers}.csv</a>, <a href="{numbers}.json">{numbers}.json</a>. Means
and intervals: <a href="{numbers}-summary.csv">{numbers}-summary.csv</a>, <a
href="{numbers}-summary.json">{numbers}-summary.json</a>. Method: docs/guide/reproduction.md. Words of this project:
docs/reference/glossary.md.</p>
<nav><ol>{contents}</ol></nav>
{"".join(map(_section, sections))}
<footer><p>{escape.escape(made_from)}</p></footer>
</body>
</html>
"""
