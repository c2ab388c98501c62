# SPDX-License-Identifier: Apache-2.0
"""docs/language.md, part "Together"."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def together(A: T.Tensor((n,), T.float32), total: T.Tensor((1,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    value = A[i] if i < n else 0.0
    for k in T.unroll(5):
        value += T.cuda.__shfl_xor_sync(0xFFFFFFFF, value, 16 >> k, 32)
    if T.cuda.lane_id() == 0:
        T.cuda.atomic_add(total.ptr_to([0]), value)
        T.cuda.printf("warp sum %f\n", value)
