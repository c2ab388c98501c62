# SPDX-License-Identifier: Apache-2.0
"""Work of many small tests done by all cores, reported test by test.

Most tests here start a process or call a compiler and wait for it. A Batch starts the work of all
selected tests of one file at the first question and then hands out the results.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor

import pytest


class Batch:
    """`works` maps the name of a test function to the function that does its work.

    Each such test has one parameter `case`, hashable, which is what its work is called with.

    `together`, if given, takes many (name of the test, case) and returns which of them passed; only
    the others' own work is done then.
    """

    def __init__(
        self,
        items: list[pytest.Item],
        file: str,
        works: Mapping[str, Callable],
        together: Callable[[list[tuple]], list[bool]] | None = None,
    ) -> None:
        self._works = works
        self._together = together
        self._tasks = [
            (item.originalname, item.callspec.params["case"])
            for item in items
            if str(item.path) == file and getattr(item, "originalname", None) in works
        ]
        self._results: dict[tuple, Future] = {}

    def result(self, test: str, case):
        if not self._results:
            workers = os.cpu_count() or 1
            pool = ThreadPoolExecutor(workers)
            shares = [self._tasks[first::workers] for first in range(workers)]
            wholes = [
                pool.submit(self._together, share) for share in shares if share and self._together
            ]
            for number, (name, each) in enumerate(self._tasks):
                whole = wholes[number % workers] if wholes else None
                place = number // workers
                self._results[name, each] = pool.submit(self._work, name, each, whole, place)
            pool.shutdown(wait=False)
        return self._results[test, case].result()

    def _work(self, name: str, case, whole: Future | None, place: int):
        # The whole was handed to the pool before, so somebody is at it.
        if whole is not None and whole.result()[place]:
            return None
        return self._works[name](case)
