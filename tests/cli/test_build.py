# SPDX-License-Identifier: Apache-2.0
"""`tirxcc build`: what it reads, what it writes, and how it ends."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from command import COMMAND, ROOT, Outcome, require_command, run_command

RELU = ROOT / "examples/control_flow/relu.py"
EMITS = ["ast", "ir", "cuda", "ptx", "cubin", "llvm", "obj", "header"]


@pytest.fixture(autouse=True)
def _command() -> None:
    require_command()


def failed_in_one_line(outcome: Outcome, *words: str, status: int = 1) -> None:
    """The command ended with `status`, printed no result, and said why in one line."""
    assert outcome.status == status, outcome.describe()
    assert outcome.out == "", outcome.describe()
    lines = outcome.err.splitlines()
    assert len(lines) == 1 or lines[1].startswith("Run with --help"), outcome.describe()
    for word in words:
        assert word in lines[0], outcome.describe()


@pytest.mark.parametrize("emit", EMITS)
def test_writes_what_is_asked_for(emit: str, tmp_path: Path) -> None:
    output = tmp_path / "result"
    target = ["--target", "cpu"] if emit == "llvm" else []
    outcome = run_command("build", RELU, f"--emit={emit}", "-o", output, *target)
    assert outcome.status == 0, outcome.describe()
    assert outcome.out == ""
    assert output.stat().st_size > 100
    assert sorted(p.name for p in tmp_path.iterdir()) == ["result"]
    if emit == "cubin":
        assert output.read_bytes()[:4] == b"\x7fELF"


def test_same_on_the_terminal_as_in_a_file(tmp_path: Path) -> None:
    run_command("build", RELU, "--emit=cuda", "-o", tmp_path / "a.cu")
    outcome = run_command("build", RELU, "--emit=cuda")
    assert outcome.out == (tmp_path / "a.cu").read_text()
    assert "__launch_bounds__(256)" in outcome.out


def test_one_kernel_of_several(tmp_path: Path) -> None:
    both = RELU.read_text() + RELU.read_text().split("@T.function")[1].join(["\n\n@T.function", ""])
    file = tmp_path / "two.py"
    file.write_text(both.replace("def relu(", "def first(", 1).replace("def relu(", "def second("))
    everything = run_command("build", file, "--emit=cuda").out
    assert "first_kernel(" in everything and "second_kernel(" in everything
    one = run_command("build", file, "--emit=cuda", "--kernel", "second").out
    assert "first_kernel(" not in one and "second_kernel(" in one
    unknown = run_command("build", file, "--emit=cuda", "--kernel", "third")
    assert unknown.status == 2
    assert "no kernel 'third'" in unknown.err and "defines first, second" in unknown.err


def test_missing_file(tmp_path: Path) -> None:
    failed_in_one_line(run_command("build", tmp_path / "none.py", "--emit=cuda"), "none.py")


def test_folder_instead_of_a_file(tmp_path: Path) -> None:
    failed_in_one_line(run_command("build", tmp_path, "--emit=cuda"), tmp_path.name)


@pytest.mark.parametrize(
    "content",
    [b"", b"\x7fELF\0\0\0\0", b"x = '\xff\xfe'\n", b"\n" * 10],
    ids=["empty", "binary", "not-utf8", "blank"],
)
def test_strange_files(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "strange.py"
    file.write_bytes(content)
    output = tmp_path / "out.cu"
    outcome = run_command("build", file, "--emit=cuda", "-o", output)
    assert outcome.status == 1, outcome.describe()
    assert "strange.py" in outcome.err
    assert len(outcome.err.splitlines()) <= 3, outcome.describe()
    assert not output.exists()


def test_large_file(tmp_path: Path) -> None:
    file = tmp_path / "large.py"
    with file.open("wb") as stream:
        stream.truncate(100 * 2**20)
    failed_in_one_line(run_command("build", file, "--emit=cuda"), "large.py")


def test_a_mistake_leaves_the_old_output(tmp_path: Path) -> None:
    file, output = tmp_path / "bad.py", tmp_path / "out.cu"
    file.write_text(RELU.read_text().replace("A[i] > 0.0", "A[j] > 0.0"))
    output.write_text("old")
    outcome = run_command("build", file, "--emit=cuda", "-o", output)
    assert outcome.status == 1
    assert output.read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.py", "out.cu"]


def test_output_folder_missing(tmp_path: Path) -> None:
    outcome = run_command("build", RELU, "--emit=cuda", "-o", tmp_path / "none/out.cu")
    failed_in_one_line(outcome, "none/out.cu")


def test_output_to_a_device() -> None:
    outcome = run_command("build", RELU, "--emit=cuda", "-o", "/dev/null")
    assert outcome.status == 0, outcome.describe()
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["build"],
        ["frobnicate"],
        ["build", "--emit=cuda"],
        ["build", str(RELU), "--emit=fortran"],
        ["build", str(RELU), "--emit=cuda", "--no-such-option"],
        ["build", str(RELU), "--emit=cuda", "--target", "abacus"],
        ["build", str(RELU), "--emit=cuda", "--arch", "sm_1"],
        ["build", str(RELU), "--emit=cuda", "--print-after=no_such_pass"],
    ],
    ids=lambda arguments: " ".join(a for a in arguments if a != str(RELU)) or "nothing",
)
def test_wrong_usage(arguments: list[str]) -> None:
    outcome = run_command(*arguments)
    assert outcome.status == 2, outcome.describe()
    assert outcome.out == "", outcome.describe()
    assert outcome.err.strip(), "no message"


def test_help() -> None:
    for arguments in (["--help"], ["build", "--help"], ["run", "--help"]):
        outcome = run_command(*arguments)
        assert outcome.status == 0
        assert "Usage" in outcome.out or "usage" in outcome.out


def test_version() -> None:
    outcome = run_command("--version")
    assert outcome.status == 0
    assert outcome.out.strip().count(".") == 2


def test_passes_are_shown_and_timed() -> None:
    outcome = run_command("build", RELU, "--emit=cuda", "--time-passes")
    assert outcome.status == 0, outcome.describe()
    assert outcome.out == run_command("build", RELU, "--emit=cuda").out
    assert outcome.err.strip()


def test_closed_pipe() -> None:
    """`tirxcc build ... | head -1` neither crashes nor complains."""
    command = f'"{COMMAND}" build "{RELU}" --emit=cuda | true'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_works_from_any_folder_and_by_any_link(tmp_path: Path) -> None:
    link = tmp_path / "a b" / "tirxcc"
    link.parent.mkdir()
    link.symlink_to(COMMAND.resolve())
    (tmp_path / "k.py").write_text(RELU.read_text())
    arguments = [link, "run", "k.py", "--kernel", "relu", "--target", "cpu"]
    arguments += ["--arg", "A=ones:float32[10]", "--arg", "B=zeros:float32[10]"]
    done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_function_without_a_launch_has_no_cuda(tmp_path: Path) -> None:
    file = tmp_path / "host.py"
    file.write_text(
        "from tirxcc.script import tirx as T\n\n\n"
        "@T.function\ndef host(A: T.Tensor((4,), T.float32)):\n    A[0] = 1.0\n"
    )
    outcome = run_command("build", file)
    assert (outcome.status, outcome.out) == (0, ""), outcome.describe()
    assert "T.device_entry" in outcome.err, outcome.describe()


def test_full_device() -> None:
    """What cannot be written to standard output is told, and why."""
    for words in (["build", RELU], ["help"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [COMMAND, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        assert done.returncode == 1
        expected = "tirxcc: error: cannot write standard output: No space left on device\n"
        assert done.stderr == expected
