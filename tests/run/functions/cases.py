# SPDX-License-Identifier: Apache-2.0
"""Functions without a device entry: plain functions of the CPU."""

import numpy as np
from run_case import Run

FOLDER = "tests/golden/functions"


def whole(rng, *shape):
    return rng.integers(-9, 10, shape).astype(np.float32)


RUNS = [
    Run(
        f"{FOLDER}/plain_function.py",
        args=lambda rng: {"A": whole(rng, 1000), "O": np.full(1, -77, np.float32)},
        expected=lambda x: {"O": np.maximum(x["A"], 0).sum(keepdims=True)},
        targets=("cpu",),
    ),
    Run(
        f"{FOLDER}/parallel_loop.py",
        args=lambda rng: {"A": whole(rng, 5000, 16), "O": np.full(5000, -77, np.float32)},
        expected=lambda x: {"O": x["A"].sum(axis=1)},
        targets=("cpu",),
    ),
]
