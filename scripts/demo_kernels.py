# SPDX-License-Identifier: Apache-2.0
"""The kernels that scripts/demo.py runs: their inputs and the same computation in NumPy.

The kernels themselves are the files of examples/control_flow. Inputs of sums are small whole
numbers, so that the order of adding cannot matter and "equal" can mean equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

# Elements where the size is free.
SIZE = 1 << 24
Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class Kernel:
    """One row of the table; `name` is the file and the kernel in it."""

    name: str
    # Called with the number of elements that the largest array shall have.
    inputs: Callable[[np.random.Generator, int], Arrays]
    reference: Callable[[Arrays], Arrays]
    # False where the document fixes all shapes; `inputs` then ignores the size.
    free_size: bool = True


def normal(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Normal floats with a few of the values that go wrong easily."""
    values = rng.standard_normal(shape, dtype=np.float32)
    special = [np.nan, -0.0, np.inf, -np.inf, 1e-40]
    values.reshape(-1)[: len(special)] = special[: values.size]
    return values


def whole(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.integers(-8, 9, shape).astype(np.float32)


def unwritten(*shape: int, dtype=np.float32) -> np.ndarray:
    """An output whose every element is wrong until a kernel writes it."""
    return np.full(shape, -77, dtype)


def relu_elif(x: Arrays) -> Arrays:
    a = x["A"]
    return {"B": np.where(a > 1, a, np.where(a > 0, a * np.float32(0.5), np.float32(0)))}


def for_break_continue(x: Arrays) -> Arrays:
    a = x["A"]
    before_zero = np.logical_and.accumulate(a != 0, axis=1)
    return {"B": np.where(before_zero & (a > 0), a, np.float32(0)).sum(axis=1)}


def while_break_continue(x: Arrays) -> Arrays:
    rest = x["A"].copy()
    odd = np.zeros_like(rest)
    while rest.any():
        digit = rest % 10
        rest = np.where(digit == 0, 0, rest // 10)
        odd += digit % 2
    return {"B": odd}


def native_break_continue(x: Arrays) -> Arrays:
    a = x["a"]
    before_end = np.logical_and.accumulate(a <= 90, axis=1)
    return {"b": (before_end & (a >= 0)).sum(axis=1, dtype=np.int32)}


def branch_on_thread(x: Arrays) -> Arrays:
    first = np.arange(256) < 128
    return {"A": np.where(first, x["A"] * np.float32(2), x["A"] + np.float32(1))}


def branch_on_lane(x: Arrays) -> Arrays:
    first = np.arange(128) % 32 < 16
    return {"A": np.where(first, x["A"] * np.float32(2), x["A"] + np.float32(1))}


def edge_filter(x: Arrays) -> Arrays:
    a = np.pad(x["A"], 1, mode="edge")
    smooth_rows = a[:-2] + 2 * a[1:-1] + a[2:]
    smooth_columns = a[:, :-2] + 2 * a[:, 1:-1] + a[:, 2:]
    across = smooth_rows[:, 2:] - smooth_rows[:, :-2]
    down = smooth_columns[2:] - smooth_columns[:-2]
    return {"B": np.minimum(np.sqrt(across * across + down * down), np.float32(255))}


def vector_inputs(rng: np.random.Generator, size: int) -> Arrays:
    return {"A": normal(rng, size), "B": unwritten(size)}


def native_vector_inputs(rng: np.random.Generator, size: int) -> Arrays:
    """For kernels whose parameters are handles, which have names of their own."""
    return {"a": normal(rng, size), "b": unwritten(size)}


def search_inputs(rng: np.random.Generator, size: int) -> Arrays:
    return {
        "A": np.sort(rng.standard_normal(64, dtype=np.float32)),
        "Q": rng.standard_normal(size, dtype=np.float32),
        "P": unwritten(size, dtype=np.int32),
    }


KERNELS = [
    Kernel("relu", vector_inputs, lambda x: {"B": np.where(x["A"] > 0, x["A"], np.float32(0))}),
    Kernel("relu_elif", vector_inputs, relu_elif),
    Kernel("relu_branch_free", vector_inputs, lambda x: {"B": np.maximum(x["A"], np.float32(0))}),
    Kernel(
        "row_sum",
        lambda rng, size: {"A": whole(rng, size // 64, 64), "B": unwritten(size // 64)},
        lambda x: {"B": x["A"].sum(axis=1)},
    ),
    Kernel(
        "transpose",
        lambda rng, size: {"A": normal(rng, 64, 64), "B": unwritten(64, 64)},
        lambda x: {"B": np.ascontiguousarray(x["A"].T)},
        free_size=False,
    ),
    Kernel(
        "binary_search",
        search_inputs,
        lambda x: {"P": np.searchsorted(x["A"], x["Q"]).astype(np.int32)},
    ),
    Kernel(
        "for_break_continue",
        lambda rng, size: {"A": whole(rng, size // 32, 32), "B": unwritten(size // 32)},
        for_break_continue,
    ),
    Kernel(
        "while_break_continue",
        lambda rng, size: {
            "A": rng.integers(0, 100_000, size, dtype=np.int32),
            "B": unwritten(size, dtype=np.int32),
        },
        while_break_continue,
    ),
    Kernel("early_exit", vector_inputs, lambda x: {"B": x["A"] * np.float32(2)}),
    Kernel(
        "branch_on_thread",
        lambda rng, size: {"A": normal(rng, 256)},
        branch_on_thread,
        free_size=False,
    ),
    Kernel(
        "branch_on_lane", lambda rng, size: {"A": normal(rng, 128)}, branch_on_lane, free_size=False
    ),
    Kernel(
        "elect_one",
        lambda rng, size: {"A": normal(rng, 4)},
        lambda x: {"A": x["A"] + np.float32(1)},
        free_size=False,
    ),
    Kernel(
        "if_then_else",
        native_vector_inputs,
        lambda x: {"b": np.where(x["a"] > 0, x["a"], x["a"] * np.float32(0.5))},
    ),
    Kernel(
        "serial_loop",
        lambda rng, size: {"a": whole(rng, size // 16, 16), "b": unwritten(size // 16)},
        lambda x: {"b": x["a"].sum(axis=1)},
    ),
    Kernel(
        "unrolled_loop",
        lambda rng, size: {"a": normal(rng, size // 4, 4)},
        lambda x: {"a": x["a"] * np.float32(2)},
    ),
    Kernel(
        "vectorized_loop",
        lambda rng, size: {"a": normal(rng, size // 4, 4), "b": unwritten(size // 4, 4)},
        lambda x: {"b": x["a"] + np.float32(1)},
    ),
    Kernel(
        "native_break_continue",
        lambda rng, size: {
            "a": rng.integers(-10, 100, (size // 16, 16), dtype=np.int32),
            "b": unwritten(size // 16, dtype=np.int32),
        },
        native_break_continue,
    ),
    Kernel(
        "grid_relu",
        lambda rng, size: {"A": whole(rng, 8, 8), "B": unwritten(8, 8)},
        lambda x: {"B": np.maximum(x["A"], np.float32(0))},
        free_size=False,
    ),
    Kernel(
        "while_loop",
        lambda rng, size: {"A": normal(rng, 64)},
        lambda x: {"A": x["A"] + np.float32(1)},
        free_size=False,
    ),
]

EDGE_FILTER = Kernel(
    "edge_filter",
    lambda rng, size: {
        "A": rng.integers(0, 256, (size // 64, 64)).astype(np.float32),
        "B": unwritten(size // 64, 64),
    },
    edge_filter,
)
