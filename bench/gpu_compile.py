# SPDX-License-Identifier: Apache-2.0
"""From a kernel's text to a kernel in the driver, beside NVRTC alone on the hand-written CUDA.

Each figure comes from processes of its own, started as

    python gpu_compile.py ROLE [COMPILER]

with a context made beforehand, so that what is measured is compiling and loading alone.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median

from gpu_timing import ROOT, Driver, Nvrtc, nvrtc_path, spread, table

LATER = 30
WARM_UP = 3
PROCESSES = 9
COMPILERS = ("tirxcc", "NVRTC alone", "NVRTC alone, and loading", "CuPy RawKernel")

SOURCE = """
from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def relu(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        if A[i] > {value}:
            B[i] = A[i]
        else:
            B[i] = {value}
"""


def hand_written(value: float) -> str:
    return (ROOT / "tests/twins/relu.cu").read_text().replace("0.0f", f"{value}f")


def milliseconds(action: Callable[[], object]) -> float:
    begin = time.perf_counter()
    action()
    return (time.perf_counter() - begin) * 1e3


def compile_ours(value: float):
    import tirxcc

    function = tirxcc.function_from_source(SOURCE.format(value=value), "relu")
    exe = tirxcc.compile(function, target="cuda")
    exe.prepare()
    return exe


def role_first() -> float:
    import tirxcc  # noqa: F401

    Driver()
    return milliseconds(lambda: compile_ours(0.0))


def role_first_nvrtc() -> float:
    path = os.environ["NVRTC_PATH"]
    driver = Driver()
    return milliseconds(lambda: driver.load(Nvrtc(path).cubin(hand_written(0.0)), "relu_kernel"))


def role_disk() -> float:
    return role_first()


def run_role(role: str, cache: str, *arguments: str) -> str:
    environment = {**os.environ, "TIRXCC_CACHE_DIR": cache, "NVRTC_PATH": nvrtc_path()}
    command = [sys.executable, __file__, role, *arguments]
    return subprocess.run(
        command, env=environment, check=True, capture_output=True, text=True
    ).stdout


def in_processes(role: str, cache: str) -> list[float]:
    return [float(run_role(role, cache)) for _ in range(PROCESSES)]


def role_later(compiler: str) -> str:
    """Milliseconds of each compilation of a text that nobody has seen before."""
    nvrtc = Nvrtc(os.environ["NVRTC_PATH"])
    driver = Driver()
    os.environ["CUPY_CACHE_IN_MEMORY"] = "1"

    def cupy_compile(value: float) -> None:
        import cupy

        text = hand_written(value)
        cupy.RawKernel(text, "relu_kernel", ("-std=c++17",), backend="nvrtc").compile()

    compiled = {
        "tirxcc": compile_ours,
        "NVRTC alone": lambda v: nvrtc.cubin(hand_written(v)),
        "NVRTC alone, and loading": lambda v: driver.load(
            nvrtc.cubin(hand_written(v)), "relu_kernel"
        ),
        "CuPy RawKernel": cupy_compile,
    }[compiler]
    times = [milliseconds(lambda v=1 + k / 1024: compiled(v)) for k in range(WARM_UP + LATER)]
    return json.dumps(times[WARM_UP:])


def role_memory() -> str:
    compile_ours(1.0)
    return json.dumps([milliseconds(lambda: compile_ours(1.0)) for _ in range(9)])


def later() -> dict[str, list[float]]:
    """The median of each of several processes. A process has one compiler only, as a program has:
    in a common one each pays for the memory that another gave back or left in pieces, and on a
    virtual machine, where a page may take 10 us, nothing else would be seen."""
    times: dict[str, list[float]] = {name: [] for name in COMPILERS}
    order = random.Random(0)
    for _ in range(PROCESSES):
        for name in order.sample(COMPILERS, len(COMPILERS)):
            times[name].append(median(json.loads(run_role("later", "", name))))
    times["tirxcc, memory cache"] = json.loads(run_role("memory", ""))
    return times


def triton_times() -> list[float]:
    import torch
    import triton
    import triton.language as tl

    @triton.jit
    def relu(x, y, n, value: tl.constexpr, BLOCK: tl.constexpr):
        offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        mask = offsets < n
        tl.store(y + offsets, tl.maximum(tl.load(x + offsets, mask=mask), value), mask=mask)

    a = torch.zeros(1024, device="cuda")
    return [
        milliseconds(lambda v=k: relu[(1,)](a, a, 1024, value=1.0 + v / 64, BLOCK=1024))
        for k in range(6)
    ][1:]


def row(name: str, values: list[float]) -> list[str]:
    return [name, f"{median(values):.2f}", f"{min(values):.2f}", spread(values)]


def report() -> str:
    head = ["compiler", "ms, median", "best", "spread"]
    os.environ["TIRXCC_CACHE_DIR"] = ""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRITON_CACHE_DIR"] = folder
        rows = [row(name, values) for name, values in later().items()]
        rows.append(row("Triton", triton_times()))
        text = table("ReLU, text → loaded kernel, second and later in a process", head, rows)
        in_processes("first", folder)
        rows = [
            row("tirxcc", in_processes("first", "")),
            row("NVRTC alone, and loading", in_processes("first_nvrtc", "")),
            row("tirxcc, from the disk cache", in_processes("disk", folder)),
        ]
    return text + table("ReLU, text → loaded kernel, first in a process", head, rows)


if __name__ == "__main__":
    role = globals().get(f"role_{sys.argv[1]}") if len(sys.argv) > 1 else None
    print(role(*sys.argv[2:]) if role else report())
