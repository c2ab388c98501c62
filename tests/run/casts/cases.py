# SPDX-License-Identifier: Apache-2.0
"""Conversions between all types: integers wrap, floats saturate at integers, NaN gives 0."""

import ml_dtypes
import numpy as np
from run_case import Run

FOLDER = "tests/golden/casts"
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
TYPES = [*INTEGERS, *FLOATS, "bool"]


def numpy_type(name):
    return ml_dtypes.bfloat16 if name == "bfloat16" else np.dtype(name).type


def values_of(name):
    """Every corner of a type."""
    if name == "bool":
        return np.array([False, True, True, False])
    if name in INTEGERS:
        info = np.iinfo(name)
        corners = {0, 1, 2, 3, 100, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2**24 + 1}
        corners |= {2**31 - 1, 2**31, 2**32 - 1, 2**53 + 1, info.max, info.max - 1}
        corners |= {-c for c in corners} | {info.min}
        return np.array(sorted(c for c in corners if info.min <= c <= info.max), name)
    corners = [0.0, 0.25, 0.5, 1.0, 1.5, 2.7, 100.3, 127.5, 128.0, 255.9, 256.0, 1000.0, 32768.0]
    corners += [65504.0, 65536.0, 2.0**24 + 2, 2.0**31, 2.0**32, 2.0**63, 2.0**64, 1e30]
    corners += [np.inf, 1e-8, 6e-5]
    with np.errstate(over="ignore"):
        both = np.array(corners + [-c for c in corners] + [np.nan]).astype(numpy_type(name))
    return both


def saturated(values, name):
    """Float to integer: toward zero, held at the ends of the type, NaN gives 0."""
    info = np.iinfo(name)
    result = []
    for value in values.astype(np.float64):
        if np.isnan(value):
            result.append(0)
        elif np.isinf(value):
            result.append(info.max if value > 0 else info.min)
        else:
            result.append(min(max(int(value), info.min), info.max))
    return np.array(result, dtype=object).astype(name)


def converted(values, source, name):
    if name == "bool":
        return values.astype(np.float64) != 0 if source in FLOATS else values != 0
    if name in INTEGERS and source in FLOATS:
        return saturated(values, name)
    if name in INTEGERS:
        return values.astype(name)
    if source == "float64" or source in ("int64", "uint64", "int32", "uint32"):
        return once_rounded(values, name)
    return values.astype(np.float32).astype(numpy_type(name))


def once_rounded(values, name):
    """From a type with more digits than float32, without rounding twice on the way."""
    if name in ("float64", "float32", "float16"):
        return values.astype(name)
    return values.astype(np.float64).astype(ml_dtypes.bfloat16)


def bits(array):
    return array.view(np.uint16) if array.dtype == ml_dtypes.bfloat16 else array


def cast_from(source):
    targets = [name for name in TYPES if name != source]

    def args(rng):
        values = values_of(source)
        outputs = {f"O_{t}": bits(np.ones(len(values), numpy_type(t))) for t in targets}
        return {"A": bits(values), **outputs}

    def expected(x):
        values = x["A"].view(numpy_type(source))
        return {f"O_{name}": converted(values, source, name) for name in targets}

    raw = {"A" if source == "bfloat16" else "O_bfloat16": "bfloat16"}
    return Run(f"{FOLDER}/from_{source}.py", args, expected, dtypes=raw)


RUNS = [
    *[cast_from(source) for source in TYPES],
    Run(
        f"{FOLDER}/spellings.py",
        args=lambda rng: {
            "A": rng.uniform(-99, 99, 200).astype(np.float32),
            "O": np.zeros((200, 4), np.int32),
        },
        expected=lambda x: {"O": np.stack([x["A"].astype(np.int32)] * 4, axis=1)},
    ),
    Run(
        f"{FOLDER}/reinterpret.py",
        args=lambda rng: {
            "A": rng.uniform(-99, 99, 200).astype(np.float32),
            "B": rng.integers(0x38000000, 0x48000000, 200, dtype=np.int32),
            "O": np.zeros(200, np.int32),
            "P": np.zeros(200, np.float32),
            "Q": np.zeros(200, np.uint32),
        },
        expected=lambda x: {
            "O": x["A"].view(np.int32),
            "P": x["B"].view(np.float32),
            "Q": x["A"].view(np.uint32),
        },
    ),
    Run(
        f"{FOLDER}/few_digits_to_float16.py",
        args=lambda rng: {
            "A": np.arange(64, dtype=np.int32),
            "B": np.zeros(64, np.float16),
        },
        # Infinity from 1 on: the remainder of infinity and of zero is NaN.
        expected=lambda x: {"B": np.full(64, np.nan, np.float16)},
    ),
]
