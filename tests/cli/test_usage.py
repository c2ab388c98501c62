# SPDX-License-Identifier: Apache-2.0
"""Wrong command lines: the word that is wrong, the right one, where help is, and exit status 2."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from command import COMMAND, ROOT, Outcome, require_command, run_command

RELU = ROOT / "examples/control_flow/relu.py"
SCALARS = ROOT / "tests/golden/launch/scalar_parameters.py"
GOOD = ("--arg", "A=ones:float32[10]")


@pytest.fixture(autouse=True)
def _command() -> None:
    require_command()


def says(outcome: Outcome, *words: str, status: int = 2) -> None:
    assert outcome.status == status, outcome.describe()
    assert outcome.out == "", outcome.describe()
    assert outcome.err.startswith("tirxcc: error: "), outcome.describe()
    assert 1 <= len(outcome.err.splitlines()) <= 2, outcome.describe()
    for word in words:
        assert word in outcome.err, outcome.describe()


def build(*words: str) -> Outcome:
    return run_command("build", RELU, *words)


def run(*words: str) -> Outcome:
    return run_command("run", RELU, "--target", "cpu", *words)


def test_commands() -> None:
    says(run_command("biuld", RELU), "no command 'biuld'", "did you mean 'build'?", "--help")
    says(run_command("frobnicate"), "no command 'frobnicate'", "'tirxcc --help'")
    says(
        run_command("relu.py"),
        "no command 'relu.py'",
        "'tirxcc build relu.py' or 'tirxcc run relu.py'",
    )
    says(run_command("compile", RELU), "did you mean 'build'?")
    says(run_command("version"), "did you mean '--version'?")
    says(run_command("check", RELU), "checked runs are not supported yet")
    says(run_command(), "a command is missing", "build", "run", "help")
    says(run_command("cache", "cler"), "'cache cler'", "did you mean 'clear'?")
    says(run_command("--kernel", "relu"), "'--kernel'", "a command comes first")


def test_options() -> None:
    says(build("--kernl", "relu"), "'build --kernl'", "did you mean '--kernel'?", "build --help")
    says(build("--emti=cuda"), "'build --emti'", "did you mean '--emit'?")
    says(run("--arg", "A=1", "--tiem"), "'run --tiem'", "did you mean '--time'?", "run --help")
    says(build("--emit=asm"), "'asm'", "'obj'", "'llvm'")
    says(build("--emit=cdua"), "'build --emit'", "'cdua'", "ptx", "did you mean 'cuda'?")
    says(build("-O", "9"), "--opt-level", "'9'", "0 to 3")
    says(build("-O", "fast"), "--opt-level", "'fast'", "0 to 3")
    says(build("--print-after"), "'build --print-after'", "a value is missing")
    says(build("--print-after=simplfy"), "'simplfy'", "simplify")
    says(build("--target", "abacus"), "abacus", "cuda")
    says(build("--arch", "sm_1"), "'sm_1'", "sm_90a")
    says(build("more.py"), "more.py", "one word too many")
    says(run_command("build"), "'build' needs a kernel file", "tirxcc build relu.py")
    says(run(*GOOD, "--repeat", "3"), "--repeat", "--time")
    says(run(*GOOD, "--time", "--repeat", "0"), "--repeat", "'0'")
    says(run("--force-variant", "foo"), "--force-variant", "'foo'", "index64")


def test_missing_file(tmp_path: Path) -> None:
    says(run_command("build", tmp_path / "none.py"), "none.py", status=1)
    says(run_command("run", tmp_path / "none.py"), "none.py", status=1)


def test_kernel_names(tmp_path: Path) -> None:
    words = ("no kernel 'rleu'", "relu.py", "did you mean 'relu'?", "defines relu")
    says(build("--kernel", "rleu"), *words)
    says(run("--kernel", "rleu"), *words)
    says(run(*GOOD, "--arg", "B=zeros:[10]", "--save", "n=n.npy"), "'n' is a size")
    assert ":1:1" not in build("--kernel", "rleu").err
    file = tmp_path / "two.py"
    text = RELU.read_text()
    file.write_text(text + text[text.index("@T.function") :].replace("def relu", "def other"))
    says(run_command("run", file, *GOOD), "2 functions", "--kernel", "relu, other")


def test_arguments() -> None:
    says(run(*GOOD, "--arg", "B=zeros"), "B=zeros", "type and shape", "'B=zeros:float32[1000]'")
    says(run(*GOOD, "--arg", "B=zeros:float32"), "TYPE[SHAPE]", "'B=zeros:float32[1000]'")
    says(run(*GOOD, "--arg", "B=zeors:float32[10]"), "'zeors'", "did you mean 'zeros'?", "normal")
    says(run(*GOOD, "--arg", "B=zeros:flot32[10]"), "'flot32'", "int8", "did you mean 'float32'?")
    says(run(*GOOD, "--arg", "B=zeros:float32[10,x]"), "'x'", "'B=zeros:float32[1000]'")
    says(run(*GOOD, "--arg", "B=zeros:float32(10)"), "float32(10)", "'B=zeros:float32[1000]'")
    says(run(*GOOD, "--arg", "B=data.txt"), "'data.txt'", ".npy", "KIND:TYPE[SHAPE]")
    says(run(*GOOD, "--arg", "B"), "--arg B", "NAME=SPEC")
    says(run(*GOOD, "--arg", "n=10"), "'n' is a size", "shape of A", "A=normal:float32[1000]")
    says(run(*GOOD, "--arg", "b=zeros:float32[10]"), "no parameter 'b'", "did you mean 'B'?")
    says(run(*GOOD), "no --arg for B", "--arg B=zeros:float32[1000]")
    says(run(*GOOD, *GOOD), "'A' is given twice")
    says(run(*GOOD, "--arg", "B=uniform=3:float32[10]"), "LOW..HIGH")
    says(run(*GOOD, "--arg", "B=none.npy"), "none.npy", status=1)
    for spec in ("raw:a.npy", "raw:a.npy:float32[10]"):
        says(run(*GOOD, "--arg", f"B={spec}"), "tells its type and shape itself", "'B=a.npy'")


def test_scalars() -> None:
    outcome = run_command("run", SCALARS, "--target", "cpu", "--arg", "scale=fast")
    says(outcome, "scale=fast", "not a number", "'scale=1'")


def test_launch_messages_are_apart() -> None:
    outcome = run(*GOOD, "--arg", "B=zeros:float64[10]")
    says(outcome, "got float64; when calling relu(A: ", status=1)


def test_bytes_do_not_go_to_a_terminal() -> None:
    ours, theirs = os.openpty()
    words = ("build", RELU, "--emit=obj")
    done = subprocess.run(
        [COMMAND, *words], stdout=theirs, stderr=subprocess.PIPE, text=True, timeout=60
    )
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 2
    assert "--emit=obj makes bytes" in done.stderr
    assert "'-o kernel.o'" in done.stderr
    assert run_command(*words, "-o", "-").status == 0


def test_help() -> None:
    outcome = run_command("help", "lops")
    assert outcome.status == 2, outcome.describe()
    assert "did you mean 'loops'?" in outcome.err


def test_help_is_in_order() -> None:
    page = run_command("--help").out
    # One line for each command, those that are used most first.
    commands = page[page.index("Subcommands:") :].split("\n")[1:]
    names = [line.split()[0] for line in commands if line.strip()]
    assert names == ["build", "run", "help", "doctor", "cache"]
    page = run_command("run", "--help").out
    places = [page.index(word) for word in ("--arg", "--target", "--verify-each", "arange:T[..]")]
    assert places == sorted(places)
