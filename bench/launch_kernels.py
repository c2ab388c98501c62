# SPDX-License-Identifier: Apache-2.0
"""Two kernels that do next to nothing, for the time of a launch: few arguments and many."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def two_tensors(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = A[i]


@T.function
def nineteen(
    a: T.Tensor((n,), T.float32),
    k0: T.int32,
    b: T.Tensor((n,), T.float32),
    f0: T.float32,
    c: T.Tensor((n,), T.float32),
    k1: T.int32,
    d: T.Tensor((n,), T.float32),
    f1: T.float32,
    e: T.Tensor((n,), T.float32),
    k2: T.int32,
    f: T.Tensor((n,), T.float32),
    f2: T.float32,
    g: T.Tensor((n,), T.float32),
    k3: T.int32,
    h: T.Tensor((n,), T.float32),
    f3: T.float32,
    p: T.Tensor((n,), T.float32),
    k4: T.int32,
    out: T.Tensor((n,), T.float32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        x = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i] + p[i]
        out[i] = x + f0 * f1 + f2 * f3 + T.cast(k0 + k1 + k2 + k3 + k4, "float32")
