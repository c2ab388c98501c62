# SPDX-License-Identifier: Apache-2.0
"""The objects behind `T.`: they do nothing but carry their place in the language.

Python evaluates a kernel's annotations when it defines the function, so `T.Tensor((n * 2,),
T.float32)` must be harmless; what it means is decided by the compiler, which reads the text. A name
of the language is a Name, whatever an expression makes of names and symbols is a Deferred.
"""

from __future__ import annotations

import keyword

from tirxcc import _core
from tirxcc._errors import type_error, value_error


def unknown(owner: str, name: str) -> AttributeError:
    """The error about a name that T (owner "") or T.cuda ("cuda") does not have."""
    text = f"T.{owner} has no '{name}'" if owner else f"T has no '{name}'"
    note = _core.note_for_unknown_name(owner, name)
    # Without an object Python has no suggestions of its own to add.
    return AttributeError(f"{text}; {note}" if note else text, name=name, obj=None)


class Deferred:
    """An expression of names of the language, outside of a kernel."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text

    def __bool__(self) -> bool:
        raise type_error(f"{self!r} has no truth value outside of a kernel")

    def __getitem__(self, index: object) -> Deferred:
        return Deferred(f"{self!r}[...]")

    # Without this, __getitem__ would make it an endless sequence.
    __iter__ = None


def _add_operators() -> None:
    def binary(sign: str):
        def forward(self, other):
            return Deferred(f"({self!r} {sign} {other!r})")

        def backward(self, other):
            return Deferred(f"({other!r} {sign} {self!r})")

        return forward, backward

    names = {
        "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%",
        "lshift": "<<", "rshift": ">>", "and": "&", "or": "|", "xor": "^",
    }  # fmt: skip
    for name, sign in names.items():
        forward, backward = binary(sign)
        setattr(Deferred, f"__{name}__", forward)
        setattr(Deferred, f"__r{name}__", backward)
    for name, sign in {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
        setattr(Deferred, f"__{name}__", binary(sign)[0])
    Deferred.__neg__ = lambda self: Deferred(f"(-{self!r})")


_add_operators()


class Name(Deferred):
    """A name of the language, such as T.float32 or T.cuda.thread_idx."""

    # Members ("thread_idx" of T.cuda) are attributes.
    __slots__ = ("__dict__", "_path")

    def __init__(self, path: str, doc: str = "") -> None:
        self._path = path
        if doc:
            self.__doc__ = doc

    def __repr__(self) -> str:
        return f"T.{self._path}"

    def __call__(self, *args: object, **keywords: object) -> Deferred:
        return Deferred(f"{self!r}(...)")

    def __reduce__(self):
        return name_of, (self._path,)

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        raise unknown(self._path, name)


class Symbol(Deferred):
    """A size that is known only when a kernel is called: T.dynamic("n")."""

    __slots__ = ("dtype", "name")

    def __init__(self, name: object = None, dtype: object = "int32") -> None:
        if not isinstance(name, str):
            raise type_error(f"T.dynamic takes the name of the symbol, not {name!r}")
        if not name.isidentifier() or keyword.iskeyword(name):
            raise value_error(f"T.dynamic: {name!r} is not a name")
        text = dtype._path if isinstance(dtype, Name) else dtype
        if text not in ("int32", "int64"):
            raise type_error(f"a symbol is int32 or int64, not {dtype!r}")
        self.name = name
        self.dtype = text

    def __repr__(self) -> str:
        return self.name


_names: dict[str, Name] = {}


def name_of(path: str) -> Name:
    return _names[path]


def _build() -> dict[str, Name]:
    """All names below T by their first part, with members as attributes."""
    top: dict[str, Name] = {}
    for path, doc, _ in _core.language_names():
        if path.startswith(("py.", "math.")) or path in ("math", "py"):
            continue
        parent: Name | None = None
        whole = ""
        for part in path.split("."):
            whole = f"{whole}.{part}" if whole else part
            name = _names.get(whole)
            if name is None:
                name = _names[whole] = Name(whole, doc if whole == path else "")
                if parent is None:
                    top[part] = name
                else:
                    setattr(parent, part, name)
            parent = name
    return top


TOP = _build()
