# SPDX-License-Identifier: Apache-2.0
"""Where kernels may be defined, and what is said about mistakes in them."""

from __future__ import annotations

import inspect
import linecache
import pydoc
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pytest
import tirxcc
from tirxcc import _compile
from tirxcc.script import tirx as T

n = T.dynamic("n")

ADD_ONE = """
    from tirxcc.script import tirx as T

    n = T.dynamic("n")

    @T.function
    def add_one(A: T.Tensor((n,), T.float32)):
        T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 32), block=32))
        i = T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")
        if i < n:
            A[i] = A[i] + 1.0
"""


def runs(function: tirxcc.Function) -> bool:
    a = np.zeros(40, np.float32)
    tirxcc.compile(function, target="cpu")(a)
    return bool((a == 1).all())


def make(limit: T.int32):
    bound = limit + 8
    width = T.dynamic("width")

    @T.function
    def kernel(A: T.Tensor((width,), T.float32)):
        for i in range(bound):
            A[i] = A[i] + 1.0

    return kernel


def test_nested_functions_and_names_of_annotations() -> None:
    assert runs(make(32))


def test_in_a_class() -> None:
    class Kernels:
        size = 40

        @T.function
        def add(A: T.Tensor((size,), T.float32)):
            for i in range(40):
                A[i] = A[i] + 1.0

        plain = T.prim_func if False else T.function

    assert runs(Kernels.add)


def test_chosen_decorator() -> None:
    decorate = T.function if n is not None else T.prim_func
    function = decorate
    with_options = T.function(private=True)

    @function
    def first(A: T.Tensor((n,), T.float32)):
        for i in range(n):
            A[i] = A[i] + 1.0

    @with_options
    def second(A: T.Tensor((n,), T.float32)):
        for i in range(n):
            A[i] = A[i] + 1.0

    assert runs(first)
    assert runs(second)


def test_file(tmp_path: Path) -> None:
    path = tmp_path / "kernels.py"
    path.write_text(textwrap.dedent(ADD_ONE))
    names: dict = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    assert runs(names["add_one"])


def test_annotations_as_strings(tmp_path: Path) -> None:
    path = tmp_path / "kernels.py"
    path.write_text("from __future__ import annotations\n" + textwrap.dedent(ADD_ONE))
    names: dict = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    assert runs(names["add_one"])


def test_notebook_cell() -> None:
    text = textwrap.dedent(ADD_ONE)
    # As IPython and doctest do.
    linecache.cache["<cell 1>"] = (len(text), None, text.splitlines(keepends=True), "<cell 1>")
    names: dict = {}
    exec(compile(text, "<cell 1>", "exec"), names)
    assert runs(names["add_one"])


def test_exec_without_source() -> None:
    with pytest.raises(tirxcc.Error, match="function_from_source"):
        exec(textwrap.dedent(ADD_ONE), {})


def test_function_from_source() -> None:
    text = textwrap.dedent(ADD_ONE)
    assert runs(tirxcc.function_from_source(text))
    assert runs(tirxcc.function_from_source(text, "add_one"))
    second = text[text.index("@T") :].replace("add_one", "other")
    with pytest.raises(ValueError, match="add_one, other"):
        tirxcc.function_from_source(text + second)
    assert tirxcc.function_from_source(text + second, name="other").__name__ == "other"
    with pytest.raises(NameError, match="nothing"):
        tirxcc.function_from_source(text, "nothing")
    with pytest.raises(ValueError, match="no kernel"):
        tirxcc.function_from_source("")


def test_error_at_decoration_names_file_line_and_caret() -> None:
    with pytest.raises(TypeError) as caught:

        @T.function
        def kernel(A: T.Tensor((n,), T.float32)):
            A[0, 1] = 1.0

    error = caught.value
    line = kernel_line("A[0, 1] = 1.0")
    assert f"{__file__}:{line}:" in str(error)
    assert "^" in str(error)
    assert error.diagnostics[0].line == line
    assert error.diagnostics[0].severity == "error"


