# SPDX-License-Identifier: Apache-2.0
"""docs/language.md, part "Host"."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
BLOCK = 128


@T.function
def host(A: T.Tensor((n, 2 * n), T.float32), scale: T.float32, times: T.int32 = 2):
    assert n > 1, "A is too small"
    for k in range(times):
        with T.device_entry(launch=T.cuda.LaunchConfig(grid=(T.ceildiv(n, BLOCK), 2), block=BLOCK)):
            i = T.cuda.block_idx("x") * BLOCK + T.cuda.thread_idx("x")
            if i < n:
                A[i, T.cuda.block_idx("y")] *= scale + k
