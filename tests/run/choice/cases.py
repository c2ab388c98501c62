# SPDX-License-Identifier: Apache-2.0
"""Branches and choices as expressions."""

import numpy as np
from run_case import Run

N = 300
FOLDER = "tests/golden/choice"


def values(rng):
    return rng.integers(-5, 6, N, dtype=np.int32)


def integers(name, function, out=np.int32, columns=0):
    return Run(
        f"{FOLDER}/{name}.py",
        args=lambda rng: {"A": values(rng), "O": np.full((N, columns) if columns else N, -77, out)},
        expected=lambda x: {"O": function(x["A"]).astype(out)},
    )


def if_then_else(a):
    following = np.append(a[1:], -1)
    return np.stack([np.where(a > 0, a, 1.5), following], axis=1)


def short_circuit(a):
    before = np.append(np.iinfo(np.int32).min, a[:-1])
    first = np.arange(N) == 0
    return np.where(before > a, 1, np.where(first | (before == a), 2, 3))


def number_as_condition(x):
    a, b = x["A"] != 0, x["B"] != 0
    return {"O": (a * 1 + ~b * 2 + (a & b) * 4).astype(np.int32)}


def long_chain(a):
    return np.select([a == 0, a == 1, a == 2, a < 0], [10, 20, 5, -1], -77)


def nested_expression(a):
    return 1 + np.where(a > 0, a, np.where(a < -3, 2, 3)) * 2


RUNS = [
    integers("conditional_expression", lambda a: np.where(a > 0, a, 1.5), out=np.float32),
    integers("lazy_read", lambda a: np.append(-1, a[:-1])),
    integers("if_then_else", if_then_else, out=np.float32, columns=2),
    integers("select", lambda a: np.where(a > 3, a * 2, a - 1)),
    integers("short_circuit", short_circuit),
    Run(
        f"{FOLDER}/number_as_condition.py",
        args=lambda rng: {
            "A": values(rng) // 3,
            "B": (values(rng) // 3).astype(np.float32),
            "O": np.full(N, -77, np.int32),
        },
        expected=number_as_condition,
    ),
    integers("known_condition", lambda a: a * 2),
    integers("long_chain", long_chain),
    integers("nested_expression", nested_expression),
    *(
        Run(
            f"{FOLDER}/choice_of_all_threads.py",
            name=str(m),
            args=lambda rng, m=m: {"A": values(rng), "O": np.zeros(N, np.int32), "m": m},
            expected=lambda x: {"O": x["A"] * (3 if x["m"] <= 100 else 231)},
        )
        for m in (100, 101)
    ),
]
