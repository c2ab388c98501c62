# SPDX-License-Identifier: Apache-2.0
"""examples/control_flow.py: every kernel runs, and is the one of the folder of that name."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
import tirxcc

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = sorted((EXAMPLES / "control_flow").glob("*.py"))
NAMES = runpy.run_path(str(EXAMPLES / "control_flow.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_kernel_of_the_folder(path: Path) -> None:
    alone = tirxcc.function_from_source(path.read_text(), path=str(path))
    together = NAMES[path.stem]
    assert tirxcc.compile(together).cuda_source == tirxcc.compile(alone).cuda_source


def test_every_kernel_has_arguments() -> None:
    assert sorted(NAMES["arguments_of_each"]()) == [path.stem for path in FILES]


def test_runs_as_a_program(capsys: pytest.CaptureFixture) -> None:
    NAMES["main"]([])
    assert len(capsys.readouterr().out.splitlines()) >= len(FILES)
    NAMES["main"](["relu"])
    assert "relu_kernel(" in capsys.readouterr().out
