# SPDX-License-Identifier: Apache-2.0
"""Code for the debugger computes what other code computes: all of tests/run with --debug."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path

import pytest
from batch import Batch
from command import require_command, run_command
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


SHUFFLES = """# SPDX-License-Identifier: Apache-2.0
from tirxcc.script import tirx as T


@T.function
def shuffles(A: T.Tensor((64,), T.float32), m: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    value = A[t]
    if t < m:
        value = value + T.cuda.__shfl_xor_sync(0xFFFFFFFF, value, 1, 32)
    A[t] = value
"""


@pytest.mark.parametrize(("m", "is_divergent"), [(40, True), (63, True), (32, False), (64, False)])
def test_a_shuffle_that_not_all_lanes_reach(tmp_path: Path, m: int, is_divergent: bool) -> None:
    """Whole warps may be elsewhere, single lanes of one may not, if the mask names them."""
    require_command()
    file = tmp_path / "shuffles.py"
    file.write_text(SHUFFLES)
    words = ("run", file, "--target", "cpu", "--arg", "A=ones:[64]", "--arg", f"m={m}")
    assert run_command(*words).status == 0
    done = run_command(*words, "--debug")
    assert done.status == (1 if is_divergent else 0), done.describe()
    if is_divergent:
        assert "shuffles.py:11:25: error: kernel shuffles: divergent shuffle: its mask" in done.err
