# SPDX-License-Identifier: Apache-2.0
"""What a kernel sees of the Python around it."""

from __future__ import annotations

import math
import runpy
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import tirxcc
from tirxcc.script import tirx as T

GLOBAL = 5
TABLE = [1, 2, (3, 4)]
NAMED = {"scale": 2.5, "count": 3}


def run(function: tirxcc.Function, *inputs: object) -> object:
    return tirxcc.compile(function, target="cpu", opt_level=0)(*inputs)


def returns(value: object) -> object:
    """What a kernel makes of a captured number."""

    @T.function
    def kernel() -> T.float64:
        return value * 1.0

    return run(kernel)


@pytest.mark.parametrize(
    "value",
    [
        *(7, -3, 2**40, 2.5, True, np.int8(-4), np.uint64(2**40), np.float32(0.5)),
        *(np.float64(0.1), np.bool_(True), ml_dtypes.bfloat16(1.5), np.float16(0.25)),
    ],
    ids=repr,
)
def test_numbers(value: object) -> None:
    assert returns(value) == float(value)


def test_containers_and_globals() -> None:
    @T.function
    def kernel() -> T.int32:
        return GLOBAL * 100 + TABLE[2][1] * 10 + NAMED["count"] + len(TABLE)

    assert run(kernel) == 546


def test_a_list_is_expanded() -> None:
    weights = [0.25, 0.5, 0.25]

    @T.function
    def kernel(A: T.Tensor((3,), T.float32)) -> T.float32:
        total = T.float32(0)
        for k in T.unroll(len(weights)):
            total += A[k] * weights[k]
        return total

    assert run(kernel, np.array([4, 8, 16], np.float32)) == 9


def test_a_numpy_array_is_a_table_of_constants() -> None:
    table = np.array([[1, 2], [3, 4]])

    @T.function
    def kernel() -> T.int32:
        return table[1][0] * 10 + len(table)

    assert run(kernel) == 32


@pytest.mark.parametrize(
    "dtype",
    [T.float32, "float32", np.float32, np.dtype("float32")],
    ids=["T", "string", "numpy", "dtype"],
)
def test_types(dtype: object) -> None:
    @T.function
    def kernel(A: T.Tensor((2,), dtype), x: dtype) -> dtype:
        return A[0] + T.cast(x, dtype)

    assert run(kernel, np.array([1, 2], np.float32), 0.5) == 1.5


def test_bfloat16_of_ml_dtypes() -> None:
    dtype = ml_dtypes.bfloat16

    @T.function
    def kernel(A: T.Tensor((2,), dtype)):
        A[0] = A[1]

    a = np.array([1, 2], ml_dtypes.bfloat16)
    run(kernel, a)
    assert a.tolist() == [2, 2]


def test_none_keeps_one_side() -> None:
    bias = None

    @T.function
    def kernel(x: T.int32) -> T.int32:
        if bias is None:
            return x
        else:
            return x + bias[0]

    assert run(kernel, 4) == 4


def test_a_captured_value_is_that_of_the_definition() -> None:
    factor = 2

    @T.function
    def kernel(x: T.int32) -> T.int32:
        return x * factor

    factor = 3
    assert run(kernel, 4) == 8
    assert tirxcc.compile(kernel, target="cpu", plain_scalars=True)(4) == 8


def test_math_and_builtins() -> None:
    root = math.sqrt

    @T.function
    def kernel() -> T.float64:
        return root(16.0) + math.pi + max(1, 2) + len("abc")

    assert run(kernel) == 4 + math.pi + 2 + 3


def test_python_helper_with_constants() -> None:
    def tile(size: int, parts: int = 4) -> int:
        return size // parts

    @T.function
    def kernel() -> T.int32:
        return tile(64) + tile(9, 3)

    assert run(kernel) == 19


def test_attributes_of_host_objects() -> None:
    class Config:
        width = 8

        def half(self) -> int:
            return self.width // 2

    config = Config()

    @T.function
    def kernel() -> T.int32:
        return config.width * 10 + config.half() + int(np.int32 == np.int32)

    assert run(kernel) == 85


def test_failing_helper_is_reported_at_the_call() -> None:
    def broken() -> int:
        raise ValueError("no such tile")

    with pytest.raises(tirxcc.Error, match=r"ValueError: no such tile") as caught:

        @T.function
        def kernel() -> T.int32:
            return broken()

    assert caught.value.diagnostics[0].line > 0
    assert "[host-code-failed]" in str(caught.value)


