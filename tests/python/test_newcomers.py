# SPDX-License-Identifier: Apache-2.0
"""Where newcomers stumbled: grids of no blocks, constants between float types, one front end."""

from __future__ import annotations

import pydoc
import signal
import subprocess
import sys
import warnings

import numpy as np
import pytest
import tirxcc
from tirxcc.script import tirx as T

n = T.dynamic("n")
ALPHA = 0.1


@T.function
def rounded_down(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    A[T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")] = 1.0


def test_a_grid_of_no_blocks_warns_once() -> None:
    exe = tirxcc.compile(rounded_down, target="cpu")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exe(np.zeros(512, np.float32))
        exe(np.zeros(0, np.float32))
    few = np.zeros(100, np.float32)
    with pytest.warns(tirxcc.Warning, match="'n // 256' is 0, so no thread of 'rounded_down' runs"):
        exe(few)
    assert not few.any()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exe(few)
        silent = tirxcc.compile(rounded_down, target="cpu", warnings=False, opt_level=1)
        silent(few)


@T.function
def rounded_up(A: T.Tensor((n, 4), T.float32), B: T.Tensor((4,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(n + 15) // 16, block=16))
    i = T.cuda.block_idx("x") * 16 + T.cuda.thread_idx("x")
    if i < n:
        A[i, 0] = B[0]


def test_a_ceiling_that_is_0_is_no_mistake() -> None:
    exe = tirxcc.compile(rounded_up, target="cpu")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exe(np.zeros((0, 4), np.float32), np.zeros(4, np.float32))


@T.function
def scaled(A: T.Tensor((n,), T.float64), B: T.Tensor((n,), T.float64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = A[i] * ALPHA


def test_captured_constants_are_exact_in_float64() -> None:
    a = np.array([1.0, 3.0, 1e17])
    b = np.empty_like(a)
    tirxcc.compile(scaled, target="cpu")(a, b)
    assert b.tolist() == (a * 0.1).tolist()


def test_the_text_is_read_once() -> None:
    """A second target takes what the first has found, and says the same."""
    text = (
        "from tirxcc.script import tirx as T\n"
        "@T.function\n"
        "def f(A: T.Tensor((4,), T.int8), k: T.int32):\n"
        "    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=4))\n"
        '    A[T.cuda.thread_idx("x")] = k\n'
    )
    with pytest.warns(tirxcc.Warning, match="int32"):
        f = tirxcc.function_from_source(text)
    with pytest.warns(tirxcc.Warning, match="int32"):
        exe = tirxcc.compile(f, target="cuda:sm_90a")
    assert "f_kernel(signed char*" in exe.cuda_source
    assert exe.times["front_end_ms"] == tirxcc.compile(f, target="cpu").times["front_end_ms"] > 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tirxcc.compile(f, target="cuda:sm_90a", warnings=False)


def test_a_warning_reads_well_as_python_prints_it() -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")

        @T.function
        def kernel(A: T.Tensor((4,), T.float32), B: T.Tensor((64,), T.float32)):
            T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
            t = T.cuda.thread_idx("x")
            S = T.alloc_shared((64,), "float32")
            S[t] = B[t]
            B[t] = S[63 - t]

    (one,) = seen
    shown = warnings.formatwarning(one.message, one.category, one.filename, one.lineno)
    assert shown.splitlines() == [
        f"{__file__}:{one.lineno}: Warning: thread 0 reads 'S[63 - t]' and thread 63 writes that "
        "element, with no barrier in between [missing-barrier]",
        f"  = line {one.lineno - 1}, 'S[t]': thread 63 writes it here",
        "  = note: 'T.cuda.cta_sync()' between the two waits for all threads of the block",
        "  B[t] = S[63 - t]",
    ]
    assert "^~~~" in one.message.diagnostic.rendered


def test_nothing_of_python_is_replaced() -> None:
    program = (
        "import warnings; before = dict(vars(warnings))\n"
        "import tirxcc; from tirxcc.script import tirx\n"
        "assert vars(warnings) == before, 'another module was changed'"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("name", [T.max, T.alloc_shared, T.float32, T.cuda, T.cuda.thread_idx])
def test_help_about_names_is_short(name: object) -> None:
    shown = pydoc.plain(pydoc.render_doc(name))
    assert len(shown.splitlines()) < 8
    assert f"{name!r}" in shown
    assert "__" not in shown


@T.inline
def twice(a, k):
    if k == 0:
        return a
    return twice(a, k - 1) + twice(a, k - 1)


def test_expansions_can_be_interrupted() -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        with pytest.raises(KeyboardInterrupt) as caught:
            signal.setitimer(signal.ITIMER_REAL, 0.25)

            @T.function
            def kernel(A: T.Tensor((4,), T.float32)):
                T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=4))
                A[T.cuda.thread_idx("x")] = twice(A[0], 25)

    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert "interrupted here [compilation-interrupted]" in "".join(caught.value.__notes__)


def test_a_silent_definition() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        @T.function(warnings=False)
        def narrows(A: T.Tensor((n,), T.int8), x: T.int32):
            A[0] = x

        a = np.zeros(4, np.int8)
        tirxcc.compile(narrows, target="cpu")(a, 3)
    assert a[0] == 3


@T.inline
def add_one(x):
    return x + 1


def test_an_inline_function_is_for_kernels() -> None:
    with pytest.raises(TypeError, match=r"'add_one' is a @T.inline function: only kernels call it"):
        add_one(2)


@pytest.mark.parametrize("name", ["function", "prim_func", "inline"])
def test_help_about_decorators(name: str) -> None:
    lines = pydoc.plain(pydoc.render_doc(getattr(T, name))).splitlines()
    assert any(len(line) > 40 and "**options" not in line for line in lines[2:])
