# SPDX-License-Identifier: Apache-2.0
"""Calls of kernels for a GPU as the driver sees them, by a fake driver that only writes down what
it is asked (tests/fake_cuda): variants, streams, and arguments that are refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cuda_calls
import pytest
import tirxcc

FAKE = Path(tirxcc.__file__).parent.parent.parent / "tests/fake_cuda/libfake_cuda.so"

needs_fake = pytest.mark.skipif(not FAKE.exists(), reason="the fake driver is not built")


def run(case: str, folder: Path, **settings: str) -> list[str]:
    pytest.importorskip("nvidia")
    (folder / "log").touch()
    environment = {
        **os.environ,
        "TIRXCC_LIBCUDA": str(FAKE),
        "FAKE_CUDA_LOG": str(folder / "log"),
        "FAKE_CUDA_MEMORY": str(64 << 30),
        "XDG_CACHE_HOME": str(folder),
        **settings,
    }
    command = [sys.executable, cuda_calls.__file__, case]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@needs_fake
def test_variants(tmp_path: Path) -> None:
    assert run("variants", tmp_path) == [
        "['add_one_kernel', 'add_one_kernel_alias', 'add_one_kernel_scalar'] "
        "('default', 'alias', 'scalar')",
        "['last_column_kernel', 'last_column_kernel_64'] ('default', 'index64')",
    ]


@needs_fake
def test_streams(tmp_path: Path) -> None:
    streams, *errors, last = run("streams", tmp_path)
    assert streams == "none none s0 s1 s2 none s3 s1 s0"
    wanted = (
        ("ValueError", "different streams", "stream="),
        ("TypeError", "stream", "torch or CuPy"),
        ("ValueError", "B: ", "cuda"),
        ("ValueError", "A", "stride"),
        ("TypeError", "'A'", "byte order"),
        ("TypeError", "'A'", "complex64"),
        ("ValueError", "A", "align"),
    )
    for error, words in zip(errors, wanted, strict=True):
        assert all(word in error for word in words), (error, words)
    assert last == "[]"


@needs_fake
def test_cupy(tmp_path: Path) -> None:
    questions, calls, *errors, last = run("cupy", tmp_path)
    # Once a call, however many arrays it has.
    assert questions == "6"
    assert eval(calls) == [
        ("add_one_kernel", False),
        *[("add_one_kernel", True)] * 3,
        ("add_one_kernel_alias", True),
        ("add_one_kernel_scalar", True),
        ("add_one_kernel", True),
        ("add_one_kernel", False),
        ("last_column_kernel", True),
    ]
    wanted = (
        ("ValueError", "different streams", "stream="),
        ("ValueError", "A", "contiguous"),
        ("ValueError", "B.shape[0]", "512", "1024"),
        ("ValueError", "A", "1", "2"),
        ("ValueError", "B", "cuda:0", "cuda:1"),
        ("ValueError", "B", "align"),
        ("TypeError", "A", "float32", "int32"),
        ("TypeError", "'A'", "byte order"),
        ("TypeError", "'A'", "complex64"),
        ("TypeError", "B", "tensor"),
        ("AttributeError", "data"),
    )
    for error, words in zip(errors, wanted, strict=True):
        assert all(word in error for word in words), (error, words)
    assert last == "[]"


@needs_fake
def test_after_a_sticky_error_every_call_says_that_the_context_is_lost(tmp_path: Path) -> None:
    """A kernel that goes wrong is reported by a later call, perhaps of another kernel."""
    first, *errors = run("lost", tmp_path, FAKE_CUDA_FAIL="cuLaunchKernel=719@2")
    assert first == "no error"
    words = ("an earlier launch may be the cause; the CUDA context is lost", *["lost earlier"] * 2)
    kernels = ("add_one", "add_one", "last_column")
    for kernel, word, error in zip(kernels, words, errors, strict=True):
        head, note, *rest = error.split("|")
        assert head.startswith(f"RuntimeError: {kernel}_kernel "), error
        assert head.endswith(": words for 719 (CUDA_ERROR_LAUNCH_FAILED)"), error
        assert word in note, error
        assert "nothing on this GPU works any more until the process is started again" in note
        assert rest == []


@needs_fake
def test_launch_attributes(tmp_path: Path) -> None:
    """Captured numbers are values of attributes like any other."""
    window, event = run("attributes", tmp_path)
    assert window == "10=1 1=(A,4096,0.5,2,0) 9=(0,3)"
    assert event == "12=(0x1234,0)"


@needs_fake
def test_the_default_target_is_the_gpu(tmp_path: Path) -> None:
    assert run("default", tmp_path) == ["cuda True"]


def test_the_default_target_is_the_cpu_without_a_gpu() -> None:
    if os.path.exists("/dev/nvidiactl"):
        pytest.skip("there is a GPU")
    assert tirxcc.compile(cuda_calls.add_one).target == "cpu"
