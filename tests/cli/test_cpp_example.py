# SPDX-License-Identifier: Apache-2.0
"""The C++ program of the README: compiles a kernel file and calls it with vectors."""

from __future__ import annotations

import subprocess

from command import BUILD, ROOT

PROGRAM = BUILD / "examples/cpp/tirxcc_example_relu"


def test_example_runs() -> None:
    done = subprocess.run(
        [PROGRAM, ROOT / "examples/control_flow/relu.py"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == f"sum of relu = {sum(range(500)):.1f}"
    assert lines[1] == (
        "refused: B: expected dtype float32, got float64; when calling "
        "relu(A: Tensor([n], float32), B: Tensor([n], float32))"
    )


def test_matrices_and_scalars() -> None:
    done = subprocess.run(
        [PROGRAM.with_name("tirxcc_example_scale_rows"), ROOT / "examples/cpp/scale_rows.py"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:3] == ["row 0: 0.5", "row 1: 5.0", "row 2: 50.0"]
    assert lines[3].startswith("refused: A: expected ")
    assert "cuda" in lines[3].lower()


def test_example_says_what_is_wrong() -> None:
    done = subprocess.run(
        [PROGRAM, ROOT / "no_such.py"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "no_such.py" in done.stderr
