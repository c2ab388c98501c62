# SPDX-License-Identifier: Apache-2.0
"""Seed kernels on a GPU, side by side in one run: tirxcc, the hand-written CUDA, torch, Triton.

The hand-written twins (tests/twins/*.cu) are compiled and launched by CuPy. Every figure is the
median of interleaved runs on the GPU's clock with a cold L2 cache; GB/s counts what the kernel must
read and write once. tirxcc's own text is launched the same way (CuPy, from `tirxcc build
--emit=cuda`), so that only the code differs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
TWINS = ROOT / "tests/twins"
TIRXCC = os.environ.get("TIRXCC", ROOT / ".venv/bin/tirxcc")
ELEMENTS = 1 << 28
ROWS = 1 << 20
RUNS = 30


def emit_cuda(kernel: str) -> str:
    command = [TIRXCC, "build", TWINS / "kernels.py", "--kernel", kernel, "--emit=cuda"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def measure(candidates: dict[str, Callable[[], None]]) -> dict[str, float]:
    """Milliseconds per candidate: the median of RUNS, in turns."""
    import torch

    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for run in candidates.values():
        for _ in range(3):
            run()
    for _ in range(RUNS):
        for name, run in candidates.items():
            flush.zero_()
            begin = torch.cuda.Event(enable_timing=True)
            end = torch.cuda.Event(enable_timing=True)
            begin.record()
            run()
            end.record()
            end.synchronize()
            times[name].append(begin.elapsed_time(end))
    return {name: median(values) for name, values in times.items()}


def raw_kernel(text: str, name: str):
    import cupy

    return cupy.RawKernel(text, name, options=("-std=c++17",), backend="nvrtc")


def relu_rows() -> tuple[dict[str, float], int]:
    import cupy
    import torch
    import triton
    import triton.language as tl

    a = torch.randn(ELEMENTS, device="cuda")
    b = torch.empty_like(a)
    blocks = (ELEMENTS + 255) // 256
    arguments = (a.data_ptr(), b.data_ptr(), ELEMENTS)

    def launcher(text: str) -> Callable[[], None]:
        kernel = raw_kernel(text, "relu_kernel")
        typed = (arguments[0], arguments[1], cupy.int32(arguments[2]))
        return lambda: kernel((blocks,), (256,), typed)

    @triton.jit
    def triton_relu(x, y, n, BLOCK: tl.constexpr):
        offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        mask = offsets < n
        tl.store(y + offsets, tl.maximum(tl.load(x + offsets, mask=mask), 0.0), mask=mask)

    candidates = {
        "tirxcc": launcher(emit_cuda("relu")),
        "hand-written CUDA": launcher((TWINS / "relu.cu").read_text()),
        "torch.clamp_min": lambda: torch.clamp_min(a, 0.0, out=b),
        "Triton": lambda: triton_relu[(triton.cdiv(ELEMENTS, 4096),)](a, b, ELEMENTS, BLOCK=4096),
        "torch copy": lambda: b.copy_(a),
    }
    times = measure(candidates)
    candidates["tirxcc"]()
    assert torch.equal(b, a.clamp_min(0.0)), "tirxcc's relu is wrong"
    return times, ELEMENTS * 8


def row_sum_rows() -> tuple[dict[str, float], int]:
    import cupy
    import torch

    a = torch.randn(ROWS, 64, device="cuda")
    b = torch.empty(ROWS, device="cuda")
    blocks = (ROWS + 255) // 256

    def launcher(text: str) -> Callable[[], None]:
        kernel = raw_kernel(text, "row_sum_kernel")
        typed = (a.data_ptr(), b.data_ptr(), cupy.int32(ROWS))
        return lambda: kernel((blocks,), (256,), typed)

    candidates = {
        "tirxcc": launcher(emit_cuda("row_sum")),
        "hand-written CUDA": launcher((TWINS / "row_sum.cu").read_text()),
        "torch.sum": lambda: torch.sum(a, dim=1, out=b),
    }
    times = measure(candidates)
    candidates["tirxcc"]()
    assert torch.allclose(b, a.sum(1), atol=1e-3), "tirxcc's row_sum is wrong"
    return times, ROWS * 65 * 4


def table(title: str, times: dict[str, float], size: int) -> str:
    lines = [f"### {title}", "", "| code | ms | GB/s |", "| --- | --- | --- |"]
    lines += [f"| {name} | {ms:.4f} | {size / ms / 1e6:.0f} |" for name, ms in times.items()]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, help="Markdown file for the tables")
    options = parser.parse_args()
    import torch

    text = f"{torch.cuda.get_device_name()}, medians of {RUNS} interleaved runs\n\n"
    text += table(f"relu, {ELEMENTS} float32", *relu_rows()) + "\n"
    text += table(f"row_sum, {ROWS} x 64 float32", *row_sum_rows())
    print(text)
    if options.output:
        options.output.write_text(text)


if __name__ == "__main__":
    main()