def test_all_mistakes_are_reported() -> None:
    with pytest.raises(tirxcc.Error) as caught:

        @T.function
        def kernel(x: T.int32):
            y = unknown_1  # noqa: F821
            z = unknown_2  # noqa: F821

    assert len(caught.value.diagnostics) == 2


def kernel_line(text: str) -> int:
    lines = Path(__file__).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.strip() == text)


def test_syntax_error_class() -> None:
    with pytest.raises(SyntaxError) as caught:

        @T.function
        def kernel(*args: T.int32):
            pass

    assert isinstance(caught.value, tirxcc.Error)
    assert str(caught.value).count("error:") == 1


def test_warnings() -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")

        @T.function
        def kernel(A: T.Tensor((n,), T.int8), x: T.int32):
            A[0] = x

    assert [w.category for w in seen] == [tirxcc.Warning]
    assert seen[0].filename == __file__
    assert seen[0].lineno == kernel_line("A[0] = x")
    # Python prints the place and the source line, so the text has neither.
    shown = warnings.formatwarning(
        seen[0].message, seen[0].category, seen[0].filename, seen[0].lineno
    )
    assert shown.count(__file__) == 1
    assert shown.count("A[0] = x") == 1
    assert shown.startswith(f"{__file__}:{seen[0].lineno}: Warning: int32 is narrowed to int8 [")


def test_help_about_compile() -> None:
    shown = pydoc.plain(pydoc.render_doc(tirxcc.compile))
    assert "\ncompile(f: " in shown
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    for option in _compile._OPTIONS:
        assert f"{option}" in shown
        assert f"`{option}`" in readme
    assert list(inspect.signature(tirxcc.compile).parameters) == ["f", "target", "options"]


def test_text_without_the_function() -> None:
    from tirxcc import _core

    with pytest.raises(ValueError, match="no function 'g'") as caught:
        _core.compile("def f(): pass", "f.py", 7, "g", {}, [], "cpu", {})
    assert "[no-function-in-text]" in str(caught.value)
    assert caught.value.diagnostics[0].line == 7


def test_decorating_something_else() -> None:
    with pytest.raises(TypeError, match="decorates a function"):
        T.function(len)
    with pytest.raises(TypeError, match="no option 'privat'"):
        T.function(privat=True)


# Definitions whose end is not where the last statement that makes code ends.
TAILS = {
    "dead code": "    A[0] = 1.0\n    if False:\n        A[0] = 2.0\n    else:\n        pass\n",
    "annotation": "    A[0] = 1.0\n    x: T.int32\n",
    "comment": "    A[0] = 1.0\n    # the end\n# of it\n    pass\n",
    "bracket": "    A[0] = (\n    1.0\n)\n",
    "string": '    A[0] = 1.0\n    """\nno indentation\n    """\n',
    "backslash": "    A[0] = \\\n1.0\n",
    "semicolon": "    A[0] = 1.0; pass\n",
    "blank lines": "\n\n    A[0] = 1.0\n\n\n",
    "ellipsis": "    A[0] = 1.0\n    ...\n",
    "tabs": "\tA[0] = 1.0\n\tpass\n",
}


@pytest.mark.parametrize("follows", ["", "x = 1\n", "@decorate\ndef g(): pass\n"])
@pytest.mark.parametrize("tail", TAILS)
def test_where_a_definition_ends(tail: str, follows: str) -> None:
    import ast
    import inspect

    from tirxcc import _function

    head = "@T.function\ndef f(\n    A: T.Tensor((4,), T.float32),\n):\n"
    text = head + TAILS[tail] + follows
    module = compile(text, "<tail>", "exec")
    code = next(c for c in module.co_consts if inspect.iscode(c) and c.co_name == "f")
    found = "".join(_function._block_of(text.splitlines(keepends=True), code))
    wanted, *_ = ast.parse(text).body
    assert ast.dump(ast.parse(found).body[0]) == ast.dump(wanted)
    assert len(ast.parse(found).body) == 1
