# SPDX-License-Identifier: Apache-2.0
"""Every operator on int16: the arithmetic wraps at sixteen bits, though C computes in int."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def int16_operators(
    A: T.Tensor((n,), T.int16),
    B: T.Tensor((n,), T.int16),
    S: T.Tensor((n,), T.int16),
    O: T.Tensor((n, 12), T.int16),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A[i] + B[i]
        O[i, 1] = A[i] - B[i]
        O[i, 2] = A[i] * B[i]
        O[i, 3] = A[i] // B[i]
        O[i, 4] = A[i] % B[i]
        O[i, 5] = A[i] & B[i]
        O[i, 6] = A[i] | B[i]
        O[i, 7] = A[i] ^ B[i]
        O[i, 8] = -A[i]
        O[i, 9] = ~A[i]
        O[i, 10] = A[i] << S[i]
        O[i, 11] = A[i] >> S[i]
