# SPDX-License-Identifier: Apache-2.0
"""Fences, clocks, messages: what they surround must not change."""

import numpy as np
from run_case import Run

N = 300
FOLDER = "tests/golden/synchronization"


def whole(rng, size, low=-1000, high=1000):
    return rng.integers(low, high, size, dtype=np.int32)


def integers(name, function, shape):
    return Run(
        f"{FOLDER}/{name}.py",
        args=lambda rng: {
            "A": rng.integers(-1000, 1000, N, dtype=np.int32),
            "O": np.full(shape, -77, np.int32),
        },
        expected=lambda x: {"O": function(x["A"])},
    )


RUNS = [
    integers("clock", lambda a: a * 2, N),
    integers("fence", lambda a: np.stack([a, a + 1], axis=1), (N, 2)),
    Run(
        f"{FOLDER}/fences.py",
        args=lambda rng: {"A": whole(rng, 64), "O": np.zeros((64, 4), np.int32)},
        expected=lambda x: {"O": np.stack([x["A"] + k for k in range(4)], axis=1)},
    ),
    Run(
        f"{FOLDER}/messages.py",
        args=lambda rng: {
            "A": rng.uniform(0, 99, 32).astype(np.float32),
            "H": np.ones(32, np.float16),
            "I": np.arange(32, dtype=np.int8),
        },
        expected=lambda x: {"A": x["A"]},
    ),
    Run(
        f"{FOLDER}/barriers.py",
        args=lambda rng: {"A": whole(rng, 64), "B": np.zeros(64, np.int32)},
        expected=lambda x: {
            "A": x["A"][np.arange(64) ^ 1],
            "B": x["A"][np.arange(64) ^ 1][::-1],
        },
    ),
    *(
        Run(
            f"{FOLDER}/block_votes.py",
            name=f"{low}-to-{high}",
            args=lambda rng, low=low, high=high: {
                "A": whole(rng, 128, low=low, high=high),
                "O": np.zeros((128, 2), np.int32),
            },
            expected=lambda x: {
                "O": np.tile([(x["A"] > 0).all(), (x["A"] == 7).any()], (128, 1)).astype(np.int32)
            },
        )
        for low, high in ((1, 7), (-3, 9), (8, 99))
    ),
    *(
        Run(
            f"{FOLDER}/return_after_vote.py",
            name=name,
            args=lambda rng, low=low: {
                "A": np.append(whole(rng, 31, low=1), low).astype(np.int32),
                "O": np.zeros(32, np.int32),
            },
            expected=lambda x: {"O": np.zeros(32, np.int32) if (x["A"] > 0).all() else x["A"]},
        )
        for name, low in (("all-return", 5), ("nobody-returns", -5))
    ),
]
