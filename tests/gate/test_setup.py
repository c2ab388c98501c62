# SPDX-License-Identifier: Apache-2.0
"""scripts/setup.sh tells how far it is: with commands that stand in for cmake and dpkg-query."""

from __future__ import annotations

import hashlib
import os
import pty
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Stops after its first line until the test has seen it, as a long compilation would.
SLOW_CMAKE = """#!/bin/sh
[ "$1" = --build ] || exit 0
echo '[1/2] Building the first file'
read -r _ <go
echo '[2/2] Linking'
"""
FAILING_CMAKE = """#!/bin/sh
[ "$1" = --build ] || exit 0
echo 'first.cc:1: error: nonsense'
exit 1
"""


def write_command(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What setup.sh needs of a clone: all packages are there, and so is .venv."""
    root = tmp_path / "a clone"
    (root / "scripts").mkdir(parents=True)
    shutil.copy(ROOT / "scripts/setup.sh", root / "scripts")
    (root / "scripts/requirements.txt").write_text("")
    write_command(root / ".venv/bin/python", "#!/bin/sh\n")
    stamp = hashlib.sha256(b"").hexdigest()
    (root / ".venv/.requirements").write_text(f"{stamp} {root}\n")
    (root / ".venv/lib/python3.11/site-packages").mkdir(parents=True)
    write_command(root / "bin/dpkg-query", "#!/bin/sh\necho 'install ok installed'\n")
    write_command(root / "bin/cmake", SLOW_CMAKE)
    os.mkfifo(root / "go")
    return root


def start(clone: Path, output: int) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PATH": f"{clone}/bin:{os.environ['PATH']}"}
    return subprocess.Popen(
        [clone / "scripts/setup.sh"],
        cwd=clone,
        env=environment | {"TIRXCC_SETUP_SECONDS": "1"},
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
        # In the background of a shell it is ignored, and children keep that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def read_until(read: Callable[[], bytes], wanted: bytes) -> bytes:
    text = b""
    while wanted not in text:
        more = read()
        assert more, f"ended without {wanted!r}: {text!r}"
        text += more
    return text


def test_a_line_now_and_then(clone: Path) -> None:
    reader, writer = os.pipe()
    setup = start(clone, writer)
    os.close(writer)
    seen = read_until(lambda: os.read(reader, 4096), b"s  [1/2] Building the first file\n")
    (clone / "go").write_text("\n")
    seen += read_until(lambda: os.read(reader, 4096), b"[setup] ready\n")
    assert setup.wait() == 0
    assert b"\r" not in seen
    os.close(reader)


def test_one_line_on_a_terminal(clone: Path) -> None:
    reader, writer = pty.openpty()
    setup = start(clone, writer)
    os.close(writer)
    read_until(lambda: os.read(reader, 4096), b"s  [1/2] Building the first file")
    (clone / "go").write_text("\n")
    seen = read_until(lambda: os.read(reader, 4096), b"[setup] ready")
    assert setup.wait() == 0
    # The line of progress is wiped out before the next one.
    assert seen.rstrip().endswith(b"\r\x1b[K[setup] ready")
    os.close(reader)


def test_ctrl_c_ends_it(clone: Path) -> None:
    reader, writer = os.pipe()
    setup = start(clone, writer)
    os.close(writer)
    read_until(lambda: os.read(reader, 4096), b"[1/2]")
    os.killpg(setup.pid, signal.SIGINT)
    # Nothing is left that holds the pipe open.
    while os.read(reader, 4096):
        pass
    assert setup.wait() != 0
    os.close(reader)


def test_the_end_of_a_failed_build_is_shown(clone: Path) -> None:
    write_command(clone / "bin/cmake", FAILING_CMAKE)
    reader, writer = os.pipe()
    setup = start(clone, writer)
    os.close(writer)
    seen = read_until(lambda: os.read(reader, 4096), b"all of them are in")
    assert setup.wait() == 1
    assert b"first.cc:1: error: nonsense\n[setup] error: the build failed\n" in seen
    os.close(reader)
