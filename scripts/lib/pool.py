# SPDX-License-Identifier: MIT
"""Work on many items, several at a time: studies, proofs, faults and synthesis share it.

An item is taken when there is room for it, so that `items` may be a generator that ends by what has been found so far.
An exception of the work comes out where its result would, after which nothing begins.
"""

import concurrent.futures
import itertools
from collections.abc import Callable, Iterable, Iterator


def _numbered(work: Callable, items: Iterable, jobs: int, processes: bool
              ) -> Iterator[tuple[int, object, concurrent.futures.Future]]:
    waiting = enumerate(items)
    executor = concurrent.futures.ProcessPoolExecutor if processes else concurrent.futures.ThreadPoolExecutor
    with executor(jobs) as pool:
        running: dict[concurrent.futures.Future, tuple] = {}
        while True:
            for number, item in itertools.islice(waiting, jobs - len(running)):
                running[pool.submit(work, item)] = number, item
            if not running:
                return
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in sorted(done, key=lambda future: future.exception() is not None):  # what ended well comes first
                yield *running.pop(future), future


def as_they_end(work: Callable, items: Iterable, jobs: int, *, processes: bool = False) -> Iterator[tuple]:
    """Each item with work(item), at most `jobs` at a time, in threads or in processes."""
    for _, item, future in _numbered(work, items, jobs, processes):
        yield item, future.result()


def in_order(work: Callable, items: Iterable, jobs: int, *, processes: bool = False) -> Iterator[tuple]:
    """The same in the order of the items."""
    ended, following = {}, 0
    failed = False
    for number, item, future in _numbered(work, itertools.takewhile(lambda _: not failed, items), jobs, processes):
        ended[number] = item, future
        failed = failed or future.exception() is not None
        while following in ended:
            item, future = ended.pop(following)
            yield item, future.result()
            following += 1
