# SPDX-License-Identifier: Apache-2.0
"""Many run tests in one process, as scripts/gpu_check.sh has them: what is wrong is not passed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from batch import Batch
from command import BUILD, require_command
from run_case import Run, are_right

LIST = BUILD / "tests/gpu/tirxcc_run_list"
GOOD = Run(
    "tests/twins/kernels.py",
    kernel="relu",
    args=lambda rng: {
        "A": rng.standard_normal(1000, dtype=np.float32),
        "B": np.zeros(1000, np.float32),
    },
    expected=lambda x: {"B": np.maximum(x["A"], 0)},
)


def wrong_result(x: dict) -> dict:
    return {"B": np.maximum(x["A"], 0.5)}


@pytest.fixture(autouse=True)
def _command(monkeypatch: pytest.MonkeyPatch) -> None:
    require_command()
    monkeypatch.setenv("TIRXCC_RUN_LIST", str(LIST))


def test_each_case_by_itself() -> None:
    cases = [
        GOOD,
        replace(GOOD, expected=wrong_result),
        replace(GOOD, kernel="no_such_kernel"),
        replace(GOOD, options=("--no-such-option",)),
        replace(GOOD, options=("--coarsen", "4")),
    ]
    assert are_right(cases) == [True, False, False, False, True]


def test_none_where_the_process_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """compute-sanitizer ends with a status of its own when it has found something."""
    wrapper = tmp_path / "wrapper"
    wrapper.write_text(f'#!/bin/sh\n{LIST} "$@"\nexit 9\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("TIRXCC_RUN_LIST", str(wrapper))
    assert are_right([GOOD, GOOD]) == [False, False]


def test_the_others_are_run_by_themselves() -> None:
    items = [
        SimpleNamespace(
            path="file", originalname="test", callspec=SimpleNamespace(params={"case": case})
        )
        for case in range(10)
    ]
    alone: list[int] = []
    batch = Batch(
        items, "file", {"test": alone.append}, lambda tasks: [case % 3 > 0 for _, case in tasks]
    )
    for case in range(10):
        batch.result("test", case)
    assert sorted(alone) == [0, 3, 6, 9]
