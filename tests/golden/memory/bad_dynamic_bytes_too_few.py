# SPDX-License-Identifier: Apache-2.0
"""Less dynamic shared memory asked for than the arrays there take."""

from tirxcc.script import tirx as T


@T.function
def asks_too_little(A: T.Tensor((256,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256, dynamic_smem_bytes=1000))
    t = T.cuda.thread_idx("x")
    tile = T.alloc_shared((256,), T.float32, scope="shared.dyn")
    tile[t] = A[t]
    T.cuda.cta_sync()
    A[t] = tile[255 - t]
