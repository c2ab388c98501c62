# SPDX-License-Identifier: Apache-2.0
"""apache-tvm-tirx: the same kernel as CUDA text, and a parallel, vectorized loop for the CPU."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import measure
from tvm_tirx.script import tirx as T
from tvm_tirx.tirx import compile as tvm_compile

n = T.dynamic("n")
CHUNK = 1 << 14


def define_kernel():
    @T.function
    def relu(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
        T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
        i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
        if i < n:
            if A[i] > 0.0:
                B[i] = A[i]
            else:
                B[i] = 0.0

    return relu


def define_loop():
    """For a multiple of CHUNK elements."""

    @T.function
    def relu(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
        for i in T.parallel(n // 16384):
            for j in range(1024):
                for v in T.vectorized(16):
                    B[i * 16384 + j * 16 + v] = T.max(A[i * 16384 + j * 16 + v], 0.0)

    return relu


def define_tiny():
    @T.function
    def relu(A: T.Tensor((16,), T.float32), B: T.Tensor((16,), T.float32)):
        for v in T.vectorized(16):
            B[v] = T.max(A[v], 0.0)

    return relu


def cpu_target() -> dict[str, str]:
    flags = Path("/proc/cpuinfo").read_text()
    return {"kind": "llvm", "mcpu": "x86-64-v4" if "avx512vl" in flags else "x86-64-v3"}


TARGET = cpu_target()


def to_cuda() -> str:
    executable = tvm_compile(define_kernel(), target={"kind": "cuda", "arch": "sm_90a"})
    return executable.mod.imports[0].inspect_source()


def to_machine_code():
    executable = tvm_compile(define_loop(), target=TARGET)
    executable(*measure.inputs(CHUNK))
    return executable


first = measure.seconds(to_machine_code) * 1e3
tiny, large = tvm_compile(define_tiny(), target=TARGET), to_machine_code()
a, b = measure.inputs(measure.TINY)
measure.report(
    name=f"apache-tvm-tirx {version('apache-tvm-tirx')}",
    cuda_us={"relu": measure.best(to_cuda, 10) * 1e6},
    first_compile_ms=first,
    compile_ms={"relu, opt_level=2": measure.best(to_machine_code, 10) * 1e3},
    call_us=measure.microseconds_a_call(lambda: tiny(a, b)),
    relu=measure.large_relu(large),
)
