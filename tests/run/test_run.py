# SPDX-License-Identifier: Apache-2.0
"""Kernels run on the CPU target against NumPy: every RUNS list of tests/run/<feature>/cases.py."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from batch import Batch
from command import require_command
from run_case import TARGET, Run, check_run

HERE = Path(__file__).parent


def all_runs() -> list:
    """The runs of all features, each with the id `feature/kernel-name`."""
    found = []
    for path in sorted(HERE.glob("*/cases.py")):
        runs = runpy.run_path(str(path))["RUNS"]
        found += [
            pytest.param(run, id=f"{path.parent.name}/{run.id}")
            for run in runs
            if TARGET in run.targets
        ]
    return found


@pytest.fixture(scope="module")
def batch(request: pytest.FixtureRequest) -> Batch:
    return Batch(request.session.items, __file__, {"test_run": check_run})


@pytest.mark.parametrize("case", all_runs())
def test_run(case: Run, batch: Batch) -> None:
    require_command()
    batch.result("test_run", case)
