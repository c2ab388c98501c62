# SPDX-License-Identifier: Apache-2.0
"""Files that are nested beyond what any person writes: refused with a message, not a crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import require_command, run_command

HEAD = """from tirxcc.script import tirx as T


@T.function
def deep(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    i = T.cuda.thread_idx("x")
"""


def blocks(depth: int) -> str:
    lines = [" " * (4 + k) + "if A[i] > 0.0:" for k in range(depth)]
    return "\n".join(lines) + "\n" + " " * (4 + depth) + "A[i] = 1.0\n"


# Each call of the lambda goes through all the signs again.
LAMBDAS = """    f = lambda g, x: (
        %sg(g, x)
    )
    A[i] = f(f, A[i])
""" % ("-" * 240)

CASES = {
    "statements": (blocks(1100), "[statements-too-deep]"),
    "indentation": (blocks(5100), "[blocks-too-deep]"),
    "sum": ("    A[i] = " + " + ".join(["1.0"] * 200_000) + "\n", "[expression-too-tall]"),
    "lambdas": (LAMBDAS, "[too-deep-to-translate]"),
    "brackets": ("    A[i] = " + "(" * 5000 + "1.0" + ")" * 5000 + "\n", "[nested-too-deep]"),
}


@pytest.fixture(autouse=True)
def _command() -> None:
    require_command()


@pytest.mark.parametrize("case", CASES)
def test_refused(case: str, tmp_path: Path) -> None:
    body, expected = CASES[case]
    file = tmp_path / "deep.py"
    file.write_text(HEAD + body)
    outcome = run_command("build", file)
    assert outcome.status == 1, outcome.describe()
    assert expected in outcome.err, outcome.err[-1000:]
    assert len(outcome.err) < 20_000


def test_unrolled_loops_together(tmp_path: Path) -> None:
    """The limit is on what all copies of all loops come to."""
    file = tmp_path / "copies.py"
    nest = (
        "    for a in T.unroll(2000):\n        for b in T.unroll(2000):\n            A[i] = 1.0\n"
    )
    file.write_text(HEAD + nest)
    outcome = run_command("build", file, "--emit=ir")
    assert outcome.status == 1, outcome.describe()
    assert "[too-many-copies-in-all]" in outcome.err
    assert len(outcome.err.splitlines()) == 3, outcome.describe()
