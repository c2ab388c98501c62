# SPDX-License-Identifier: Apache-2.0
"""A function without a device entry has no threads."""

from tirxcc.script import tirx as T


@T.function
def index_in_plain_function(A: T.Tensor((64,), T.int32)):
    A[T.cuda.thread_idx("x")] = 1
