# SPDX-License-Identifier: Apache-2.0
"""Arrays of every kind and shape: the right result without a copy, or an error that names the
parameter."""

from __future__ import annotations

import array
import ctypes
import functools
import re

import ml_dtypes
import numpy as np
import pytest
import tirxcc
from hypothesis import given, settings
from hypothesis import strategies as st

TYPES = {
    "bool": np.bool_,
    "int8": np.int8,
    "int16": np.int16,
    "int32": np.int32,
    "int64": np.int64,
    "uint8": np.uint8,
    "uint16": np.uint16,
    "uint32": np.uint32,
    "uint64": np.uint64,
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float32": np.float32,
    "float64": np.float64,
}


@functools.cache
def copy_kernel(dtype: str, rank: int) -> tirxcc.Executable:
    """B[...] = A[...], with free sizes and any strides."""
    sizes = [f"n{i}" for i in range(rank)]
    shape = "(" + "".join(f"{s}, " for s in sizes) + ")"
    strides = [f"s{i}" for i in range(rank)]
    lines = ["from tirxcc.script import tirx as T"]
    lines += [f'{name} = T.dynamic("{name}")' for name in sizes]
    lines += [f'{name} = T.dynamic("{name}", "int64")' for name in strides]
    given_strides = f", strides=({', '.join(strides)},)" if rank else ""
    lines += [
        "@T.prim_func",
        f'def copy(A: T.Buffer({shape}, "{dtype}"{given_strides}),'
        f' B: T.Buffer({shape}, "{dtype}")):',
    ]
    for depth, size in enumerate(sizes):
        lines.append("    " * (depth + 1) + f"for i{depth} in range({size}):")
    index = ", ".join(f"i{i}" for i in range(rank)) or "()"
    lines.append("    " * (rank + 1) + f"B[{index}] = A[{index}]")
    return tirxcc.compile(tirxcc.function_from_source("\n".join(lines) + "\n"), opt_level=0)


def values(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    count = int(np.prod(shape))
    return (np.arange(count) % 7 + 1).astype(TYPES[dtype]).reshape(shape)


@pytest.mark.parametrize("dtype", TYPES)
def test_element_types(dtype: str) -> None:
    a = values(dtype, (5,))
    b = np.zeros_like(a)
    copy_kernel(dtype, 1)(a, b)
    assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("wanted", TYPES)
@pytest.mark.parametrize("given_type", TYPES)
def test_other_element_types_are_refused(wanted: str, given_type: str) -> None:
    if wanted == given_type:
        return
    a, b = values(given_type, (3,)), values(wanted, (3,))
    with pytest.raises(TypeError, match=rf"A.*{wanted}.*{given_type}"):
        copy_kernel(wanted, 1)(a, b)


@pytest.mark.parametrize("dtype", ["complex64", "S4", "U2", "datetime64[s]", "O", "longdouble"])
def test_types_that_the_language_lacks(dtype: str) -> None:
    with pytest.raises(TypeError, match="'A'"):
        copy_kernel("float32", 1)(np.zeros(3, dtype), np.zeros(3, np.float32))


class OnlyDLPack:
    """An array of some other library, which only speaks DLPack."""

    def __init__(self, data: np.ndarray, versions: bool) -> None:
        self.data = data
        self.versions = versions

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.data.__dlpack_device__()

    def __dlpack__(self, **keywords: object) -> object:
        if not self.versions and keywords:
            raise TypeError("__dlpack__() got an unexpected keyword argument")
        return self.data.__dlpack__(**keywords)


class OnlyArrayInterface:
    def __init__(self, data: np.ndarray) -> None:
        self.data = data
        self.__array_interface__ = data.__array_interface__


@pytest.mark.parametrize("versions", [False, True])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "float64"])
def test_dlpack(dtype: str, versions: bool) -> None:
    a, b = values(dtype, (4,)), values(dtype, (4,)) * 0
    if dtype == "bool":
        b = np.zeros(4, np.bool_)
    copy_kernel(dtype, 1)(OnlyDLPack(a[::-1], versions), OnlyDLPack(b, versions))
    np.testing.assert_array_equal(b, a[::-1])


def test_dlpack_of_a_read_only_array() -> None:
    a = values("float32", (4,))
    b = a.copy()
    b.flags.writeable = False
    with pytest.raises(ValueError, match="B is read-only"):
        copy_kernel("float32", 1)(a, OnlyDLPack(b, True))


def test_dlpack_memory_is_given_back() -> None:
    import sys

    a, b = values("float32", (4,)), values("float32", (4,))
    before = sys.getrefcount(a)
    for _ in range(10):
        copy_kernel("float32", 1)(OnlyDLPack(a, True), OnlyDLPack(b, False))
    assert sys.getrefcount(a) == before


def test_array_interface() -> None:
    a, b = values("int32", (6,)), np.zeros(6, np.int32)
    copy_kernel("int32", 1)(OnlyArrayInterface(a), OnlyArrayInterface(b))
    np.testing.assert_array_equal(b, a)


