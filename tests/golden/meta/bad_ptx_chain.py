# SPDX-License-Identifier: Apache-2.0
"""An instruction of a later version."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def ptx_chain(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    T.ptx.setmaxnreg.dec.sync.aligned.u32(40)
    A[i] = 1.0
