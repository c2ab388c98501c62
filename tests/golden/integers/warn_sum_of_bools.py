# SPDX-License-Identifier: Apache-2.0
"""'+' of bools is a bool; a sum that begins with 0 counts."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((64,), T.float32), S: T.Tensor((64, 4), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    S[t, 0] = (A[t] > 0.0) + (A[t] > 1.0)
    found = A[t] > 0.0
    found += A[t] > 2.0
    S[t, 1] = found
    S[t, 2] = sum([A[t] > 0.0, A[t] > 1.0])
    S[t, 3] = T.int32(A[t] > 0.0) + T.int32(A[t] > 1.0) + (A[t] > 2.0)