def test_buffer_protocol() -> None:
    a = array.array("f", [1, 2, 3])
    b = bytearray(12)
    copy_kernel("float32", 1)(a, memoryview(b).cast("f"))
    assert np.frombuffer(b, np.float32).tolist() == [1, 2, 3]
    c = bytearray(3)
    copy_kernel("uint8", 1)(b"xyz", c)
    assert c == b"xyz"
    with pytest.raises(ValueError, match="B is read-only"):
        copy_kernel("uint8", 1)(c, b"xyz")


def test_byte_order() -> None:
    a = values("float32", (3,)).astype(">f4")
    with pytest.raises(TypeError, match=r"'A'.*byte order"):
        copy_kernel("float32", 1)(a, np.zeros(3, np.float32))


def test_strides_that_are_no_multiple_of_the_element() -> None:
    records = np.zeros(4, np.dtype([("x", "f4"), ("y", "i1")]))
    with pytest.raises(ValueError, match=r"'A'.*stride"):
        copy_kernel("float32", 1)(records["x"], np.zeros(4, np.float32))


def test_contiguous_parameter_refuses_strides_by_name() -> None:
    a = values("float32", (8,))[::2]
    with pytest.raises(ValueError, match="B"):
        copy_kernel("float32", 1)(a.copy(), a)


@pytest.mark.parametrize("value", ["text", object(), [1, 2], 3, 2.5, True, None, {}])
def test_not_an_array(value: object) -> None:
    with pytest.raises(TypeError, match="A") as caught:
        copy_kernel("float32", 1)(value, np.zeros(3, np.float32))
    assert ("np.array(" in str(caught.value)) == isinstance(value, list)


Call = tuple[str, int, np.ndarray, np.ndarray]


@st.composite
def views(draw: st.DrawFn, memory: np.ndarray | None = None) -> np.ndarray:
    """An array of any type, rank and strides, also negative, zero, transposed and empty, in either
    byte order; of `memory` (bytes), if given."""
    dtype = np.dtype(TYPES[draw(st.sampled_from(sorted(TYPES)))])
    rank = draw(st.integers(0, 8))
    largest = 5 if rank < 4 else 2
    shape = tuple(draw(st.lists(st.integers(0, largest), min_size=rank, max_size=rank)))
    count = int(np.prod(shape))
    if memory is None:
        a = (np.arange(count) % 7 + 1).astype(dtype)
    else:
        # At a multiple of the element's size, mostly.
        first = draw(st.integers(0, 16)) * dtype.itemsize + draw(st.sampled_from([0] * 9 + [1]))
        a = np.frombuffer(memory, np.uint8, count * dtype.itemsize, first).view(dtype)
    a = a.reshape(shape)
    if draw(st.integers(0, 9)) == 0 and dtype.kind != "V":
        a = a.view(dtype.newbyteorder()) if memory is not None else a.astype(dtype.newbyteorder())
    if draw(st.booleans()):
        return a
    for axis in range(rank):
        step = draw(st.sampled_from([1, 1, 1, 2, -1, -2]))
        a = a[(slice(None),) * axis + (slice(None, None, step),)]
    a = a.transpose(draw(st.permutations(range(rank))))
    if rank and a.shape[0] and draw(st.integers(0, 3)) == 0:
        a = np.broadcast_to(a[:1], (3, *a.shape[1:]))
    return a


@st.composite
def calls(draw: st.DrawFn) -> Call:
    """A copy kernel's type and rank, and two arrays that mostly fit it and may share memory."""
    shares = draw(st.booleans())
    memory = np.arange(4096, dtype=np.uint8) % 2 if shares else None
    a = draw(views(memory))
    if draw(st.integers(0, 9)) == 0:
        b = draw(views(memory))
    elif shares:
        first = draw(st.integers(0, 64)) * a.dtype.itemsize
        b = np.frombuffer(memory, np.uint8, a.size * a.dtype.itemsize, first).view(a.dtype)
        b = b.reshape(a.shape)
    else:
        b = np.zeros(a.shape, a.dtype.newbyteorder("=") if a.dtype.kind != "V" else a.dtype)
    if draw(st.integers(0, 9)) == 0:
        b = b.view()
        b.flags.writeable = False
    name = next(name for name, kind in TYPES.items() if a.dtype.newbyteorder("=") == kind)
    rank = a.ndim
    if draw(st.integers(0, 9)) == 0:
        name = draw(st.sampled_from(sorted(TYPES)))
        rank = draw(st.integers(0, 8))
    return name, rank, a, b


def fits(a: np.ndarray, name: str, rank: int) -> bool:
    """Whether a parameter of that type and rank takes the array."""
    size = a.itemsize
    is_regular = all(s % size == 0 for s, n in zip(a.strides, a.shape, strict=True) if n > 1)
    is_aligned = a.size == 0 or a.ctypes.data % size == 0
    return a.dtype == TYPES[name] and a.ndim == rank and is_regular and is_aligned


