# SPDX-License-Identifier: Apache-2.0
"""What a user sees of a mistake: the exception's names, and a traceback without our own frames."""

from __future__ import annotations

import inspect
import traceback
import types
from collections.abc import Callable

import numpy as np
import pytest
import tirxcc
from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def relu(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    for i in range(n):
        B[i] = T.max(A[i], 0.0)


KERNEL = """
from tirxcc.script import tirx as T
@T.function
def f(A: T.Tensor((4,), T.float32)):
    A[0] = {}
"""


def define_wrongly() -> None:
    @T.function
    def wrong(A: T.Tensor((n,), T.float32)):
        A[0] = unknown  # noqa: F821


def call_before_compiling() -> None:
    relu(np.zeros(3, np.float32), np.zeros(3, np.float32))


def call(*args: object, **keywords: object) -> Callable:
    return lambda: tirxcc.compile(relu, target="cpu")(*args, **keywords)


FLOATS = np.zeros(3, np.float32)

MISTAKES = [
    (NameError, define_wrongly),
    (TypeError, call_before_compiling),
    (TypeError, call(FLOATS)),
    (TypeError, call(FLOATS, FLOATS, FLOATS)),
    (TypeError, call(FLOATS, C=FLOATS)),
    (TypeError, call([1.0, 2.0], FLOATS)),
    (TypeError, call(np.zeros(3, np.complex64), FLOATS)),
    (ValueError, call(FLOATS, np.zeros(4, np.float32))),
    (TypeError, lambda: tirxcc.compile(len)),
    (TypeError, lambda: tirxcc.compile(relu, speed=3)),
    (TypeError, lambda: tirxcc.compile(relu, opt_level="high")),
    (ValueError, lambda: tirxcc.compile(relu, target="abacus")),
    (ValueError, lambda: tirxcc.compile(relu, target={"kind": "cuda", "size": 3})),
    (TypeError, lambda: tirxcc.compile(relu, target=3)),
    (TypeError, lambda: tirxcc.function_from_source(3)),
    (SyntaxError, lambda: tirxcc.function_from_source(KERNEL.format("1 +"))),
    (NameError, lambda: tirxcc.function_from_source(KERNEL.format("unknown"))),
    (TypeError, lambda: T.function(3)),
    (TypeError, lambda: T.function(size=3)),
]


@pytest.mark.parametrize(("kind", "mistake"), MISTAKES)
def test_class_and_traceback(kind: type, mistake: Callable) -> None:
    with pytest.raises(kind) as caught:
        mistake()
    error = caught.value
    assert isinstance(error, tirxcc.Error)
    # The name that the traceback prints is one that the user can write.
    assert getattr(tirxcc, kind.__name__) is type(error)
    printed = traceback.format_exception_only(error)[-1].strip()
    assert f"tirxcc.{kind.__name__}" in "".join(traceback.format_exception_only(error))
    assert printed
    files = {frame.filename for frame in traceback.extract_tb(error.__traceback__)}
    assert files == {__file__}
    assert error.__cause__ is None
    assert error.__context__ is None


def test_errors_of_others_keep_their_frames() -> None:
    class Broken:
        @property
        def __array_interface__(self) -> dict:
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine") as caught:
        call(Broken(), FLOATS)()
    assert len(traceback.extract_tb(caught.value.__traceback__)) >= 2


def test_public_functions_keep_their_signatures() -> None:
    assert list(inspect.signature(tirxcc.compile).parameters) == ["f", "target", "options"]
    assert tirxcc.compile.__name__ == "compile"
    assert "Options:" in tirxcc.compile.__doc__
    assert inspect.getdoc(tirxcc.function_from_source).startswith("A kernel function of a text")
    assert isinstance(relu.__call__, types.MethodType)


@pytest.mark.parametrize("text", [KERNEL.format("'\ud800'"), "# \udfff\n" + KERNEL.format("1.0")])
def test_half_a_character_is_no_text(text: str) -> None:
    with pytest.raises(SyntaxError, match="lone surrogate"):
        tirxcc.function_from_source(text)


def test_half_a_character_as_a_captured_string() -> None:
    half = "\ud800"
    with pytest.raises(tirxcc.Error, match="lone surrogate"):

        @T.function
        def kernel() -> T.int32:
            if half == "":
                return 1
            return 2


def test_a_target_in_a_with_block() -> None:
    Target = tirxcc.target.Target
    with Target("sm_90a"):
        assert tirxcc.compile(relu).target == "cuda"
        with Target({"kind": "llvm"}):
            assert tirxcc.compile(relu).target == "cpu"
            assert tirxcc.compile(relu, target="sm_80").target == "cuda"
        assert tirxcc.compile(relu).target == "cuda"
    with pytest.raises(tirxcc.ValueError), Target("abacus"):
        tirxcc.compile(relu)


def test_texts_are_made_once() -> None:
    exe = tirxcc.compile(relu, target="cpu", print_after=["all"])
    first = exe.cuda_source
    output = exe.pass_output
    assert exe.cuda_source is first
    assert exe.llvm_ir is exe.source
    exe.cuda_source  # noqa: B018
    assert exe.pass_output.startswith(output)


def test_executables_answer_to_names() -> None:
    exe = tirxcc.compile(relu, target="cpu")
    assert exe["relu"] is exe["main"] is exe.jit() is exe
    with pytest.raises(tirxcc.NameError, match="'relu'"):
        exe["other"]
    with pytest.raises(tirxcc.TypeError, match="call it"):
        exe[3]
    assert exe.mod.imports[0].inspect_source() == exe.cuda_source


def test_habits_of_other_packages() -> None:
    with pytest.raises(TypeError, match=r"launched as its T\.device_entry says"):
        relu[32, 256]
    with pytest.raises(AttributeError, match=r"T\.function"):
        T.kernel  # noqa: B018
