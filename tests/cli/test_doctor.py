# SPDX-License-Identifier: Apache-2.0
"""`tirxcc doctor`: one line for each thing a GPU needs, found or not."""

from __future__ import annotations

from command import run_command


def test_names_what_it_looked_for() -> None:
    outcome = run_command("doctor")
    assert outcome.status == 0, outcome.describe()
    for subject in ("driver", "NVRTC", "cache"):
        assert subject in outcome.out, outcome.describe()
