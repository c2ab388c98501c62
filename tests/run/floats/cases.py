# SPDX-License-Identifier: Apache-2.0
"""Float arithmetic: IEEE results, bit for bit, in every type that the language has."""

import ml_dtypes
import numpy as np
from run_case import Run

N = 1000
FOLDER = "tests/golden/floats"
TYPES = {
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float32": np.float32,
    "float64": np.float64,
}
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 3.0, -3.0, 0.25]


def pair(rng, dtype):
    a = rng.uniform(-50, 50, N)
    b = rng.uniform(-9, 9, N)
    a[: len(SPECIAL) ** 2] = np.repeat(SPECIAL, len(SPECIAL))
    b[: len(SPECIAL) ** 2] = np.tile(SPECIAL, len(SPECIAL))
    return a.astype(dtype), b.astype(dtype)


def bits(array):
    """Types that NumPy cannot store in a file travel as their bits."""
    return array.view(np.uint16) if array.dtype == ml_dtypes.bfloat16 else array


def floor_mod(a, b):
    """fmod, moved to the side of the divisor."""
    remainder = np.fmod(a, b)
    return np.where((remainder != 0) & ((remainder < 0) != (b < 0)), remainder + b, remainder)


def arithmetic(name, dtype):
    def args(rng):
        a, b = pair(rng, dtype)
        return {"A": bits(a), "B": bits(b), "O": bits(np.ones((N, 7), dtype))}

    def expected(x):
        a, b = x["A"].view(dtype), x["B"].view(dtype)
        wide = np.float64 if dtype == np.float64 else np.float32
        quotient = np.floor((a.astype(wide) / b.astype(wide)).astype(dtype)).astype(dtype)
        remainder = floor_mod(a.astype(wide), b.astype(wide)).astype(dtype)
        return {"O": np.stack([a + b, a - b, a * b, a / b, quotient, remainder, -a], axis=1)}

    raw = {"A": name, "B": name, "O": name} if name == "bfloat16" else {}
    return Run(f"{FOLDER}/{name}_arithmetic.py", args, expected, dtypes=raw)


def comparisons(name, dtype):
    def args(rng):
        a, b = pair(rng, dtype)
        return {"A": bits(a), "B": bits(b), "O": np.zeros((N, 6), np.bool_)}

    def expected(x):
        a, b = (x[k].view(dtype).astype(np.float64) for k in "AB")
        return {"O": np.stack([a < b, a <= b, a > b, a >= b, a == b, a != b], axis=1)}

    raw = {"A": name, "B": name} if name == "bfloat16" else {}
    return Run(f"{FOLDER}/{name}_comparisons.py", args, expected, dtypes=raw)


def mixed_types(x):
    a, b, c, d = x["A"], x["B"], x["C"], x["D"]
    return {
        "O": np.stack([a + b, b * d.astype(np.float32)], axis=1),
        "P": np.stack([c - b, c * d], axis=1),
        "Q": a + d.astype(np.float16),
    }


def literals(x):
    rows = len(x["O"])
    return {
        "O": np.tile(np.array([0.1, 1e-30, 16777216.0, np.inf, -np.inf, 3], np.float32), (rows, 1)),
        "P": np.tile(np.array([0.1, 1e300, 1.0]), (rows, 1)),
    }


RUNS = [
    *[arithmetic(name, dtype) for name, dtype in TYPES.items()],
    *[comparisons(name, dtype) for name, dtype in TYPES.items()],
    Run(
        f"{FOLDER}/remainder_sign.py",
        args=lambda rng: {
            "A": np.array([0.0, -0.0, 6.0, -6.0, 0.0, -0.0, 6.0, -6.0, -7.0, 7.0], np.float32),
            "B": np.array([3.0, 3.0, 3.0, 3.0, -3.0, -3.0, -3.0, -3.0, 3.0, -3.0], np.float32),
            "O": np.zeros(10, np.float32),
        },
        expected=lambda x: {"O": np.copysign(np.float32(1), x["A"] % x["B"])},
    ),
    Run(
        f"{FOLDER}/mixed_types.py",
        args=lambda rng: {
            "A": rng.uniform(-9, 9, N).astype(np.float16),
            "B": rng.uniform(-9, 9, N).astype(np.float32),
            "C": rng.uniform(-9, 9, N),
            "D": rng.integers(-99, 99, N, dtype=np.int64),
            "O": np.zeros((N, 2), np.float32),
            "P": np.zeros((N, 2), np.float64),
            "Q": np.zeros(N, np.float16),
        },
        expected=mixed_types,
    ),
    Run(
        f"{FOLDER}/literals.py",
        args=lambda rng: {"O": np.zeros((N, 6), np.float32), "P": np.zeros((N, 3), np.float64)},
        expected=literals,
    ),
    Run(
        f"{FOLDER}/half_with_literals.py",
        args=lambda rng: {
            "A": rng.uniform(-9, 9, N).astype(np.float16),
            "O": np.zeros((N, 2), np.float16),
        },
        expected=lambda x: {
            "O": np.stack(
                [x["A"] * np.float16(2), (x["A"].astype(np.float32) * 2.5).astype(np.float16)],
                axis=1,
            )
        },
    ),
]