def is_row_major(a: np.ndarray) -> bool:
    return a.flags.c_contiguous or a.size == 0


@settings(max_examples=500, deadline=None)
@given(calls())
def test_any_call(call: Call) -> None:
    """The right result, or an error that names the parameter."""
    name, rank, a, b = call
    is_right = fits(a, name, rank) and fits(b, name, rank) and a.shape == b.shape
    is_right = is_right and b.flags.writeable and is_row_major(b)
    wanted = b.copy()
    if is_right:
        wanted = expected_copy(a, b)
    try:
        copy_kernel(name, rank)(a, b)
    except (TypeError, ValueError) as error:
        assert isinstance(error, tirxcc.Error)
        assert re.search(r"\b[AB]\b", str(error)), error
        assert not is_right, error
    else:
        assert is_right
    assert b.tobytes() == wanted.tobytes()


def expected_copy(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """What b holds after an elementwise copy in order, without touching it."""
    if not np.may_share_memory(a, b):
        return np.ascontiguousarray(a)
    low = min(np.lib.array_utils.byte_bounds(x)[0] for x in (a, b))
    high = max(np.lib.array_utils.byte_bounds(x)[1] for x in (a, b))
    copy = np.frombuffer(ctypes.string_at(low, high - low), np.uint8).copy()

    def moved(x: np.ndarray) -> np.ndarray:
        return np.ndarray(x.shape, x.dtype, copy, x.ctypes.data - low, x.strides)

    source, target = moved(a), moved(b)
    for index in np.ndindex(a.shape):
        target[index] = source[index]
    return target.copy()


def test_arrays_of_the_standard_library() -> None:
    flat = (ctypes.c_float * 3)(4, 5, 6)
    out = np.zeros(3, np.float32)
    for source in (flat, array.array("f", [4, 5, 6]), memoryview(flat)):
        out[:] = 0
        copy_kernel("float32", 1)(source, out)
        assert out.tolist() == [4, 5, 6]
    # ctypes gives no strides.
    square = ((ctypes.c_float * 3) * 2)((1, 2, 3), (4, 5, 6))
    out = np.zeros((2, 3), np.float32)
    copy_kernel("float32", 2)(square, out)
    assert out.tolist() == [[1, 2, 3], [4, 5, 6]]


ADD_SCALAR = """
from tirxcc.script import tirx as T

@T.prim_func
def add_scalar(A: T.Buffer((4,), "float32"), s: T.float32):
    for i in range(4):
        A[i] = A[i] + s
"""


def test_arrays_of_one_element_are_numbers() -> None:
    exe = tirxcc.compile(tirxcc.function_from_source(ADD_SCALAR), target="cpu")
    a = np.zeros(4, np.float32)
    for number in (np.array(2.0, np.float32), np.full(1, 2.0), np.array(2), np.float64(2)):
        a[:] = 0
        exe(a, number)
        assert a.tolist() == [2.0] * 4


class Torchlike:
    """Has what torch's tensors have, and their refusal to be an index."""

    dtype = "float32"

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape

    def item(self) -> float:
        return 2.0

    def __index__(self) -> int:
        raise TypeError("only integer tensors of a single element can be converted to an index")


@pytest.mark.parametrize(
    ("position", "given", "said"),
    [
        (1, np.ones(2, np.float32), "got an array of float32 with shape (2,)"),
        (1, Torchlike((3, 4)), "got an array of float32 with shape (3, 4)"),
        (1, [2.0], "got a Python list of 1 element"),
        (1, "2", "got the string '2'"),
        (0, [1.0] * 4, "got a Python list of 4 elements; make it an array before, "
         "A = np.array(..., dtype=np.float32)"),
        (0, range(4), "got a Python range of 4 elements; make it an array before"),
        (0, {}, "got a Python dict of 0 elements; when"),
        (0, "A", "got the string 'A'"),
        (0, np.zeros(4, np.complex64), "no element type of the language is like 'complex64'"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_told_with_the_signature(
    position: int, given: object, said: str
) -> None:
    exe = tirxcc.compile(tirxcc.function_from_source(ADD_SCALAR), target="cpu")
    arguments = [np.zeros(4, np.float32), 1.0]
    arguments[position] = given
    with pytest.raises(TypeError) as caught:
        exe(*arguments)
    text = str(caught.value)
    expected = ("#1 'A': expected an array of float32", "#2 's': expected a number of type float32")
    assert text.startswith(f"argument {expected[position][:6]}"), text
    assert said in text
    assert "no element type" in text or expected[position] in text
    assert text.endswith("when calling add_scalar(A: Tensor([4], float32), s: float32)")


def test_a_tensor_of_one_element_is_a_number() -> None:
    exe = tirxcc.compile(tirxcc.function_from_source(ADD_SCALAR), target="cpu")
    a = np.zeros(4, np.float32)
    exe(a, Torchlike(()))
    assert a.tolist() == [2.0] * 4
