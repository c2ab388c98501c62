# SPDX-License-Identifier: Apache-2.0
"""Loops: each thread's turns against Python's own, written once more in plain Python."""

import numpy as np
from run_case import Run

N = 300
FOLDER = "tests/golden/loops"


def whole(rng, *shape, low=-5, high=20, dtype=np.int32):
    return rng.integers(low, high, shape, dtype=dtype)


def per_thread(name, function, low=-5, high=20, columns=0, out=(), dtype=np.int32):
    """O[i] = function(A[i]), A[i] being a row of `columns` values or one value."""
    shape = (N, columns) if columns else (N,)

    def expected(x):
        rows = [[int(v) for v in row] if columns else int(row) for row in x["A"]]
        return {"O": np.array([function(row) for row in rows], dtype)}

    return Run(
        f"{FOLDER}/{name}.py",
        args=lambda rng: {
            "A": whole(rng, *shape, low=low, high=high, dtype=dtype),
            "O": np.full((N, *out), -77).astype(dtype),
        },
        expected=expected,
    )


def constant(name, value):
    """O[i] = value, without any input."""
    return Run(
        f"{FOLDER}/{name}.py",
        args=lambda rng: {"O": np.full(N, -77, np.int32)},
        expected=lambda x: {"O": np.full(N, value, np.int32)},
    )


def folded(turns, factor):
    total = 0
    for k in turns:
        total = total * factor + k
    return total


def before_negative(row):
    count = 0
    for value in row:
        if value < 0:
            break
        count += 1
    return count


def before_negative_by_four(row):
    return sum(before_negative(row[r : r + 4]) for r in (0, 4, 8))


def first_negative(row):
    return next((k for k, value in enumerate(row) if value < 0), -1)


def triangle(row):
    return folded(row[:6], 7)


def grid_break():
    total = 0
    for a in range(3):
        for b in range(5):
            if b > a:
                break
            total = total * 3 + 1
    return total


def sevens(x):
    turns = 0
    while x > 0:
        x -= 7
        turns += 1
    return turns


def nested_while(x):
    total = 0
    while x > 0:
        y = x
        while y > 0 and y % 3 != 0:
            y -= 1
            total += 1
        x -= 4
    return total


def spans(rng):
    """Starts, stops and steps with every sign, empty ones and a step of 0 among them."""
    fixed = [(10, 0, -3), (0, 10, 3), (7, -8, -5), (5, 5, -1), (0, 5, -1), (-4, 4, 1), (0, 9, 0)]
    made = np.stack([whole(rng, N, low=-9, high=10) for _ in range(3)], axis=1)
    made[: len(fixed)] = fixed
    return made


def run_time_steps(x):
    turns = [range(a, b, s) if s else () for a, b, s in x["A"].tolist()]
    return {"O": np.array([folded(t, 3) for t in turns], np.int64).astype(np.int32)}


def bound_from_memory(x):
    return {"A": np.where(x["A"] > 0, 0, x["A"]), "O": np.maximum(x["A"], 0)}


def floats(name, columns, out, function, in_place=False):
    def args(rng):
        values = {"A": whole(rng, N, columns).astype(np.float32)}
        return values if in_place else {**values, "O": np.full((N, out), -77, np.float32)}

    return Run(
        f"{FOLDER}/{name}.py",
        args=args,
        expected=lambda x: {"A" if in_place else "O": function(x["A"])},
    )


def odd_rows(a):
    return np.concatenate([a[:, :4] * 2, a[:, 4:]], axis=1)


def shifted(a):
    return a[:, :1] + np.arange(5, dtype=np.float32)


