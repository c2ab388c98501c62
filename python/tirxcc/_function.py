# SPDX-License-Identifier: Apache-2.0
"""Decorated functions: their text, and the names around them."""

from __future__ import annotations

import ast
import builtins
import copyreg
import importlib
import inspect
import linecache
import sys
import types

from tirxcc import _core
from tirxcc._errors import make, type_error

_SYNTAX, _RUNTIME = 0, 4  # tirxcc::ErrorKind


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _block_of(lines: list[str], code: types.CodeType) -> list[str]:
    """The lines of the definition that `code` comes from.

    inspect.getblock tokenizes, which takes longer than to compile the kernel. The code object knows
    where the last statement that makes code ends; deeper lines after it belong to the function too.
    Strings and brackets that run on there are left to inspect.
    """
    start = code.co_firstlineno - 1
    last = max((end for _, end, _, _ in code.co_positions() if end), default=0)
    if not start < last <= len(lines) or not lines[start].startswith(("@", " ", "\t")):
        return inspect.getblock(lines[start:])
    indentation = _indentation(lines[start])
    end = last
    while end < len(lines):
        line = lines[end]
        if line.strip() and _indentation(line) <= indentation and line.lstrip()[0] != "#":
            break
        end += 1
    tail = "".join(lines[last - 1 : end])
    is_open = end < len(lines) and lines[end].lstrip()[0] in ")]}\"'"
    if is_open or '"""' in tail or "'''" in tail or tail.rstrip().endswith("\\"):
        return inspect.getblock(lines[start:])
    return lines[start:end]


def _source_of(function: types.FunctionType) -> tuple[str, str, int]:
    """Text, path and first line of a definition, decorators included."""
    code = function.__code__
    path = code.co_filename
    linecache.checkcache(path)
    lines = linecache.getlines(path, function.__globals__)
    start = code.co_firstlineno - 1
    if start >= len(lines):
        raise make(
            _RUNTIME,
            f"the source of '{function.__name__}' is not available (it is defined in {path}); "
            "write it into a file, or use tirxcc.function_from_source(text)",
        )
    text = "".join(_block_of(lines, code))
    check_text(text, path, code.co_firstlineno)
    return text, path, code.co_firstlineno


def check_text(text: str, path: str, first_line: int = 1) -> None:
    """Refuses what no file can hold: half of a character."""
    try:
        text.encode()
    except UnicodeEncodeError as fault:
        line = first_line + text.count("\n", 0, fault.start)
        raise make(
            _SYNTAX,
            f"{path}:{line}: error: a lone surrogate ({text[fault.start]!a}) is no character",
        ) from None


def _locals_around(function: types.FunctionType) -> dict[str, object] | None:
    """The local names where `function` is defined: annotations are evaluated there, and what only
    an annotation names is in no closure. None at module level."""
    frame = sys._getframe(2)
    while frame is not None:
        if any(constant is function.__code__ for constant in frame.f_code.co_consts):
            return None if frame.f_locals is frame.f_globals else dict(frame.f_locals)
        frame = frame.f_back
    return None


def _closure_of(function: types.FunctionType) -> dict[str, object]:
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue  # assigned later
    return found


class Function:
    """A kernel function, parsed and checked. `tirxcc.compile` makes it callable."""

    _is_silent = False

    def __init__(
        self, function: types.FunctionType, decorator: str, is_silent: bool = False
    ) -> None:
        if not isinstance(function, types.FunctionType):
            kind = type(function).__name__
            raise type_error(f"@T.{decorator} decorates a function, not an object of type {kind}")
        self.__name__ = function.__name__
        self.__qualname__ = function.__qualname__
        self.__module__ = function.__module__
        self.__doc__ = function.__doc__
        self._decorator = decorator
        self._is_silent = is_silent
        self._text, self._path, self._first_line = _source_of(function)
        chain = [_closure_of(function), function.__globals__, vars(builtins)]
        around = _locals_around(function)
        if around is not None:
            chain.insert(1, around)
        self._chain = chain
        # What the names stood for when the decorator ran.
        self._memo: dict[str, object] = {}
        self._compiled: dict[tuple[str, str], _core.Executable] = {}
        self._first: _core.Executable | None = None

    def _definition(self) -> tuple:
        memo = self._memo if self._decorator in ("function", "prim_func") else {}
        return self._text, self._path, self._first_line, self.__name__, memo, self._chain

    def _compile(self, target: str, options: dict[str, object]) -> _core.Executable:
        if self._is_silent:
            options = {"warnings": False, **options}
        key = (target, repr(sorted(options.items())) if options else "")
        found = self._compiled.get(key)
        if found is None:
            # What the text means is found out once, when the function is defined.
            if self._first is None:
                found = self._first = self._compile_new(target, options)
            else:
                found = _core.compile_again(self._first, target, options)
            found._origin = (*self._origin(), target, repr(options))
            self._compiled[key] = found
        return found

    def _compile_new(self, target: str, options: dict[str, object]) -> _core.Executable:
        return _core.compile(*self._definition(), target, options)

    def _origin(self) -> tuple:
        """What finds it again in another process."""
        return "name", self.__module__, self.__qualname__

    def __reduce__(self) -> str:
        # As Python's own functions: by the name that it has in its module.
        return self.__qualname__

    def __copy__(self) -> Function:
        return self

    def __deepcopy__(self, _memo: dict) -> Function:
        return self

    def _check(self) -> Function:
        """Compiles to IR, so that mistakes are reported where the function is defined."""
        self._compile("cpu", {})
        return self

    @property
    def params(self) -> tuple[str, ...]:
        """Names of the parameters, in order."""
        return self._compile("cpu", {}).parameters

    def script(self) -> str:
        """The function's IR as text of the kernel language; it parses back."""
        return self._compile("cpu", {}).ir

    def show(self) -> None:
        """Prints script()."""
        print(self.script())

    @_core.Boundary
    def __call__(self, *args: object, **keywords: object) -> None:
        name = self.__name__
        if self._decorator in ("inline", "macro"):
            raise type_error(f"'{name}' is a @T.{self._decorator} function: only kernels call it")
        raise type_error(
            f"'{name}' is a kernel function; compile it first: exe = tirxcc.compile({name})"
        )

    def __getitem__(self, launch: object) -> None:
        """`kernel[grid, block](...)` is how others launch."""
        name = self.__name__
        raise type_error(
            f"'{name}' is launched as its T.device_entry says, without '[...]'; compile it and "
            f"call it: exe = tirxcc.compile({name})"
        )

    def __getattr__(self, attribute: str) -> object:
        """Only of what it does not have: `kernel.run(...)` and the like."""
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        name = self.__name__
        raise AttributeError(
            f"the kernel function '{name}' has no '{attribute}'; compile it and call that: "
            f"exe = tirxcc.compile({name})",
            name=attribute,
            obj=None,
        )

    def __repr__(self) -> str:
        return f"<tirxcc.Function {self.__name__} of {self._path}:{self._first_line}>"


