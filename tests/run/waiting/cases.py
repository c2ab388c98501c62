# SPDX-License-Identifier: Apache-2.0
"""Threads and blocks that wait for some of each other, against NumPy."""

import numpy as np
from run_case import Run

FOLDER = "tests/golden/waiting"


def whole(rng, *shape):
    return rng.integers(-1000, 1000, shape, dtype=np.int32)


def after_turns(x):
    a = x["A"].copy()
    for turn in range(3):
        a = np.roll(a, -7, axis=0)[:, ::-1] * 2 + turn
    return {"A": a, "C": np.array([24 * 6], np.int32)}


def one_flag(rng):
    flags = np.zeros(41, np.int32)
    flags[40] = 1
    return {"A": whole(rng, 40, 64), "B": np.zeros((40, 64), np.int32), "F": flags}


def swapped(a):
    return np.concatenate([a[np.arange(32) ^ 1], a[32:]])


RUNS = [
    Run(
        f"{FOLDER}/named_barriers.py",
        args=lambda rng: {"A": whole(rng, 8, 32), "B": np.zeros((8, 32), np.int32)},
        expected=lambda x: {"B": x["A"][:, ::-1] * 2},
    ),
    Run(
        f"{FOLDER}/warpgroups.py",
        args=lambda rng: {"A": whole(rng, 256), "B": np.zeros(256, np.int32)},
        expected=lambda x: {
            "B": (x["A"].reshape(2, 128)[:, ::-1] + np.array([[0], [1]], np.int32)).reshape(256)
        },
    ),
    Run(
        f"{FOLDER}/mbarrier_pipeline.py",
        args=lambda rng: {
            "A": rng.standard_normal((10, 64)).astype(np.float32),
            "B": np.zeros((10, 64), np.float32),
        },
        expected=lambda x: {"B": x["A"][:, ::-1] + np.float32(1)},
    ),
    Run(
        f"{FOLDER}/handed_over.py",
        args=lambda rng: {"A": rng.standard_normal(64).astype(np.float32)},
        expected=lambda x: {"A": np.tile(x["A"][:32], 2)},
    ),
    Run(
        f"{FOLDER}/transactions.py",
        args=lambda rng: {"A": whole(rng, 4, 64), "B": np.zeros((4, 64), np.int32)},
        expected=lambda x: {"B": x["A"][:, ::-1]},
        not_followed_by=("racecheck",),
    ),
    Run(
        f"{FOLDER}/threads_in_turn.py",
        args=lambda rng: {"A": whole(rng, 96), "B": np.zeros(96, np.int32)},
        expected=lambda x: {"B": np.cumsum(x["A"][::-1])[::-1].astype(np.int32)},
        not_followed_by=("racecheck",),
    ),
    Run(
        f"{FOLDER}/blocks_in_turn.py",
        args=one_flag,
        expected=lambda x: {
            "B": np.cumsum(x["A"][::-1], axis=0)[::-1].astype(np.int32),
            "F": np.ones(41, np.int32),
        },
    ),
    Run(
        f"{FOLDER}/grid_barrier.py",
        args=lambda rng: {"A": whole(rng, 24, 32), "C": np.zeros(1, np.int32)},
        expected=after_turns,
    ),
    Run(
        f"{FOLDER}/grid_sync.py",
        args=lambda rng: {"A": whole(rng, 24, 32), "B": np.zeros((24, 32), np.int32)},
        expected=lambda x: {"B": np.roll(x["A"], -7, axis=0)[:, ::-1] * 2},
    ),
    Run(
        f"{FOLDER}/plain_flag.py",
        args=lambda rng: {"A": whole(rng, 64), "B": np.zeros(64, np.int32)},
        expected=lambda x: {"B": swapped(x["A"])},
        targets=("cpu",),
    ),
]
