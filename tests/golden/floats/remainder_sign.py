# SPDX-License-Identifier: Apache-2.0
"""A remainder of 0 has the sign of the divisor, as in Python."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def remainder_sign(
    A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32), O: T.Tensor((n,), T.float32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = T.copysign(1.0, A[i] % B[i])
