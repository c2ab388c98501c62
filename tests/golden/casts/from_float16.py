# SPDX-License-Identifier: Apache-2.0
"""float16 converted to every other type."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def from_float16(
    A: T.Tensor((n,), T.float16),
    O_int8: T.Tensor((n,), T.int8),
    O_int16: T.Tensor((n,), T.int16),
    O_int32: T.Tensor((n,), T.int32),
    O_int64: T.Tensor((n,), T.int64),
    O_uint8: T.Tensor((n,), T.uint8),
    O_uint16: T.Tensor((n,), T.uint16),
    O_uint32: T.Tensor((n,), T.uint32),
    O_uint64: T.Tensor((n,), T.uint64),
    O_bfloat16: T.Tensor((n,), T.bfloat16),
    O_float32: T.Tensor((n,), T.float32),
    O_float64: T.Tensor((n,), T.float64),
    O_bool: T.Tensor((n,), T.bool),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O_int8[i] = T.int8(A[i])
        O_int16[i] = T.int16(A[i])
        O_int32[i] = T.int32(A[i])
        O_int64[i] = T.int64(A[i])
        O_uint8[i] = T.uint8(A[i])
        O_uint16[i] = T.uint16(A[i])
        O_uint32[i] = T.uint32(A[i])
        O_uint64[i] = T.uint64(A[i])
        O_bfloat16[i] = T.bfloat16(A[i])
        O_float32[i] = T.float32(A[i])
        O_float64[i] = T.float64(A[i])
        O_bool[i] = T.bool(A[i])
