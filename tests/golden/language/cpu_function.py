# SPDX-License-Identifier: Apache-2.0
# target: cpu
"""docs/language.md, part "Host"."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def count_above(A: T.Tensor((n,), T.float32), limit: T.float32) -> T.int32:
    count = 0
    for i in range(n):
        if A[i] > limit:
            count += 1
    return count
