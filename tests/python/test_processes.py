# SPDX-License-Identifier: Apache-2.0
"""Threads, forks and the end of the interpreter."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import tirxcc
from tirxcc.script import tirx as T

n = T.dynamic("n")


def make(step: int) -> tirxcc.Function:
    @T.function
    def add(A: T.Tensor((n,), T.float32)):
        T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
        i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
        if i < n:
            A[i] = A[i] + step

    return add


def add_steps(step: int) -> bool:
    exe = tirxcc.compile(make(step), target="cpu", opt_level=0)
    a = np.zeros(5000, np.float32)
    for _ in range(20):
        exe(a)
    return bool((a == 20 * step).all())


def test_sixteen_threads_compile_and_call() -> None:
    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(add_steps, range(32)))


def test_one_executable_in_many_threads() -> None:
    exe = tirxcc.compile(make(1), target="cpu")

    def call(_: int) -> bool:
        a = np.zeros(100_000, np.float32)
        for _ in range(10):
            exe(a)
        return bool((a == 10).all())

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(call, range(32)))


def test_fork_after_use() -> None:
    exe = tirxcc.compile(make(1), target="cpu")
    a = np.zeros(1_000_000, np.float32)
    exe(a)
    child = os.fork()
    if child == 0:
        exe(a)
        os._exit(0 if (a == 2).all() and add_steps(3) else 1)
    assert os.waitpid(child, 0)[1] == 0
    exe(a)
    assert (a == 2).all()


def test_fork_while_threads_compile_and_call() -> None:
    """A child of a busy parent: locks of threads that it does not have must not be held."""
    exe = tirxcc.compile(make(1), target="cpu")
    is_done = threading.Event()

    def keep_busy(step: int) -> None:
        while not is_done.is_set():
            add_steps(step)

    threads = [threading.Thread(target=keep_busy, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                a = np.zeros(1_000_000, np.float32)
                exe(a)
                os._exit(0 if (a == 1).all() and add_steps(5) else 1)
            assert wait_for(child) == 0
    finally:
        is_done.set()
        for thread in threads:
            thread.join()


def wait_for(child: int) -> int:
    """The child's status; -1 if it hangs."""
    for _ in range(600):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def test_interpreter_exit_with_kernels_alive() -> None:
    script = f"""
import sys; sys.path[:0] = {sys.path!r}
import runpy
names = runpy.run_path({__file__!r})
import threading, numpy as np, tirxcc
exe = tirxcc.compile(names["make"](1))
a = np.zeros(4_000_000, np.float32)
exe(a)
def forever():
    while True:
        exe(a)
threading.Thread(target=forever, daemon=True).start()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
