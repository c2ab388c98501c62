# SPDX-License-Identifier: Apache-2.0
"""The folder of compiled kernels: found again, bounded, undamaged by whoever uses it at once."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest
from command import require_command
from fake_gpu import fake_environment, run_on_fake, start

KERNELS = Path("tests/twins/kernels.py")
NAMES = ["relu", "row_sum", "transpose", "binary_search", "early_exit"]


@pytest.fixture(autouse=True)
def _command() -> None:
    require_command()


def build(kernel: str, environment: dict[str, str]) -> str:
    outcome = run_on_fake(
        "build", KERNELS, "--kernel", kernel, "--emit=cubin", environment=environment
    )
    assert outcome.status == 0, outcome.describe()
    return outcome.out


def entries(folder: Path) -> list[Path]:
    return sorted((folder / "cache/cubin").iterdir())


def compiled(log: Path) -> int:
    return len(log.read_text().splitlines())


def test_another_process_compiles_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log"
    environment = fake_environment(tmp_path, FAKE_NVRTC_LOG=log)
    first = build("relu", environment)
    assert build("relu", environment) == first
    assert compiled(log) == 1
    assert build("row_sum", environment) != first
    assert compiled(log) == 2


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "other"])
def test_a_damaged_entry_is_compiled_again(damage: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    environment = fake_environment(tmp_path, FAKE_NVRTC_LOG=log)
    good = build("relu", environment)
    (entry,) = entries(tmp_path)
    data = bytearray(entry.read_bytes())
    if damage == "cut":
        data = data[:-7]
    elif damage == "flipped":
        data[-1] ^= 1
    elif damage == "empty":
        data = b""
    else:
        build("row_sum", environment)
        (other,) = [path for path in entries(tmp_path) if path != entry]
        data = other.read_bytes()
    entry.write_bytes(data)
    before = compiled(log)
    assert build("relu", environment) == good
    assert build("relu", environment) == good
    assert compiled(log) == before + 1


def test_info_and_clear(tmp_path: Path) -> None:
    environment = fake_environment(tmp_path)
    outcome = run_on_fake("cache", "info", environment=environment)
    assert outcome.out == f"{tmp_path}/cache: empty\n", outcome.describe()
    for kernel in NAMES[:3]:
        build(kernel, environment)
    mine = tmp_path / "cache/cubin/notes.txt"
    mine.write_text("not an entry")
    outcome = run_on_fake("cache", "info", environment=environment)
    assert outcome.out == f"{tmp_path}/cache\ncubin: 3 entries, 0.0 MiB of 512\n"
    outcome = run_on_fake("cache", "clear", environment=environment)
    assert outcome.out == f"{tmp_path}/cache\ncubin: 3 entries, 0.0 MiB removed\n"
    assert entries(tmp_path) == [mine]
    outcome = run_on_fake(
        "cache", "info", environment=fake_environment(tmp_path, TIRXCC_CACHE_DIR="")
    )
    assert outcome.out == "no cache: HOME is not set, or TIRXCC_CACHE_DIR is empty\n"


@pytest.mark.slow
def test_a_hundred_processes_of_which_some_are_killed(tmp_path: Path) -> None:
    environment = fake_environment(tmp_path, FAKE_NVRTC_MS=3)
    rng = random.Random(0)
    expected = {name: build(name, fake_environment(tmp_path / "alone")) for name in NAMES}
    finished = 0
    for _ in range(10):
        running = []
        for _ in range(10):
            name = rng.choice(NAMES)
            arguments = ("build", KERNELS, "--kernel", name, "--emit=cubin")
            running.append((name, start(*arguments, environment=environment)))
        for name, process in running:
            if rng.random() < 0.3:
                process.send_signal(signal.SIGKILL)
            out, err = process.communicate(timeout=60)
            if process.returncode == -signal.SIGKILL:
                continue
            assert process.returncode == 0, err.decode()
            assert out.decode("latin-1") == expected[name]
            finished += 1
    assert finished >= 30
    # Whatever was left is whole, or is not taken.
    for name in NAMES:
        assert build(name, environment) == expected[name]
    whole = [path for path in entries(tmp_path) if not path.name.startswith(".new-")]
    assert len(whole) == len(NAMES)
