# SPDX-License-Identifier: Apache-2.0
"""The language is not the package."""

import tirxcc as T

n = 64


@T.function
def import_of_package(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = 1.0
