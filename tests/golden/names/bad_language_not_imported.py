# SPDX-License-Identifier: Apache-2.0
"""A file without the import line of T."""

n = T.dynamic("n")


@T.function
def f(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=1))
    A[0] = 0.0
