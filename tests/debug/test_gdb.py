# SPDX-License-Identifier: Apache-2.0
"""gdb on kernels compiled with debug: it stops at lines of the kernel file, steps from one to the
next, and prints the kernel's own names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import tirxcc
from command import COMMAND, require_command, run_command

HERE = Path(__file__).resolve().parent
KERNELS = HERE / "kernels.py"
SCALED = ["--kernel", "scaled", "--arg", "A=arange:float32[10]", "--arg", "B=zeros:float32[10]",
          "--arg", "by=2"]  # fmt: skip
REVERSED = ["--kernel", "reversed_in_block", "--arg", "A=arange:int32[2,8]", "--arg", "flag=true"]
COUNTED = ["--kernel", "counted", "--arg", "A=arange:int64[5]", "--arg", "step=7"]


def line_of(name: str) -> int:
    lines = KERNELS.read_text().splitlines()
    return next(i for i, text in enumerate(lines, 1) if text.endswith(f"# stop: {name}"))


@dataclass
class Session:
    """What gdb printed: `value(name)` of the commands that the test gave, in order."""

    text: str

    def values(self, name: str) -> list[str]:
        return re.findall(rf"^<{re.escape(name)}> (.*)$", self.text, re.MULTILINE)

    def stops(self) -> list[int]:
        return [int(line) for line in self.values("line")]


def show(*names: str) -> list[str]:
    """gdb commands that print expressions, each as `<name> value`."""
    commands = []
    for name in names:
        commands += ["-ex", f'printf "<{name}> "', "-ex", f"output {name}", "-ex", 'printf "\\n"']
    return commands


# The line where the program stands, by gdb's own Python, if it has one; else by its words.
WHERE = ["-ex", 'python print(f"<line> {gdb.selected_frame().find_sal().line}")']


def debug(commands: list[str], program: list[str]) -> Session:
    gdb = shutil.which("gdb")
    if gdb is None:
        pytest.skip("gdb is not installed")
    start = [gdb, "-batch", "-nx", "-ex", "set breakpoint pending on", "-ex", "set width 0",
             "-ex", "set debuginfod enabled off"]  # fmt: skip
    done = subprocess.run(
        [*start, *commands, "--args", *program],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
        env={**os.environ, "LC_ALL": "C"},
        check=False,
    )
    text = done.stdout + done.stderr
    if "ptrace: Operation not permitted" in text or "Couldn't get registers" in text:
        pytest.skip("this machine does not let gdb trace processes")
    if "Python scripting is not supported" in text:
        pytest.skip("this gdb has no Python")
    return Session(text)


def run_kernel(arguments: list[str], *options: str) -> list[str]:
    require_command()
    return [str(COMMAND), "run", str(KERNELS), *arguments, "--target", "cpu", "--debug", *options]


def stop_at(name: str, condition: str = "") -> list[str]:
    return ["-ex", f"break kernels.py:{line_of(name)}{' if ' + condition if condition else ''}"]


def test_stops_at_a_line_and_prints_names() -> None:
    names = ["i", "n", "by", "k", "total", "A[i]", "thread_x", "block_x"]
    session = debug([*stop_at("loop"), "-ex", "run", *WHERE, *show(*names)], run_kernel(SCALED))
    assert session.stops() == [line_of("loop")], session.text
    found = [session.values(name) for name in names]
    assert found == [[v] for v in ["0", "10", "2", "0", "0", "0", "0", "0"]], session.text


def test_stops_where_a_condition_holds() -> None:
    names = ["i", "k", "total", "A[i]", "thread_x", "block_x"]
    at = stop_at("loop", "i == 6 && k == 2")
    session = debug([*at, "-ex", "run", *WHERE, *show(*names)], run_kernel(SCALED))
    assert session.stops() == [line_of("loop")], session.text
    found = [session.values(name) for name in names]
    assert found == [[v] for v in ["6", "2", "25", "6", "2", "1"]], session.text


def test_steps_from_line_to_line() -> None:
    at = stop_at("loop", "i == 1 && k == 2")
    step = ["-ex", "next", *WHERE]
    session = debug([*at, "-ex", "run", *WHERE, *step * 4], run_kernel(SCALED))
    first = line_of("loop")
    # The loop's end, the condition, the branch that is taken, and on to the next thread.
    wanted = [first, first - 1, line_of("large") - 1, line_of("small")]
    assert session.stops()[:4] == wanted, session.text
    assert len(session.stops()) == 5, session.text


def test_branches_are_not_merged() -> None:
    session = debug(
        [*stop_at("large"), "-ex", "run", *show("i", "total")],
        run_kernel([*SCALED[:-1], "by=20"]),
    )
    assert session.values("i") == ["2"] and session.values("total") == ["123"], session.text


def test_every_thread_comes_by() -> None:
    """Also those that the guard turns away: 10 elements in blocks of 4 are 12 threads."""
    count = ["-ex", "python hits = 0", *stop_at("guard"), "-ex", "ignore 1 1000", "-ex", "run",
             "-ex", "info breakpoints"]  # fmt: skip
    session = debug(count, run_kernel(SCALED))
    assert "already hit 12 times" in session.text


def test_names_that_live_across_barriers() -> None:
    names = ["t", "row", "before", "seen", "mine[0]", "mine[1]", "S[0]", "S[7]", "flag"]
    at = stop_at("get", "t == 2 && row == 1")
    session = debug([*at, "-ex", "run", *WHERE, *show(*names)], run_kernel(REVERSED))
    assert session.stops() == [line_of("get")], session.text
    found = [session.values(name) for name in names]
    # Row 1 holds 8..15; thread 2 has 10 and sees that of thread 5, 13, times 4 + 2 + 1.
    wanted = ["2", "1", "10", str(11 + 13 * 7), "100", "2", "8", "15", "true"]
    assert found == [[v] for v in wanted], session.text


def test_inline_functions_are_part_of_the_kernel() -> None:
    at = stop_at("inline", "t == 3 && row == 1")
    session = debug(
        [*at, "-ex", "run", *WHERE, *show("before"), "-ex", "bt 1"], run_kernel(REVERSED)
    )
    assert session.stops() == [line_of("inline")], session.text
    assert session.values("before") == ["11"], session.text
    assert re.search(r"^#0 +reversed_in_block \(A=", session.text, re.MULTILINE), session.text


def test_scalars_of_the_block() -> None:
    at = stop_at("turn", "t == 7 && row == 0 && s == 2")
    session = debug([*at, "-ex", "run", *show("s", "seen", "before")], run_kernel(REVERSED))
    assert session.values("s") == ["2"], session.text
    assert session.values("seen") == ["8"] and session.values("before") == ["7"], session.text


def test_changing_a_scalar_changes_the_result() -> None:
    at = stop_at("get", "t == 0 && row == 0")
    change = ["-ex", "set var seen = 1000", "-ex", "delete", "-ex", "next", *show("A[0]")]
    session = debug([*at, "-ex", "run", *change], run_kernel(REVERSED))
    assert session.values("A[0]") == ["1000"], session.text


def test_functions_of_the_host() -> None:
    at = stop_at("host", "i == 4")
    session = debug(
        [*at, "-ex", "run", *WHERE, *show("i", "step", "total", "n"), "-ex", "backtrace"],
        run_kernel(COUNTED),
    )
    assert session.stops() == [line_of("host")], session.text
    assert [session.values(v) for v in ("i", "step", "total", "n")] == [["4"], ["7"], ["42"], ["5"]]
    frames = [line for line in session.text.splitlines() if line.startswith("#")]
    assert re.match(r"#0 +counted \(A=0x[0-9a-f]+, step=7, n=5\) at .*kernels\.py:", frames[0])
    assert any(" main " in frame for frame in frames), session.text


def test_belongs_to_the_cpu() -> None:
    outcome = run_command("build", KERNELS, "--debug", "--emit=cuda")
    assert outcome.status == 2 and "--debug is for the CPU" in outcome.err, outcome.describe()
    kernel = tirxcc.function_from_source(KERNELS.read_text(), "scaled", path=str(KERNELS))
    with pytest.raises(ValueError, match="is for target 'cpu'"):
        tirxcc.compile(kernel, target="sm_90a", debug=True)


def test_what_the_plugin_shows() -> None:
    """Its own entry and the debugger's interface; nothing of LLVM."""
    nm = shutil.which("nm")
    plugin = COMMAND.resolve().parents[2] / "src/codegen/llvm/libtirxcc_cpu.so"
    if nm is None or not plugin.exists():
        pytest.skip("no nm, or the command is not in its build folder")
    listed = subprocess.run(
        [nm, "-D", "--defined-only", "--format=just-symbols", plugin],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert set(listed.stdout.split()) == {
        "tirxcc_cpu_plugin", "__jit_debug_register_code", "__jit_debug_descriptor"
    }  # fmt: skip


PYTHON = """
import numpy as np, tirxcc
text = open({path!r}).read()
for by in (1, 3):
    kernel = tirxcc.function_from_source(text, "scaled", path={path!r})
    exe = tirxcc.compile(kernel, target="cpu", debug=True)
    b = np.zeros(10, np.float32)
    exe(np.arange(10, dtype=np.float32), b, by)
    print("<result>", b.sum())
    del exe
"""


def test_python_programs() -> None:
    """Compiled, run and released twice: the debugger follows."""
    program = [sys.executable, "-c", PYTHON.format(path=str(KERNELS))]
    at = stop_at("loop", "i == 9 && k == 0")
    again = ["-ex", "continue", *show("by", "A[i]")]
    session = debug([*at, "-ex", "run", *show("by", "A[i]"), *again, "-ex", "continue"], program)
    assert session.values("by") == ["1", "3"], session.text
    assert session.values("A[i]") == ["9", "9"], session.text
    assert session.values("result") == ["165.0", "435.0"], session.text
    assert "exited normally" in session.text, session.text
