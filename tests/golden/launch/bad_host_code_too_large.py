# SPDX-License-Identifier: Apache-2.0
"""Host code of very many values."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def host_code_too_large(A: T.Tensor((n,), T.float32)):
    for k in T.unroll(2000):
        assert n != k + 1, "an unlucky size"
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    A[T.cuda.thread_idx("x")] = 1.0
