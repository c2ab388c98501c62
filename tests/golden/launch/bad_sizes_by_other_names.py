# SPDX-License-Identifier: Apache-2.0
"""The sizes of a launch, as other languages call them."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def sizes_by_other_names(A: T.Tensor((n,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            blocks=4, threads=256, gridDim=4, block_dim=256, num_warps=8, sharedMem=1024, grud=1
        )
    )
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    pass
