# SPDX-License-Identifier: Apache-2.0
"""The tour: every kernel of examples/control_flow as CUDA, and run on this machine's CPU.

For each kernel the CUDA text is printed; then it runs on real arrays through the command
`tirxcc run`, is compared with NumPy element by element, and is timed beside it. A photograph goes
through an edge filter that is itself a kernel, and the end is a table of all. Exit status 1 if
anything differs.

scripts/demo.sh sets everything up and runs this.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from demo_kernels import EDGE_FILTER, KERNELS, SIZE, Arrays, Kernel
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
TIRXCC = ROOT / ".venv/bin/tirxcc"
EXAMPLES = ROOT / "examples/control_flow"
OUTPUT = ROOT / "demo_output"


@dataclass
class Measured:
    """What one run of the command said and left."""

    outputs: Arrays
    compile_ms: float
    run_ms: float


def tirxcc(*arguments: str | Path) -> str:
    """Standard output of one command; ends the tour with its message if it fails."""
    done = subprocess.run([TIRXCC, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr, file=sys.stderr)
        command = " ".join(map(str, arguments))
        sys.exit(f"'tirxcc {command}' ended with status {done.returncode}")
    return done.stdout


def run_kernel(name: str, arrays: Arrays, wanted: list[str], folder: Path) -> Measured:
    """Runs a kernel on copies of the arrays; `wanted` names those to bring back."""
    arguments: list[str | Path] = ["run", EXAMPLES / f"{name}.py", "--kernel", name]
    arguments += ["--target", "cpu", "--time", "--json"]
    for parameter, array in arrays.items():
        np.save(folder / f"{parameter}.npy", array)
        arguments += ["--arg", f"{parameter}={folder / parameter}.npy"]
    for parameter in wanted:
        arguments += ["--save", f"{parameter}={folder / parameter}_out.npy"]
    report = json.loads(tirxcc(*arguments))
    outputs = {parameter: np.load(folder / f"{parameter}_out.npy") for parameter in wanted}
    return Measured(outputs, report["compile_ms"], report["run_ms"])


def timed_reference(kernel: Kernel, arrays: Arrays) -> tuple[Arrays, float]:
    """NumPy's answer and its time in milliseconds: the best of up to three, for 0.3 s in all."""
    times: list[float] = []
    expected: Arrays = {}
    with np.errstate(all="ignore"):
        while len(times) < 3 and sum(times) < 0.3:
            start = time.perf_counter()
            expected = kernel.reference(arrays)
            times.append(time.perf_counter() - start)
    return expected, min(times) * 1e3


def same(expected: Arrays, outputs: Arrays) -> bool:
    return all(
        outputs[name].dtype == array.dtype
        and np.array_equal(outputs[name], array, equal_nan=array.dtype.kind == "f")
        for name, array in expected.items()
    )


@dataclass
class Row:
    """What the table tells of a kernel."""

    kernel: str
    elements: int
    compile_ms: float
    run_ms: float
    rate: float
    numpy_ms: float
    equal: bool

    def sentence(self) -> str:
        words = "equal to" if self.equal else "NOT EQUAL to"
        return (
            f"-> {self.kernel} on {self.elements:,} elements: {words} NumPy; compiled in "
            f"{self.compile_ms:.1f} ms, run in {self.run_ms:.3g} ms (NumPy {self.numpy_ms:.3g} ms)"
        )

    def line(self) -> str:
        return (
            f"{self.kernel:22} {self.elements:>10,} {self.compile_ms:>11.2f} {self.run_ms:>10.4f} "
            f"{self.rate:>7.2f} {self.numpy_ms:>10.3f}  {'yes' if self.equal else 'NO'}"
        )


def measure(kernel: Kernel, folder: Path) -> Row:
    """Runs it, and the same computation in NumPy."""
    arrays = kernel.inputs(np.random.default_rng(0), SIZE)
    expected, numpy_ms = timed_reference(kernel, arrays)
    result = run_kernel(kernel.name, arrays, list(expected), folder)
    moved = sum(array.nbytes for array in arrays.values())
    # A tensor that is both read and written is moved twice.
    moved += sum(arrays[name].nbytes for name in expected if list(arrays) == [name])
    return Row(
        kernel.name,
        max(array.size for array in arrays.values()),
        result.compile_ms,
        result.run_ms,
        moved / result.run_ms / 1e6 if result.run_ms > 0 else float("inf"),
        numpy_ms,
        same(expected, result.outputs),
    )


def photograph() -> Image.Image:
    """The photograph that comes with matplotlib, in grey (Grace Hopper, public domain)."""
    # Only the file is wanted: importing matplotlib would take longer than everything else here.
    package = Path(importlib.util.find_spec("matplotlib").origin).parent
    return Image.open(package / "mpl-data/sample_data/grace_hopper.jpg").convert("L")


def filter_photograph(folder: Path) -> bool:
    picture = photograph()
    arrays = {"A": np.asarray(picture, np.float32)}
    arrays["B"] = np.zeros_like(arrays["A"])
    result = run_kernel("edge_filter", arrays, ["B"], folder)
    equal = same(EDGE_FILTER.reference(arrays), result.outputs)
    OUTPUT.mkdir(exist_ok=True)
    picture.save(OUTPUT / "photograph.png")
    Image.fromarray(result.outputs["B"].astype(np.uint8)).save(OUTPUT / "photograph_edges.png")
    words = "equal to" if equal else "NOT EQUAL to"
    print(
        f"-> edge_filter on a photograph of {picture.width} x {picture.height}: {words} NumPy; "
        f"run in {result.run_ms:.3g} ms"
    )
    for name in ("photograph.png", "photograph_edges.png"):
        print(f"  {OUTPUT / name}")
    return equal


def print_cuda(name: str) -> None:
    path = EXAMPLES / f"{name}.py"
    print(f"// {path.relative_to(ROOT)}")
    print(tirxcc("build", path, "--emit=cuda", "--kernel", name).rstrip(), flush=True)


def print_table(rows: list[Row]) -> None:
    header = (
        f"{'kernel':22} {'elements':>10} {'compile ms':>11} {'run ms':>10} "
        f"{'GB/s':>7} {'NumPy ms':>10}  equal"
    )
    print(f"All of them on this machine's CPU, the best of repeated runs:\n\n{header}")
    print("-" * len(header))
    for row in rows:
        print(row.line())


def main() -> int:
    print(
        f"{len(KERNELS)} kernels of examples/control_flow: the CUDA of each, and what came of it\n"
        "on this machine's CPU. The table at the end has all of them again.\n"
    )
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kernel in KERNELS:
            print_cuda(kernel.name)
            rows.append(measure(kernel, Path(folder)))
            print(f"{rows[-1].sentence()}\n", flush=True)
        print_cuda(EDGE_FILTER.name)
        is_good = filter_photograph(Path(folder))
    print()
    print_table(rows)
    all_equal = is_good and all(row.equal for row in rows)
    print("\nAll results are equal." if all_equal else "\nSome results DIFFER.")
    return 0 if all_equal else 1


if __name__ == "__main__":
    sys.exit(main())
