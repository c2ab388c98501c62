# SPDX-License-Identifier: Apache-2.0
"""The functions of T against NumPy's in float64, rounded to the type of the result."""

import math

import ml_dtypes
import numpy as np
from run_case import Run

N = 1000
FOLDER = "tests/golden/math"
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, 1.5, 2.5, -0.5, -2.5]
erf = np.vectorize(math.erf)


def floats(rng, low=-4.0, high=4.0, dtype=np.float32, special=True):
    values = rng.uniform(low, high, N)
    if special:
        values[: len(SPECIAL)] = SPECIAL
    return values.astype(dtype)


def columns(functions, dtype=np.float32):
    """Expected O[i, k] = functions[k](A[i]), computed in float64."""

    def expected(x):
        a = x["A"].astype(np.float64)
        return {"O": np.stack([f(a) for f in functions], axis=1).astype(dtype)}

    return expected


def unary(name, functions, tolerance=4e-6, dtype=np.float32, out=None, **span):
    out = out or dtype
    return Run(
        f"{FOLDER}/{name}.py",
        args=lambda rng: {
            "A": floats(rng, dtype=dtype, **span),
            "O": np.ones((N, len(functions)), out),
        },
        expected=columns(functions, out),
        tolerance=tolerance,
    )


def round_to_half_precision(name, functions, dtype, tolerance, **span):
    """Like unary, for types that travel as raw bits."""

    def bits(values):
        return values.astype(dtype).view(np.uint16)

    return Run(
        f"{FOLDER}/{name}.py",
        args=lambda rng: {
            "A": bits(rng.uniform(*span["span"], N)),
            "O": np.zeros((N, len(functions)), np.uint16),
        },
        expected=lambda x: {
            "O": np.stack(
                [f(x["A"].view(dtype).astype(np.float64)) for f in functions], axis=1
            ).astype(dtype)
        },
        tolerance=tolerance,
        dtypes={"A": np.dtype(dtype).name, "O": np.dtype(dtype).name},
    )


def two_operands(x):
    a, b = x["A"], x["B"]
    a64, b64 = a.astype(np.float64), b.astype(np.float64)
    columns = [
        np.power(a64, b64),
        np.hypot(a64, b64),
        np.arctan2(a64, b64),
        np.copysign(a64, b64),
        np.fmod(a64, b64),
        np.nextafter(a, b),
    ]
    return {"O": np.stack([c.astype(np.float32) for c in columns], axis=1)}


def pair(rng, dtype=np.float32):
    """Two arrays in which NaN meets numbers from either side."""
    a, b = floats(rng, dtype=dtype), floats(rng, dtype=dtype)
    b[: len(SPECIAL)] = np.roll(SPECIAL, 1)
    return a, b


def max_min(name, dtype, greater, less, names="ABO"):
    left, right, result = names

    def args(rng):
        a, b = pair(rng, dtype)
        return {left: a, right: b, result: np.ones((N, 2), dtype)}

    return Run(
        f"{FOLDER}/{name}.py",
        args=args,
        expected=lambda x: {
            result: np.stack([greater(x[left], x[right]), less(x[left], x[right])], axis=1)
        },
    )


def pair_args(rng):
    a, b = pair(rng)
    return {"A": a, "B": b, "O": np.ones((N, 6), np.float32)}


def positive_pair_args(rng):
    values = {"A": floats(rng, 0.1, 4.0, special=False), "B": floats(rng, special=False)}
    return {**values, "O": np.ones((N, 6), np.float32)}


def popcount(values, bits):
    return np.array([bin(int(v) & (2**bits - 1)).count("1") for v in values], np.int32)


def leading_zeros(values, bits):
    return np.array([bits - (int(v) & (2**bits - 1)).bit_length() for v in values], np.int32)


def count_bits(x):
    a, b = x["A"], x["B"]
    found = [popcount(a, 32), leading_zeros(a, 32), popcount(b, 64), leading_zeros(b, 64)]
    return {"O": np.stack(found, axis=1)}


def python_names_args(rng):
    a, b = pair(rng)
    return {"A": a, "B": b, "O": np.ones((N, 4), np.float32)}


def python_names(x):
    a, b = x["A"], x["B"]
    return {"O": np.stack([np.maximum(a, b), np.minimum(a, b), np.abs(a), np.rint(b)], axis=1)}


def exponentials_everywhere(rng):
    """Arguments of all sizes, and those at which the result leaves float32 or its normal range."""
    edges = [-np.inf, -150, -149, -126, -104, -103.97, -87.4, -87.3, 88.72, 88.73, 127, 128, np.inf]
    small = rng.uniform(-1, 1, 1000) * 10.0 ** rng.integers(-40, 1, 1000)
    a = np.concatenate([edges, [0.0, -0.0], small, rng.uniform(-160, 135, 4001)])
    a = a.astype(np.float32)
    with np.errstate(over="ignore", under="ignore"):
        nearest = np.stack([np.exp(a, dtype=np.float64), np.exp2(a, dtype=np.float64)], axis=1)
        bits = nearest.astype(np.float32).view(np.int32)
    return {"A": a, "R": bits, "O": np.full(bits.shape, 99, np.int32)}


