# SPDX-License-Identifier: Apache-2.0
"""Parameters of many types, strides, defaults, a name that means something in C, an assert."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
pitch = T.dynamic("pitch", T.int64)


@T.function
def types(
    mask: T.Tensor((n,), T.bool),
    half: T.Tensor((n, 4), T.float16),
    out: T.handle,
    int: T.int8,
    scale: T.float32 = 2.0,
    flag: T.bool = True,
):
    Out = T.match_buffer(out, (n, n * 2), "float64", strides=(pitch, 1))
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    assert pitch < 1000, "the pitch is too large"
    if i < n and mask[i] and flag:
        Out[i, 0] = half[i, 1] * scale + int
