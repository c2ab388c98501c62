# SPDX-License-Identifier: Apache-2.0
"""The tour: every kernel of examples/control_flow as CUDA, then run on this machine's CPU.

For each kernel the CUDA text is printed. Then all of them run on real arrays through the command
`tirxcc run`, are compared with NumPy element by element, and are timed beside it. At the end a
photograph goes through an edge filter that is itself a kernel. Exit status 1 if anything differs.

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


def measure(kernel: Kernel, folder: Path) -> tuple[str, bool]:
    """One row of the table behind the name, and whether the results were equal."""
    arrays = kernel.inputs(np.random.default_rng(0), SIZE)
    expected, numpy_ms = timed_reference(kernel, arrays)
    result = run_kernel(kernel.name, arrays, list(expected), folder)
    equal = same(expected, result.outputs)
    elements = max(array.size for array in arrays.values())
    moved = sum(array.nbytes for array in arrays.values())
    # A tensor that is both read and written is moved twice.
    moved += sum(arrays[name].nbytes for name in expected if list(arrays) == [name])
    rate = moved / result.run_ms / 1e6 if result.run_ms > 0 else float("inf")
    row = (
        f"{elements:>10,} {result.compile_ms:>11.2f} {result.run_ms:>10.4f} "
        f"{rate:>7.2f} {numpy_ms:>10.3f}  {'yes' if equal else 'NO'}"
    )
    return row, equal


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
    print(f"A photograph of {picture.width} x {picture.height} through examples/control_flow/")
    print(
        f"edge_filter.py in {result.run_ms:.3f} ms, {'equal' if equal else 'NOT EQUAL'} to NumPy:"
    )
    for name in ("photograph.png", "photograph_edges.png"):
        print(f"  {OUTPUT / name}")
    return equal


def main() -> int:
    for name in [kernel.name for kernel in [*KERNELS, EDGE_FILTER]]:
        path = EXAMPLES / f"{name}.py"
        print(f"// {path.relative_to(ROOT)}")
        print(tirxcc("build", path, "--emit=cuda", "--kernel", name))

    header = (
        f"{'kernel':22} {'elements':>10} {'compile ms':>11} {'run ms':>10} "
        f"{'GB/s':>7} {'NumPy ms':>10}  equal"
    )
    print(f"On this machine's CPU, the best of repeated runs:\n\n{header}\n{'-' * len(header)}")
    all_equal = True
    with tempfile.TemporaryDirectory() as name:
        for kernel in KERNELS:
            print(f"{kernel.name:22} ", end="", flush=True)
            row, equal = measure(kernel, Path(name))
            print(row, flush=True)
            all_equal &= equal
        print()
        all_equal &= filter_photograph(Path(name))
    print("\nAll results are equal." if all_equal else "\nSome results DIFFER.")
    return 0 if all_equal else 1


if __name__ == "__main__":
    sys.exit(main())