RUNS = [
    # At most one float32 beside the nearest; CUDA promises two.
    Run(
        f"{FOLDER}/exponential_everywhere.py",
        exponentials_everywhere,
        expected=lambda x: {"O": np.zeros_like(x["R"])},
        tolerance=1.0,
        cuda_tolerance=2.0,
    ),
    unary("trigonometric", [np.sin, np.cos, np.tan], 2e-5),
    unary("inverse_trigonometric", [np.arcsin, np.arccos, np.arctan], low=-1.0, high=1.0),
    unary("hyperbolic", [np.sinh, np.cosh, np.tanh]),
    unary("inverse_hyperbolic", [np.arcsinh, np.arccosh, np.arctanh], 1e-5),
    unary("exponential", [np.exp, np.exp2, lambda a: np.power(10.0, a)], 4e-6),
    unary("logarithm", [np.log, np.log2, np.log10, np.log1p], 4e-6),
    unary("rounding", [np.floor, np.ceil, np.trunc, np.rint, np.rint], 0.0),
    unary("roots", [np.sqrt, lambda a: 1 / np.sqrt(a)]),
    Run(f"{FOLDER}/two_operands.py", positive_pair_args, two_operands, tolerance=1e-5),
    Run(
        f"{FOLDER}/two_operands.py",
        pair_args,
        lambda x: two_operands(x),
        tolerance=1e-5,
        name="special",
    ),
    unary("error_function", [erf, lambda a: 1 / (1 + np.exp(-a))], 1e-5),
    unary("classify", [np.isnan, np.isinf, np.isfinite], 0.0, out=np.bool_),
    unary(
        "float64_functions",
        [np.sin, np.exp, np.log, np.sqrt, np.floor, np.tanh, erf],
        1e-14,
        dtype=np.float64,
    ),
    round_to_half_precision(
        "half_functions",
        [np.sqrt, np.exp, np.log, np.floor, np.abs],
        np.float16,
        2e-3,
        span=(0.1, 4.0),
    ),
    round_to_half_precision(
        "half_through_float", [np.sinh, erf, np.arctan], np.float16, 2e-3, span=(-4.0, 4.0)
    ),
    round_to_half_precision(
        "bfloat16_functions",
        [np.sqrt, np.exp, np.floor],
        ml_dtypes.bfloat16,
        1.6e-2,
        span=(0.1, 4.0),
    ),
    Run(
        f"{FOLDER}/fused_multiply_add.py",
        args=lambda rng: {name: floats(rng, special=False) for name in "ABCO"},
        # The product of two float32 is exact in float64.
        expected=lambda x: {"O": (x["A"].astype(np.float64) * x["B"] + x["C"]).astype(np.float32)},
        tolerance=1e-7,
    ),
    Run(
        f"{FOLDER}/scale_by_power.py",
        args=lambda rng: {
            "A": floats(rng),
            "E": rng.integers(-20, 20, N, dtype=np.int32),
            "O": np.ones(N, np.float32),
        },
        expected=lambda x: {"O": np.ldexp(x["A"], x["E"])},
    ),
    Run(
        f"{FOLDER}/absolute.py",
        args=lambda rng: {
            "A": floats(rng),
            "B": np.r_[np.int32(-(2**31)), rng.integers(-99, 99, N - 1, dtype=np.int32)],
            "O": np.ones((N, 2), np.float32),
            "P": np.zeros(N, np.int32),
        },
        expected=lambda x: {
            "O": np.stack([np.abs(x["A"])] * 2, axis=1),
            "P": np.abs(x["B"]),
        },
    ),
    Run(
        f"{FOLDER}/count_bits.py",
        args=lambda rng: {
            "A": np.r_[np.uint32(0), rng.integers(0, 2**32, N - 1, dtype=np.uint32)],
            "B": np.r_[np.int64(0), rng.integers(-(2**63), 2**63 - 1, N - 1, dtype=np.int64)],
            "O": np.full((N, 4), -1, np.int32),
        },
        expected=count_bits,
    ),
    max_min("max_min_nan", np.float32, np.maximum, np.minimum),
    max_min("max_min_nan_float64", np.float64, np.maximum, np.minimum),
    max_min("max_min_native", np.float32, np.fmax, np.fmin, names="abo"),
    Run(
        f"{FOLDER}/max_min_integers.py",
        args=lambda rng: {
            "A": rng.integers(-99, 99, N, dtype=np.int32),
            "B": rng.integers(-(2**40), 2**40, N, dtype=np.int64) >> rng.integers(0, 40, N),
            "O": np.zeros((N, 2), np.int64),
        },
        expected=lambda x: {
            "O": np.stack([np.maximum(x["A"], x["B"]), np.minimum(x["A"], x["B"])], axis=1)
        },
    ),
    Run(f"{FOLDER}/python_names.py", python_names_args, python_names),
    Run(
        f"{FOLDER}/integer_argument.py",
        args=lambda rng: {
            "A": rng.integers(0, 1000, N, dtype=np.int32),
            "O": np.zeros(N, np.float32),
        },
        expected=lambda x: {"O": np.sqrt(x["A"].astype(np.float32))},
    ),
]
