# SPDX-License-Identifier: Apache-2.0
"""Names and calls that people try who come from elsewhere: what Python tells them."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
import tirxcc
from tirxcc.script import tirx as T

n = T.dynamic("n")
IMPORT = "from tirxcc.script import tirx as T"


@T.function
def relu(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    for i in range(n):
        B[i] = T.max(A[i], 0.0)


GUESSES = [
    (
        lambda: tirxcc.jit,
        "module 'tirxcc' has no attribute 'jit'; tirxcc.compile(f) compiles a kernel function and "
        "gives what you call",
    ),
    (
        lambda: tirxcc.function,
        f"module 'tirxcc' has no attribute 'function'; it is 'T.function', from '{IMPORT}'",
    ),
    (
        lambda: tirxcc.T,
        f"module 'tirxcc' has no attribute 'T'; the language is imported by '{IMPORT}'",
    ),
    (
        lambda: tirxcc.check(relu),
        "module 'tirxcc' has no attribute 'check'; checked runs are not supported yet",
    ),
    (lambda: tirxcc.nonsense, "module 'tirxcc' has no attribute 'nonsense'"),
    (
        lambda: tirxcc.compile("relu.py"),
        "compile() takes a kernel function, not an object of type str; "
        "tirxcc.function_from_source(text) makes one of a file's text, and on the command line "
        "there is 'tirxcc run FILE'",
    ),
    (
        lambda: tirxcc.compile(Path("relu.py")),
        f"compile() takes a kernel function, not an object of type {type(Path()).__name__}; "
        "tirxcc.function_from_source(text) makes one of a file's text, and on the command line "
        "there is 'tirxcc run FILE'",
    ),
    (lambda: tirxcc.compile(relu, opt_level=9), "option 'opt_level' is 0 to 3, not 9"),
    (
        lambda: tirxcc.function_from_source("relu.py"),
        "function_from_source() takes the text of a file, not its name: "
        "function_from_source(open('relu.py').read(), path='relu.py')",
    ),
    (
        lambda: relu.run(),
        "the kernel function 'relu' has no 'run'; compile it and call that: "
        "exe = tirxcc.compile(relu)",
    ),
    (lambda: T.syncthreads(), "T has no 'syncthreads'; in a kernel, write 'T.cuda.cta_sync()'"),
    (lambda: T.cuda.laneid, "T.cuda has no 'laneid'; in a kernel, write 'T.cuda.lane_id()'"),
    (lambda: T.cuda.lane_ids, "T.cuda has no 'lane_ids'; did you mean 'T.cuda.lane_id'?"),
    (lambda: T.symbolic("n"), "T has no 'symbolic'; write 'T.dynamic(\"n\")'"),
    (lambda: T.float, "T has no 'float'; in a kernel, write 'T.float32'"),
    (lambda: T.kernel, "T has no 'kernel'; write '@T.function'"),
    (lambda: T.dynamic(), "T.dynamic takes the name of the symbol, not None"),
]


@pytest.mark.parametrize(("guess", "words"), GUESSES)
def test_words(guess: Callable, words: str) -> None:
    with pytest.raises((AttributeError, tirxcc.Error)) as caught:
        guess()
    # With what Python itself adds: nothing.
    (shown,) = traceback.format_exception_only(caught.value)
    assert shown.partition(": ")[2] == f"{words}\n"


def test_questions_are_answered() -> None:
    """What asks whether a name is there goes on working."""
    assert not hasattr(tirxcc, "jit")
    assert not hasattr(T, "syncthreads")
    assert not hasattr(relu, "run")
    assert not hasattr(relu, "__array__")
