# SPDX-License-Identifier: Apache-2.0
"""Atomics, with what the order of threads decides: on the CPU it is theirs in the block.

The runs named "any_order" have equal values in all threads, so that no order shows; they are those
that a GPU can run.
"""

import numpy as np
from run_case import Run

FOLDER = "tests/golden/atomics"


def float_args(rng):
    a = rng.permutation(np.arange(-100, 156)).astype(np.float32)
    a[a == 0] = 7  # 0 would leave the compared element free for the next thread
    return {
        "A": a,
        "F": np.array([0, 0, 50, 50, 0, 0], np.float32),
        "D": np.array([0, 0, 50, 50, 0, 0], np.float64),
        "H": np.zeros(2, np.float16),
        "B": np.zeros(2, np.uint16),
    }


def equal_floats(rng):
    return {**float_args(rng), "A": np.full(256, 3, np.float32)}


def float_results(x):
    a = x["A"]
    # Threads of a block run in their order here: the last one's exchange stays, the first one's
    # comparison succeeds.
    least, most = min(50, a.min()), max(50, a.max())
    f = [a.sum(), -a.sum(), least, most, a[-1], a[0]]
    d = [a.sum(), -256, least, most, a[-1], a[0]]
    total = np.float16(0)
    for value in a.astype(np.float16):
        total += value
    rounded = np.float32(0)
    for value in a:
        rounded = to_bfloat(rounded - value)
    bits = np.array([128.0, rounded], np.float32).view(np.uint32) >> 16
    return {
        "F": np.array(f, np.float32),
        "D": np.array(d),
        "H": np.array([total, -total], np.float16),
        "B": bits.astype(np.uint16),
    }


def to_bfloat(value):
    bits = int(np.float32(value).view(np.uint32))
    bits += 0x7FFF + (bits >> 16 & 1)
    return np.uint32(bits & 0xFFFF0000).view(np.float32)


def integer_args(rng):
    start = [0, 0, 5, 5, -1, 0, 0, 0, 0]
    a = rng.integers(1, 1 << 20, 200, dtype=np.int32)
    return {
        "A": a,
        **{
            name: np.array(start).astype(dtype)
            for name, dtype in (
                ("I", np.int32),
                ("U", np.uint32),
                ("L", np.int64),
                ("V", np.uint64),
            )
        },
    }


def equal_integers(rng):
    return {**integer_args(rng), "A": np.full(200, 12345, np.int32)}


def integer_results(x):
    a = x["A"].astype(np.int64)
    total = int(a.sum())
    results = [
        total,
        -total,
        min(5, int(a.min())),
        max(5, int(a.max())),
        int(np.bitwise_and.reduce(a)),
        int(np.bitwise_or.reduce(a)),
        int(np.bitwise_xor.reduce(a)),
        int(a[-1]),
        int(a[0]),
    ]
    return {name: np.array(results).astype(x[name].dtype) for name in "IULV"}


def compacted(x):
    a = x["A"]
    kept = np.flatnonzero(a > 0)
    total = 0
    for i in kept:
        before = total
        total += int(i)
        if before % 2 == 1:
            total -= 1
    out = np.zeros_like(a)
    out[: len(kept)] = a[kept]
    return {
        "count": np.array([len(kept)], np.int32),
        "total": np.array([total], np.int64),
        "O": out,
    }


RUNS = [
    Run(
        f"{FOLDER}/floats.py",
        kernel="atomics",
        args=float_args,
        expected=float_results,
        dtypes={"B": "bfloat16"},
        name="floats",
        targets=("cpu",),
    ),
    Run(
        f"{FOLDER}/floats.py",
        kernel="atomics",
        args=equal_floats,
        expected=float_results,
        dtypes={"B": "bfloat16"},
        name="floats_any_order",
    ),
    Run(
        f"{FOLDER}/integers.py",
        kernel="atomics",
        args=integer_args,
        expected=integer_results,
        name="integers",
        targets=("cpu",),
    ),
    Run(
        f"{FOLDER}/integers.py",
        kernel="atomics",
        args=equal_integers,
        expected=integer_results,
        name="integers_any_order",
    ),
    Run(
        f"{FOLDER}/old_value.py",
        kernel="compact",
        args=lambda rng: {
            "A": rng.standard_normal(200).astype(np.float32),
            "count": np.zeros(1, np.int32),
            "total": np.zeros(1, np.int64),
            "O": np.zeros(200, np.float32),
        },
        expected=compacted,
        targets=("cpu",),  # what it adds depends on the order of the threads
    ),
    Run(
        f"{FOLDER}/shared_histogram.py",
        kernel="histogram",
        args=lambda rng: {
            "A": rng.integers(0, 256, 50_000).astype(np.uint8),
            "H": np.zeros(256, np.uint32),
        },
        expected=lambda x: {"H": np.bincount(x["A"], minlength=256).astype(np.uint32)},
    ),
]