class TextFunction(Function):
    """One function of a text that Python never ran (tirxcc.function_from_source)."""

    def __init__(self, text: str, path: str, name: str | None) -> None:
        self._text = None
        self._whole_text = text
        self._path = path
        self._first_line = 1
        self._compiled = {}
        self._first = None
        self._name = name or ""
        self.__name__ = self._compile("cpu", {}).name
        self.__qualname__ = self.__name__

    def _compile_new(self, target: str, options: dict[str, object]) -> _core.Executable:
        return _core.compile_text(self._whole_text, self._path, self._name, target, options)

    def _origin(self) -> tuple:
        return "text", self._whole_text, self._path, self._name

    def __reduce__(self) -> tuple:
        return TextFunction, (self._whole_text, self._path, self._name)


def _compiled_again(kind: str, *rest: str) -> _core.Executable:
    """The executable that was pickled in another process: compiled here, from where it stands."""
    *place, target, options = rest
    function = TextFunction(*place) if kind == "text" else _named(*place)
    if not isinstance(function, Function):
        raise type_error(f"'{place[1]}' in module {place[0]} is no kernel function here")
    return function._compile(target, ast.literal_eval(options))


def _named(module: str, name: str) -> object:
    found = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _reduce(executable: _core.Executable) -> tuple:
    """Machine code stays where it is; what is pickled says from which function it was made."""
    kind, *rest = executable._origin
    if kind == "name" and not isinstance(_named(*rest[:2]), Function):
        raise type_error(
            f"'{rest[1]}' of module {rest[0]} cannot be pickled: another process would not find "
            "it under that name; define the kernel at the level of a module"
        )
    return _compiled_again, (kind, *rest)


copyreg.pickle(_core.Executable, _reduce)


# The decorators and their paths below T: a kernel's text may know one by another name.
DECORATORS: dict[object, str] = {}


_OPTIONS = {"warnings", "private", "persistent", "check_well_formed", "s_tir"}

_DECORATOR_DOCS = {
    "function": """Makes a Python function a kernel function: its text is parsed and checked, and
    tirxcc.compile makes it callable. `@T.function(warnings=False)` is silent about what is no
    error. The language on one page: `tirxcc help`.""",
    "prim_func": "As @T.function, in the native dialect: T.Buffer or T.handle, and scope ids.",
    "inline": "The function is expanded where kernels call it; Python itself cannot call it.",
}


def decorator(name: str):
    """T.function and its relatives: with or without arguments."""

    @_core.Boundary
    def decorate(function: types.FunctionType | None = None, /, **options: object):
        unknown = set(options) - _OPTIONS
        if unknown:
            raise type_error(f"@T.{name} has no option '{min(unknown)}'")

        chosen = silent if options.get("warnings") is False else decorate
        return chosen if function is None else make(function, False)

    @_core.Boundary
    def silent(function: types.FunctionType) -> Function:
        return make(function, True)

    def make(function: types.FunctionType, is_silent: bool) -> Function:
        made = Function(function, name, is_silent)
        return made._check() if name in ("function", "prim_func") else made

    decorate.__name__ = decorate.__qualname__ = name
    decorate.__doc__ = _DECORATOR_DOCS.get(name)
    DECORATORS[decorate] = DECORATORS[silent] = name
    return decorate
