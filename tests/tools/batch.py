# SPDX-License-Identifier: Apache-2.0
"""Work of many small tests done by all cores, reported test by test.

Most tests here start a process or call a compiler and wait for it. A Batch starts the work of all
selected tests of one file at the first question and then hands out the results.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest


class Batch:
    """`works` maps the name of a test function to the function that does its work.

    Each such test has one parameter `case`, hashable, which is what its work is called with.
    """

    def __init__(self, items: list[pytest.Item], file: str, works: dict[str, Callable]) -> None:
        self._works = works
        self._tasks = [
            (item.originalname, item.callspec.params["case"])
            for item in items
            if str(item.path) == file and getattr(item, "originalname", None) in works
        ]
        self._results: dict[tuple, Future] = {}

    def result(self, test: str, case):
        if not self._results:
            pool = ThreadPoolExecutor(os.cpu_count())
            for name, each in self._tasks:
                self._results[name, each] = pool.submit(self._works[name], each)
            pool.shutdown(wait=False)
        return self._results[test, case].result()
