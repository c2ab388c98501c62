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


def lambda_results(t, total):
    """What Python makes of tests/golden/inline/lambda_names.py."""
    late = [lambda x: x * k for k in range(3)]  # noqa: B023
    early = [lambda x, k=k: x * k for k in range(3)]
    pairs = [(lambda x: x * a + b) for a, b in [(2, 3), (4, 5)] for _ in range(2)]  # noqa: B023
    q = 3
    ours = lambda x: x * q  # noqa: E731
    then = lambda x, total=total: x + total  # noqa: E731
    now = lambda x: x + total  # noqa: E731
    total += 1000
    return [
        late[0](t) + late[1](t),
        early[1](t),
        sum([(lambda y: y * k)(t) for k in range(3)]),
        pairs[0](t),
        sum([ours(t) for q in range(3)]),
        ours(t) + 7,
        (lambda x: lambda y: x * 10 + y)(t)(2),
        sum(map(lambda v: v * q, [t, 1])),
        then(t),
        now(t),
        sum([f(1) for f in [lambda x: x + n for n in (10, 20)]]),  # noqa: B023
        next(lambda x, k=k: x + k for k in range(3) if k > 0)(t),
    ]


RUNS = [
    Run(
        "tests/golden/inline/lambda_names.py",
        args=lambda rng: {
            "A": rng.integers(-9, 10, 64).astype(np.int32),
            "B": np.full((64, 12), -77, np.int32),
        },
        expected=lambda x: {"B": np.int32([lambda_results(t, x["A"][t]) for t in range(64)])},
    ),
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
