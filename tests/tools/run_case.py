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
import subprocess
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
    # Tools of compute-sanitizer that do not follow what orders this kernel's accesses, so their
    # reports about it are false. racecheck knows barriers; not flags, nor fences before them.
    not_followed_by: tuple[str, ...] = ()

    @property
    def kernel_name(self) -> str:
        return self.kernel or Path(self.file).stem

    @property
    def id(self) -> str:
        return self.kernel_name + (f"-{self.name}" if self.name else "")


def coarsened(case: Run) -> Run:
    """The same, each thread doing the work of four."""
    return replace(case, options=(*case.options, "--coarsen", "4", "--verify-each"))


def check_coarsened(case: Run) -> None:
    check_run(coarsened(case))


class _Prepared:
    """A case with its arguments in files of a folder: the command line, and what must come out."""

    def __init__(self, case: Run, folder: Path) -> None:
        self.case = case
        self.folder = folder
        values = case.args(np.random.default_rng(0))
        with np.errstate(all="ignore"):
            self.expected = case.expected(
                {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in values.items()}
            )
        command: list[str | Path] = ["run", ROOT / case.file, "--kernel", case.kernel_name]
        command += ["--target", TARGET, *case.options]
        for parameter, value in values.items():
            command += ["--arg", f"{parameter}={_spec(case, parameter, value, folder)}"]
        for parameter in self.expected:
            command += ["--save", f"{parameter}={folder / parameter}.out.npy"]
        self.command = [str(word) for word in command]

    def compare(self) -> None:
        """Raises AssertionError where what came out is wrong."""
        tolerance = self.case.cuda_tolerance if TARGET == "cuda" else 0.0
        for parameter, wanted in self.expected.items():
            actual = np.load(self.folder / f"{parameter}.out.npy")
            _compare(parameter, actual, wanted, max(tolerance, self.case.tolerance))


def check_run(case: Run) -> None:
    """Runs the case and raises AssertionError where the result is wrong."""
    with tempfile.TemporaryDirectory() as name:
        prepared = _Prepared(case, Path(name))
        outcome = run_command(*prepared.command)
        assert outcome.status == 0, outcome.describe()
        prepared.compare()


def are_right(cases: list[Run]) -> list[bool]:
    """Which of the cases came out right in one process, TIRXCC_RUN_LIST; none if that failed. The
    others have to be run by themselves for anything to be said about them."""
    with tempfile.TemporaryDirectory() as name:
        prepared = []
        for number, case in enumerate(cases):
            folder = Path(name, str(number))
            folder.mkdir()
            prepared.append(_Prepared(case, folder))
        file = Path(name, "list")
        file.write_text("".join("\t".join(each.command) + "\n" for each in prepared))
        try:
            done = subprocess.run(
                [os.environ["TIRXCC_RUN_LIST"], file],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=75,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return [False] * len(cases)
        if done.returncode != 0:
            return [False] * len(cases)
        statuses = Path(f"{file}.status").read_text().split()
        return [
            status == "0" and _is_right(each)
            for status, each in zip(statuses, prepared, strict=True)
        ]


def _is_right(prepared: _Prepared) -> bool:
    try:
        prepared.compare()
    except (AssertionError, OSError):
        return False
    return True


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
