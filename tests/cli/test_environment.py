# SPDX-License-Identifier: Apache-2.0
"""Environment variables: each stands in the README, and a value without sense is told."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import COMMAND, ROOT, require_command

VARIABLE = re.compile(r"(?:getenv|environment|environ\.get)\(\"(TIRXCC_\w+)\"")
RELU = ROOT / "examples/control_flow/relu.py"
RUN = ("run", RELU, "--arg", "A=ones:float32[8]", "--arg", "B=zeros:float32[8]", "--target", "cpu")


def tirxcc(*arguments: object, **variables: str) -> subprocess.CompletedProcess:
    require_command()
    return subprocess.run(
        [COMMAND, *map(str, arguments)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
    )


def test_each_is_documented() -> None:
    asked: set[str] = set()
    for folder, suffix in (("src", "*.cc"), ("tools", "*.cc"), ("python", "*.py")):
        for path in (ROOT / folder).rglob(suffix):
            if not path.stem.endswith("_test"):
                asked |= set(VARIABLE.findall(path.read_text("utf-8")))
    assert {"TIRXCC_NUM_THREADS", "TIRXCC_CACHE_DIR", "TIRXCC_PRELOAD"} <= asked
    page = (ROOT / "README.md").read_text("utf-8")
    assert not [name for name in sorted(asked) if f"`{name}`" not in page]


@pytest.mark.parametrize("count", ["abc", "0", "-1", "1000000000", "2.5", "2x"])
def test_number_of_threads(count: str) -> None:
    outcome = tirxcc(*RUN, TIRXCC_NUM_THREADS=count)
    assert outcome.returncode == 1
    assert f"TIRXCC_NUM_THREADS is '{count}'; it takes a number from 1 to 1024" in outcome.stderr


@pytest.mark.parametrize("count", ["", "1", "2"])
def test_good_numbers_of_threads(count: str) -> None:
    assert tirxcc(*RUN, TIRXCC_NUM_THREADS=count).returncode == 0


def test_cache_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file/below"):
        outcome = tirxcc("doctor", TIRXCC_CACHE_DIR=str(folder))
        (line,) = [line for line in outcome.stdout.splitlines() if " cache " in line]
        assert line.startswith("missing"), line
        assert "cannot be used" in line and "Not a directory" in line
    outcome = tirxcc("doctor", TIRXCC_CACHE_DIR=str(tmp_path / "new"))
    assert f"ok       cache     {tmp_path}/new" in outcome.stdout


def test_libraries_that_are_not_there() -> None:
    outcome = tirxcc("doctor", TIRXCC_NVRTC="/none/a.so", TIRXCC_LIBCUDA="/none/b.so")
    assert "TIRXCC_NVRTC names a library that does not work" in outcome.stdout
    assert "/none/b.so not found" in outcome.stdout
    outcome = tirxcc(*RUN, TIRXCC_CPU_PLUGIN="/none/c.so")
    assert outcome.returncode == 1
    assert "/none/c.so: cannot open shared object file" in outcome.stderr


def test_preload() -> None:
    pytest.importorskip("tirxcc")
    outcome = subprocess.run(
        [sys.executable, "-c", "import tirxcc"],
        env={**os.environ, "TIRXCC_PRELOAD": "no"},
        capture_output=True,
        text=True,
    )
    assert outcome.returncode == 0
    assert "TIRXCC_PRELOAD is 'no'; it takes 0 or 1" in outcome.stderr
