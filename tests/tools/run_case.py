# SPDX-License-Identifier: Apache-2.0
"""Run tests: a kernel file, arrays to give it, and a line of NumPy that says what must come out.

A file tests/run/<feature>/cases.py holds a list RUNS of

    Run("tests/golden/loops/range_step.py",
        args=lambda rng: {"A": rng.integers(-9, 9, 1000, dtype=np.int32),
                          "B": np.zeros(1000, np.int32)},
        expected=lambda x: {"B": x["A"] * 3})

and tests/run/test_run.py runs each by `tirxcc run` on the CPU target. Arrays travel as .npy files,
so that the tool and the reference see the same bytes. Kernels are those of the goldens wherever
possible: what is printed and what is run is then the same text.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from command import ROOT, run_command

# scripts/gpu_check.sh sets it to cuda.
TARGET = os.environ.get("TIRXCC_TEST_TARGET", "cpu")

Values = dict[str, "np.ndarray | int | float | bool"]


@dataclass(frozen=True, eq=False)
class Run:
    """One run. `file` starts at the repository's root."""

    file: str
    args: Callable[[np.random.Generator], Values]
    expected: Callable[[Values], dict[str, np.ndarray]]
    # The kernel in the file, if it is not the one that the file is named after.
    kernel: str = ""
    # 0: equal, but NaN equals NaN and 0.0 equals -0.0. Else relative and absolute.
    tolerance: float = 0.0
    # Set where several runs share a kernel.
    name: str = ""
    # Parameters whose array holds the raw bits of a type that NumPy lacks: {"A": "bfloat16"}.
    dtypes: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    # Where it runs: a function without a device entry is the CPU's alone.
    targets: tuple[str, ...] = ("cpu", "cuda")
    # For products that are added, which a GPU rounds once: relative and absolute, there only.
    cuda_tolerance: float = 0.0

    @property
    def kernel_name(self) -> str:
        return self.kernel or Path(self.file).stem

    @property
    def id(self) -> str:
        return self.kernel_name + (f"-{self.name}" if self.name else "")


def check_coarsened(case: Run) -> None:
    """The same, each thread doing the work of four."""
    check_run(replace(case, options=(*case.options, "--coarsen", "4", "--verify-each")))


def check_run(case: Run) -> None:
    """Runs the case and raises AssertionError where the result is wrong."""
    values = case.args(np.random.default_rng(0))
    with np.errstate(all="ignore"):
        expected = case.expected(
            {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in values.items()}
        )
    with tempfile.TemporaryDirectory() as name:
        outputs = _run(case, values, list(expected), Path(name))
    for parameter, wanted in expected.items():
        tolerance = case.cuda_tolerance if TARGET == "cuda" else 0.0
        _compare(parameter, outputs[parameter], wanted, max(tolerance, case.tolerance))


def _run(case: Run, values: Values, wanted: list[str], folder: Path) -> dict[str, np.ndarray]:
    arguments: list[str | Path] = ["run", ROOT / case.file, "--kernel", case.kernel_name]
    arguments += ["--target", TARGET, *case.options]
    for parameter, value in values.items():
        arguments += ["--arg", f"{parameter}={_spec(case, parameter, value, folder)}"]
    for parameter in wanted:
        arguments += ["--save", f"{parameter}={folder / parameter}.out.npy"]
    outcome = run_command(*arguments)
    assert outcome.status == 0, outcome.describe()
    return {p: np.load(folder / f"{p}.out.npy") for p in wanted}


def _spec(case: Run, parameter: str, value, folder: Path) -> str:
    if not isinstance(value, np.ndarray):
        return json.dumps(value)
    if parameter in case.dtypes:
        path = folder / f"{parameter}.raw"
        value.tofile(path)
        shape = ",".join(map(str, value.shape))
        return f"raw:{path}:{case.dtypes[parameter]}[{shape}]"
    path = folder / f"{parameter}.npy"
    np.save(path, value)
    return str(path)


def _compare(name: str, actual: np.ndarray, wanted: np.ndarray, tolerance: float) -> None:
    if actual.dtype != wanted.dtype and actual.dtype.itemsize == wanted.dtype.itemsize:
        # A type that NumPy lacks comes back as its bits.
        assert actual.dtype.kind in "uV", f"{name} is {actual.dtype}, not {wanted.dtype}"
        actual = actual.view(wanted.dtype)
    assert actual.dtype == wanted.dtype, f"{name} is {actual.dtype}, not {wanted.dtype}"
    assert actual.shape == wanted.shape, f"{name} has shape {actual.shape}, not {wanted.shape}"
    if wanted.dtype.kind == "V":
        # ml_dtypes: NumPy does not know that their NaN is one.
        actual, wanted = actual.astype(np.float32), wanted.astype(np.float32)
    if tolerance:
        np.testing.assert_allclose(actual, wanted, tolerance, tolerance, err_msg=name)
    else:
        np.testing.assert_array_equal(actual, wanted, err_msg=name)
