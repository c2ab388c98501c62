# SPDX-License-Identifier: Apache-2.0
"""The command line under test: where it is and how to run it."""

from __future__ import annotations

import errno
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Where CMake built; scripts/sanitize.sh has another place.
BUILD = Path(os.environ.get("TIRXCC_BUILD", ROOT / "build/release"))
COMMAND = Path(os.environ.get("TIRXCC", ROOT / ".venv/bin/tirxcc"))


@dataclass(frozen=True)
class Outcome:
    """What a finished command left."""

    status: int
    out: str
    err: str

    def describe(self) -> str:
        return f"exit status {self.status}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


def require_command() -> None:
    """Skips the test while the sources have no command yet; fails if it was just not built."""
    if COMMAND.exists():
        return
    if not (ROOT / "tools/tirxcc/main.cc").exists():
        pytest.skip("the command line is not written yet")
    pytest.fail(f"{COMMAND} is missing: run scripts/setup.sh")


def _start_and_wait(command: list, cwd: Path, time_limit_s: float) -> subprocess.CompletedProcess:
    # On small virtual machines, starting many processes at once now and then fails with EFAULT.
    for tries_left in (2, 1, 0):
        try:
            return subprocess.run(
                command,
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=time_limit_s,
                check=False,
            )
        except OSError as error:
            if error.errno != errno.EFAULT or tries_left == 0:
                raise
    raise AssertionError("not reached")


def run_command(*arguments: str | Path, cwd: Path = ROOT, time_limit_s: float = 60) -> Outcome:
    """Runs `tirxcc ARGUMENTS`; messages come without colour because stderr is no terminal."""
    done = _start_and_wait([COMMAND, *map(str, arguments)], cwd, time_limit_s)
    decode = lambda data: data.decode("utf-8", "backslashreplace")  # noqa: E731
    return Outcome(done.returncode, decode(done.stdout), decode(done.stderr))
