# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C and SIGTERM end a compilation, however early they come."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest
from command import COMMAND, require_command

# Optimising this takes half a minute.
LONG = """from tirxcc.script import tirx as T


@T.function
def long(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    x: T.float32 = 0.0
    for i in T.unroll(20000):
        x = x * 0.5 + A[(t + i) % 64]
    A[t] = x
"""


def take_signals() -> None:
    """A shell starts what runs in its background with SIGINT ignored, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ends_a_compilation(number: signal.Signals, tmp_path: Path) -> None:
    require_command()
    path = tmp_path / "long.py"
    path.write_text(LONG)
    command = [COMMAND, "build", path, "--emit=llvm", "--target=cpu", "-o", tmp_path / "out.ll"]
    for milliseconds in (0, 1, 2, 4, 8, 16, 32, 64, 256):
        with subprocess.Popen(
            command, stderr=subprocess.DEVNULL, preexec_fn=take_signals
        ) as process:
            time.sleep(milliseconds / 1e3)
            process.send_signal(number)
            assert process.wait(timeout=10) == -number, milliseconds
    assert not (tmp_path / "out.ll").exists()
