# SPDX-License-Identifier: Apache-2.0
"""The sizes of blocks and clusters stand in the text; who calls still counts in blocks."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def required_block_size(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=(T.ceildiv(n, 256) * 2, 2), block=(32, 4), cluster=(2, 1)),
        kernel_attrs=T.cuda.KernelAttributes(required_block_size=True),
    )
    row = T.cuda.block_idx("y") * 4 + T.cuda.thread_idx("y")
    i = (T.cuda.block_idx("x") * 8 + row) * 32 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = A[i] + T.cuda.grid_dim("x")
