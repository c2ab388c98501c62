# SPDX-License-Identifier: Apache-2.0
"""Grid and block by position, as `<<<4, 256>>>` has them."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def entry_with_two_numbers(A: T.Tensor((n,), T.float32)):
    T.device_entry(4, 256)
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    pass
