# SPDX-License-Identifier: Apache-2.0
"""An annotation in quotes is read too."""

from tirxcc.script import tirx as T


@T.function
def annotation_text(A: "T.Tensor((32,), T.float3)"):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 1.0
