# SPDX-License-Identifier: MIT
"""lib.pool and lib.store: order, limits, generators that end by results, failures, and what keys tell apart."""

import pathlib
import sys
import tempfile
import threading
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib import pool  # noqa: E402
from lib.store import Store, digest  # noqa: E402


def square(number):
    return number * number


class Pool(unittest.TestCase):
    def test_results_come_as_they_end_or_in_order(self):
        first_waits = threading.Event()

        def work(number):
            if number == 0:
                first_waits.wait(10)
            if number == 3:
                first_waits.set()
            return number * number

        ended = list(pool.as_they_end(work, range(4), 2))
        self.assertEqual(ended[:2], [(1, 1), (2, 4)])
        self.assertEqual(set(ended[2:]), {(0, 0), (3, 9)})
        first_waits.clear()
        self.assertEqual(list(pool.in_order(work, range(4), 2)), [(0, 0), (1, 1), (2, 4), (3, 9)])

    def test_processes_give_the_same(self):
        self.assertEqual(list(pool.in_order(square, range(5), 2, processes=True)), [(n, n * n) for n in range(5)])

    def test_so_many_run_at_a_time_and_no_more_are_taken(self):
        three, taken = threading.Barrier(3), []

        def items():
            for number in range(21):
                taken.append(number)
                yield number

        ended = 0
        for _ in pool.as_they_end(lambda _: three.wait(10), items(), 3):  # a barrier lets three go at a time
            self.assertLessEqual(len(taken) - ended, 3)
            ended += 1
        self.assertEqual((ended, len(taken)), (21, 21))

    def test_items_may_end_by_what_was_found(self):
        found = []

        def items():
            number = 0
            while len(found) < 5:
                yield number
                number += 1

        for _, result in pool.as_they_end(square, items(), 1):
            found.append(result)
        self.assertEqual(found, [0, 1, 4, 9, 16])

    def test_nothing_begins_after_a_failure(self):
        begun = []

        def work(number):
            begun.append(number)
            if number == 2:
                raise ValueError("two")

        with self.assertRaisesRegex(ValueError, "two"):
            list(pool.as_they_end(work, range(100), 1))
        self.assertEqual(begun, [0, 1, 2])

    def test_a_failure_comes_in_its_place(self):
        """Of several failures the first in order, after the results before it, whichever ended first."""
        for _ in range(20):
            begun, seen = [], []

            def work(number):
                begun.append(number)
                if number == 0:
                    time.sleep(0.01)
                if number in (2, 3):
                    raise ValueError(str(number))
                return number

            with self.assertRaisesRegex(ValueError, "2"):
                for item, _ in pool.in_order(work, range(100), 3):
                    seen.append(item)
            self.assertEqual(seen, [0, 1])
            self.assertLess(len(begun), 8)


class Keys(unittest.TestCase):
    def test_borders_names_contents_and_order_count(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a"
            file.write_text("one")
            other = pathlib.Path(folder) / "b"
            other.write_text("one")
            keys = [digest("ab", "c"), digest("a", "bc"), digest("c", "ab"), digest("abc"), digest(file), digest(other)]
            file.write_text("two")
            keys.append(digest(file))
        self.assertEqual(len(set(keys)), len(keys))
        self.assertEqual(digest("ab", "c"), keys[0])

    def test_what_is_kept_is_found_by_its_key_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            store = Store(pathlib.Path(folder) / "new")
            self.assertIsNone(store.find("k"))
            store.keep("k", {"cycles": 5})
            self.assertEqual(store.find("k"), {"cycles": 5})
            self.assertIsNone(store.find("other"))
            self.assertEqual([file.name for file in store.folder.iterdir()], ["k.json"])


if __name__ == "__main__":
    unittest.main()
