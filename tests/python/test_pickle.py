# SPDX-License-Identifier: Apache-2.0
"""Kernels and executables in other processes, and copies of them."""

from __future__ import annotations

import copy
import multiprocessing
import pickle

import numpy as np
import pytest
import tirxcc
from tirxcc.script import tirx as T


@T.function
def doubled(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    A[T.cuda.thread_idx("x")] *= 2.0


def sum_after(exe: tirxcc.Executable) -> float:
    array = np.ones(64, np.float32)
    exe(array)
    return float(array.sum())


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_executables_go_to_other_processes(method: str) -> None:
    exe = tirxcc.compile(doubled, target="cpu", opt_level=1)
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.map(sum_after, [exe]) == [128.0]


def test_a_kernel_is_pickled_by_name() -> None:
    assert pickle.loads(pickle.dumps(doubled)) is doubled


def test_what_another_process_would_not_find() -> None:
    @T.function
    def local(A: T.Tensor((64,), T.float32)):
        T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
        A[T.cuda.thread_idx("x")] = 1.0

    with pytest.raises(TypeError, match="define the kernel at the level of a module"):
        pickle.dumps(tirxcc.compile(local, target="cpu"))


def test_kernels_of_texts() -> None:
    text = (
        "from tirxcc.script import tirx as T\n"
        "@T.function\n"
        "def three(A: T.Tensor((64,), T.float32)):\n"
        "    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))\n"
        '    A[T.cuda.thread_idx("x")] = 3.0\n'
    )
    function = tirxcc.function_from_source(text)
    assert pickle.loads(pickle.dumps(function)).script() == function.script()
    exe = tirxcc.compile(function, target="cpu")
    assert sum_after(pickle.loads(pickle.dumps(exe))) == 192.0


def test_copies_are_the_thing_itself() -> None:
    exe = tirxcc.compile(doubled, target="cpu")
    assert copy.copy(doubled) is copy.deepcopy(doubled) is doubled
    assert copy.deepcopy({"exe": exe})["exe"] is copy.copy(exe) is exe
