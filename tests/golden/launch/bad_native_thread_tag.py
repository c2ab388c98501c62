# SPDX-License-Identifier: Apache-2.0
"""The older form names a block or thread index."""

from tirxcc.script import tirx as T


@T.prim_func
def native_thread_tag(A: T.Buffer((32,), "float32")):
    with T.launch_thread("threadIdx.w", 32) as tx:
        A[tx] = T.float32(1.0)
