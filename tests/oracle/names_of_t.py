# SPDX-License-Identifier: Apache-2.0
"""What kernel language means, in Python: arrays, and the functions that a body finds in T.

`language` makes the T that CPython runs a body with; `meaning` has the scalars. Written from the
language's rules, not from the compiler.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Iterator

import numpy as np
from meaning import (
    BITS,
    FLOATS,
    PROMOTED,
    ROUND,
    SEEN,
    TYPES,
    Val,
    float_remainder,
    floor,
    numpy_type,
    operand_type,
    pair,
    stored,
    to_odd,
    typed,
    wrap,
)

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
    """The names of `T` that a kernel body uses, and those that `interpret.Rewrite` puts there."""
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
