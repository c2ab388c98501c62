# SPDX-License-Identifier: Apache-2.0
"""What is known while compiling, against the same lines in Python."""

import math

import numpy as np
from run_case import Run

N = 300
FOLDER = "tests/golden/meta"


def columns(*values):
    return np.stack([np.broadcast_to(v, N) for v in values], axis=1)


def floats(name, function, width=0, tolerance=0.0):
    return Run(
        f"{FOLDER}/{name}.py",
        args=lambda rng: {
            "A": rng.integers(-8, 8, N).astype(np.float32),
            "O": np.zeros((N, width) if width else N, np.float32),
        },
        expected=lambda x: {"O": function(x["A"].astype(np.float64)).astype(np.float32)},
        tolerance=tolerance,
    )


def integers(name, function, width, rank=1):
    return Run(
        f"{FOLDER}/{name}.py",
        args=lambda rng: {
            "A": rng.integers(-8, 8, (N, 4) if rank == 2 else N, dtype=np.int32),
            "O": np.zeros((N, width), np.int32),
        },
        expected=lambda x: {"O": function(x["A"]).astype(np.int32)},
    )


def taps(a):
    shifted = [np.roll(a, -k) for k in range(3)]
    return columns(sum(shifted[k] / (k + 1) for k in range(3)), 1 + 9 + 25 + 49 + 81)


RUNS = [
    floats("sequences", lambda a: columns(a * 2 + 0.25, a + 0.75, 4.0, a + 3), 4),
    floats("comprehensions", taps, 2, tolerance=1e-6),
    floats(
        "module_math",
        lambda a: columns(a * (math.pi / 2), math.sqrt(2.0) + 2, a * 9),
        3,
        tolerance=1e-6,
    ),
    floats("lambdas", lambda a: columns((a + 1) ** 2, a + (8 - a) * 0.25, a + (8 - a) * 0.5), 3),
    floats("module_values", lambda a: a * 2.5 - 1.5),
    floats("built_in_functions", lambda a: a * (3 + 2 + 4) + 1 * 2 + 2 * 1 + 3 * 3 + 3 + 2 + 4),
    integers("python_arithmetic", lambda a: columns(a + 4, -4 + 2, 16, 4 + 2 + 3), 4),
    integers("known_while_compiling", lambda a: columns(4 + 2 + 2, 1, 1, a[:, 0]), 4, rank=2),
]
