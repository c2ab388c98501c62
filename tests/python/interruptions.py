# SPDX-License-Identifier: Apache-2.0
"""Run by test_interruptions.py, one case a process: Ctrl-C comes while something long is under way.

interruptions.py CASE DELAY             prints "interrupted after S", then "usable" when the
                                        package still does its work
interruptions.py CASE DELAY uncaught    lets the KeyboardInterrupt end the process
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import numpy as np
import tirxcc
from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def many_blocks(A: T.Tensor((n,), T.int32), turns: T.int32):
    """Millions of blocks of some 10 us each."""
    T.device_entry(launch=T.cuda.LaunchConfig(grid=20000000, block=32))
    i = T.cuda.thread_idx("x")
    x: T.int32 = i
    for _ in range(turns):
        x = x * 1664525 + 1013904223 + (x >> 3)
    T.cuda.atomic_add(A.ptr_to([i]), x)


@T.function
def endless_block(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=1))
    x: T.int32 = 1
    while A[0] == 0:
        x = x * 1664525 + 1013904223 + (x >> 3)
        A[1] = x


@T.function
def endless_host(A: T.Tensor((n,), T.int32)):
    x: T.int32 = 1
    while A[0] == 0:
        x = x * 1664525 + 1013904223 + (x >> 3)
        A[1] = x


@T.function
def add_one(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if i < n:
        A[i] = A[i] + 1


def long_text(statements: int) -> str:
    return f"""
from tirxcc.script import tirx as T
@T.function
def f(A: T.Tensor((1000,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    i = T.cuda.thread_idx("x")
    for k in T.unroll({statements}):
        A[i] = A[i] * 3 + k
"""


def run_blocks() -> None:
    tirxcc.compile(many_blocks, target="cpu")(np.zeros(32, np.int32), 1000)


def run_after_quick_calls() -> None:
    exe = tirxcc.compile(many_blocks, target="cpu", opt_level=0)
    a = np.zeros(32, np.int32)
    exe(a, 0)
    exe(a, 0)
    exe(a, 1000)


def run_block() -> None:
    tirxcc.compile(endless_block, target="cpu")(np.zeros(8, np.int32))


def run_host() -> None:
    tirxcc.compile(endless_host, target="cpu")(np.zeros(8, np.int32))


def compile_machine_code() -> None:
    tirxcc.compile(tirxcc.function_from_source(long_text(100_000)), target="cpu").prepare()


def read_text() -> None:
    tirxcc.function_from_source(long_text(1_000_000))


def make_cuda_text() -> None:
    tirxcc.compile(tirxcc.function_from_source(long_text(300_000)), target="cpu").cuda_source  # noqa: B018


def check_usable() -> None:
    a = np.zeros(1_000_000, np.int32)
    exe = tirxcc.compile(add_one, target="cpu")
    for _ in range(3):
        exe(a)
    other = tirxcc.compile(tirxcc.function_from_source(long_text(3)), target="cpu", opt_level=0)
    b = np.zeros(1000, np.int32)
    other(b)
    if (a == 3).all() and b[0] == 5:
        print("usable", flush=True)


def main(case: str, delay: float, catches: bool) -> None:
    # Whoever runs the tests in the background of a shell has SIGINT ignored, and Python keeps that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    start = time.monotonic()
    timer = threading.Timer(delay, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.daemon = True
    timer.start()
    try:
        globals()[case]()
        print("was not interrupted")
    except KeyboardInterrupt:
        if not catches:
            raise
        print(f"interrupted after {time.monotonic() - start - delay:.1f}", flush=True)
    check_usable()


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), len(sys.argv) == 3)
