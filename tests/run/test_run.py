# SPDX-License-Identifier: Apache-2.0
"""Kernels run on the CPU target against NumPy: every RUNS list of tests/run/<feature>/cases.py, as
they are and with each thread doing the work of four (`--coarsen 4`)."""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import pytest
from batch import Batch
from command import require_command
from run_case import TARGET, Run, are_right, check_coarsened, check_run, coarsened

HERE = Path(__file__).parent


def all_runs() -> list:
    """The runs of all features, each with the id `feature/kernel-name`."""
    found = []
    for path in sorted(HERE.glob("*/cases.py")):
        runs = runpy.run_path(str(path))["RUNS"]
        found += [
            pytest.param(run, id=f"{path.parent.name}/{run.id}", marks=marks_of(run))
            for run in runs
            if TARGET in run.targets
        ]
    return found


def marks_of(run: Run) -> list[pytest.MarkDecorator]:
    """Under a tool (TIRXCC_WRAPPER) that would report what is right, the run is left out."""
    tools = [tool for tool in run.not_followed_by if tool in os.environ.get("TIRXCC_WRAPPER", "")]
    return [pytest.mark.skip(reason=f"{tool} does not follow its flags") for tool in tools]


@pytest.fixture(scope="module")
def batch(request: pytest.FixtureRequest) -> Batch:
    works = {"test_run": check_run, "test_coarsened": check_coarsened}
    together = run_together if "TIRXCC_RUN_LIST" in os.environ else None
    return Batch(request.session.items, __file__, works, together)


def run_together(tasks: list[tuple[str, Run]]) -> list[bool]:
    return are_right([coarsened(c) if test == "test_coarsened" else c for test, c in tasks])


@pytest.mark.parametrize("case", all_runs())
def test_run(case: Run, batch: Batch) -> None:
    require_command()
    batch.result("test_run", case)


# Kernels that cannot be coarsened run as they are.
@pytest.mark.parametrize("case", all_runs())
def test_coarsened(case: Run, batch: Batch) -> None:
    require_command()
    batch.result("test_coarsened", case)
