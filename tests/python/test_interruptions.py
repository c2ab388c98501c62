# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C while a kernel runs or is compiled: KeyboardInterrupt at once, and a process that goes on
or ends in the ordinary way."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import interruptions
import numpy as np
import pytest
import tirxcc

PROGRAM = Path(interruptions.__file__)
CASES = (
    "run_blocks",
    "run_after_quick_calls",
    "run_block",
    "run_host",
    "compile_machine_code",
    "read_text",
    "make_cuda_text",
)


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, PROGRAM, *arguments], capture_output=True, text=True, timeout=100
    )


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_process_stays_usable(case: str) -> None:
    done = run(case, "0.5")
    assert (done.returncode, done.stderr) == (0, "")
    after = re.match(r"interrupted after (\S+)\nusable\n$", done.stdout)
    assert after, done.stdout
    # The work itself has no end, or one that is far away; machines that run tests can be slow.
    assert float(after[1]) < 20


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_uncaught_interrupt_ends_the_process(case: str) -> None:
    done = run(case, "0.5", "uncaught")
    assert done.returncode in (130, -signal.SIGINT)
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"


def test_handlers_that_do_not_raise_let_the_kernel_go_on() -> None:
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(len(seen)))
    try:
        exe = tirxcc.compile(interruptions.add_one, target="cpu")
        text = interruptions.long_text(2000)
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        slow = tirxcc.compile(tirxcc.function_from_source(text), target="cpu")
        slow.prepare()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen
    a = np.zeros(100, np.int32)
    exe(a)
    assert (a == 1).all()


def test_other_threads_run_while_one_compiles() -> None:
    exe = tirxcc.compile(
        tirxcc.function_from_source(interruptions.long_text(5000)), target="cpu", opt_level=0
    )
    is_done = threading.Event()
    turns = 0

    def count() -> None:
        nonlocal turns
        while not is_done.wait(0.001):
            turns += 1

    thread = threading.Thread(target=count)
    thread.start()
    exe.prepare()
    is_done.set()
    thread.join()
    # Some of the 100 ms and more that compiling takes; none would pass if the GIL were held.
    assert turns >= 10
