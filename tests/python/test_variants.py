# SPDX-License-Identifier: Apache-2.0
"""Arguments for which the default kernel would be wrong: the right result, from the variant that is
meant for them (Executable.variants_run).

The CPU's default kernel has 64-bit offsets and assumes no alignment, so only overlap needs another
there. What a GPU is asked to run is in test_cuda_calls.py.
"""

from __future__ import annotations

import numpy as np
import pytest
import tirxcc
from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def add_one(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = A[i] + 1


@T.function
def add_one_in_order(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32)):
    for i in range(n):
        B[i] = A[i] + 1


@T.function
def add_one_by_four(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=64))
    t = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if t * 4 + 4 <= n:
        for k in T.vectorized(4):
            B[t * 4 + k] = A[t * 4 + k] + 1.0


def fresh(function: tirxcc.Function, **options: object) -> tirxcc.Executable:
    """An executable that no other test has called."""
    return tirxcc.compile(function, target="cpu", verify_each=True, **options)


@pytest.mark.parametrize("opt_level", [0, 2])
def test_the_same_array_twice(opt_level: int) -> None:
    exe = tirxcc.compile(add_one, target="cpu", opt_level=opt_level, time_passes=True)
    a = np.arange(1000, dtype=np.int32)
    before = exe.variants_run
    exe(a, a)
    np.testing.assert_array_equal(a, np.arange(1, 1001))
    assert before == ()
    assert exe.variants_run == ("alias",)
    exe(a, np.empty_like(a))
    assert exe.variants_run == ("default", "alias")


@pytest.mark.parametrize("opt_level", [0, 2])
@pytest.mark.parametrize("distance", [1, 3, 300, -1, -7])
def test_half_overlapping_views(opt_level: int, distance: int) -> None:
    exe = tirxcc.compile(add_one_in_order, target="cpu", opt_level=opt_level, time_passes=True)
    x = np.zeros(1000, np.int32)
    size = 1000 - abs(distance)
    a = x[max(0, -distance) :][:size]
    b = x[max(0, distance) :][:size]
    wanted = x.copy()
    for i in range(size):
        wanted[max(0, distance) + i] = wanted[max(0, -distance) + i] + 1
    exe(a, b)
    np.testing.assert_array_equal(x, wanted)
    assert exe.variants_run == ("alias",)


def test_neighbours_do_not_overlap() -> None:
    exe = fresh(add_one)
    x = np.zeros(200, np.int32)
    exe(x[:100], x[100:])
    assert (x[100:] == 1).all()
    assert exe.variants_run == ("default",)


def test_two_arrays_that_are_only_read_may_overlap() -> None:
    @T.function
    def add(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32), C: T.Tensor((n,), T.int32)):
        for i in range(n):
            C[i] = A[i] + B[i]

    exe = tirxcc.compile(add, target="cpu")
    x, y = np.arange(10, dtype=np.int32), np.zeros(10, np.int32)
    exe(x, x, y)
    np.testing.assert_array_equal(y, x * 2)
    assert exe.variants_run == ("default",)


@pytest.mark.parametrize("opt_level", [0, 2])
@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_a_base_that_is_not_aligned_for_wide_accesses(opt_level: int, first: int) -> None:
    exe = tirxcc.compile(add_one_by_four, target="cpu", opt_level=opt_level)
    x = np.arange(1024 + 8, dtype=np.float32)
    y = np.zeros(1024 + 8, np.float32)
    exe(x[first : first + 1024], y[3 - first :][:1024])
    np.testing.assert_array_equal(y[3 - first :][:1024], x[first : first + 1024] + 1)
    assert (y[: 3 - first] == 0).all()
    assert (y[3 - first + 1024 :] == 0).all()


def test_an_address_that_is_no_multiple_of_the_element() -> None:
    memory = np.zeros(4 * 64 + 4, np.uint8)
    base = -memory.ctypes.data % 4
    b = memory[base + 1 : base + 1 + 4 * 32].view(np.int32)
    with pytest.raises(ValueError, match="B: misaligned"):
        tirxcc.compile(add_one, target="cpu")(np.zeros(32, np.int32), b)


@pytest.mark.slow
def test_more_than_2_to_the_31_elements() -> None:
    m = T.dynamic("m", "int64")

    @T.function
    def mark(A: T.Tensor((m,), T.int8), step: T.int64):
        T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(m, step), block=1))
        i = T.int64(T.cuda.block_idx("x")) * step
        A[i] = A[i] + T.int8(7)

    @T.function
    def mark_rows(A: T.Tensor((n, 1 << 20), T.int8)):
        T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=1))
        row = T.cuda.block_idx("x")
        A[row, (1 << 20) - 1] = T.int8(5)

    size = (1 << 31) + (1 << 20)
    try:
        with open("/proc/meminfo") as file:
            free = next(int(line.split()[1]) for line in file if line.startswith("MemAvailable"))
        if free * 1024 < size * 2:
            pytest.skip("not enough memory")
        a = np.zeros(size, np.int8)
    except MemoryError:
        pytest.skip("not enough memory")
    step = 1 << 16
    tirxcc.compile(mark, target="cpu")(a, step)
    assert (a[::step] == 7).all()
    assert np.count_nonzero(a[step - 1 :: step]) == 0
    a[::step] = 0
    tirxcc.compile(mark_rows, target="cpu")(a.reshape(-1, 1 << 20))
    assert (a[(1 << 20) - 1 :: 1 << 20] == 5).all()
    assert np.count_nonzero(a[::step]) == 0


def test_prepare_compiles_the_variant_of_its_arguments() -> None:
    exe = tirxcc.compile(add_one, target="cpu", opt_level=0, print_after=["all"])
    a = np.zeros(100, np.int32)
    exe.prepare()
    once = len(exe.pass_output)
    exe.prepare(a, B=np.zeros_like(a))
    assert len(exe.pass_output) == once
    exe.prepare(a, a)
    both = len(exe.pass_output)
    assert both > once
    assert (a == 0).all()
    assert exe.variants_run == ()
    exe(a, a)
    assert len(exe.pass_output) == both
    with pytest.raises(TypeError, match="B: expected dtype"):
        exe.prepare(a, np.zeros(100, np.int64))
    with pytest.raises(TypeError):
        exe.prepare(a)
