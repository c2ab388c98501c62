# SPDX-License-Identifier: Apache-2.0
"""What is said of accesses outside a tensor is true: random kernels with guards, each run by
CPython for many sizes. Where there is a message, some thread goes outside in that place; where the
message has no 'unless' and no 'for some', one does with every size that is large enough."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from command import require_command, run_command

KERNELS = 200
SIZES = range(1, 29)
SURE = range(26, 29)
SAID = re.compile(r":(\d+):(\d+): \w+: (.*) \[(access-\w+-?\w*|unguarded-access)\]")

HEAD = """from tirxcc.script import tirx as T

n = T.dynamic("n")

"""
KERNEL = """
@T.function
def k{number}(A: T.Tensor(({extent},), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=({grid}, n, 2), block=4))
    i = T.cuda.block_idx("x") * 4 + T.cuda.thread_idx("x")
    j = T.cuda.block_idx("y")
    {body}
"""


class Writer:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def pick(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def index(self) -> str:
        step = self.rng.randint(1, 3)
        near = (f"i + {step}", f"i - {step}", f"i + {step}", "i", "j - 1", "j + 1", "k", "k + 1")
        return self.pick(*near, "i + k", "i - k", "n - 1 - i", "n - i", "n", "2 * i + 1")

    def condition(self, depth: int = 0) -> str:
        if depth < 2 and self.rng.random() < 0.4:
            sides = self.condition(depth + 1), self.condition(depth + 1)
            return self.pick("({} and {})", "({} and {})", "({} or {})", "not {}").format(*sides)
        value = self.pick("i", "i", "i + 1", "i - 1", "j", "k")
        bound = self.pick("n", "n - 1", "n + 1", "0", "1", "2", "9")
        sign = self.pick("<", "<", "<=", ">", ">=", "==", "!=")
        return f"{value} {sign} {bound}" if self.rng.random() < 0.8 else f"{bound} {sign} {value}"

    def block(self, indentation: str, depth: int = 0) -> str:
        inner = indentation + "    "
        kind = self.rng.random()
        if depth < 2 and kind < 0.5:
            text = f"if {self.condition()}:\n{inner}{self.block(inner, depth + 1)}"
            if kind < 0.15:
                text += f"\n{indentation}elif {self.condition()}:"
                text += f"\n{inner}{self.block(inner, depth + 1)}"
            if kind < 0.25:
                text += f"\n{indentation}else:\n{inner}{self.block(inner, depth + 1)}"
            return text
        if kind < 0.6:
            rest = self.block(indentation, depth)
            return f"if {self.condition()}:\n{inner}T.gpu_thread_return()\n{indentation}{rest}"
        if kind < 0.75:
            return f"B[0] = A[{self.index()}] if {self.condition()} else A[{self.index()}]"
        return f"B[0] = A[{self.index()}]"

    def kernel(self, number: int) -> tuple[str, str, str, str]:
        """Text, and what the launch and the size of A are."""
        grid = self.pick("T.ceildiv(n, 4)", "T.ceildiv(n, 4)", "n // 4", "T.ceildiv(n - 1, 4)", "3")
        extent = self.pick("n", "n", "n + 1", "n - 1", "12")
        loop = self.pick("range(3)", "range(-1, 2)", "range(1, n)", "")
        start = f"for k in {loop}:\n        " if loop else 'k = T.cuda.block_idx("z")\n    '
        body = start + self.block("        " if loop else "    ")
        text = KERNEL.format(number=number, extent=extent, grid=grid, body=body)
        return text, grid, extent, body


def ceildiv(a: int, b: int) -> int:
    return -(-a // b)


def runs_outside(grid: str, extent: str, body: str) -> dict[int, set[tuple[int, int, bool]]]:
    """For each size the places (line and column in the body) that go outside; True: below 0."""
    lines = body.replace("T.gpu_thread_return()", "return").split("\n")
    for number, line in enumerate(lines):
        lines[number] = re.sub(
            r"A\[([^\]]*)\]", lambda m, n=number: f"A({n}, {m.start(1)}, {m[1]})", line
        )
    text = "\n".join(lines).replace('T.cuda.block_idx("z")', "z")
    names: dict = {}
    exec(f"def run(A, B, n, i, j, z):\n    {text}", names)
    found: dict[int, set[tuple[int, int, bool]]] = {}
    for n in SIZES:
        blocks = eval(grid.replace("T.ceildiv", "ceildiv"), {"n": n, "ceildiv": ceildiv})
        size = eval(extent, {"n": n})
        outside = found[n] = set()

        def access(line, column, index, size=size, outside=outside):
            if not 0 <= index < size:
                outside.add((line, column, index < 0))
            return 0

        for i in range(blocks * 4):
            for j in {*range(11), n - 2, n - 1}:
                for z in (0, 1):
                    if 0 <= j < n:
                        names["run"](access, {}, n, i, j, z)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_messages_are_true(seed: int, tmp_path: Path) -> None:
    require_command()
    writer = Writer(seed)
    kernels = [writer.kernel(number) for number in range(KERNELS)]
    file = tmp_path / "kernels.py"
    file.write_text(HEAD + "".join(kernel[0] for kernel in kernels))
    outcome = run_command("build", file, "--emit=ir", "-o", tmp_path / "kernels.ir")
    assert outcome.status == 0, outcome.describe()
    body_lines = []
    line = HEAD.count("\n") + 1
    for text, *_ in kernels:
        body_lines.append(line + 6)
        line += text.count("\n")
    said = SAID.findall(outcome.err)
    assert len(said) > KERNELS / 10, outcome.err
    for line_text, column_text, text, kind in said:
        number = sum(start <= int(line_text) for start in body_lines) - 1
        at = int(line_text) - body_lines[number]
        # The first line of the body has its indentation before it.
        column = int(column_text) - 1 - (4 if at == 0 else 0)
        outside = runs_outside(*kernels[number][1:])
        place = at, column, kind == "access-below-zero"
        wrong = [n for n in SIZES if place not in outside[n]]
        is_sure = "unless" not in text and "for some" not in text
        assert len(wrong) < len(SIZES), f"{text} is never true of\n{kernels[number][0]}"
        if is_sure and kind != "unguarded-access":
            assert not set(wrong) & set(SURE), f"{text} is not always true of\n{kernels[number][0]}"
