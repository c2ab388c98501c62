# SPDX-License-Identifier: Apache-2.0
"""tirxcc on a GPU beside its peers, all in one run: launches, compilation, and kernels.

Kernels: the seed kernels at 2^28 elements (row sum 2^20 x 64) and two that reach the limit of the
chip (examples/fast), each against the hand-written CUDA of tests/twins (compiled and launched by
CuPy), torch and Triton. Every figure is the median of interleaved runs on the GPU's clock with a
cold L2 cache; GB/s counts what the kernel must read and write once.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

from gpu_timing import ROOT, interleaved, spread, table

TWINS = ROOT / "tests/twins"
ELEMENTS = 1 << 28
ROWS = 1 << 20
RUNS = 30

Candidates = dict[str, Callable[[], None]]


def kernels_of(path: Path):
    """The module of a kernel file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def ours(path: Path, name: str, *arguments, **options) -> Callable[[], None]:
    import tirxcc

    exe = tirxcc.compile(getattr(kernels_of(path), name), target="cuda", **options)
    exe.prepare(*arguments)
    return lambda: exe(*arguments)


def twin(name: str, blocks: int, *arguments) -> Callable[[], None]:
    import cupy

    text = (TWINS / f"{name}.cu").read_text()
    kernel = cupy.RawKernel(text, f"{name}_kernel", options=("-std=c++17",), backend="nvrtc")
    typed = tuple(
        cupy.int32(x) if isinstance(x, int) else cupy.int64(x.data_ptr()) for x in arguments
    )
    return lambda: kernel((blocks,), (256,), typed)


FLOAT4_RELU = """extern "C" __global__ void __launch_bounds__(256)
relu4_kernel(const float4* __restrict__ A, float4* __restrict__ B, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    float4 a = A[i];
    a.x = fmaxf(a.x, 0.0f);
    a.y = fmaxf(a.y, 0.0f);
    a.z = fmaxf(a.z, 0.0f);
    a.w = fmaxf(a.w, 0.0f);
    B[i] = a;
  }
}
"""


