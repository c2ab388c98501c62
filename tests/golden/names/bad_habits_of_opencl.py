# SPDX-License-Identifier: Apache-2.0
"""Names of OpenCL, of C, and of warp functions without T."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def habits_of_opencl(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    i = get_global_id(0)
    t = get_local_id(0)
    total = size_t(i)
    x = __shfl_down_sync(0xFFFFFFFF, A[t], 1)
    bits = __popc(t)
    A[i] = __ldg(A[i])
    pid = T.pid
