# SPDX-License-Identifier: Apache-2.0
"""Writes tirx.pyi, from which editors complete the names of T; a step of the build.

    make_stubs.py EXTENSION OUTPUT

The names and their doc lines come from the compiler's own tables, by the extension module.
"""

from __future__ import annotations

import importlib.util
import keyword
import sys
from pathlib import Path
from types import ModuleType

HEAD = '''\
# SPDX-License-Identifier: Apache-2.0
# ruff: noqa
from collections.abc import Callable
from typing import Any, overload

from tirxcc._function import Function
from tirxcc._language import Deferred, Name, Symbol

def dynamic(name: str, dtype: Any = "int32") -> Symbol:
    """A size that is known only when a kernel is called."""

@overload
def function(f: Callable[..., Any], /) -> Function: ...
@overload
def function(
    *, private: bool = False, persistent: bool = False, check_well_formed: bool = True
) -> Callable[[Callable[..., Any]], Function]: ...
@overload
def prim_func(f: Callable[..., Any], /) -> Function: ...
@overload
def prim_func(
    *,
    private: bool = False,
    persistent: bool = False,
    check_well_formed: bool = True,
    s_tir: bool = False,
) -> Callable[[Callable[..., Any]], Function]: ...
def inline(f: Callable[..., Any], /) -> Function: ...
def macro(f: Callable[..., Any], /) -> Function: ...
'''
# Defined above.
BY_HAND = {"dynamic", "function", "prim_func", "inline", "macro", "jit"}


class Entry:
    def __init__(self) -> None:
        self.doc = ""
        self.is_type = False
        self.members: dict[str, Entry] = {}


def tree(core: ModuleType) -> Entry:
    top = Entry()
    for path, doc, is_type in core.language_names():
        parts = path.split(".")
        if parts[0] in ("py", "math") or not all(map(str.isidentifier, parts)):
            continue
        entry = top
        for part in parts:
            entry = entry.members.setdefault(part, Entry())
        entry.doc = entry.doc or doc
        entry.is_type = is_type
    return top


def lines_of(entry: Entry, depth: int) -> list[str]:
    indent = "    " * depth
    lines = []
    for name, member in sorted(entry.members.items()):
        if keyword.iskeyword(name) or (depth == 0 and name in BY_HAND):
            continue
        if member.members:
            lines.append(f"{indent}class {name}:")
            if member.doc:
                # A function that has members too, as T.ptx.mbarrier.arrive.
                lines.append(
                    f"{indent}    def __new__(cls, *args: Any, **keywords: Any) -> Deferred:"
                    f'\n{indent}        """{member.doc}"""'
                )
            lines += lines_of(member, depth + 1)
        elif member.is_type:
            lines.append(f"{indent}{name}: Name")
        else:
            if depth:
                lines.append(f"{indent}@staticmethod")
            head = f"{indent}def {name}(*args: Any, **keywords: Any) -> Deferred:"
            lines.append(f'{head}\n{indent}    """{member.doc}"""' if member.doc else f"{head} ...")
    return lines


def text(core: ModuleType) -> str:
    return HEAD + "\n".join(lines_of(tree(core), 0)) + "\n"


def load(extension: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("_core", extension)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(text(load(sys.argv[1])), encoding="utf-8")
