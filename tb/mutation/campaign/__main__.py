# SPDX-License-Identifier: MIT
"""The command scripts/check mutate."""

import argparse
import collections
import dataclasses
import pathlib
import sys

from lib.places import GENERATED
from lib.project_commit import at_commit

from .campaigns import Run, Sample, sample, told
from .configurations import CAMPAIGNS
from .errors import CampaignError

SAMPLE_FLOOR = 85  # percent, of faults of which nothing is kept; the campaigns notice 92 to 95


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/check mutate", description="Puts faults into the elaborated RTL and shows what becomes "
        "of each: killed by the random hosts of the ordinary suite, proved equivalent, or unresolved.",
        epilog="Needs the target mutation_run built in BUILD_DIR. A run that was stopped continues where "
        "it was. With the default count and seed it writes docs/evidence/generated/mutation/SCHEDULER.csv. "
        "Exit status 1 if a fault is neither killed nor equivalent nor explained in tb/mutation/explained.toml.")
    parser.add_argument("build", type=pathlib.Path, metavar="BUILD_DIR")
    parser.add_argument("--scheduler", choices=CAMPAIGNS, action="append",
                        help="this campaign alone (repeatable; default: all)")
    parser.add_argument("--count", type=int, metavar="N", help="put in so many faults")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="choose other faults (default 1)")
    parser.add_argument("--list", action="store_true", help="print the faults and run nothing")
    parser.add_argument("--survivors", action="store_true",
                        help="print what the ordinary run did not notice, and why")
    parser.add_argument("--show", type=int, metavar="ID", help="print one fault in terms of the source")
    parser.add_argument("--sample", type=int, metavar="N",
                        help="run the hosts alone, on N faults of the campaign, and demand that they notice "
                        "those that docs/evidence/generated/mutation/SCHEDULER.csv calls killed, and no others; "
                        f"where that table is of other faults, {SAMPLE_FLOOR} percent of them")
    return parser.parse_args()


def _accept(name: str, result: Sample) -> bool:
    """Prints what a sample has shown; whether that is what it must show."""
    for difference in result.differences:
        print(f"  {difference}")
    told = f"{len(result.differences)} otherwise than its campaign has kept" if result.compared else \
        f"its campaign has kept no list of these faults, so {SAMPLE_FLOOR} percent must be " \
        f"(scripts/check mutate BUILD_DIR --scheduler {name} makes the list)"
    print(f"{name}: {result.noticed} of {result.faults} faults were noticed, {told}{at_commit()}")
    if result.compared:
        return not result.differences
    return result.noticed * 100 >= SAMPLE_FLOOR * result.faults


def _run(arguments: argparse.Namespace) -> bool:
    if arguments.count is not None and arguments.count < 1:
        raise CampaignError("--count: at least 1")
    if arguments.sample is not None and arguments.sample < 1:
        raise CampaignError("--sample: at least 1")
    settled = True
    all_counts: collections.Counter[str] = collections.Counter()
    for name in arguments.scheduler or CAMPAIGNS:
        campaign = CAMPAIGNS[name]
        usual = arguments.count in (None, campaign.count) and arguments.seed == 1
        if arguments.count:
            campaign = dataclasses.replace(campaign, count=arguments.count)
        if (arguments.sample or 0) > campaign.count:
            raise CampaignError(f"--sample: the campaign {name} has {campaign.count} faults")
        table = GENERATED / "mutation" / f"{name}.csv"
        run = Run(campaign, arguments.seed, arguments.build, usual=usual)
        if arguments.show is not None:
            print(run.show(arguments.show))
        elif arguments.list:
            for fault in run.faults:
                print(fault)
        elif arguments.sample:
            settled &= _accept(name, sample(run, arguments.sample, table))
        else:
            results = run.results()
            all_counts += run.report(survivors=arguments.survivors)
            if usual:
                run.write(table)
            settled &= all(result.verdict in ("killed", "equivalent", "explained") for result in results.values())
    if all_counts:
        print(f"{all_counts.total()} faults, {told(all_counts)}{at_commit()}")
    return settled


def main() -> int:
    try:
        return 0 if _run(_arguments()) else 1
    except CampaignError as error:
        print(f"check mutate: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
