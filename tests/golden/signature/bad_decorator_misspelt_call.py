# SPDX-License-Identifier: Apache-2.0
"""A slip in a decorator with options."""

from tirxcc.script import tirx as T


@T.primfunc(private=True)
def decorator_misspelt_call(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    A[T.cuda.thread_idx("x")] = 1.0
