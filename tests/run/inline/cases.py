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


RUNS = [
    Run(
        "tests/golden/inline/operand_order.py",
        args=lambda rng: {
            "A": rng.integers(-9, 10, 64).astype(np.int32),
            "B": np.full((64, 8), -77, np.int32),
        },
        expected=in_order,
    ),
]
