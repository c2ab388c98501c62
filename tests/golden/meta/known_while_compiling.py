# SPDX-License-Identifier: Apache-2.0
"""Questions about tensors, types and constants cost nothing at run time."""

from tirxcc.script import tirx as T

n = T.dynamic("n")

MODES = ["exact", "fast"]
WIDTH, HEIGHT = 4, 2


@T.function
def known_while_compiling(A: T.Tensor((n, 4), T.int32), O: T.Tensor((n, 4), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A.shape[1] + len(A.shape) + A.ndim
        O[i, 1] = 1 if A.dtype == "int32" else no_such_name
        O[i, 2] = MODES.index("fast") if "fast" in MODES else no_such_name
        O[i, 3] = A[i, 0] if A is not None and WIDTH > 2 else no_such_name
