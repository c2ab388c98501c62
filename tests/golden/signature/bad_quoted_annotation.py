# SPDX-License-Identifier: Apache-2.0
"""Text in quotes is an annotation only if it is one without them."""

from tirxcc.script import tirx as T


@T.function
def k(A: "T.Tensor((4,), T.float32)", B: "float*"):  # noqa: F722
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=4))
    A[T.cuda.thread_idx("x")] = 1.0
