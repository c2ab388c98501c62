# SPDX-License-Identifier: Apache-2.0
# pass: guards_to_bounds
# target: cpu
"""One thread of the block writes: the loop over its threads has one turn."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def equality_becomes_bound(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=256))
    if T.cuda.thread_idx("x") == 3:
        B[T.cuda.block_idx("x")] = A[T.cuda.block_idx("x")]
