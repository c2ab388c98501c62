# SPDX-License-Identifier: Apache-2.0
"""What the checks of this folder share: the list of the repository's files and how to report.

Every `check_*.py` here is a small program that prints `path:line: what is wrong` for each finding
and exits with 1 if there was one. `scripts/test.sh` runs them all.
"""

from __future__ import annotations

import functools
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@functools.cache
def all_files() -> tuple[Path, ...]:
    """The files that git tracks or would track, as absolute paths, sorted."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
    paths = (ROOT / name.decode() for name in listing.split(b"\0") if name)
    return tuple(sorted({path for path in paths if path.is_file()}))


def files(*suffixes: str, under: str = "") -> list[Path]:
    """Those of all_files() with one of the suffixes and below the folder `under`."""
    top = ROOT / under
    return [f for f in all_files() if f.suffix in suffixes and f.is_relative_to(top)]


def read(path: Path) -> str | None:
    """The text of a file, or None if it is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def finish(what: str, findings: list[str]) -> None:
    """Prints the findings, if any, and ends the program."""
    for finding in findings:
        print(finding)
    if findings:
        print(f"{what}: {len(findings)} found")
    sys.exit(1 if findings else 0)
