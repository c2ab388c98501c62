# SPDX-License-Identifier: Apache-2.0
"""Inline functions, against the same order of evaluation in Python."""

import numpy as np
from run_case import Run


def in_order(x):
    """What Python makes of tests/golden/inline/operand_order.py."""
    a, b = x["A"].copy(), x["B"].copy()
    for t in range(64):
        acc = t + 1
        before, acc = acc, acc * 2
        b[t, 0] = before + acc
        acc *= 2
        b[t, 1] = acc + acc
        before, acc = acc, acc * 2
        b[t, 2] = before * 10 + before + acc
        acc *= 2
        before, acc = acc, acc * 2
        b[t, 3] = max(before, acc - 40)
        b[t, 4] = acc + acc * 2
        b[t, 5] = a[t] + a[t] + 1
        b[t, 6] = a[t] + 1
        a[t] = a[t] + 1 + a[t] + 2
        acc = b[t, 4]
        b[t, 7] = 5 + acc * 2
    return {"A": a, "B": b}


def indices_in_order(x):
    """What Python makes of tests/golden/inline/index_order.py."""
    a, b, c = x["A"], x["B"].copy(), x["C"].copy()
    for t in range(64):
        k = t % 8
        b[t, 0] = a[k, k + 1]
        b[t, 1] = a[k + 2, k + 2]
        b[t, 2] = a[(k + 2) * 2, k + 3 + k + 4]
        b[t, (k + 5) % 2 + 3] = k + 4
        c[t, k + 6] = a[t, k + 5] + a[t, k + 6]
        b[t, 5] = (k + 6) * 100 + k + 7
        b[t, 6] = sum(range(k + 7, k + 10))
        b[t, 7] = (k + 8) * 10000 + (k + 9) * 100 + k + 9
        c[t, k + 2 + k + 2] += k + 3
        b[t, 8], b[t, 9] = k + 3, k + 4
    return {"B": b, "C": c}


RUNS = [
    Run(
        "tests/golden/inline/index_order.py",
        args=lambda rng: {
            "A": rng.integers(-9, 10, (64, 64)).astype(np.int32),
            "B": np.full((64, 10), -77, np.int32),
            "C": rng.integers(-9, 10, (64, 64)).astype(np.int32),
        },
        expected=indices_in_order,
    ),
    Run(
        "tests/golden/inline/operand_order.py",
        args=lambda rng: {
            "A": rng.integers(-9, 10, 64).astype(np.int32),
            "B": np.full((64, 8), -77, np.int32),
        },
        expected=in_order,
    ),
]
