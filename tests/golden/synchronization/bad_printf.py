# SPDX-License-Identifier: Apache-2.0
"""The format of printf must agree with its values."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((32,), T.float32), I: T.Tensor((32,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    T.cuda.printf("%d\n", A[t])
    T.cuda.printf("%d and %f\n", t)
    T.cuda.printf("%q\n", t)
    T.cuda.printf(A, t)
    T.cuda.printf()
