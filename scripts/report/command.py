# SPDX-License-Identifier: MIT
"""The command line of scripts/reproduce."""

import argparse
import collections
import importlib
import os
import pathlib
import subprocess
import sys

from report import made_from, papers, paths, progress, sets, store
from report.narasiman2011 import toys
from report.run import SIZES, Run


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="reproduce", description="Reproduces the results of papers; writes a page for each, and report/index.html.")
    parser.add_argument("--paper", choices=papers.ALL, help="this one alone (all): paws takes one and three quarter hours on "
                        "two cores, lee2014 half an hour, narasiman2011 three minutes")
    parser.add_argument("--size", choices=SIZES, default="default",
                        help="of the kernels: default, small (to try things, no result), full (the PAWS paper's grids: "
                             "the claims, and the study of grids; two hours)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="simulations at a time (all cores)")
    parser.add_argument("--sensitivity", action="store_true",
                        help="the sensitivity studies of the PAWS paper instead: report/sensitivity.html, one and a "
                             "half hours on two cores")
    parser.add_argument("--time", action="store_true",
                        help="the speeds as time alone, for docs/evidence/synthesis.md (scripts/study time)")
    parser.add_argument("--quick", action="store_true",
                        help="no perturbed runs: a fifth of the time for paws, and nothing about noise")
    parser.add_argument("--status", action="store_true",
                        help="build, say what is there, missing and out of date, and simulate nothing")
    parser.add_argument("--no-build", action="store_true",
                        help="take build/paws as it is, even if its sources have changed")
    parser.add_argument("--profile", type=pathlib.Path,
                        help="Snakemake profile, for example scripts/report/slurm for a cluster")
    arguments = parser.parse_args()
    if arguments.sensitivity + arguments.quick + arguments.time > 1:
        parser.error("--sensitivity, --quick and --time exclude each other")
    if arguments.time and arguments.size != "default":
        parser.error("--time is of the default sizes")
    if not chosen(arguments):
        parser.error(f"{arguments.paper} has no such runs: --size full, --sensitivity and --time are of the PAWS paper")
    if arguments.jobs < 1:
        parser.error("--jobs must be at least 1")
    if arguments.profile and not (arguments.profile / "config.yaml").is_file():
        parser.error(f"--profile: there is no {arguments.profile}/config.yaml")
    return arguments


def asked(arguments: argparse.Namespace) -> str:
    """What is asked for, a key of Paper.sets."""
    return ("sensitivity" if arguments.sensitivity else "quick" if arguments.quick else "time" if arguments.time
            else "full" if arguments.size == "full" else "report")


def set_of(paper: papers.Paper, arguments: argparse.Namespace) -> str:
    """The set of runs that is asked for. Trials do not repeat what varies most, if the paper has a set for them."""
    what = asked(arguments)
    if what == "report" and arguments.size == "small" and "trial" in paper.sets:
        what = "trial"
    return paper.sets[what]


def chosen(arguments: argparse.Namespace) -> list[papers.Paper]:
    """The papers that have that."""
    return [paper for paper in papers.ALL.values()
            if arguments.paper in (None, paper.name) and asked(arguments) in paper.sets]


def say(text: str) -> None:
    print(f"reproduce: {text}", file=sys.stderr, flush=True)


def tell_status(runs: list[Run], size: str) -> int:
    """Says what is fresh and what is not, and why. Returns how many runs are to be done."""
    states = [(run, store.status(run, size)) for run in runs]
    counts = collections.Counter(status.state for _, status in states)
    say(f"{counts['fresh']} of {len(runs)} runs are there, {counts['stale']} are out of date, "
        f"{counts['missing']} are missing")
    causes = collections.defaultdict(list)
    for run, status in states:
        if status.state == "stale":
            causes[status.changed].append(run.name)
    for changed, names in causes.items():
        shown = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
        say(f"out of date, because of another {' and '.join(changed)}: {shown}")
    return len(runs) - counts["fresh"]


def simulate(which: str, runs: list[Run], arguments: argparse.Namespace) -> None:
    """Snakemake does what is missing; its own words go to a file. A run that fails does not stop the others."""
    paths.CACHE.mkdir(exist_ok=True)
    store.forget_failures(runs, arguments.size)
    log = paths.CACHE / f"{arguments.size}-{which}.log"
    command = ["/usr/bin/snakemake", "--snakefile", str(paths.SCRIPTS / "report" / "Snakefile"),
               "--directory", str(paths.CACHE), "--rerun-triggers", "mtime", "--nolock",
               "--scheduler", "greedy", "--rerun-incomplete", "--keep-going",
               "--config", f"size={arguments.size}", f"set={which}"]
    if arguments.profile:
        command += ["--profile", str(arguments.profile.resolve())]
    else:
        command += ["--cores", str(arguments.jobs)]
    with log.open("w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)
        try:
            progress.watch(process, runs, arguments.size)
        except KeyboardInterrupt:
            process.wait()  # the terminal has interrupted it too; it ends its jobs
            sys.exit("\nreproduce: interrupted; the same command continues here")
    if process.returncode != 0 and not any(store.failure(run, arguments.size) for run in runs):
        text = log.read_text().splitlines()
        start = next((i for i, line in enumerate(text) if "Error" in line), len(text))
        sys.exit("\n".join(text[max(0, start - 12):start + 12]) +
                 f"\nreproduce: the workflow failed (above; all of it: {log})")


def tell_failures(runs: list[Run], size: str) -> int:
    """Says of each kernel how many runs have given no results, and why the first one has not. Returns how many in
    all."""
    failed = collections.defaultdict(list)
    for run in runs:
        if not store.path(run, size).exists():
            failed[run.kernel].append(run)
    for kernel, its in failed.items():
        cause = store.failure(its[0], size).splitlines() or ["it was not run"]
        say(f"{len(its)} runs of {kernel} have no results; {its[0].name}: {cause[0]}")
    return sum(map(len, failed.values()))


def pages(paper: papers.Paper, which: str, size: str) -> list[pathlib.Path]:
    """What a set of runs is shown in."""
    if which == "time":
        return [paths.TIME_PAGE]
    if which == "sensitivity":
        return [paths.REPORT / "sensitivity.html"]
    committed = [paths.EVIDENCE / f"{paths.COMMITTED[which, size]}.md"] if (which, size) in paths.COMMITTED else []
    return [paths.REPORT / f"{paper.page}.html", *committed]


def tell_pages(paper: papers.Paper, which: str, runs: list[Run], size: str) -> None:
    """Says of each page whether it shows these runs."""
    for page in pages(paper, which, size):
        name = page.relative_to(paths.ROOT)
        if not page.exists():
            say(f"{name} is missing")
        elif made_from.is_of(page, runs, size):
            say(f"{name} shows these runs")
        else:
            say(f"{name} is out of date: it was made from other results")


def reproduce(paper: papers.Paper, arguments: argparse.Namespace) -> int:
    """Does what is missing for a paper and writes its page. Returns how many runs failed."""
    which = set_of(paper, arguments)
    runs = sets.SETS[which]()
    say(paper.title)
    left = tell_status(runs, arguments.size)
    if arguments.status:
        tell_pages(paper, which, runs, arguments.size)
        return 0
    if left:
        simulate(which, runs, arguments)
    failed = tell_failures(runs, arguments.size)
    if failed and which == "time":
        sys.exit(f"reproduce: {failed} of {len(runs)} runs failed (above): {paths.TIME_PAGE} is left as it was")
    maker = importlib.import_module(f"report.{paper.name}.build")  # matplotlib takes a second to load
    for file in maker.build(arguments.size, which):
        say(f"wrote {file}")
    return failed


def main() -> None:
    arguments = parse()
    if arguments.no_build:
        say("taking build/paws as it is, whether or not its sources have changed")
    else:
        say("building")
        done = subprocess.run([paths.SCRIPTS / "build", "release", "paws", "paws_workloads"],
                              stdout=subprocess.DEVNULL)
        if done.returncode != 0:
            sys.exit("reproduce: the build failed (above)")
    if not paths.PAWS.exists():
        sys.exit(f"reproduce: {paths.PAWS} is missing: run scripts/build first")
    toys.write()
    failed = [number for paper in chosen(arguments) if (number := reproduce(paper, arguments))]
    if failed:
        sys.exit(f"reproduce: {sum(failed)} runs failed (above); the pages leave their kernels out and name them; the same "
                 "command tries them again")


if __name__ == "__main__":
    main()
