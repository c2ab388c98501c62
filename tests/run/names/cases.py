# SPDX-License-Identifier: Apache-2.0
"""Names, scalars and assignments."""

import numpy as np
from run_case import Run

N = 300
FOLDER = "tests/golden/names"


def whole(rng, *shape, low=-9, high=10):
    return rng.integers(low, high, shape, dtype=np.int32)


def floats(name, function, cuda_tolerance=0.0, **more):
    """O = function(A) on float32; `more` are further results."""
    return Run(
        f"{FOLDER}/{name}.py",
        args=lambda rng: {
            "A": rng.uniform(-4, 4, N).astype(np.float32),
            "O": np.full(N, -77, np.float32),
        },
        expected=lambda x: {"O": function(x["A"]), **{k: f(x["A"]) for k, f in more.items()}},
        cuda_tolerance=cuda_tolerance,
    )


def integers(name, function, columns=0, out=0, low=-9):
    shape = (N, columns) if columns else (N,)
    return Run(
        f"{FOLDER}/{name}.py",
        args=lambda rng: {
            "A": whole(rng, *shape, low=low),
            "O": np.full((N, out) if out else N, -77, np.int32),
        },
        expected=lambda x: {"O": function(x["A"])},
    )


def side_by_side(*columns):
    return np.stack(columns, axis=1)


def augmented_element(x):
    a = x["A"].copy()
    a[np.arange(N), x["P"]] += 10
    a[:, 3] <<= 1
    a[:, 2] //= 2
    a[:, 1] ^= 5
    return {"A": a}


RUNS = [
    floats("value", lambda a: (a + 1) * (a + 1)),
    floats("value_keeps_old_memory", lambda a: a, A=lambda a: np.full_like(a, 5)),
    floats("mutable_by_augmented", lambda a: (a + 1) * (a + 1)),
    floats("assigned_in_branches", lambda a: np.abs(a) + 1),
    floats("promoted_by_assignments", lambda a: np.where(a > 0, a, np.float32(1))),
    integers("swap", lambda a: side_by_side(a[:, 1], a[:, 0] - a[:, 1]), columns=2, out=2),
    Run(
        f"{FOLDER}/swap_elements.py",
        args=lambda rng: {"A": whole(rng, N, 2)},
        expected=lambda x: {"A": x["A"][:, ::-1].copy()},
    ),
    integers("chained_assignment", lambda a: side_by_side(a * 3, a * 3 + 1), out=2),
    integers("let", lambda a: (a + 1) * 2),
    integers("declared_later", lambda a: np.where(a > 0, 1, 2).astype(np.int32)),
    integers("constant_by_name", lambda a: (a.sum(axis=1) + 4).astype(np.int32), columns=4),
    Run(
        f"{FOLDER}/augmented_element.py",
        args=lambda rng: {"A": whole(rng, N, 4, low=0), "P": whole(rng, N, low=0, high=4)},
        expected=augmented_element,
    ),
    Run(
        f"{FOLDER}/reserved_words.py",
        args=lambda rng: {
            "float": whole(rng, N),
            "threadIdx": whole(rng, N),
            "O": np.full(N, -77, np.int32),
        },
        expected=lambda x: {"O": x["float"] * 10 + x["threadIdx"]},
    ),
    integers("letters", lambda a: (a + 1) * (a + 1)),
    integers("local_array", lambda a: a[:, ::-1].copy(), columns=4, out=4),
    floats("module_constant", lambda a: a * np.float32(2.5) + np.float32(5), cuda_tolerance=2e-6),
]
