# SPDX-License-Identifier: Apache-2.0
"""Run by test_cuda_calls.py in a process with the fake CUDA driver: calls of kernels compiled for a
GPU. `launches()` gives what the driver was asked to launch since the last time."""

from __future__ import annotations

import ctypes
import os
import re
import sys

import numpy as np
import tirxcc
from fake_tensors import CUDA, CupyArray, Exchanged, OnCuda, install_cupy
from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def add_one(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=64))
    t = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if t * 4 + 4 <= n:
        for k in T.vectorized(4):
            B[t * 4 + k] = A[t * 4 + k] + 1.0


@T.function
def last_column(A: T.Tensor((n, 1 << 20), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=1))
    A[T.cuda.block_idx("x"), (1 << 20) - 1] = 1.0


def launches() -> list[tuple[str, str]]:
    """(kernel, stream) of each launch."""
    with open(os.environ["FAKE_CUDA_LOG"], "r+") as file:
        lines = [line for line in file if line.startswith("cuLaunchKernel")]
        file.truncate(0)
    found = []
    for line in lines:
        kernel = re.search(r"(add_one|last_column)_kernel\w*", line)[0]
        found.append((kernel, re.search(r"stream=(\S+)", line)[1]))
    return found


def floats(count: int) -> np.ndarray:
    """Aligned for the widest accesses."""
    memory = np.zeros(count * 4 + 64, np.uint8)
    first = -memory.ctypes.data % 64
    return memory[first : first + count * 4].view(np.float32)


def exchanged(data: np.ndarray) -> Exchanged:
    return Exchanged(data, CUDA)


def case_variants(exe: tirxcc.Executable) -> None:
    a, b = floats(1024), floats(1024)
    exe(exchanged(a), exchanged(b))
    exe(exchanged(a), exchanged(a))
    exe(exchanged(a[1:1021]), exchanged(b[:1020]))
    print([name for name, _ in launches()], exe.variants_run)
    rows = tirxcc.compile(last_column, target="cuda")
    big = exchanged(a[:1].reshape(1, 1))
    big.tensor.shape[1] = 1 << 20
    big.tensor.strides[0] = 1 << 20
    rows(big)
    big.tensor.shape[0] = 4096
    rows(big)
    print([name for name, _ in launches()], rows.variants_run)


def new_stream() -> int:
    """A stream of the context that the first launch made current."""
    stream = ctypes.c_void_p()
    driver = ctypes.CDLL(os.environ["TIRXCC_LIBCUDA"])
    assert driver.cuStreamCreate(ctypes.byref(stream), 0) == 0
    return stream.value


def case_streams(exe: tirxcc.Executable) -> None:
    a, b = floats(1024), floats(1024)
    exe(exchanged(a), exchanged(b))
    exe(exchanged(a), OnCuda(b, 1))  # both mean the default stream
    streams = [new_stream() for _ in range(4)]
    names = {"(nil)": "none", **{hex(stream): f"s{i}" for i, stream in enumerate(streams)}}
    Exchanged.current_stream = streams[0]
    exe(exchanged(a), exchanged(b))
    exe(exchanged(a), exchanged(b), stream=streams[1])
    exe(OnCuda(a, streams[2]), OnCuda(b, streams[2]))
    exe(OnCuda(a), OnCuda(b))

    class TorchStream:
        cuda_stream = streams[3]

    class CupyStream:
        ptr = streams[1]

    exe(A=OnCuda(a, streams[2]), B=exchanged(b), stream=TorchStream())
    exe(exchanged(a), B=exchanged(b), stream=CupyStream())
    exe(exchanged(a), B=exchanged(b), stream=None)
    print(*(names[stream] for _, stream in launches()))
    for arguments in (
        {"A": OnCuda(a, streams[1]), "B": exchanged(b)},
        {"A": exchanged(a), "B": exchanged(b), "stream": "fast"},
        {"A": exchanged(a), "B": b},
        {"A": OnCuda(a[::2]), "B": OnCuda(b[:512])},
        {"A": OnCuda(a.astype(">f4")), "B": OnCuda(b)},
        {"A": OnCuda(a.astype(np.complex64)), "B": OnCuda(b)},
        {"A": OnCuda(a, offset=2), "B": OnCuda(b)},
    ):
        try:
            exe(**arguments)
            print("no error")
        except tirxcc.Error as error:
            print(f"{type(error).__name__}: {error}")
    print(launches())


