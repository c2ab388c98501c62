# SPDX-License-Identifier: Apache-2.0
"""Exchange between lanes against NumPy: what a lane gets is its source's element."""

import numpy as np
from run_case import Run

FOLDER = "tests/golden/warp"
LANE = np.arange(32)
UP = np.maximum(LANE - 1, 0)
DOWN = np.minimum(LANE + 1, 31)


def floats(rng, *shape, dtype=np.float32):
    return rng.standard_normal(shape).astype(dtype)


def integers(rng, dtype, *shape):
    return rng.integers(0, 100, shape).astype(dtype)


def narrow(x):
    return {
        "O": x["B"][LANE ^ 1],
        "P": x["U"][DOWN],
        "Q": x["C"][::-1],
        "R": x["H"][UP] + x["H"],
        "S": x["G"][LANE ^ 2],
    }


def all_shuffles(x):
    f, d = x["F"], x["D"]
    in_16 = np.where(LANE % 16 > 0, LANE - 1, LANE)
    in_8 = np.where(LANE % 8 < 6, LANE + 2, LANE)
    columns = (f[np.full(32, 5)], f[in_16], f[in_8], f[LANE ^ 3])
    return {
        "O": np.stack(columns, 1),
        "P": np.stack((d[(LANE + 1) % 32], d[LANE ^ 16]), 1),
        # In groups of two the upper lane may read the lower, not the other way round.
        "Q": x["L"][LANE ^ 1],
        "R": x["U"][DOWN] - x["U"],
    }


def groups(x):
    a, width = x["A"], x["width"]
    i = np.arange(len(a))
    place = i % width
    columns = (
        a[i - place],
        a[np.where(place > 0, i - 1, i)],
        a[np.where(place < width - 1, i + 1, i)],
        # In groups of one nobody else may be read from above.
        a[np.where((i ^ 1) <= i - place + width - 1, i ^ 1, i)],
    )
    return {"B": np.stack(columns, 1)}


def by_their_number(x):
    """Of 64 x 4 threads: warp 2 * y + x // 32."""
    v = x["A"].T.reshape(8, 32).copy()
    for w in range(8):
        y = w // 2
        if w % 3 == 1:
            v[w] = v[w, 7]
            if y >= 2:
                given = v[w] + w % 2 * 32 + LANE
                v[w] += given[np.where(LANE < 30, LANE + 2, LANE)]
        elif y == 3:
            if (v[w] > 90).any():
                v[w] = -v[w]
            v[w] += (v[w] % 2 == 0).sum()
        else:
            for k in (1, 2):
                v[w] += v[w, np.where(k <= LANE % 16, LANE - k, LANE)]
    return {"B": v.reshape(4, 64).T}


def warps_return(x):
    a = 2 * x["A"]
    t = np.arange(96)
    left = a[np.where(t % 32 > 0, t - 1, t)] + a[t + 96]
    return {"B": np.where(t < 90, left, 0)}


def votes(x):
    a = x["A"]

    def bits(truth):
        return sum(1 << k for k in range(32) if truth[k])

    o = np.zeros((32, 4), np.int32)
    o[:, 0] = (a > 5).any()
    o[:, 1] = a.all()
    if (a < 0).any():
        o[:, 2] = (a < 0).sum()
    o[:16, 3] = (a[:16] != 3).all()
    return {"O": o, "M": np.full(32, bits(a > 0), np.uint32)}


def scans(x):
    return {"B": x["A"].cumsum(1, dtype=np.float64).astype(np.float32)}


