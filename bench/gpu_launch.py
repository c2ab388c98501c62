# SPDX-License-Identifier: Apache-2.0
"""The time of a launch on the host, with 2 tensors and with 19 arguments, beside bare loops."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from statistics import median

from gpu_timing import ROOT, TIRXCC, bursts, spread, table

ELEMENTS = 256
ROUNDS = 40


def floors() -> dict[str, dict[str, list[float]]]:
    """What bench/launch.cc measures: {"two_tensors": {"cuLaunchKernel": [median, best]}}."""
    program = Path(TIRXCC).with_name("tirxcc_bench_launch")
    if not program.exists():
        program = ROOT / "build/release/bench/tirxcc_bench_launch"
    command = [program, ROOT / "bench/launch_kernels.py", str(ROUNDS)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def arguments_of(make: Callable[[], object]) -> tuple[list, list]:
    """Two tensors, and nineteen arguments as launch_kernels.py has them."""
    many = []
    for index in range(9):
        many.append(make())
        many.append(3 if index % 2 == 0 else 0.5)
    return [make(), make()], [*many, make()]


def triton_kernels() -> tuple[Callable, Callable]:
    import triton
    import triton.language as tl

    @triton.jit
    def two(a, b, n, BLOCK: tl.constexpr):
        i = tl.arange(0, BLOCK)
        tl.store(b + i, tl.load(a + i, mask=i < n), mask=i < n)

    @triton.jit
    def nineteen(
        a, k0, b, f0, c, k1, d, f1, e, k2, f, f2, g, k3, h, f3, p, k4, out, n, BLOCK: tl.constexpr
    ):
        i = tl.arange(0, BLOCK)
        x = tl.load(a + i) + tl.load(b + i) + tl.load(c + i) + tl.load(d + i) + tl.load(e + i)
        x += tl.load(f + i) + tl.load(g + i) + tl.load(h + i) + tl.load(p + i)
        tl.store(out + i, x + f0 * f1 + f2 * f3 + (k0 + k1 + k2 + k3 + k4), mask=i < n)

    return two, nineteen


def candidates() -> tuple[dict[str, Callable], dict[str, Callable]]:
    import cupy
    import launch_kernels
    import tirxcc
    import torch

    few, many = arguments_of(lambda: torch.zeros(ELEMENTS, device="cuda"))
    few_cupy, many_cupy = arguments_of(lambda: cupy.zeros(ELEMENTS, dtype=cupy.float32))
    two = tirxcc.compile(launch_kernels.two_tensors, target="cuda")
    nineteen = tirxcc.compile(launch_kernels.nineteen, target="cuda")
    triton_two, triton_nineteen = triton_kernels()
    raw_two = cupy.RawKernel(two.cuda_source, "two_tensors_kernel", ("-std=c++17",))
    raw_nineteen = cupy.RawKernel(nineteen.cuda_source, "nineteen_kernel", ("-std=c++17",))
    n = cupy.int32(ELEMENTS)
    raw_many = tuple(
        cupy.float32(x) if isinstance(x, float) else cupy.int32(x) if isinstance(x, int) else x
        for x in many_cupy
    )
    a, b = few
    grid, block = (1,), (256,)
    return (
        {
            "tirxcc, Python, torch": lambda: two(a, b),
            "tirxcc, Python, CuPy": lambda: two(*few_cupy),
            "Triton": lambda: triton_two[grid](a, b, ELEMENTS, BLOCK=256),
            "CuPy RawKernel": lambda: raw_two(grid, block, (*few_cupy, n)),
            "torch.clamp_min(out=)": lambda: torch.clamp_min(a, 0.0, out=b),
            "an empty Python call": lambda: None,
        },
        {
            "tirxcc, Python, torch": lambda: nineteen(*many),
            "tirxcc, Python, CuPy": lambda: nineteen(*many_cupy),
            "Triton": lambda: triton_nineteen[grid](*many, ELEMENTS, BLOCK=256),
            "CuPy RawKernel": lambda: raw_nineteen(grid, block, (*raw_many, n)),
        },
    )


def report() -> str:
    floor = floors()
    text = ""
    for title, key, python in zip(
        ("2 tensors", "19 arguments"), ("two_tensors", "nineteen"), candidates(), strict=True
    ):
        base = floor[key]["cuLaunchKernel"][0]
        rows = [
            [name, f"{middle / 1e3:.2f}", f"{best / 1e3:.2f}", f"{(middle - base) / 1e3:+.2f}", ""]
            for name, (middle, best) in floor[key].items()
        ]
        for name, values in bursts(python, ROUNDS).items():
            middle = median(values)
            over = f"{(middle - base) / 1e3:+.2f}"
            rows.append(
                [name, f"{middle / 1e3:.2f}", f"{min(values) / 1e3:.2f}", over, spread(values)]
            )
        head = ["caller", "µs, median", "best", "over the floor", "spread"]
        text += table(f"Launch, {title} (bursts of 400)", head, rows)
    return text


if __name__ == "__main__":
    print(report())
