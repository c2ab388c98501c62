# SPDX-License-Identifier: Apache-2.0
"""`tirxcc doctor`: one line for each thing a GPU needs, found or not."""

from __future__ import annotations

import re

import pytest
from command import run_command


def test_names_what_it_looked_for() -> None:
    outcome = run_command("doctor")
    assert outcome.status == 0, outcome.describe()
    for subject in ("driver", "NVRTC", "cache"):
        assert subject in outcome.out, outcome.describe()


def test_cpu_target() -> None:
    outcome = run_command("doctor")
    assert re.search(r"^ok +CPU +.*\d+ threads?$", outcome.out, re.M), outcome.describe()


def test_variables_that_make_no_sense(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value, words in (
        ("TIRXCC_CPU_PLUGIN", "/nope.so", r"^missing +CPU .*\n.*/nope\.so"),
        ("TIRXCC_NUM_THREADS", "many", r"^missing +CPU .*TIRXCC_NUM_THREADS is 'many'"),
        ("TIRXCC_THREADS", "2", r"^missing +variable +TIRXCC_THREADS is set"),
    ):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            outcome = run_command("doctor")
        assert outcome.status == 0, outcome.describe()
        assert re.search(words, outcome.out, re.M), outcome.describe()
