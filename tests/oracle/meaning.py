# SPDX-License-Identifier: Apache-2.0
"""What kernel language means, in Python: typed scalars and their operators.

A kernel body is Python text. `interpret` lets CPython execute it over `Val`: scalars with a type
of the language, whose operators follow the promotion rules, wrap at their own width and round
once. Floats are Python floats that happen to be values of their type. Written from the language's
rules, not from the compiler. SEEN collects which operator ran on which type. Arrays and functions
are in `names_of_t`.
"""

from __future__ import annotations

import ctypes
import functools
import math
from collections.abc import Callable

import ml_dtypes
import numpy as np

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = SIGNED + UNSIGNED
HALVES = ("float16", "bfloat16")
FLOATS = (*HALVES, "float32", "float64")
TYPES = ("bool", *INTEGERS, *FLOATS)
BITS = {t: int(t.lstrip("uint")) for t in INTEGERS}
WIDTH = BITS | {"bool": 8, "float16": 16, "bfloat16": 16, "float32": 32, "float64": 64}
SEEN: set[tuple[str, str]] = set()

np.seterr(all="ignore")


def numpy_type(dtype: str) -> np.dtype:
    return np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)


# Rounding and conversion


def round_to_bfloat16(x: float) -> float:
    """Nearest, ties to even: 8 bits of precision, float32's exponents."""
    if x == 0.0 or math.isinf(x) or math.isnan(x):
        return x
    unit = max(math.frexp(x)[1] - 8, -133)
    rounded = math.copysign(math.ldexp(round(math.ldexp(x, -unit)), unit), x)
    return math.copysign(math.inf, x) if abs(rounded) >= 2.0**128 else rounded


ROUND: dict[str, Callable[[float], float]] = {
    "float64": float,
    "float32": lambda x: ctypes.c_float(x).value,
    "float16": lambda x: float(np.float16(x)),
    "bfloat16": round_to_bfloat16,
}


def to_odd(numerator: int, exponent: int = 0) -> float:
    """numerator * 2^exponent to 50 bits; inexact ones end in a 1, so rounding again is harmless."""
    size = abs(numerator)
    shift = size.bit_length() - 50
    if shift > 0:
        lost = size & ((1 << shift) - 1)
        size = (size >> shift) | bool(lost)
        exponent += shift
    value = math.ldexp(size, exponent)
    return -value if numerator < 0 else value


RANGE = {t: (-(1 << (b - 1)), (1 << (b - 1)) - 1) for t, b in BITS.items() if t[0] == "i"}
RANGE |= {t: (0, (1 << b) - 1) for t, b in BITS.items() if t[0] == "u"}


def wrap(value: int, dtype: str) -> int:
    """`value` modulo 2^width, in the range of `dtype`."""
    low, high = RANGE[dtype]
    if low <= value <= high:
        return value
    bits = BITS[dtype]
    value &= (1 << bits) - 1
    return value - (1 << bits) if dtype[0] == "i" and value >> (bits - 1) else value


def fits(value: int, dtype: str) -> bool:
    low, high = RANGE[dtype]
    return low <= value <= high


def convert(value, source: str, dtype: str):
    """The C cast of a scalar; float to integer saturates and turns NaN into 0."""
    if source == dtype:
        return value
    if dtype == "bool":
        return value != 0
    if dtype in FLOATS:
        if source in FLOATS or source == "bool":
            return ROUND[dtype](float(value))
        return float(value) if dtype == "float64" else ROUND[dtype](to_odd(value))
    if source not in FLOATS:
        return wrap(int(value), dtype)
    if math.isnan(value):
        return 0
    low = -(1 << (BITS[dtype] - 1)) if dtype[0] == "i" else 0
    high = (1 << (BITS[dtype] - (dtype[0] == "i"))) - 1
    return low if value <= low else high if value >= high else int(value)


# Promotion


def _promoted(a: str, b: str) -> str:
    if a == b or b == "bool":
        return a
    if a == "bool":
        return b
    if a in FLOATS and b in FLOATS:
        return "float16" if a in HALVES and b in HALVES else max(a, b, key=WIDTH.get)
    if a in FLOATS or b in FLOATS:
        return a if a in FLOATS else b
    if BITS[a] != BITS[b]:
        return max(a, b, key=BITS.get)
    return a if a in UNSIGNED else b


PROMOTED = {(a, b): _promoted(a, b) for a in TYPES for b in TYPES}


def literal_type(value: int) -> str:
    return next(t for t in ("int32", "int64", "uint64") if fits(value, t))


def operand_type(literal, other: str) -> str:
    """The type of a Python number as the operand of a value of type `other`."""
    if isinstance(literal, bool):
        return "bool"
    if isinstance(literal, float):
        return "float64" if other == "float64" else "float32"
    if other in FLOATS:
        return other
    if other in BITS and BITS[other] >= 32 and fits(literal, other):
        return other
    return literal_type(literal)


def typed(literal, other: str) -> Val:
    if type(literal) is int:
        return typed_integer(literal, other)
    return typed_anew(literal, other)


def typed_anew(literal, other: str) -> Val:
    dtype = operand_type(literal, other)
    if dtype not in FLOATS:
        return Val(dtype, literal)
    exact = to_odd(literal) if isinstance(literal, int) and dtype != "float64" else literal
    return Val(dtype, ROUND[dtype](exact))


# Not of floats: 0.0 and -0.0 are the same key.
typed_integer = functools.lru_cache(maxsize=10_000)(typed_anew)


# Scalars


