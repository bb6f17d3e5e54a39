# SPDX-License-Identifier: MIT
"""Measurements as jobs: those that are not in the store run, several at a time."""

import dataclasses
import pathlib
import resource
import shutil
import sys
import time
from collections.abc import Callable

from flow import store
from flow.errors import FlowError, IllegalParameter
from lib import pool


@dataclasses.dataclass(frozen=True)
class Job:
    """One measurement; `run` gets a work folder and returns what is stored under `key`."""

    label: str
    key: str
    run: Callable[..., dict]
    arguments: tuple


def _execute(job: Job) -> dict | FlowError:
    """Its result, or what went wrong. In a process of its own, so that its children's processor time is its own."""
    try:
        return _measure(job)
    except IllegalParameter as error:
        raise IllegalParameter(f"{job.label}: {error}") from None
    except FlowError as error:
        return error


def _measure(job: Job) -> dict:
    folder: pathlib.Path = store.work_folder(job.key)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = time.process_time()
    result = job.run(*job.arguments, folder)
    if not store.rtl_is_as_before():
        raise FlowError("the RTL has changed since the command was started; start it again")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    result["cpu_seconds"] = round(seconds + time.process_time() - own + result.pop("kept_seconds", 0), 1)
    result["label"] = job.label
    store.keep(job.key, result)
    shutil.rmtree(folder)
    return result


def run(jobs: list[Job], processes: int) -> dict[str, dict]:
    """The results of all jobs by key. After a failure the others still run; then FlowError. An illegal parameter ends it."""
    jobs = list({job.key: job for job in jobs}.values())
    results = {job.key: found for job in jobs if (found := store.find(job.key))}
    waiting = [job for job in jobs if job.key not in results]
    if results:
        print(f"synth: {len(results)} of {len(jobs)} measurements are there already", file=sys.stderr)
    failures = []
    for number, (job, result) in enumerate(pool.as_they_end(_execute, waiting, processes, processes=True), 1):
        if isinstance(result, FlowError):
            failures.append(f"{job.label}: {result}")
            status = f"FAILED: {result}"
        else:
            results[job.key] = result
            status = f"{result['cpu_seconds']:.0f} s"
        print(f"synth: {number}/{len(waiting)} {job.label}: {status}", file=sys.stderr, flush=True)
    if failures:
        raise FlowError("\n".join(failures))
    seconds = sum(result["cpu_seconds"] for result in results.values())
    print(f"synth: {len(results)} measurements, {seconds:.0f} s of processor time", file=sys.stderr)
    return results
