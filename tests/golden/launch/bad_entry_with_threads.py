# SPDX-License-Identifier: Apache-2.0
"""Sizes at T.device_entry itself, by another name."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def entry_with_threads(A: T.Tensor((n,), T.float32)):
    T.device_entry(blocks=4, threads=256)
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    pass
