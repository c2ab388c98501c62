# SPDX-License-Identifier: Apache-2.0
"""exe.explain(): the tool's --explain from Python (what it says is in tests/golden/explain)."""

from __future__ import annotations

import pytest
import tirxcc
from command import ROOT, run_command

ONE_LOOP = ROOT / "tests/golden/explain/one_loop.py"


def test_says_what_the_tool_says() -> None:
    kernel = tirxcc.function_from_source(ONE_LOOP.read_text(), path=str(ONE_LOOP))
    told = tirxcc.compile(kernel, target="cpu").explain()
    assert told == run_command("build", ONE_LOOP, "--explain").out
    at_once = tirxcc.compile(kernel, target="cpu", opt_level=0).explain()
    assert set(told.splitlines()) ^ set(at_once.splitlines()) == {
        "  streaming: yes: `B` is written past the caches when it is larger than the last of them",
        "  streaming: no: opt_level is 0",
        "  lanes: 1 of 1 loops over threads run 8 threads in step",
        "  lanes: no: opt_level is 0",
        "  variant: streaming: compiled when `B` is larger than the caches",
    }


def test_belongs_to_the_cpu() -> None:
    kernel = tirxcc.function_from_source(ONE_LOOP.read_text(), path=str(ONE_LOOP))
    with pytest.raises(ValueError, match="only the CPU target explains"):
        tirxcc.compile(kernel, target="sm_90a").explain()
