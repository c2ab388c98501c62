# SPDX-License-Identifier: Apache-2.0
"""The front end on CPython's standard library: the same trees as CPython, and no crash on damage.

Both use the built `tirxcc_syntax_tool`; `compare_with_cpython.py` can be run by hand with any
Python from 3.11 on.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from command import BUILD

HERE = Path(__file__).resolve().parent
TOOL = BUILD / "tests/syntax/tirxcc_syntax_tool"


def comparison():
    spec = importlib.util.spec_from_file_location("compare", HERE / "compare_with_cpython.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compare_every(step: int) -> None:
    # In a process of its own, because the comparison spreads over processes itself.
    command = [
        sys.executable,
        str(HERE / "compare_with_cpython.py"),
        str(TOOL),
        "--every",
        str(step),
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    print(result.stdout)
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_sample_of_the_standard_library() -> None:
    compare_every(40)


@pytest.mark.slow
def test_the_whole_standard_library() -> None:
    compare_every(1)


def fuzz(seed: int, count: int) -> None:
    files = list(comparison().library_files())[::10]
    command = [str(TOOL), "fuzz", str(seed), str(count), *files]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert result.returncode == 0, result.stdout + result.stderr


def test_damaged_files_do_not_crash() -> None:
    fuzz(seed=1, count=500)


@pytest.mark.slow
def test_many_damaged_files_do_not_crash() -> None:
    fuzz(seed=2, count=10_000)