RUNS = [
    Run(
        f"{FOLDER}/start_from_a_loop.py",
        args=lambda rng: {
            "A": whole(rng, 8, 8, low=-9, high=9, dtype=np.int16),
            "B": np.zeros(8, np.int32),
            "U": whole(rng, 8, low=0, high=99, dtype=np.uint16),
            "F": np.zeros((8, 8), np.float32),
            "m": 6,
        },
        expected=lambda x: {
            "B": ((x["A"][:2] > 0).any(0) & (np.arange(8) < 6)).astype(np.int32),
            "F": np.zeros((8, 8), np.float32),
        },
    ),
    per_thread(
        "range_unsigned_down",
        lambda a: [sum(range(a, 3, -7)), len(range(a, 0, -1))],
        low=0,
        high=100,
        out=(2,),
        dtype=np.uint32,
    ),
    constant("range_one", folded(range(10), 3)),
    per_thread("range_two", lambda row: folded(range(*row), 3), columns=2, low=-3, high=6),
    constant("range_step", folded(range(1, 12, 3), 3)),
    constant("range_down", folded(range(10, 0, -3), 3)),
    per_thread("range_down_by_one", lambda row: row[::-1], columns=8, out=(8,)),
    Run(
        f"{FOLDER}/range_step_at_run_time.py",
        args=lambda rng: {"A": spans(rng), "O": np.full(N, -77, np.int32)},
        expected=run_time_steps,
    ),
    constant("bound_is_copied", 4 * 100 + 44),
    Run(
        f"{FOLDER}/bound_from_memory.py",
        args=lambda rng: {"A": whole(rng, N), "O": np.full(N, -77, np.int32)},
        expected=bound_from_memory,
    ),
    per_thread("int64_bounds", lambda a: 3 * a + 3, low=2**40, high=2**41, dtype=np.int64),
    floats("serial_pragmas", 8, 3, lambda a: np.stack([a.sum(axis=1)] * 3, axis=1)),
    constant("serial_start_and_step", folded(range(2, 11, 3), 10)),
    constant("unroll_start_and_step", folded(range(2, 11, 3), 10)),
    per_thread(
        "unroll_index_decides",
        lambda r: [r[0], r[1] + r[0], -r[2], r[3] + r[2]],
        columns=4,
        out=(4,),
    ),
    per_thread("unroll_break", before_negative, columns=4),
    per_thread("unroll_continue", lambda row: sum(v for v in row if v >= 0), columns=4),
    per_thread("unroll_in_loop_break", before_negative_by_four, columns=12),
    per_thread("loop_in_unroll_break", before_negative_by_four, columns=12),
    per_thread("unroll_copy_declares", lambda r: [4 * v * v for v in r], columns=2, out=(2,)),
    per_thread("unroll_nested", triangle, columns=6),
    per_thread("over_a_list", lambda row: folded([row[1], row[5], row[2]], 100), columns=8),
    per_thread(
        "enumerate_and_zip",
        lambda r: r[4] + 2 * r[2] + r[0] * r[6] + r[1] * r[7],
        columns=8,
    ),
    constant(
        "grid_three", folded([a + b + c for a in (0, 1) for b in (0, 1, 2) for c in (0, 1)], 3)
    ),
    constant("grid_start", folded([a * 2 + b for a in (2, 3, 4) for b in (0, 1)], 7)),
    constant("grid_break", grid_break()),
    constant("grid_one_target", folded([a * 3 + b for a in (0, 1) for b in (0, 1, 2)], 5)),
    floats("vectorized_copy", 4, 4, lambda a: a * 2),
    floats("vectorized_two", 2, 2, lambda a: a + 1),
    floats("vectorized_odd_rows", 5, 5, odd_rows),
    floats("vectorized_stride", 8, 4, lambda a: a[:, ::2].copy()),
    floats("vectorized_shift", 5, 5, shifted, in_place=True),
    floats("vectorized_branch", 4, 4, lambda a: np.maximum(a, 0)),
    per_thread("while_true", sevens, low=-20, high=100),
    per_thread("while_continue", lambda x: sum(k % 2 for k in range(x))),
    per_thread("while_short_circuit", before_negative, columns=8),
    per_thread("while_nested", nested_while),
    per_thread("return_in_loop", first_negative, columns=12),
    Run(
        f"{FOLDER}/int64_sizes.py",
        args=lambda rng: {
            "A": rng.integers(0, 256, 5000, dtype=np.uint8),
            "B": np.zeros(5000, np.uint8),
            "C": np.zeros(5000, np.uint8),
        },
        expected=lambda x: {
            "B": x["A"] + np.uint8(1),
            "C": (x["A"] + np.uint8(1)) * np.uint8(3),
        },
    ),
]
