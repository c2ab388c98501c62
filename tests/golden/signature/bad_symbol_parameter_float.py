# SPDX-License-Identifier: Apache-2.0
"""A size is an integer."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def symbol_parameter_float(A: T.Tensor((n,), T.float32), n: T.float32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = n
