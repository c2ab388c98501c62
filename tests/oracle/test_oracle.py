# SPDX-License-Identifier: Apache-2.0
"""Random kernels on the CPU target, at both optimisation levels, against CPython."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ORACLE = runpy.run_path(str(Path(__file__).with_name("oracle.py")))
PROGRAMS_A_TEST = 10


@pytest.mark.parametrize("first", range(100, 200, PROGRAMS_A_TEST))
def test_programs_mean_what_python_means(first: int) -> None:
    found = [ORACLE["difference"](seed) for seed in range(first, first + PROGRAMS_A_TEST)]
    assert not list(filter(None, found))