def test_helper_called_with_a_kernel_value() -> None:
    def double(x: int) -> int:
        return x * 2

    with pytest.raises(TypeError, match="double") as caught:

        @T.function
        def kernel(x: T.int32) -> T.int32:
            return double(x)

    assert "[kernel-value-to-host]" in str(caught.value)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (T.dynamic("n") + 1, r"\(n \+ 1\), made outside of the kernel; write it inside"),
        (2**200, "an integer of more than 128 bits"),
        ([1, [2**200]], "an integer of more than 128 bits"),
    ],
    ids=["expression", "large", "nested"],
)
def test_values_that_kernels_cannot_use(value: object, reason: str) -> None:
    with pytest.raises(NameError, match=rf"'value' is {reason}") as caught:

        @T.function
        def kernel() -> T.int32:
            return value

    assert "[unusable-name]" in str(caught.value)


def test_endless_container() -> None:
    endless: list = []
    endless.append(endless)
    with pytest.raises(NameError, match="nested too deeply"):

        @T.function
        def kernel() -> T.int32:
            return endless[0]


def test_same_symbol_in_two_shapes() -> None:
    m = T.dynamic("m")
    other = T.dynamic("m")

    @T.function
    def same(A: T.Tensor((m,), T.float32), B: T.Tensor((m,), T.float32)):
        B[0] = A[0]

    @T.function
    def different(A: T.Tensor((m,), T.float32), B: T.Tensor((other,), T.float32)):
        B[0] = A[0]

    short, long = np.zeros(2, np.float32), np.zeros(3, np.float32)
    with pytest.raises(ValueError, match="B"):
        run(same, short, long)
    run(different, short, long)


def test_unknown_name() -> None:
    with pytest.raises(NameError, match=r"'factr'[\s\S]*did you mean 'factor'") as caught:
        factor = 2

        @T.function
        def kernel(x: T.int32) -> T.int32:
            return x * factor * factr  # noqa: F821

    assert isinstance(caught.value, tirxcc.Error)


DEFINED_BELOW = """
from tirxcc.script import tirx as T

@T.function
def kernel(x: T.int32) -> T.int32:
    return {name}(x)

def other(x):
    hidden = 2
    return hidden * x

if True:
    @T.inline
    def doubled(x):
        return x * 2
"""


def test_names_that_are_defined_below(tmp_path: Path) -> None:
    file = tmp_path / "below.py"
    file.write_text(DEFINED_BELOW.format(name="doubled"))
    with pytest.raises(NameError, match="'doubled' is defined further down, in line 14; move it"):
        runpy.run_path(str(file))
    # A local name of another function is not meant.
    file.write_text(DEFINED_BELOW.format(name="hidden"))
    with pytest.raises(NameError, match="name 'hidden' is not defined"):
        runpy.run_path(str(file))


def test_local_names_that_are_defined_below() -> None:
    with pytest.raises(NameError, match="'factor' is defined further down"):

        @T.function
        def scaled(x: T.int32) -> T.int32:
            return x * factor

    factor = 2
    assert factor == 2


@pytest.mark.parametrize(("name", "kind"), [(3, TypeError), ("1x", ValueError), ("if", ValueError)])
def test_bad_symbols(name: object, kind: type) -> None:
    with pytest.raises(kind):
        T.dynamic(name)


def test_symbol_types() -> None:
    assert T.dynamic("n", "int64").dtype == T.dynamic("n", T.int64).dtype == "int64"
    with pytest.raises(TypeError, match="int32 or int64"):
        T.dynamic("n", "float32")


def test_names_of_the_language_are_harmless() -> None:
    assert repr(T.cuda.thread_idx) == "T.cuda.thread_idx"
    annotation = T.Tensor((T.dynamic("n") * 2 + 1,), T.float32) | None
    assert "T.Tensor" in repr(annotation)
    with pytest.raises(AttributeError, match="thread_idz"):
        T.cuda.thread_idz  # noqa: B018
    with pytest.raises(TypeError, match="truth value"):
        bool(T.dynamic("n") > 3)


def test_numpy_function_called_with_a_kernel_value() -> None:
    with pytest.raises(TypeError, match=r"write 'T\.sqrt'"):

        @T.function
        def kernel(x: T.float32) -> T.float32:
            return np.sqrt(x)
