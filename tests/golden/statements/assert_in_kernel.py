# SPDX-License-Identifier: Apache-2.0
"""An assert in a kernel says which thread it is and stops the kernel."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def checked(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    assert n >= 64
    assert A[t] > 0.0, "100% of A is positive"
    A[t] = T.log(A[t])
