# SPDX-License-Identifier: Apache-2.0
"""tirxcc itself, as a Python user meets it."""

from __future__ import annotations

import itertools
from pathlib import Path

import measure
import tirxcc

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "control_flow"
KERNELS = ("relu", "row_sum", "transpose", "binary_search", "early_exit")
turn = itertools.count()


def fresh(name: str) -> str:
    """The text of a kernel, never the same twice: no cache may answer."""
    return (EXAMPLES / f"{name}.py").read_text().replace(f"def {name}(", f"def {name}{next(turn)}(")


def to_cuda(name: str) -> float:
    texts = iter([fresh(name) for _ in range(400)])

    def compile_text() -> str:
        function = tirxcc.function_from_source(next(texts))
        return tirxcc.compile(function, target="cuda:sm_90a").cuda_source

    return measure.best(compile_text, 400) * 1e6


def to_machine_code(name: str, level: int, runs: int = 20) -> float:
    """Text to code that is ready to run, arguments at hand."""
    texts = iter([fresh(name) for _ in range(runs)])
    arrays = ARGUMENTS[name]

    def compile_text() -> None:
        function = tirxcc.function_from_source(next(texts))
        tirxcc.compile(function, target="cpu", opt_level=level).prepare(*arrays)

    return measure.best(compile_text, runs) * 1e3


a, b = measure.inputs(measure.TINY)
rows = measure.aligned(64 * measure.TINY).reshape(measure.TINY, 64)
ARGUMENTS = {"relu": (a, b), "row_sum": (rows, b)}
first = to_machine_code("relu", 2, 1)
relu = tirxcc.compile(tirxcc.function_from_source(fresh("relu")), target="cpu")
relu(a, b)
measure.report(
    name="tirxcc",
    cuda_us={name: to_cuda(name) for name in KERNELS},
    first_compile_ms=first,
    compile_ms={f"{n}, opt_level={i}": to_machine_code(n, i) for n in ARGUMENTS for i in (0, 2)},
    call_us=measure.microseconds_a_call(lambda: relu(a, b)),
    relu=measure.large_relu(relu),
)
