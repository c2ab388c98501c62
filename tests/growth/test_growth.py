# SPDX-License-Identifier: Apache-2.0
"""The cost of compiling grows linearly, and deep kernels do not exhaust the stack.

Each shape is compiled at a size and at four times that size. Four times the work may take at most
seven times as long (noise on a shared machine included); quadratic growth would take sixteen.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from command import Outcome, require_command, run_command

FACTOR = 4
LIMIT = 7.0
# Below this, starting the process is what is measured.
FLOOR_S = 0.03

HEAD = """from tirxcc.script import tirx as T

n = T.dynamic("n")
"""
KERNEL = """

@T.function
def {name}(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
"""


def kernel(body: list[str], name: str = "k") -> str:
    return KERNEL.format(name=name) + "".join(f"    {line}\n" for line in body)


def statements(size: int) -> str:
    return HEAD + kernel([f"B[i] = A[i] + {k}.0" for k in range(size)])


def values(size: int) -> str:
    lines = ["x0 = A[i]"] + [f"x{k} = x{k - 1} + {k}.0" for k in range(1, size)]
    return HEAD + kernel([*lines, f"B[i] = x{size - 1}"])


def mutables(size: int) -> str:
    lines = [f"x{k}: T.float32 = A[i]" for k in range(size)]
    return HEAD + kernel(lines + [f"x{k} += 1.0" for k in range(size)] + ["B[i] = x0"])


def elifs(size: int) -> str:
    lines = ["if A[i] == 0.0:", "    B[i] = 0.0"]
    for k in range(1, size):
        lines += [f"elif A[i] == {k}.0:", f"    B[i] = {k}.0"]
    return HEAD + kernel(lines)


def nested_ifs(size: int) -> str:
    lines = [" " * k + f"if A[i] > {k}.0:" for k in range(size)]
    return HEAD + kernel([*lines, " " * size + "B[i] = 1.0"])


def nested_loops(size: int) -> str:
    lines = [" " * k + f"for k{k} in range(2):" for k in range(size)]
    return HEAD + kernel([*lines, " " * size + "B[i] += 1.0"])


def unrolled(size: int) -> str:
    return HEAD + kernel([f"for k in T.unroll({size}):", "    B[i] = A[i] * 2.0 + k"])


def unrolled_break(size: int) -> str:
    lines = [f"for k in T.unroll({size}):", "    if A[i] == k:", "        break", "    B[i] = 1.0"]
    return HEAD + kernel(lines)


def long_sum(size: int) -> str:
    return HEAD + kernel(["B[i] = " + " + ".join(["A[i]"] * size)])


def deep_parentheses(size: int) -> str:
    return HEAD + kernel(["B[i] = " + "(1.0 + " * size + "A[i]" + ")" * size])


def kernels(size: int) -> str:
    body = ["if i < n:", "    B[i] = A[i]"]
    return HEAD + "".join(kernel(body, f"k{k}") for k in range(size))


# Sizes of the issue: what must compile, and how far apart the two measurements are.
SHAPES = [
    (statements, 10_000),
    (values, 10_000),
    (mutables, 2_000),
    (elifs, 3_000),
    (nested_ifs, 500),
    (nested_loops, 120),
    (unrolled, 20_000),
    (unrolled_break, 5_000),
    (long_sum, 2_000),
    (deep_parentheses, 400),
    (kernels, 1_000),
]


def build(text: str, folder: Path) -> tuple[Outcome, float]:
    file = folder / "grown.py"
    file.write_text(text)
    start = time.perf_counter()
    outcome = run_command("build", file, "--emit=cuda", "-o", folder / "grown.cu")
    return outcome, time.perf_counter() - start


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "size"), SHAPES, ids=lambda v: getattr(v, "__name__", str(v)))
def test_growth(
    shape: Callable[[int], str],
    size: int,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    require_command()
    outcome, large = build(shape(size), tmp_path)
    assert outcome.status == 0, outcome.err[:2000]
    small_text = shape(size // FACTOR)
    small = min(build(small_text, tmp_path)[1] for _ in range(3))
    if large > LIMIT * max(small, FLOOR_S):
        large = min(build(shape(size), tmp_path)[1] for _ in range(3))
    record_property("milliseconds", round(large * 1e3, 1))
    assert large <= LIMIT * max(small, FLOOR_S), (
        f"{size}: {large * 1e3:.0f} ms, a quarter of it: {small * 1e3:.0f} ms"
    )


@pytest.mark.parametrize(
    "text",
    [
        HEAD + kernel(["B[i] = " + "(" * 100_000]),
        HEAD + kernel(["B[i] = " + "-" * 100_000 + "A[i]"]),
        HEAD + kernel([" " * k + "if A[i] > 0.0:" for k in range(5_000)]),
        HEAD + kernel(["B[i] = " + "A[" * 50_000 + "i" + "]" * 50_000]),
        HEAD + kernel(["B[i] = A[i]" + " + A[i]" * 50_000]),
        HEAD + kernel(["B[i] = " + "not " * 50_000 + "A[i]"]),
        HEAD + kernel(["B[i] = " + "A[i] if A[i] > 0.0 else " * 50_000 + "1.0"]),
        "x = " + "[" * 200_000,
    ],
    ids=["parentheses", "minus", "ifs", "subscripts", "sum", "not", "conditional", "brackets"],
)
def test_absurd_depth_is_refused_or_compiled(text: str, tmp_path: Path) -> None:
    """No crash: either a result or a message and status 1."""
    require_command()
    outcome, _ = build(text, tmp_path)
    assert outcome.status in (0, 1), outcome.err[:2000]
    assert outcome.status == 0 or "error" in outcome.err
    assert len(outcome.err) < 20_000
