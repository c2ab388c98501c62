# SPDX-License-Identifier: Apache-2.0
"""Names that C++ and CUDA keep for themselves are renamed."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def reserved_words(
    float: T.Tensor((n,), T.int32), threadIdx: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        auto = float[i]
        template = threadIdx[i]
        O[i] = auto * 10 + template