def case_cupy(exe: tirxcc.Executable) -> None:
    install_cupy()
    a, b = floats(1024), floats(1024)
    exe(CupyArray(a), CupyArray(b))
    CupyArray.current_stream = new_stream()
    for _ in range(3):
        exe(CupyArray(a), CupyArray(b))
    exe(CupyArray(a), CupyArray(a))
    exe(CupyArray(a[1:1021]), CupyArray(b[:1020]))
    print(CupyArray.questions)
    exe(CupyArray(a), CupyArray(b), stream=None)
    exe(CupyArray(a), CupyArray(b), stream=0)
    # Extents of 1 may have any stride.
    rows = tirxcc.compile(last_column, target="cuda")
    big = CupyArray(np.zeros((1, 1), np.float32))
    big.shape, big.strides = (1, 1 << 20), (4, 4)
    rows(big)
    print([(name, stream != "(nil)") for name, stream in launches()])
    for arguments in (
        (CupyArray(a), exchanged(b)),
        (CupyArray(a[::2]), CupyArray(b[:512])),
        (CupyArray(a[:512]), CupyArray(b)),
        (CupyArray(a.reshape(2, 512)), CupyArray(b)),
        (CupyArray(a), CupyArray(b, 1)),
        (CupyArray(a), CupyArray(b, offset=2)),
        (CupyArray(a.astype(np.int32)), CupyArray(b)),
        (CupyArray(a.astype(">f4")), CupyArray(b)),
        (CupyArray(a.astype(np.complex64)), CupyArray(b)),
        (CupyArray(a), None),
    ):
        try:
            exe(*arguments)
            print("no error")
        except tirxcc.Error as error:
            print(f"{type(error).__name__}: {error}")
    broken = CupyArray(a)
    del broken.data
    try:
        exe(broken, CupyArray(b))
    except AttributeError as error:
        print("AttributeError", error)
    print(launches())


def case_lost(exe: tirxcc.Executable) -> None:
    rows = tirxcc.compile(last_column, target="cuda")
    a, b = floats(1024), floats(1024)
    big = exchanged(a[:1].reshape(1, 1))
    big.tensor.shape[1] = 1 << 20
    big.tensor.strides[0] = 1 << 20
    for call in (*[lambda: exe(exchanged(a), exchanged(b))] * 3, lambda: rows(big)):
        try:
            call()
            print("no error")
        except tirxcc.Error as error:
            print(f"{type(error).__name__}: {error}".replace("\n", "|"))


def case_attributes(_: tirxcc.Executable) -> None:
    share, domain, handle = 0.5, 3, 0x1234

    @T.function
    def windowed(A: T.Tensor((1024,), T.float32)):
        T.device_entry(
            launch=T.cuda.LaunchConfig(
                grid=8,
                block=128,
                mem_sync_domain="remote",
                mem_sync_domain_map=T.cuda.MemSyncDomainMap(remote=domain),
                access_policy_window=T.cuda.AccessPolicyWindow(
                    base_ptr=A.data, num_bytes=4096, hit_ratio=share
                ),
            )
        )
        A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] = 1.0

    @T.function
    def completing(A: T.Tensor((1024,), T.float32)):
        T.device_entry(
            launch=T.cuda.LaunchConfig(
                grid=8,
                block=128,
                launch_completion_event=T.cuda.LaunchCompletionEvent(event=handle),
            )
        )
        A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] = 1.0

    for kernel in (windowed, completing):
        a = floats(1024)
        tirxcc.compile(kernel, target="cuda")(exchanged(a))
        with open(os.environ["FAKE_CUDA_LOG"]) as file:
            line = [line for line in file if line.startswith("cuLaunchKernelEx")][-1]
        values = line.split("device=0 ")[1].strip()
        print(" ".join(sorted(values.replace(hex(a.ctypes.data), "A").split())))


def case_default(_: tirxcc.Executable) -> None:
    print(tirxcc.compile(add_one).target, tirxcc.compile(add_one).source.startswith("extern"))


if __name__ == "__main__":
    globals()[f"case_{sys.argv[1]}"](tirxcc.compile(add_one, target="cuda"))
