# SPDX-License-Identifier: Apache-2.0
"""Random kernels on the CPU target, at both optimisation levels, against CPython.

TIRXCC_ORACLE_PROGRAMS says how many; continuous integration sets it to 5000.
"""

from __future__ import annotations

import ast
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import faults
import kernel
import meaning
import numpy as np
import oracle
import programs
import shrink

COUNT = int(os.environ.get("TIRXCC_ORACLE_PROGRAMS", "1000"))
# Enough for shares to be what they are.
COUNT_WITH_SHARES = 5000


@pytest.mark.slow
def test_programs_mean_what_python_means(capsys: pytest.CaptureFixture) -> None:
    outcome = oracle.run(COUNT)
    assert outcome.programs == COUNT
    found = [oracle.describe(*finding) for finding in sorted(outcome.findings.items())[:3]]
    assert not found, "\n\n".join(found)
    print(oracle.shares_table(outcome))
    if COUNT >= COUNT_WITH_SHARES:
        assert not oracle.too_rare(outcome)


def test_much_on_stderr_does_not_stop_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    # More than a pipe holds, and it must not need a reader.
    monkeypatch.setenv("PYTHONVERBOSE", "1")
    outcomes: list[oracle.Outcome] = []
    thread = threading.Thread(target=lambda: outcomes.append(oracle.run(2, jobs=1)), daemon=True)
    thread.start()
    thread.join(60)
    assert [outcome.programs for outcome in outcomes] == [2]


def test_a_program_is_the_same_for_the_same_seed() -> None:
    assert programs.make(7) == programs.make(7)
    assert programs.make(7).source() != programs.make(8).source()


def small_program(body: str, **types: str) -> kernel.Program:
    frame = kernel.Frame("function", 1, (4,), "", 4, 4, False)
    return kernel.Program(0, frame, body, types)


def test_a_difference_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a wrong rule of floor division, a program with one does not mean the same."""
    wrong = lambda a, b, dtype: int(a / b) if b else 0  # noqa: E731
    compute = meaning.compute

    def compute_wrongly(symbol, function, operands):
        return compute(symbol, wrong if symbol == "//" else function, operands)

    monkeypatch.setattr(meaning, "compute", compute_wrongly)
    body = "x = I32[t, 0] | 1\nif t < 9:\n    U8[t, 1] = 3\n    I32[t, 2] = (x - 100) // 7 + 1\n"
    program = small_program(body, x="int32")
    found = oracle.difference(program)
    assert found.startswith("opt_level 0: I32[")
    smaller, found = shrink.shrunk(program, found)
    assert found.startswith("opt_level 0: I32[")
    assert len(ast.parse(smaller.body).body) <= 2
    assert "//" in smaller.body


def test_a_crash_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        oracle, "interpret", lambda program, inputs: os.kill(os.getpid(), signal.SIGKILL)
    )
    assert shrink.probe(small_program("I8[t, 0] = 1\n")) == "ends with status -9"


def test_bits_are_compared() -> None:
    zeros = np.array([0.0, -0.0, 0.0], np.float32)
    assert oracle.differing(zeros, abs(zeros), "float32").tolist() == [False, True, False]
    nan = zeros + np.float32(np.nan)
    assert not oracle.differing(nan, -nan, "float32").any()


def test_places_of_planted_faults_exist() -> None:
    texts = {fault.file: (faults.ROOT / fault.file).read_text() for fault in faults.FAULTS}
    for number, fault in enumerate(faults.FAULTS, 1):
        texts[fault.file] = faults.patched(texts[fault.file], number, fault)
        assert f"is_planted({number})" in texts[fault.file]
