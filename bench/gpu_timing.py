# SPDX-License-Identifier: Apache-2.0
"""What the GPU benchmarks share: interleaved timing, NVRTC and the driver by themselves, tables."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
TIRXCC = os.environ.get("TIRXCC", str(ROOT / ".venv/bin/tirxcc"))
BURST = 400  # launches; well below the length of the driver's queue


def interleaved(candidates: Mapping[str, Callable[[], None]], runs: int) -> dict[str, list[float]]:
    """Milliseconds of each run on the GPU's clock, with a cold L2 cache, in turns."""
    import torch

    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for run in candidates.values():
        for _ in range(3):
            run()
    for _ in range(runs):
        for name, run in candidates.items():
            flush.zero_()
            begin = torch.cuda.Event(enable_timing=True)
            end = torch.cuda.Event(enable_timing=True)
            begin.record()
            run()
            end.record()
            end.synchronize()
            times[name].append(begin.elapsed_time(end))
    return times


def bursts(candidates: Mapping[str, Callable[[], None]], rounds: int) -> dict[str, list[float]]:
    """Nanoseconds of a call on the host, one value for each burst, in turns."""
    import torch

    times: dict[str, list[float]] = {name: [] for name in candidates}
    for number in range(-3, rounds):
        for name, call in candidates.items():
            torch.cuda.synchronize()
            begin = time.perf_counter_ns()
            for _ in range(BURST):
                call()
            taken = time.perf_counter_ns() - begin
            if number >= 0:
                times[name].append(taken / BURST)
    torch.cuda.synchronize()
    return times


def nvrtc_path() -> str:
    """The NVRTC that tirxcc uses."""
    text = subprocess.run([TIRXCC, "doctor"], check=True, capture_output=True, text=True).stdout
    return re.search(r"NVRTC\s+[\d.]+, (\S+)", text)[1]


class Nvrtc:
    """NVRTC with nothing around it."""

    OPTIONS = (b"--gpu-architecture=sm_90a", b"-std=c++17", b"--minimal")

    def __init__(self, path: str) -> None:
        self.library = ctypes.CDLL(path)

    def cubin(self, text: str) -> bytes:
        program = ctypes.c_void_p()
        self._call("CreateProgram", ctypes.byref(program), text.encode(), b"k.cu", 0, None, None)
        options = (ctypes.c_char_p * len(self.OPTIONS))(*self.OPTIONS)
        self._call("CompileProgram", program, len(self.OPTIONS), options)
        size = ctypes.c_size_t()
        self._call("GetCUBINSize", program, ctypes.byref(size))
        code = ctypes.create_string_buffer(size.value)
        self._call("GetCUBIN", program, code)
        self._call("DestroyProgram", ctypes.byref(program))
        return code.raw

    def _call(self, name: str, *arguments: object) -> None:
        status = getattr(self.library, f"nvrtc{name}")(*arguments)
        assert status == 0, f"nvrtc{name}: {status}"


class Driver:
    """libcuda with nothing around it: a context, and loading machine code."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL("libcuda.so.1")
        self.library.cuInit(0)
        context = ctypes.c_void_p()
        self.library.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
        self.library.cuCtxSetCurrent(context)

    def load(self, cubin: bytes, name: str) -> None:
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        assert self.library.cuModuleLoadData(ctypes.byref(module), cubin) == 0
        found = self.library.cuModuleGetFunction(ctypes.byref(function), module, name.encode())
        assert found == 0


def spread(values: list[float]) -> str:
    """Half the distance between the quartiles, in percent of the median."""
    ordered = sorted(values)
    quarter = len(ordered) // 4
    return f"± {(ordered[-1 - quarter] - ordered[quarter]) / 2 / median(values) * 100:.1f} %"


def table(title: str, head: list[str], rows: list[list[str]]) -> str:
    lines = [f"### {title}", "", f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows]) + "\n\n"
