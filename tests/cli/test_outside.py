# SPDX-License-Identifier: Apache-2.0
"""Kernels that write beside their arrays end `tirxcc run` with a message and status 1, not with the
allocator's; and a grid that comes out as 0 is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command import Outcome, require_command, run_command

KERNELS = """# SPDX-License-Identifier: Apache-2.0
from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def forgotten(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    B[i] = A[0] + 1.0


@T.function
def shifted(B: T.Tensor((n,), T.float32), by: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i + by] = 1.0


@T.function
def copied(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32), by: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n + by:
        B[i] = A[i]


@T.function
def neighbours(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = A[i + 1] - A[i - 1]


@T.function
def no_blocks(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    A[T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")] = 1.0
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    require_command()
    path = tmp_path / "outside.py"
    path.write_text(KERNELS)
    return path


def run(file: Path, kernel: str, *arguments: str | Path) -> Outcome:
    return run_command("run", file, "--kernel", kernel, "--target", "cpu", "-w", *arguments)


@pytest.mark.parametrize("time", [(), ("--time",)])
def test_behind_the_end(file: Path, tmp_path: Path, time: tuple[str, ...]) -> None:
    saved = tmp_path / "b.npy"
    arrays = ("--arg", "A=ones:[1000]", "--arg", "B=zeros:[1000]", "--save", f"B={saved}")
    done = run(file, "forgotten", *arrays, *time)
    assert done.status == 1, done.describe()
    assert done.out == ""
    assert done.err == (
        "tirxcc: error: kernel 'forgotten' wrote outside 'B' (float32[1000]), up to 96 bytes "
        "behind its end; an index is too large, or negative, or lacks a guard such as 'if i < n:'\n"
    )
    assert not saved.exists()


def test_what_is_copied_from_beside_one_array_damages_another(file: Path) -> None:
    arrays = ("--arg", "A=ones:[1000]", "--arg", "B=zeros:[1000]", "--arg")
    done = run(file, "copied", *arrays, "by=1")
    assert done.status == 1, done.describe()
    assert "wrote outside 'B' (float32[1000]), up to 4 bytes behind its end" in done.err
    assert run(file, "copied", *arrays, "by=0").status == 0


def test_what_is_read_beside_an_array_is_nan(file: Path, tmp_path: Path) -> None:
    saved = tmp_path / "b.npy"
    arrays = ("--arg", "A=ones:[8]", "--arg", "B=zeros:[8]", "--save", f"B={saved}")
    done = run(file, "neighbours", *arrays)
    assert done.status == 0, done.describe()
    np.testing.assert_array_equal(np.load(saved), [np.nan, *[0.0] * 6, np.nan])


def test_exact_sizes_are_fine(file: Path) -> None:
    done = run(file, "forgotten", "--arg", "A=ones:[1024]", "--arg", "B=zeros:[1024]")
    assert (done.status, done.err) == (0, ""), done.describe()


def test_before_the_start(file: Path) -> None:
    done = run(file, "shifted", "--arg", "B=zeros:[10]", "--arg", "by=-3")
    assert done.status == 1, done.describe()
    assert "wrote outside 'B' (float32[10]), from 12 bytes before its start" in done.err


def test_far_away(file: Path) -> None:
    """Where nothing is mapped the system stops the process; the words are ours all the same."""
    done = run(file, "shifted", "--arg", "B=zeros:[10]", "--arg", "by=2000000000")
    assert done.status == 1, done.describe()
    assert done.err.startswith("tirxcc: error: kernel 'shifted' went outside its arrays")
    assert "an index is too large, or negative, or lacks a guard such as 'if i < n:'" in done.err


def test_a_grid_of_no_blocks(file: Path) -> None:
    words = ("run", file, "--kernel", "no_blocks", "--target", "cpu", "--arg")
    done = run_command(*words, "A=zeros:[100]")
    assert done.status == 0, done.describe()
    assert "outside.py:40:52: warning: 'n // 256' is 0, so no thread of 'no_blocks'" in done.err
    assert "T.ceildiv(a, b) rounds up" in done.err
    for fine in ("A=zeros:[512]", "A=zeros:[0]"):
        done = run_command(*words, fine)
        assert "is 0" not in done.err, done.describe()
    assert run(file, "no_blocks", "--arg", "A=zeros:[100]").err == ""