class Val:
    """One scalar of the kernel language."""

    __slots__ = ("dtype", "value")
    __hash__ = None

    def __init__(self, dtype: str, value) -> None:
        self.dtype, self.value = dtype, value

    def __repr__(self) -> str:
        return f"{self.dtype}({self.value})"

    def to(self, dtype: str) -> Val:
        if self.dtype == dtype:
            return self
        return Val(dtype, convert(self.value, self.dtype, dtype))

    def __bool__(self) -> bool:
        return bool(self.value != 0)

    def __index__(self) -> int:
        return int(self.value)

    def __neg__(self) -> Val:
        SEEN.add(("negate", self.dtype))
        if self.dtype in FLOATS:
            return Val(self.dtype, -self.value)
        dtype = "int32" if self.dtype == "bool" else self.dtype
        return Val(dtype, wrap(-self.value, dtype))

    def __invert__(self) -> Val:
        SEEN.add(("~", self.dtype))
        if self.dtype == "bool":
            return Val("bool", not self.value)
        return Val(self.dtype, wrap(~self.value, self.dtype))


def pair(a, b) -> tuple[Val, Val, str]:
    """Two operands in their common type."""
    if type(a) is not Val:
        a = typed(a, b.dtype)
    elif type(b) is not Val:
        b = typed(b, a.dtype)
    dtype = a.dtype
    if dtype == b.dtype:
        return a, b, dtype
    dtype = PROMOTED[dtype, b.dtype]
    return a.to(dtype), b.to(dtype), dtype


def float_division(a: float, b: float) -> float:
    if b == 0.0:
        if a == 0.0 or math.isnan(a):
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1.0, b)
    return a / b


def float_remainder(a: float, b: float) -> float:
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0.0:
        return math.nan
    return math.fmod(a, b)


def floor(x: float) -> float:
    return math.copysign(math.floor(x), x) if math.isfinite(x) else x


def floor_division(a, b, dtype: str):
    if dtype in FLOATS:
        return floor(ROUND[dtype](float_division(a, b)))
    return a // b if b else 0


def floor_modulo(a, b, dtype: str):
    if dtype not in FLOATS:
        return a % b if b else a
    rest = float_remainder(a, b)
    if rest == 0.0:
        return math.copysign(rest, b)
    return rest + b if (rest < 0.0) != (b < 0.0) else rest


OPERATIONS: dict[str, tuple[str, Callable]] = {
    "+": ("add", lambda a, b, _: a + b),
    "-": ("sub", lambda a, b, _: a - b),
    "*": ("mul", lambda a, b, _: a * b),
    "/": ("truediv", lambda a, b, _: float_division(a, b)),
    "//": ("floordiv", floor_division),
    "%": ("mod", floor_modulo),
    "&": ("and", lambda a, b, _: a & b),
    "|": ("or", lambda a, b, _: a | b),
    "^": ("xor", lambda a, b, _: a ^ b),
}
COMPARISONS: dict[str, tuple[str, Callable]] = {
    "<": ("lt", lambda a, b: a < b),
    "<=": ("le", lambda a, b: a <= b),
    ">": ("gt", lambda a, b: a > b),
    ">=": ("ge", lambda a, b: a >= b),
    "==": ("eq", lambda a, b: a == b),
    "!=": ("ne", lambda a, b: a != b),
}


def compute(symbol: str, function: Callable, operands: tuple[Val, Val, str]) -> Val:
    a, b, dtype = operands
    SEEN.add((symbol, dtype))
    result = function(a.value, b.value, dtype)
    if dtype == "bool":
        return Val(dtype, bool(result))
    return Val(dtype, ROUND[dtype](result) if dtype in FLOATS else wrap(result, dtype))


def define_operators() -> None:
    for symbol, (name, function) in OPERATIONS.items():

        def forward(self, other, symbol=symbol, function=function) -> Val:
            return compute(symbol, function, pair(self, other))

        def backward(self, other, symbol=symbol, function=function) -> Val:
            return compute(symbol, function, pair(other, self))

        setattr(Val, f"__{name}__", forward)
        setattr(Val, f"__r{name}__", backward)
    for symbol, (name, function) in COMPARISONS.items():

        def compare(self, other, symbol=symbol, function=function) -> Val:
            a, b, dtype = pair(self, other)
            SEEN.add((symbol, dtype))
            return Val("bool", function(a.value, b.value))

        setattr(Val, f"__{name}__", compare)


def shifted(left, amount, symbol: str) -> Val:
    left = left if isinstance(left, Val) else Val(literal_type(left), left)
    SEEN.add((symbol, left.dtype))
    # A negative amount counts as a huge one.
    places = int(amount) if 0 <= int(amount) <= 64 else 64
    value = left.value << places if symbol == "<<" else left.value >> places
    return Val(left.dtype, wrap(value, left.dtype))


define_operators()
Val.__lshift__ = lambda self, amount: shifted(self, amount, "<<")
Val.__rshift__ = lambda self, amount: shifted(self, amount, ">>")
Val.__rlshift__ = lambda self, left: shifted(left, self, "<<")
Val.__rrshift__ = lambda self, left: shifted(left, self, ">>")


# Stores


def stored(dtype: str, value) -> Val:
    """A value or literal as a mutable scalar or element of `dtype` keeps it."""
    if type(value) is not Val:
        value = typed_exactly(dtype, value)
    return value if value.dtype == dtype else value.to(dtype)


def typed_exactly(dtype: str, literal) -> Val:
    """A literal is exact until it meets a type; "inf", "-inf" and "nan" are literals too."""
    if isinstance(literal, str):
        return Val(dtype, float(literal))
    if dtype in FLOATS and not isinstance(literal, bool):
        exact = to_odd(literal) if isinstance(literal, int) and dtype != "float64" else literal
        return Val(dtype, ROUND[dtype](float(exact)))
    return typed(literal, dtype)
