# SPDX-License-Identifier: Apache-2.0
"""What a Python object is to a kernel that names it.

The core converts numbers, strings and containers of Python's own types itself and asks `describe`
about everything else.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import math
import sys
import types

from tirxcc import _core
from tirxcc._function import DECORATORS, Function
from tirxcc._language import Deferred, Name, Symbol


def _python_functions() -> dict[int, str]:
    """Paths of the functions of Python that kernels know, by identity."""
    found = {}
    for path, _, _ in _core.language_names():
        module, _, name = path.partition(".")
        owner = {"py": builtins, "math": math}.get(module)
        if owner is not None and hasattr(owner, name):
            value = getattr(owner, name)
            if callable(value):
                found[id(value)] = path
    return found


_FUNCTIONS = _python_functions()


def _element_type(obj: object) -> str | None:
    """The name of a dtype object of NumPy, ml_dtypes or torch."""
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        if isinstance(obj, type) and issubclass(obj, numpy.generic):
            return numpy.dtype(obj).name
        if isinstance(obj, numpy.dtype):
            return obj.name
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(obj, torch.dtype):
        return str(obj).removeprefix("torch.")
    return None


def _module(obj: types.ModuleType) -> tuple:
    if obj is math:
        return ("language", "math")
    if obj.__name__ == "tirxcc.script.tirx":
        return ("language", "")
    return ("host", f"module {obj.__name__}")


def _names_of(statement: ast.stmt) -> set[str]:
    """The names that a statement gives a value to, where it stands."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        nodes = (node for target in targets for node in ast.walk(target))
        return {node.id for node in nodes if isinstance(node, ast.Name)}
    return set()


def _line_below(body: list[ast.stmt], first_line: int, name: str) -> int:
    for statement in body:
        line = min((at.lineno for at in getattr(statement, "decorator_list", [])), default=0)
        line = line or statement.lineno
        is_scope = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if line > first_line and name in _names_of(statement):
            return statement.lineno
        is_around = line < first_line <= (statement.end_lineno or 0)
        if is_scope and not is_around:
            continue
        for part in ("body", "orelse", "finalbody"):
            inner = getattr(statement, part, None)
            found = _line_below(inner, first_line, name) if isinstance(inner, list) else 0
            if found:
                return found
    return 0


def defined_later(path: str, first_line: int, name: str) -> int:
    """The line below the function at `first_line` that gives the name a value there; 0: none."""
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError, RecursionError):
        return 0
    return _line_below(tree.body, first_line, name)


def describe(obj: object) -> tuple:
    """(kind, ...): see PythonScope::describe in python/bindings/captured.cc."""
    kind = type(obj)
    if kind is Name:
        return ("language", obj._path)
    if kind is Symbol:
        return ("symbol", obj.name, obj.dtype)
    if isinstance(obj, Function):
        if obj._text is None:
            return ("unavailable", "was made from a text of its own")
        return ("function", *obj._definition())
    if isinstance(obj, Deferred):
        return ("unavailable", f"is {obj!r}, made outside of the kernel; write it inside")
    if isinstance(obj, types.ModuleType):
        return _module(obj)
    if kind is _core.Boundary and obj in DECORATORS:
        return ("language", DECORATORS[obj])
    if id(obj) in _FUNCTIONS:
        return ("language", _FUNCTIONS[id(obj)])
    element = _element_type(obj)
    if element is not None:
        return ("type", element)
    return _plain(obj)


def _plain(obj: object) -> tuple:
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(obj, numpy.generic):
        value = obj.item()
        # ml_dtypes' scalars give themselves or a float.
        return ("value", value if isinstance(value, (bool, int, float, str)) else float(obj))
    if numpy is not None and isinstance(obj, numpy.ndarray) and obj.ndim > 0 and obj.size <= 65536:
        return ("value", obj.tolist())  # a table of constants
    if isinstance(obj, int):
        return ("value", int(obj))
    if isinstance(obj, float):
        return ("value", float(obj))
    if isinstance(obj, dict):
        return ("value", dict(obj))
    if isinstance(obj, types.FunctionType):
        return ("host", f"function {obj.__name__}")
    if isinstance(obj, type):
        return ("host", f"class {obj.__name__}")
    return ("host", f"of type {type(obj).__name__}")
