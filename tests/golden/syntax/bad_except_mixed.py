# SPDX-License-Identifier: Apache-2.0
"""except and except* on one try."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def except_mixed(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    try:
        A[i] = 1.0
    except ValueError:
        pass
    except* TypeError:
        pass
