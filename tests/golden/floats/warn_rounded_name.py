# SPDX-License-Identifier: Apache-2.0
"""A name bound to a float literal is float32 (rule 4); where that changes a float64, it is told."""

from tirxcc.script import tirx as T

CAPTURED = 0.1


@T.function
def f(A: T.Tensor((4,), T.float64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=1))
    tenth = 0.1
    half = 0.5
    exact: T.float64 = 0.1
    A[0] = A[0] * tenth
    A[1] = tenth
    A[2] = A[2] * half + A[3] * exact
    A[3] = A[3] * CAPTURED + 0.1
