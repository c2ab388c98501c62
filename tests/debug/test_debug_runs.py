# SPDX-License-Identifier: Apache-2.0
"""Code for the debugger computes what other code computes: all of tests/run with --debug."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path

import pytest
from batch import Batch
from command import require_command
from run_case import Run, check_run

RUNS = Path(__file__).resolve().parents[1] / "run"


def all_runs() -> list:
    found = []
    for path in sorted(RUNS.glob("*/cases.py")):
        for run in runpy.run_path(str(path))["RUNS"]:
            if "cpu" in run.targets:
                debugged = replace(run, options=(*run.options, "--debug"))
                found.append(pytest.param(debugged, id=f"{path.parent.name}/{run.id}"))
    return found


@pytest.fixture(scope="module")
def batch(request: pytest.FixtureRequest) -> Batch:
    return Batch(request.session.items, __file__, {"test_run": check_run})


@pytest.mark.parametrize("case", all_runs())
def test_run(case: Run, batch: Batch) -> None:
    require_command()
    batch.result("test_run", case)
