# SPDX-License-Identifier: Apache-2.0
"""Grids, blocks, the places of threads, and what is passed at a launch."""

import numpy as np
from run_case import Run

FOLDER = "tests/golden/launch"


def unwritten(*shape):
    return np.full(shape, -77, np.int32)


def picture(name, function, source="A", result="O"):
    return Run(
        f"{FOLDER}/{name}.py",
        args=lambda rng: {
            source: rng.integers(-99, 99, (37, 50), dtype=np.int32),
            result: unwritten(50, 37),
        },
        expected=lambda x: {result: np.ascontiguousarray(function(x[source]).T)},
    )


def three_dimensions(x):
    bz, by, bx, tz, ty, tx = np.indices(x["O"].shape)
    place = bx + by * 10 + bz * 100 + tx * 1000 + ty * 10000 + tz * 100000
    grid = 2 * 100 + 3 * 10 + len(x["O"])
    return {"O": (place + 432 * 1000000 + grid).astype(np.int32)}


def thread_places(x):
    y, x_, _ = np.indices(x["O"].shape)
    linear = (y * 64 + x_)[:, :, 0]
    return {"O": np.stack([linear % 32, linear // 32, linear], axis=2).astype(np.int32)}


def int64_symbol(x):
    a = x["A"].copy()
    a[:, 3] = a[:, 0] + a[:, 1]
    return {"A": a}


def scalars(on):
    """`on` is what the bool parameter is given."""

    def expected(x):
        changed = x["A"] * np.float32(2.5) + np.float32(-3) + np.float32(200)
        return {"A": changed if on else x["A"]}

    return Run(
        f"{FOLDER}/scalar_parameters.py",
        args=lambda rng: {
            "scale": 2.5,
            "A": rng.integers(-99, 99, 100).astype(np.float32),
            "shift": -3,
            "on": on,
            "small": 200,
        },
        expected=expected,
        name="on" if on else "off",
    )


RUNS = [
    picture("two_dimensions", lambda a: a * 2),
    picture("native_two_dimensions", lambda a: a, "a", "o"),
    Run(
        f"{FOLDER}/three_dimensions.py",
        args=lambda rng: {"O": unwritten(5, 3, 2, 2, 3, 4)},
        expected=three_dimensions,
    ),
    Run(
        f"{FOLDER}/symbolic_block.py",
        args=lambda rng: {"A": rng.integers(-9, 9, (7, 45), dtype=np.int32)},
        expected=lambda x: {"A": x["A"] + 45},
    ),
    Run(
        f"{FOLDER}/shape_formula.py",
        args=lambda rng: {
            "A": rng.integers(-9, 9, 201, dtype=np.int32),
            "O": unwritten(100),
        },
        expected=lambda x: {"O": x["A"][:-1:2] + x["A"][1::2] + x["A"][-1]},
    ),
    scalars(True),
    scalars(False),
    Run(
        f"{FOLDER}/int64_symbol.py",
        args=lambda rng: {"A": rng.integers(-9, 9, (70, 4), dtype=np.int32)},
        expected=int64_symbol,
    ),
    Run(
        f"{FOLDER}/warp_and_lane.py",
        args=lambda rng: {"O": unwritten(4, 32)},
        expected=lambda x: {"O": (np.arange(4)[:, None] * 100 + np.arange(32)).astype(np.int32)},
    ),
    Run(
        f"{FOLDER}/thread_places.py",
        args=lambda rng: {"O": unwritten(4, 64, 3)},
        expected=thread_places,
    ),
    Run(
        f"{FOLDER}/elect_one.py",
        args=lambda rng: {"O": unwritten(64)},
        expected=lambda x: {"O": (np.arange(64) % 32 == 0).astype(np.int32)},
    ),
    Run(
        f"{FOLDER}/required_block_size.py",
        args=lambda rng: {"A": rng.integers(-9, 9, 2000, dtype=np.int32), "B": unwritten(2000)},
        expected=lambda x: {"B": x["A"] + 16},
    ),
]
