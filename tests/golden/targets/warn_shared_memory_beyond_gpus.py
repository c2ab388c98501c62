# SPDX-License-Identifier: Apache-2.0
# target: cpu
"""More shared memory than any GPU gives a block."""

from tirxcc.script import tirx as T


@T.function
def beyond_gpus(A: T.Tensor((256,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((300, 256), "float32")
    S[0, t] = A[t]
    T.cuda.cta_sync()
    A[t] = S[0, 255 - t]
