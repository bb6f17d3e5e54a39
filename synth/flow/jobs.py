# SPDX-License-Identifier: MIT
"""Measurements as jobs: those that are not in the store run, several at a time."""

import concurrent.futures
import dataclasses
import pathlib
import resource
import shutil
import sys
import time
from collections.abc import Callable

from flow import store
from flow.errors import FlowError, IllegalParameter


@dataclasses.dataclass(frozen=True)
class Job:
    """One measurement; `run` gets a work folder and returns what is stored under `key`."""

    label: str
    key: str
    run: Callable[..., dict]
    arguments: tuple


def _execute(job: Job) -> dict:
    """In a process of its own, so that its children's processor time is its own."""
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
    """The results of all jobs by key. After a failure the others still run; then FlowError. An illegal parameter ends
    it at once."""
    jobs = list({job.key: job for job in jobs}.values())
    results = {job.key: found for job in jobs if (found := store.find(job.key))}
    waiting = [job for job in jobs if job.key not in results]
    if results:
        print(f"synth: {len(results)} of {len(jobs)} measurements are there already", file=sys.stderr)
    failures = []
    with concurrent.futures.ProcessPoolExecutor(processes) as pool:
        running = {pool.submit(_execute, job): job for job in waiting}
        try:
            for number, future in enumerate(concurrent.futures.as_completed(running), 1):
                job = running[future]
                try:
                    results[job.key] = future.result()
                    status = f"{results[job.key]['cpu_seconds']:.0f} s"
                except IllegalParameter as error:
                    raise IllegalParameter(f"{job.label}: {error}") from None
                except FlowError as error:
                    failures.append(f"{job.label}: {error}")
                    status = "FAILED"
                print(f"synth: {number}/{len(waiting)} {job.label}: {status}", file=sys.stderr, flush=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if failures:
        raise FlowError("\n".join(failures))
    seconds = sum(result["cpu_seconds"] for result in results.values())
    print(f"synth: {len(results)} measurements, {seconds:.0f} s of processor time", file=sys.stderr)
    return results
