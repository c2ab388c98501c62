# SPDX-License-Identifier: Apache-2.0
"""A vote that decides about nothing: what its branch binds is not used."""

from tirxcc.script import tirx as T


@T.function
def vote_without_branch(A: T.Tensor((32,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    if T.cuda.any_sync(0xFFFFFFFF, A[t] > 3):
        unused = A[t] * 2
    A[t] += 1
