# SPDX-License-Identifier: Apache-2.0
"""Operators on integers of every width against NumPy, which wraps and floors as the language does.

Signed values stay where + - * do not overflow int32 and int64; at 8 and 16 bits they wrap.
"""

import numpy as np
from run_case import Run

N = 1000
FOLDER = "tests/golden/integers"
TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def spread(rng, dtype, low=None, high=None):
    """Values of all magnitudes within the bounds, the bounds themselves among them."""
    info = np.iinfo(dtype)
    low = info.min if low is None else low
    high = info.max if high is None else high
    values = rng.integers(low, high, N, dtype=dtype, endpoint=True)
    values >>= rng.integers(0, info.bits, N).astype(dtype)
    values[:2] = low, high
    return values


def without_zero(values):
    return np.where(values == 0, values.dtype.type(3), values)


def operators(dtype):
    info = np.iinfo(dtype)
    # At full width the signed product must not overflow, and MIN // -1 has no answer in NumPy.
    bound = {32: 2**15 - 1, 64: 2**31 - 1}.get(info.bits, info.max)
    signed = info.min < 0
    low = (-bound if info.bits >= 32 else info.min + 1) if signed else None
    high = bound if signed else None

    def args(rng):
        return {
            "A": spread(rng, dtype, low, high),
            "B": without_zero(spread(rng, dtype, low, high)),
            "S": rng.integers(0, info.bits, N).astype(dtype),
            "O": np.ones((N, 12), dtype),
        }

    def expected(x):
        a, b, s = x["A"], x["B"], x["S"]
        results = [a + b, a - b, a * b, a // b, a % b, a & b, a | b, a ^ b, -a, ~a, a << s, a >> s]
        return {"O": np.stack(results, axis=1)}

    return Run(f"{FOLDER}/{dtype}_operators.py", args, expected)


def comparisons(dtype):
    def args(rng):
        a, b = spread(rng, dtype), spread(rng, dtype)
        b[::3] = a[::3]
        return {"A": a, "B": b, "O": np.zeros((N, 6), np.bool_)}

    def expected(x):
        a, b = x["A"], x["B"]
        return {"O": np.stack([a < b, a <= b, a > b, a >= b, a == b, a != b], axis=1)}

    return Run(f"{FOLDER}/{dtype}_comparisons.py", args, expected)


def one_operand(name, functions, low=-1000, high=1000, dtype=np.int32, rows=N):
    return Run(
        f"{FOLDER}/{name}.py",
        args=lambda rng: {
            "A": rng.integers(low, high, rows, dtype=dtype),
            "O": np.full((rows, len(functions)), -7, dtype),
        },
        expected=lambda x: {"O": np.stack([f(x["A"]) for f in functions], axis=1).astype(dtype)},
    )


def truncated(a, b):
    quotient = np.abs(a) // np.abs(b)
    return np.where((a < 0) != (b < 0), -quotient, quotient)


def truncating(x):
    a, b = x["A"], x["B"]
    return {"O": np.stack([truncated(a, b), np.fmod(a, b), (a + b - 1) // b], axis=1)}


def zero_divisor(x):
    a, b = x["A"], x["B"]
    safe = without_zero(b)
    columns = [np.where(b == 0, 0, a // safe), np.where(b == 0, a, a % safe)]
    return {"O": np.stack(columns, axis=1).astype(np.int32)}


def literal_operands(x):
    a, b = x["A"], x["B"].astype(np.int32)
    return {
        "O": np.stack([a & np.uint32(0xFFFF0000), a ^ np.uint32(0x80000000)], axis=1),
        "P": np.stack([b + 100, b * 3], axis=1),
    }


def mixed_types(x):
    a, b, c, d = x["A"], x["B"], x["C"], x["D"]
    return {
        "O": np.stack([c + a, c * b], axis=1),
        "P": np.stack([a.astype(np.uint32) + b, b - d], axis=1),
        "Q": a - d,
    }


def bool_operators(x):
    a, b = x["A"], x["B"]
    true = a != 0
    return {"O": np.stack([true & b, true | b, ~true, ~b, b & (a > 3), b ^ (a > 3)], axis=1)}


RUNS = [
    *[operators(dtype) for dtype in TYPES],
    *[comparisons(dtype) for dtype in TYPES],
    one_operand(
        "divide_by_power_of_two", [lambda a: a // 8, lambda a: a % 8, lambda a: a, lambda a: a * 0]
    ),
    one_operand(
        "divide_by_constant",
        [lambda a: a // 7, lambda a: a % 7, lambda a: a // -7, lambda a: a % -7],
    ),
    Run(
        f"{FOLDER}/divide_nonnegative.py",
        args=lambda rng: {"O": np.zeros((N, 2), np.int32)},
        expected=lambda x: {
            "O": np.stack([np.arange(N) // 7, np.arange(N) % 7], axis=1).astype(np.int32)
        },
    ),
    Run(
        f"{FOLDER}/truncating_division.py",
        args=lambda rng: {
            "A": rng.integers(-99, 99, N, dtype=np.int32),
            "B": without_zero(rng.integers(-9, 9, N, dtype=np.int32)),
            "O": np.zeros((N, 3), np.int32),
        },
        expected=truncating,
    ),
    Run(
        f"{FOLDER}/zero_divisor_on_cpu.py",
        args=lambda rng: {
            "A": rng.integers(-99, 99, N, dtype=np.int32),
            "B": rng.integers(-1, 2, N, dtype=np.int32),
            "O": np.full((N, 2), -7, np.int32),
        },
        expected=zero_divisor,
        targets=("cpu",),
    ),
    Run(
        f"{FOLDER}/literal_operands.py",
        args=lambda rng: {
            "A": spread(rng, "uint32"),
            "B": spread(rng, "int8"),
            "O": np.zeros((N, 2), np.uint32),
            "P": np.zeros((N, 2), np.int32),
        },
        expected=literal_operands,
    ),
    Run(
        f"{FOLDER}/mixed_types.py",
        args=lambda rng: {
            "A": rng.integers(-999, 999, N, dtype=np.int32),
            "B": spread(rng, "uint32"),
            "C": rng.integers(-999, 999, N, dtype=np.int64),
            "D": spread(rng, "uint8"),
            "O": np.zeros((N, 2), np.int64),
            "P": np.zeros((N, 2), np.uint32),
            "Q": np.zeros(N, np.int32),
        },
        expected=mixed_types,
    ),
    one_operand("power", [np.ones_like, lambda a: a * a, lambda a: a * a * a]),
    Run(
        f"{FOLDER}/bool_operators.py",
        args=lambda rng: {
            "A": rng.integers(-1, 6, N, dtype=np.int32),
            "B": rng.integers(0, 2, N).astype(np.bool_),
            "O": np.zeros((N, 6), np.bool_),
        },
        expected=bool_operators,
    ),
    Run(
        f"{FOLDER}/chained_comparison.py",
        args=lambda rng: {
            "A": rng.integers(-8, 8, N, dtype=np.int32),
            "O": np.zeros((N, 2), np.bool_),
        },
        expected=lambda x: {
            "O": np.stack([(x["A"] >= -3) & (x["A"] < 5), (x["A"] > 0) & (x["A"] != 4)], axis=1)
        },
    ),
]
