# SPDX-License-Identifier: Apache-2.0
"""One line that begins with a tab."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def tabs_in_one_line(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = 1.0
	A[i] = 2.0
