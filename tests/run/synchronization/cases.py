# SPDX-License-Identifier: Apache-2.0
"""Fences and clocks: what they surround must not change."""

import numpy as np
from run_case import Run

N = 300
FOLDER = "tests/golden/synchronization"


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
]
