# SPDX-License-Identifier: Apache-2.0
"""Barriers, shared memory, warp operations and atomics against NumPy."""

import numpy as np
from run_case import Run

FOLDER = "tests/golden/blocks"
T = np.arange(128)


def floats(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def block_sums(x):
    padded = np.zeros(1024, np.float32)
    padded[:1000] = x["A"]
    return {"B": padded.reshape(4, 256).sum(1)}


def broken_off(x):
    total = np.zeros(64, np.int64)
    for k in range(20):
        if x["C"][k] < 0:
            break
        if x["C"][k] != 7:
            total += x["A"][::-1, k] * 3 + k
    return {"B": total.astype(np.int32)}


def tile_sums(x):
    total = np.float32(x["A"][: -(-x["m"] // 16) * 16].sum())
    for _ in range(x["m"], 0, -x["s"] or 1) if x["s"] > 0 else ():
        total += total
    return {"B": np.full_like(x["B"], total)}


def tile_arguments(m, s):
    return lambda rng: {
        "A": rng.integers(-3, 4, 160).astype(np.float32),
        "B": np.zeros(160, np.float32),
        "m": m,
        "s": s,
    }


def lanes_where(truth):
    """The bits of each warp's lanes, for every lane."""
    words = [sum(1 << k for k in range(32) if row[k]) for row in truth.reshape(-1, 32)]
    return np.array(words, np.uint32)


def shuffled(x):
    v = x["A"].copy()
    v = v + v[T ^ 16]
    v = v + v[T ^ 8]
    v = v + v[np.where(T % 8 + 3 < 8, T + 3, T)]
    v = v + v[np.where(T % 16 >= 2, T - 2, T)]
    chosen = T % 3 == 0
    firsts = [w * 32 + min(k for k in range(32) if (w * 32 + k) % 3 == 0) for w in range(4)]
    masks = np.repeat(lanes_where(chosen), 32) + np.isin(T, firsts)
    return {
        "B": v,
        "C": lanes_where(x["A"] > 0),
        "D": np.where(chosen, masks, 0).astype(np.uint32).view(np.int32),
    }


def own_turns(x):
    a = x["A"]
    r = np.zeros(64, np.int64)
    for k in range(9):
        if k == 5:
            continue
        for t in range(64):
            first = t // 32 * 32
            if k < a[t]:
                r[t] += sum(1 << lane for lane in range(8) if k < a[first + lane]) + k
    return {"B": (r * 4 + int((a > 14).any())).astype(np.int32)}


def counted(x):
    a = x["A"]
    return {
        "H": np.bincount(a, minlength=16).astype(np.int32),
        "F": np.array([1024], np.float32),
        "M": np.array([a.max(), a.min()], np.float64),
    }


def cut_short(rng, at):
    c = np.zeros(20, np.int32)
    c[3] = 7
    c[at] = -1
    return {"A": rng.integers(-9, 9, (64, 20), dtype=np.int32), "B": np.zeros(64, np.int32), "C": c}


def guarded(x):
    a, n = x["A"], x["n"]
    rows = (a > 0).any(1)
    turns = 4 if rows.all() else int(np.argmin(rows))
    b = np.zeros((32, 4), np.int32)
    b[:, 0] = turns
    b[:, 1] = a[0][np.arange(32) ^ 1] if n == 0 else 7
    b[:, 2] = {1: 1, 2: 2}.get(n, 2 if n == 0 and (a[0] > 0).all() else 3)
    b[:, 3] = n == 0 and (a[0] > 5).any()
    return {"B": b}


def strided_sums(x):
    a = np.zeros(-(-len(x["A"]) // 192) * 192, np.float32)
    a[: len(x["A"])] = x["A"]
    turns = a.reshape(-1, 3, 64)
    sums = np.zeros((3, 64), np.float32)
    for turn in turns:
        sums += np.maximum(turn, 0)
    here = np.arange(a.size).reshape(-1, 3, 64) < len(x["A"])
    return {"B": sums[:, ::-1] + ((turns <= 0) & here).sum(0).astype(np.float32)}


def strided_ranges(x):
    k = np.arange(len(x["A"]))
    made = x["A"] * 2 + (k + 5) // 32 % 4 * 100
    return {"B": np.where(k < x["m"], made, 0).astype(np.int32)}


def strided_counts(x):
    k = np.arange(x["m"] + 1)
    weights = np.bincount(x["A"][k] & 15, weights=k, minlength=16)
    return {"H": (x["H"] + weights).astype(np.int32)}


def strided_last(x):
    last = np.zeros(64, np.int32)
    for t in range(64):
        i = t
        while i < len(x["A"]) and x["A"][i] != 7:
            i += 64
        last[t] = i
    return {"B": last}


def strided(kernel, expected, arrays):
    return [
        Run(
            f"{FOLDER}/grid_stride.py",
            kernel=kernel,
            name=str(size),
            args=lambda rng, size=size: arrays(rng, size),
            expected=expected,
        )
        for size in (1, 40, 193, 1000, 4096)
    ]


RUNS = [
    *strided(
        "strided_sums",
        strided_sums,
        lambda rng, n: {"A": floats(rng, n), "B": np.zeros((3, 64), np.float32)},
    ),
    *strided(
        "strided_ranges",
        strided_ranges,
        lambda rng, n: {
            "A": rng.integers(-9, 9, n, dtype=np.int32),
            "B": np.zeros(n, np.int32),
            "m": n - n // 3,
        },
    ),
    *strided(
        "strided_counts",
        strided_counts,
        lambda rng, n: {
            "A": rng.integers(-9, 99, n, dtype=np.int32),
            "H": np.zeros(16, np.int32),
            "m": n - 1,
        },
    ),
    *strided(
        "strided_copy",
        lambda x: {"B": x["A"] + 1},
        lambda rng, n: {"A": floats(rng, n), "B": np.zeros(n, np.float32)},
    ),
    *strided(
        "strided_last",
        strided_last,
        lambda rng, n: {"A": rng.integers(0, 20, n, dtype=np.int32), "B": np.zeros(64, np.int32)},
    ),
    *(
        Run(
            "tests/golden/explain/run_time_bounds.py",
            args=tile_arguments(m, s),
            expected=tile_sums,
            kernel="tile_sums",
            name=f"tile_sums_{m}_{s}".replace("-", "minus_"),
        )
        for m, s in [(64, 16), (60, 7), (1, 1), (0, 3), (-5, 2), (32, 0)]
    ),
    Run(
        f"{FOLDER}/block_sum.py",
        args=lambda rng: {"A": floats(rng, 1000), "B": np.zeros(4, np.float32)},
        expected=block_sums,
        tolerance=1e-3,
    ),
    Run(
        f"{FOLDER}/jumps_that_become_the_blocks.py",
        kernel="some_return",
        args=lambda rng: {"A": np.zeros(48, np.int32), "B": np.zeros(48, np.int32)},
        expected=lambda x: {
            "A": np.repeat([1, 2], 24).astype(np.int32),
            "B": np.repeat([0, 2], 24).astype(np.int32),
        },
    ),
    Run(
        f"{FOLDER}/blocks_matmul.py",
        args=lambda rng: {
            "A": floats(rng, 128, 96),
            "B": floats(rng, 96, 64),
            "C": np.zeros((128, 64), np.float32),
        },
        expected=lambda x: {"C": x["A"] @ x["B"]},
        tolerance=1e-3,
    ),
    Run(
        f"{FOLDER}/early_exit.py",
        args=lambda rng: {"A": np.arange(100, dtype=np.int32), "B": np.zeros(100, np.int32)},
        expected=lambda x: {"B": x["A"][::-1]},
    ),
    Run(f"{FOLDER}/break_loop.py", args=lambda rng: cut_short(rng, 11), expected=broken_off),
    Run(
        f"{FOLDER}/shuffles.py",
        args=lambda rng: {
            "A": floats(rng, 128),
            "B": np.zeros(128, np.float32),
            "C": np.zeros(4, np.uint32),
            "D": np.zeros(128, np.int32),
        },
        expected=shuffled,
        tolerance=1e-5,
    ),
    Run(
        f"{FOLDER}/warp_part.py",
        args=lambda rng: {"A": floats(rng, 256), "B": np.zeros(1, np.float32)},
        expected=lambda x: {"B": x["A"].sum(keepdims=True)},
        tolerance=1e-3,
    ),
    Run(
        f"{FOLDER}/per_thread_loop.py",
        args=lambda rng: {
            "A": rng.integers(0, 16, 64, dtype=np.int32),
            "B": np.zeros(64, np.int32),
        },
        expected=own_turns,
    ),
    Run(
        f"{FOLDER}/blocks_histogram.py",
        args=lambda rng: {
            "A": rng.integers(0, 16, 1024, dtype=np.int32),
            "H": np.zeros(16, np.int32),
            "F": np.zeros(1, np.float32),
            "M": np.array([-5.0, 99.0]),
        },
        expected=counted,
    ),
    *(
        Run(
            f"{FOLDER}/guarded_sync.py",
            name=f"{n}-from-{low}",
            args=lambda rng, n=n, low=low: {
                "A": rng.integers(low, 9, (4, 32), dtype=np.int32),
                "B": np.zeros((32, 4), np.int32),
                "n": n,
            },
            expected=guarded,
        )
        for n, low in ((0, -5), (0, 1), (1, 1), (2, -9))
    ),
    *(
        Run(
            f"{FOLDER}/dynamic_shared.py",
            name=f"{rows}-of-{columns}",
            args=lambda rng, rows=rows, columns=columns: {
                "A": rng.integers(-1000, 1000, (rows, columns), dtype=np.int32),
                "B": np.zeros((rows, columns), np.int32),
                "S": np.zeros(rows, np.int64),
            },
            expected=lambda x: {"B": x["A"][:, ::-1], "S": x["A"].sum(1)},
        )
        for rows, columns in ((3, 100), (40, 1), (2, 20_000))
    ),
]
