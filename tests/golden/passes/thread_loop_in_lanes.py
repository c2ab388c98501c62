# SPDX-License-Identifier: Apache-2.0
# pass: vectorize_threads
# target: cpu
"""The pass names the loop over threads, and `lo` and `hi` in it, and leaves the body alone."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def thread_loop_in_lanes(
    A: T.Tensor((64,), T.float32), Q: T.Tensor((n,), T.float32), P: T.Tensor((n,), T.int32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        lo: T.int32 = 0
        hi: T.int32 = 64
        while lo < hi:
            mid = (lo + hi) // 2
            if A[mid] < Q[i]:
                lo = mid + 1
            else:
                hi = mid
        P[i] = lo
