# SPDX-License-Identifier: Apache-2.0
"""Exceptions and warnings. The core reports through `make` and `warn`.

Every exception is one of Python's own classes and tirxcc.Error at once, so both `except TypeError`
and `except tirxcc.Error` catch it. tirxcc.TypeError is the class that is both.
"""

from __future__ import annotations

import builtins
import linecache
import re
import warnings
from typing import NamedTuple


class Diagnostic(NamedTuple):
    """One message of the compiler about a place in a file."""

    severity: str
    """"error", "warning" or "note"."""
    id: str
    path: str
    line: int
    column: int
    text: str
    rendered: str
    """The text with the source line, a caret, labels and notes."""


class Error(Exception):
    """What tirxcc refuses: a mistake in a kernel, a wrong argument, a missing target."""

    diagnostics: tuple[Diagnostic, ...] = ()


class KernelSyntaxError(Error, SyntaxError):
    # SyntaxError's own would add a file and line, which the message has already.
    __str__ = Exception.__str__


class KernelTypeError(Error, TypeError):
    pass


class KernelValueError(Error, ValueError):
    pass


class KernelNameError(Error, NameError):
    pass


class KernelRuntimeError(Error, RuntimeError):
    pass


class KernelMemoryError(Error, MemoryError):
    pass


class Warning(builtins.UserWarning):
    """What tirxcc accepts and finds worth a word: a store that narrows, an unused result."""


class Note(Warning):
    """What tirxcc did otherwise than asked, which is no mistake: a kernel that is not coarsened."""


# In the order of tirxcc::ErrorKind.
_CLASSES = (
    KernelSyntaxError,
    KernelTypeError,
    KernelValueError,
    KernelNameError,
    KernelRuntimeError,
    KernelMemoryError,
)
Error.__module__ = Warning.__module__ = Note.__module__ = Diagnostic.__module__ = "tirxcc"
for _class in _CLASSES:
    # Tracebacks name Python's class.
    _class.__name__ = _class.__qualname__ = _class.__name__.removeprefix("Kernel")
    _class.__module__ = "tirxcc"


def make(kind: int, message: str, diagnostics: list[tuple] = ()) -> Error:
    """The exception for one tirxcc::Error."""
    text = message
    if diagnostics:
        text = f"\n{message}"  # so that file, line and caret start at the left margin
    error = _CLASSES[kind](text)
    error.diagnostics = tuple(Diagnostic(*parts) for parts in diagnostics)
    return error


def type_error(message: str) -> Error:
    return KernelTypeError(message)


def value_error(message: str) -> Error:
    return KernelValueError(message)


def name_error(message: str) -> Error:
    return KernelNameError(message)


# "   12 |     S[t] = A[i]" and, below it, "      |     ---- thread 1 writes it here".
_SOURCE = re.compile(r"\s*(\d+) \| (.*)")
_MARK = re.compile(r"\s*\| ( *)([-~^]+) (.+)")


def _words(diagnostic: Diagnostic) -> str:
    """What stands after file, line and class.

    Python itself adds the source line below a warning, if it can find it; then other places are
    told in words, and else with the lines of the source, as the command line does.
    """
    head, *lines = diagnostic.rendered.rstrip().split("\n")
    text = head[head.find(diagnostic.text) :]
    if not linecache.getline(diagnostic.path, diagnostic.line):
        return "\n".join([text, *lines])
    told = [text]
    number = source = ""
    for line in lines:
        if line.lstrip().startswith("= note:"):
            told.append("  " + line.strip())
        elif mark := _MARK.fullmatch(line):
            begin = len(mark[1])
            place = source[begin : begin + len(mark[2])]
            told.append(f"  = line {number}, '{place}': {mark[3]}")
        elif found := _SOURCE.fullmatch(line):
            number, source = found[1], found[2]
    return "\n".join(told)


def warn(diagnostics: list[tuple]) -> None:
    for parts in diagnostics:
        diagnostic = Diagnostic(*parts)
        category = Note if diagnostic.severity == "note" else Warning
        message = category(_words(diagnostic))
        message.diagnostic = diagnostic
        if diagnostic.path:
            warnings.warn_explicit(message, category, diagnostic.path, max(diagnostic.line, 1))
        else:
            warnings.warn(message, category, stacklevel=2)
