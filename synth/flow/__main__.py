# SPDX-License-Identifier: MIT
"""The command scripts/synth."""

import argparse
import os
import pathlib
import sys

from flow import cell_library, configurations, export, measurements, publish, tables, tools
from flow.configurations import Set
from flow.errors import FlowError


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/synth", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="From RTL to tables: area, timing, power, layout and FPGA size of the schedulers.",
        epilog="Without --set or --one all sets are measured, but for layouts, and synth/results is written.\n"
               "A library that is not Debian's OSU 0.18 um is measured in the default configurations.\n"
               "Environment: PAWS_RTL is a folder with another version of rtl/, for --one.")
    parser.add_argument("--set", dest="sets", action="append", metavar="NAME",
                        help="measure this set of synth/configurations.toml only (repeatable)")
    parser.add_argument("--one", nargs="+", metavar=("TOP", "NAME=VALUE"),
                        help="measure one configuration and print it: two_level WARPS=32 SORTER=1")
    parser.add_argument("--power", action="store_true", help="with --one: its power over a recorded kernel, too")
    parser.add_argument("--layout", action="store_true",
                        help="with --one: placed and routed, with wires and clock tree, from three seeds")
    parser.add_argument("--edges", metavar="LTRB",
                        help="with --layout: the edges that have ports, left, top, right and bottom (default: all)")
    parser.add_argument("--netlist", type=pathlib.Path, metavar="FILE",
                        help="with --one: leave its smallest mapping at the one clock, the fastest if none reaches it, "
                             "in FILE (Verilog), and its constraints beside it (FILE with .sdc)")
    parser.add_argument("--liberty", type=pathlib.Path, metavar="FILE",
                        help="a Liberty file (.lib or .lib.gz) in place of OSU 0.18 um")
    parser.add_argument("--settings", type=pathlib.Path, metavar="FILE",
                        help="how to use that library, if synth/libraries has no settings for it")
    parser.add_argument("--list", action="store_true", help="print the sets and their configurations")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="measurements at a time (default: processors)")
    return parser.parse_args()


def _chosen(arguments: argparse.Namespace) -> list[Set]:
    if arguments.one:
        member = configurations.of_words(arguments.one, "--one")
        if arguments.edges is not None:
            if not arguments.layout or not arguments.edges:
                raise FlowError("--edges: with --layout only, and at least one edge")
            configurations.check_edges(arguments.edges, "--edges")
        return [Set("one", "One configuration", (member,), parts=member.top.endswith("_level"),
                    fpga=False, power=arguments.power, layout=(arguments.edges or "LTRB") if arguments.layout else "")]
    if arguments.power:
        raise FlowError("--power: with --one only; sets say for themselves")
    if arguments.netlist:
        raise FlowError("--netlist: with --one only")
    if arguments.layout or arguments.edges is not None:
        raise FlowError("--layout, --edges: with --one only; of the sets those are laid out whose names begin with layout")
    sets = configurations.read_sets()
    for name in arguments.sets or []:
        if name not in sets:
            raise FlowError(f"--set: there is no set '{name}'; there are {', '.join(sets)}")
    if arguments.sets:
        return [sets[name] for name in arguments.sets]
    if arguments.liberty:
        return [sets["default"]]
    return [entry for entry in sets.values() if arguments.list or not entry.layout]


def _run(arguments: argparse.Namespace) -> None:
    chosen = _chosen(arguments)
    if arguments.list:
        for entry in chosen:
            print(f"{entry.name}: {entry.question}")
            for member in entry.members:
                print(f"  {member.name}")
        return
    if arguments.jobs < 1:
        raise FlowError("--jobs: at least 1")
    tools.require("yosys", "sta", *(["nextpnr-ice40"] if any(entry.fpga for entry in chosen) else []),
                  *(tools.LAYOUT if any(entry.layout for entry in chosen) else []))
    cells = cell_library.load(arguments.liberty or cell_library.default_file(), arguments.settings)
    results = measurements.measure(chosen, cells, arguments.jobs)
    for entry in chosen:
        print(f"{entry.name}: {entry.question} ({'iCE40' if entry.fpga else cells.title})\n")
        for table in tables.of_set(entry, results):
            print(tables.text(table))
    if arguments.netlist:
        for file in export.leave(chosen[0].members[0], cells, arguments.netlist):
            print(f"synth: {file}")
    if arguments.layout:
        for folder in publish.pictures(chosen[0], results):
            print(f"synth: DEF, SPEF, Verilog and a picture: {folder}")
    if not arguments.one:
        publish.write(chosen, results)
    if found := [line for entry in chosen for line in tables.unsaturated(entry, results)]:
        raise FlowError("the sweep is not wide enough:\n  " + "\n  ".join(found))


def main() -> int:
    try:
        _run(_arguments())
    except FlowError as error:
        print(f"synth: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("synth: stopped; what is measured is kept, the next run continues", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
