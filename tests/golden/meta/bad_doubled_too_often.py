# SPDX-License-Identifier: Apache-2.0
"""A lambda that writes its argument twice, again and again."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def doubled_too_often(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    twice = lambda x: x + x
    A[i] = twice(twice(twice(twice(twice(twice(twice(twice(twice(twice(B[i]))))))))))
    four = lambda x: twice(twice(twice(twice(x))))
    A[i] = four(four(four(four(B[i]))))