def rows_and_groups(x):
    v = x["A"].copy()
    lane = np.arange(64)
    v = v + np.where(lane % 8 + 3 < 8, v[:, np.minimum(lane + 3, 63)], v) * 10
    v = v - np.where(lane % 16 >= 5, v[:, np.maximum(lane - 5, 0)], v)
    return {"B": v + v[:, lane // 4 * 4 + (lane + 1) % 4]}


def planes(x):
    a = x["A"]
    bits = (((a % 2 == 1) & (a > 50)) << LANE.astype(np.int64)).sum(2, keepdims=True)
    return {"B": np.broadcast_to(bits + a.sum(2, keepdims=True), a.shape).astype(np.uint32)}


def halves(x):
    most = x["A"].reshape(8, 32).max(1)
    return {"B": np.repeat(most, 32) + x["A"], "C": most.max(keepdims=True)}


AFTER = f"{FOLDER}/warp_after_warp.py"

RUNS = [
    Run(
        AFTER,
        kernel="scans",
        args=lambda rng: {"A": floats(rng, 2, 96), "B": np.zeros((2, 96), np.float32)},
        expected=scans,
        tolerance=1e-4,
    ),
    Run(
        AFTER,
        kernel="rows_and_groups",
        args=lambda rng: {"A": integers(rng, np.int64, 4, 64), "B": np.zeros((4, 64), np.int64)},
        expected=rows_and_groups,
    ),
    Run(
        AFTER,
        kernel="planes",
        args=lambda rng: {
            "A": integers(rng, np.int32, 3, 2, 32),
            "B": np.zeros((3, 2, 32), np.uint32),
        },
        expected=planes,
    ),
    Run(
        AFTER,
        kernel="halves",
        args=lambda rng: {
            "A": integers(rng, np.int32, 256),
            "B": np.zeros(256, np.int32),
            "C": np.zeros(1, np.int32),
        },
        expected=halves,
    ),
    Run(
        f"{FOLDER}/reductions.py",
        args=lambda rng: {
            "A": rng.integers(0, 1 << 32, 32, dtype=np.uint32),
            "O": np.zeros((32, 2), np.uint32),
        },
        expected=lambda x: {
            "O": np.tile([x["A"].sum(dtype=np.uint32), x["A"].min()], (32, 1)).astype(np.uint32)
        },
    ),
    Run(
        f"{FOLDER}/shuffle_narrow_types.py",
        kernel="narrow",
        args=lambda rng: {
            "B": rng.integers(-128, 128, 32).astype(np.int8),
            "U": rng.integers(0, 65536, 32).astype(np.uint16),
            "C": rng.random(32) > 0.5,
            "H": floats(rng, 32, dtype=np.float16),
            "G": rng.integers(0, 0x7F00, 32).astype(np.uint16),
            "O": np.zeros(32, np.int8),
            "P": np.zeros(32, np.uint16),
            "Q": np.zeros(32, bool),
            "R": np.zeros(32, np.float16),
            "S": np.zeros(32, np.uint16),
        },
        expected=narrow,
        dtypes={"G": "bfloat16", "S": "bfloat16"},
    ),
    Run(
        f"{FOLDER}/shuffle_old_names.py",
        kernel="old_names",
        args=lambda rng: {"A": floats(rng, 32), "B": np.zeros((32, 12), np.float32)},
        expected=lambda x: {
            "B": np.stack([x["A"][source] for source in (LANE * 0, UP, DOWN, LANE ^ 1)] * 3, 1)
        },
    ),
    Run(
        f"{FOLDER}/shuffle_reduction.py",
        kernel="warp_sums",
        args=lambda rng: {"A": floats(rng, 9, 32), "S": np.zeros(9, np.float32)},
        expected=lambda x: {"S": x["A"].sum(1)},
        tolerance=1e-4,
    ),
    Run(
        f"{FOLDER}/shuffles.py",
        args=lambda rng: {
            "F": floats(rng, 32),
            "D": floats(rng, 32, dtype=np.float64),
            "L": rng.integers(-(1 << 60), 1 << 60, 32),
            "U": integers(rng, np.uint32, 32),
            "O": np.zeros((32, 4), np.float32),
            "P": np.zeros((32, 2)),
            "Q": np.zeros(32, np.int64),
            "R": np.zeros(32, np.uint32),
        },
        expected=all_shuffles,
    ),
    *(
        Run(
            f"{FOLDER}/width_at_launch.py",
            kernel="groups",
            name=f"width {width} at launch",
            args=lambda rng, width=width: {
                "A": integers(rng, np.int32, 320),
                "B": np.zeros((320, 4), np.int32),
                "width": width,
            },
            expected=groups,
        )
        for width in (1, 2, 8, 16, 32)
    ),
    Run(
        f"{FOLDER}/width_at_launch.py",
        kernel="uneven",
        args=lambda rng: {
            "A": integers(rng, np.int32, 40),
            "B": np.zeros(40, np.int32),
            "width": 8,
        },
        expected=lambda x: {"B": x["A"][np.arange(40) // 8 * 8 + 3]},
    ),
    *(
        Run(
            f"{FOLDER}/votes.py",
            name=name,
            args=lambda rng, low=low: {
                "A": rng.integers(low, 9, 32, dtype=np.int32),
                "O": np.zeros((32, 4), np.int32),
                "M": np.zeros(32, np.uint32),
            },
            expected=votes,
        )
        for name, low in (("mixed", -5), ("positive", 4))
    ),
    Run(
        f"{FOLDER}/vote_without_branch.py",
        args=lambda rng: {"A": rng.integers(0, 9, 32, dtype=np.int32)},
        expected=lambda x: {"A": x["A"] + 1},
    ),
    Run(
        f"{FOLDER}/some_warps.py",
        kernel="last_warp",
        args=lambda rng: {"A": floats(rng, 5, 512), "B": np.zeros(5, np.float32)},
        expected=lambda x: {"B": x["A"].sum(1)},
        tolerance=1e-4,
    ),
    Run(
        f"{FOLDER}/some_warps.py",
        kernel="first_lanes",
        args=lambda rng: {"A": integers(rng, np.int32, 3, 256), "B": np.zeros(3, np.int32)},
        expected=lambda x: {"B": x["A"].sum(1, dtype=np.int32)},
    ),
    Run(
        f"{FOLDER}/some_warps.py",
        kernel="by_their_number",
        args=lambda rng: {
            "A": integers(rng, np.int32, 64, 4),
            "B": np.zeros((64, 4), np.int32),
        },
        expected=by_their_number,
    ),
    Run(
        f"{FOLDER}/some_warps.py",
        kernel="warps_return",
        args=lambda rng: {"A": integers(rng, np.int32, 256), "B": np.zeros(96, np.int32)},
        expected=warps_return,
    ),
    Run(
        f"{FOLDER}/some_warps.py",
        kernel="turn_by_turn",
        args=lambda rng: {"A": integers(rng, np.int32, 6, 128), "B": np.zeros(6, np.int32)},
        expected=lambda x: {"B": np.cumsum(x["A"].sum(1), dtype=np.int32)},
    ),
]
