# SPDX-License-Identifier: Apache-2.0
"""apache-tvm-tirx on a GPU: the kernel files, launches and kernels of bench/gpu.py.

A run of its own, because the package must not meet another one's libraries: PYTHONPATH names a
folder with its wheels. The bare driver loops are measured here too, so that the two runs compare.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

from gpu_timing import ROOT, bursts, interleaved, spread, table

ELEMENTS = 1 << 28
ROWS = 1 << 20
TARGET = {"kind": "cuda", "arch": "sm_90a"}


def kernel_files():
    """launch_kernels.py and the seed kernels, read with apache-tvm-tirx's own T."""
    script = importlib.import_module("tvm_tirx.script")
    sys.modules["tirxcc"] = sys.modules["tvm_tirx"]
    sys.modules["tirxcc.script"] = script
    sys.path.insert(0, str(ROOT / "tests/twins"))
    return importlib.import_module("launch_kernels"), importlib.import_module("kernels")


def attempt(rows: list[list[str]], name: str, measure: Callable[[], list[str]]) -> None:
    try:
        rows.append([name, *measure()])
    except Exception as error:  # what it does not take is a result too
        rows.append([name, f"{type(error).__name__}: {str(error)[:80]!r}"])


def main(output: Path | None) -> None:
    import torch
    from gpu_compile import SOURCE, milliseconds
    from gpu_launch import arguments_of, floors
    from tvm_tirx.tirx import compile as tvm_compile

    launches, seeds = kernel_files()
    rows: list[list[str]] = []
    floor = floors()
    for key in ("two_tensors", "nineteen"):
        rows.append([f"floor, {key}", f"{floor[key]['cuLaunchKernel'][0] / 1e3:.2f} µs", ""])
    few, many = arguments_of(lambda: torch.zeros(256, device="cuda"))

    def launch(kernel, arguments: list) -> list[str]:
        exe = tvm_compile(kernel, target=TARGET)
        values = bursts({"": lambda: exe(*arguments)}, 20)[""]
        return [f"{median(values) / 1e3:.2f} µs", spread(values)]

    attempt(rows, "launch, 2 tensors", lambda: launch(launches.two_tensors, few))
    attempt(rows, "launch, 19 arguments", lambda: launch(launches.nineteen, many))

    def compile_times() -> list[str]:
        times = []
        small = torch.zeros(256, device="cuda")
        for k in range(6):
            path = Path(f"/tmp/tvm_relu_{k}.py")
            text = SOURCE.format(value=1 + k / 64).replace("tirxcc.script", "tvm_tirx.script")
            path.write_text(text)
            sys.path.insert(0, "/tmp")
            begin_to_end = lambda n=path.stem: tvm_compile(  # noqa: E731
                importlib.import_module(n).relu, target=TARGET
            )(small, small)
            times.append(milliseconds(begin_to_end))
        return [f"{median(times[1:]):.1f} ms", f"first {times[0]:.1f} ms"]

    attempt(rows, "text → first launch", compile_times)

    def speed(kernel, arguments: list, size: float) -> list[str]:
        exe = tvm_compile(kernel, target=TARGET)
        values = interleaved({"": lambda: exe(*arguments)}, 30)[""]
        return [f"{median(values) * 1e3:.1f} µs", f"{size / median(values) / 1e6:.0f} GB/s"]

    a = torch.randn(ELEMENTS, device="cuda")
    b = torch.empty_like(a)
    attempt(rows, "ReLU, 2^28", lambda: speed(seeds.relu, [a, b], ELEMENTS * 8))
    x, y = a[: ROWS * 64].view(ROWS, 64), b[:ROWS]
    attempt(rows, "row sum, 2^20 x 64", lambda: speed(seeds.row_sum, [x, y], ROWS * 65 * 4))
    text = table("apache-tvm-tirx, a run of its own", ["what", "median", ""], rows)
    print(text)
    if output:
        output.write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
