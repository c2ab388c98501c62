# SPDX-License-Identifier: Apache-2.0
"""What kernel language means, in Python: typed scalars, arrays, and the names of T.

A kernel body is Python text. `run_thread` lets CPython execute it over `Val`: scalars with a type
of the language, whose operators follow the promotion rules, wrap at their own width and round
once. Floats are Python floats that happen to be values of their type. Written from the language's
rules, not from the compiler. SEEN collects which operator ran on which type.
"""

from __future__ import annotations

import ctypes
import functools
import math
import types
from collections.abc import Callable, Iterator

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


# Memory


class Array:
    """A tensor or local array: what is read is a `Val`; what is stored takes the element type."""

    # Set while the side of a choice that is not taken is looked at for its type only.
    only_types = False

    def __init__(self, dtype: str, shape: tuple[int, ...], items: list | None = None) -> None:
        self.dtype, self.shape = dtype, shape
        self.items = [None] * math.prod(shape) if items is None else items

    def position(self, index) -> int:
        if type(index) is not tuple:
            index = (index,)
        place = 0
        for i, extent in zip(index, self.shape, strict=True):
            at = i.value if type(i) is Val else i
            if not 0 <= at < extent:
                raise IndexError(f"{at} of {extent}")
            place = place * extent + at
        return place

    def __getitem__(self, index) -> Val:
        if Array.only_types:
            return Val(self.dtype, 0.0 if self.dtype in FLOATS else 0)
        value = self.items[self.position(index)]
        if value is None:
            raise LookupError("a read before any write")
        return Val(self.dtype, value)

    def __setitem__(self, index, value) -> None:
        self.items[self.position(index)] = stored(self.dtype, value).value


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


# The names of T


class ThreadReturn(Exception):
    """The thread leaves the kernel."""


def thread_return() -> None:
    raise ThreadReturn


def loop(*bounds) -> Iterator[Val]:
    """range, T.serial, T.vectorized: the variable has the bounds' common type."""
    dtype = "int32"
    known = [b.dtype for b in bounds[:2] if isinstance(b, Val)]
    if known:
        dtype = known[0]
        for b in bounds[:2]:
            dtype = PROMOTED[dtype, b.dtype if isinstance(b, Val) else operand_type(b, dtype)]
    if len(bounds) == 3 and int(bounds[2]) == 0:
        return
    for index in range(*map(int, bounds)):
        yield Val(dtype, index)


def choose(condition: Callable, yes: Callable, no: Callable) -> Val:
    """A lazy choice: one side is evaluated, both have a say in the type."""
    taken, other = (yes, no) if bool(condition()) else (no, yes)
    value = taken()
    outer, Array.only_types = Array.only_types, True
    try:
        rival = other()
    finally:
        Array.only_types = outer
    if not isinstance(value, Val) and not isinstance(rival, Val):
        value, rival = typed(value, "int32"), typed(rival, "int32")
    return pair(value, rival)[0]


def truth(value) -> Val:
    return Val("bool", bool(value))


def extreme(sign: int, keeps_nan: bool) -> Callable:
    """min (-1) or max (1). Of zeros, -0.0 is the lesser."""

    def compute(a, b) -> Val:
        a, b, dtype = pair(a, b)
        SEEN.add(("max" if sign > 0 else "min", dtype))
        for x, y in ((a, b), (b, a)):
            if x.value != x.value:
                return x if keeps_nan else y
        if a.value == b.value == 0 and dtype in FLOATS:
            return a if math.copysign(1.0, a.value) == sign else b
        return a if (a.value > b.value) == (sign > 0) else b

    return compute


def absolute(a: Val) -> Val:
    SEEN.add(("abs", a.dtype))
    return Val(a.dtype, abs(a.value) if a.dtype in FLOATS else wrap(abs(a.value), a.dtype))


def float_function(name: str, function: Callable) -> Callable:
    """A function of floats; the result is rounded to the operands' type."""

    def compute(*operands) -> Val:
        a = operands[0]
        dtype = a.dtype
        for other in operands[1:]:
            dtype = PROMOTED[dtype, other.dtype]
        SEEN.add((name, dtype))
        values = [x.to(dtype).value for x in operands]
        return Val(dtype, ROUND[dtype](function(*values)))

    return compute


def whole(function: Callable) -> Callable:
    return lambda x: math.copysign(function(x), x) if math.isfinite(x) else x


def root(x: float) -> float:
    return math.sqrt(x) if x >= 0.0 else x if x == 0.0 else math.nan


def fused(a: float, b: float, c: float) -> float:
    """a * b + c to 50 bits, rounded to odd; not for float64."""
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c
    (an, ad), (bn, bd), (cn, cd) = (x.as_integer_ratio() for x in (a, b, c))
    numerator, denominator = an * bn * cd + cn * ad * bd, ad * bd * cd
    if numerator == 0:
        return a * b + c
    return to_odd(numerator, 1 - denominator.bit_length())


def classify(name: str, function: Callable) -> Callable:
    def compute(a: Val) -> Val:
        SEEN.add((name, a.dtype))
        return Val("bool", function(a.value))

    return compute


def scaled(a: Val, power: Val) -> Val:
    SEEN.add(("ldexp", a.dtype))
    try:
        value = math.ldexp(a.value, int(power))
    except OverflowError:
        value = math.copysign(math.inf, a.value)
    return Val(a.dtype, ROUND[a.dtype](value))


def counted_bits(name: str, function: Callable) -> Callable:
    """popcount and clz: of the operand's own bits."""

    def compute(a: Val) -> Val:
        SEEN.add((name, a.dtype))
        width = BITS[a.dtype]
        return Val("int32", function(a.value & ((1 << width) - 1), width))

    return compute


def reinterpreted(a: Val, dtype: str) -> Val:
    SEEN.add(("reinterpret", a.dtype))
    bits = np.array([a.value], numpy_type(a.dtype)).view(numpy_type(dtype))[0]
    return Val(dtype, float(bits) if dtype in FLOATS else int(bits))


def cast_to(dtype: str) -> Callable:
    return lambda x: stored(dtype, x)


def language(dialect: str) -> types.SimpleNamespace:
    """The names of `T` that a kernel body uses, and those that `oracle.rewrite` puts there."""
    t = types.SimpleNamespace(**{d: cast_to(d) for d in TYPES})
    t.serial = t.vectorized = loop
    t.unroll = range
    t.gpu_thread_return = thread_return
    keeps_nan = dialect == "function"
    t.min, t.max = extreme(-1, keeps_nan), extreme(1, keeps_nan)
    t.abs = t.fabs = absolute
    t.floor = float_function("floor", floor)
    t.ceil = float_function("ceil", whole(math.ceil))
    t.trunc = float_function("trunc", whole(math.trunc))
    t.round = float_function("round", whole(round))
    t.nearbyint = t.round
    t.sqrt = float_function("sqrt", root)
    t.fma = float_function("fma", fused)
    t.copysign = float_function("copysign", math.copysign)
    t.fmod = float_function("fmod", float_remainder)
    t.isnan, t.isinf = classify("isnan", math.isnan), classify("isinf", math.isinf)
    t.isfinite = classify("isfinite", math.isfinite)
    t.ldexp = scaled
    t.popcount = counted_bits("popcount", lambda bits, width: bits.bit_count())
    t.clz = counted_bits("clz", lambda bits, width: width - bits.bit_length())
    t.reinterpret = (
        (lambda x, ty: reinterpreted(x, ty)) if keeps_nan else lambda ty, x: reinterpreted(x, ty)
    )
    t._stored, t._choose, t._truth, t._array = stored, choose, truth, Array
    return t