def float4_relu(a, b) -> Callable[[], None]:
    import cupy

    kernel = cupy.RawKernel(FLOAT4_RELU, "relu4_kernel", ("-std=c++17",), backend="nvrtc")
    count = ELEMENTS // 4
    typed = (cupy.int64(a.data_ptr()), cupy.int64(b.data_ptr()), cupy.int32(count))
    return lambda: kernel((count // 256,), (256,), typed)


def relu_candidates(a, b) -> Candidates:
    import torch
    import triton
    import triton.language as tl

    @triton.jit
    def triton_relu(x, y, n, BLOCK: tl.constexpr):
        offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        mask = offsets < n
        tl.store(y + offsets, tl.maximum(tl.load(x + offsets, mask=mask), 0.0), mask=mask)

    found = {
        "device copy (torch)": lambda: b.copy_(a),
        "tirxcc, seed": ours(TWINS / "kernels.py", "relu", a, b),
        "tirxcc, seed, coarsen=4": ours(TWINS / "kernels.py", "relu", a, b, coarsen=4),
        "tirxcc, seed, coarsen=2": ours(TWINS / "kernels.py", "relu", a, b, coarsen=2),
        "hand-written twin": twin("relu", ELEMENTS // 256, a, b, ELEMENTS),
        "hand-written float4": float4_relu(a, b),
        "torch.clamp_min": lambda: torch.clamp_min(a, 0.0, out=b),
        "Triton": lambda: triton_relu[(ELEMENTS // 4096,)](a, b, ELEMENTS, BLOCK=4096),
    }
    fast = ROOT / "examples/fast/fast_relu.py"
    if fast.exists():
        found["tirxcc, examples/fast"] = ours(fast, "fast_relu", a, b)
    return found


def row_sum_candidates(a, b) -> Candidates:
    import torch
    import triton
    import triton.language as tl

    @triton.jit
    def triton_row_sum(x, y, m, BLOCK: tl.constexpr):
        rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        block = tl.load(x + rows[:, None] * 64 + tl.arange(0, 64)[None, :])
        tl.store(y + rows, tl.sum(block, axis=1), mask=rows < m)

    found = {
        "tirxcc, seed": ours(TWINS / "kernels.py", "row_sum", a, b),
        "hand-written twin": twin("row_sum", ROWS // 256, a, b, ROWS),
        "torch.sum": lambda: torch.sum(a, dim=1, out=b),
        "Triton": lambda: triton_row_sum[(ROWS // 64,)](a, b, ROWS, BLOCK=64),
    }
    fast = ROOT / "examples/fast/fast_row_sum.py"
    if fast.exists():
        found["tirxcc, examples/fast"] = ours(fast, "fast_row_sum", a, b)
    return found


def kernel_table(title: str, candidates: Candidates, size: float, copy_speed: float | None) -> str:
    times = interleaved(candidates, RUNS)
    rows = []
    for name, values in times.items():
        speed = size / median(values) / 1e6
        share = f"{speed / copy_speed:.3f}" if copy_speed else ""
        rows.append([name, f"{median(values) * 1e3:.1f}", f"{speed:.0f}", share, spread(values)])
    return table(title, ["code", "µs, median", "GB/s", "of a copy", "spread"], rows)


def check(candidates: Candidates, result, expected, what: str) -> None:
    """Every candidate that writes `result` gives what is expected."""
    import torch

    for name, run in candidates.items():
        if "copy" in name:
            continue
        result.zero_()
        run()
        assert torch.allclose(result, expected, atol=1e-4), f"{what}: {name} is wrong"


def binary_search_report(a, copy_speed: float) -> str:
    import torch

    table64 = torch.arange(64, dtype=torch.float32, device="cuda") / 10 - 3.2
    places = torch.empty(ELEMENTS, dtype=torch.int32, device="cuda")
    wide = torch.empty(ELEMENTS, dtype=torch.int64, device="cuda")
    candidates = {
        "tirxcc, seed": ours(TWINS / "kernels.py", "binary_search", table64, a, places),
        "hand-written twin": twin("binary_search", ELEMENTS // 256, table64, a, places, ELEMENTS),
    }
    expected = torch.searchsorted(table64, a, out=wide).to(torch.int32)
    for name, run in candidates.items():
        places.zero_()
        run()
        assert torch.equal(places, expected), f"binary_search: {name} is wrong"
    candidates["torch.searchsorted (int64)"] = lambda: torch.searchsorted(table64, a, out=wide)
    title = "binary search in 64 values, 2^28 queries"
    return kernel_table(title, candidates, ELEMENTS * 8, copy_speed)


def kernel_report() -> str:
    import torch

    a = torch.randn(ELEMENTS, device="cuda")
    b = torch.empty_like(a)
    copy = median(interleaved({"copy": lambda: b.copy_(a)}, RUNS)["copy"])
    copy_speed = ELEMENTS * 8 / copy / 1e6
    text = f"A copy of 1 GiB by torch moves {copy_speed:.0f} GB/s.\n\n"
    candidates = relu_candidates(a, b)
    check(candidates, b, a.clamp_min(0.0), "relu")
    text += kernel_table("ReLU, 2^28 float32", candidates, ELEMENTS * 8, copy_speed)
    candidates = {
        "tirxcc, seed": ours(TWINS / "kernels.py", "early_exit", a, b),
        "tirxcc, seed, coarsen=4": ours(TWINS / "kernels.py", "early_exit", a, b, coarsen=4),
        "hand-written twin": twin("early_exit", ELEMENTS // 256, a, b, ELEMENTS),
        "torch.mul": lambda: torch.mul(a, 2.0, out=b),
    }
    check(candidates, b, a * 2.0, "early_exit")
    text += kernel_table("early exit (B = 2 A), 2^28 float32", candidates, ELEMENTS * 8, copy_speed)
    text += binary_search_report(a, copy_speed)
    rows = a[: ROWS * 64].view(ROWS, 64)
    sums = torch.empty(ROWS, device="cuda")
    candidates = row_sum_candidates(rows, sums)
    check(candidates, sums, rows.sum(1), "row_sum")
    text += kernel_table("row sum, 2^20 x 64 float32", candidates, ROWS * 65 * 4, copy_speed)
    small = torch.randn(64, 64, device="cuda")
    turned = torch.empty_like(small)
    candidates = {
        "tirxcc, seed": ours(TWINS / "kernels.py", "transpose", small, turned),
        "hand-written twin": twin("transpose", 1, small, turned),
        "torch": lambda: turned.copy_(small.t()),
    }
    check(candidates, turned, small.t(), "transpose")
    return text + kernel_table("transpose, 64 x 64, one block", candidates, 64 * 64 * 8, None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, help="Markdown file for the tables")
    parser.add_argument("parts", nargs="*", help="launch, compile, kernels; all unless given")
    options = parser.parse_args()
    import gpu_compile
    import gpu_launch
    import torch

    reports = {
        "launch": gpu_launch.report,
        "compile": gpu_compile.report,
        "kernels": kernel_report,
    }
    text = f"{torch.cuda.get_device_name()}, medians of interleaved runs\n\n"
    failed = False
    for name in options.parts or reports:
        try:
            text += reports[name]()
        except Exception as error:  # the other parts still count
            failed = True
            text += f"{name}: {type(error).__name__}: {error}\n\n"
            if detail := getattr(error, "stderr", None):
                text += f"{detail}\n\n"
        if options.output:
            options.output.write_text(text)
    print(text)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
