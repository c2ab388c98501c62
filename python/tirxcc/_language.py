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


# What help() prints about the names that are no device functions (those have a line of the table).
_DOCS = {
    "Tensor": "Tensor(shape, dtype): the type of a tensor parameter of @T.function",
    "Buffer": "Buffer(shape, dtype): the type of a tensor parameter of @T.prim_func",
    "alloc_local": "alloc_local(shape, dtype='float32'): an array of each thread",
    "alloc_shared": "alloc_shared(shape, dtype='float32', scope='shared'): an array of the "
    "block, in shared memory; scope='shared.dyn' for sizes that the launch decides",
    "alloc_buffer": "alloc_buffer(shape, dtype, scope): an array; scope is 'local', 'shared' or "
    "'shared.dyn'",
    "local_scalar": "local_scalar(dtype, init): a mutable scalar of the thread",
    "shared_scalar": "shared_scalar(dtype): a scalar of the block, in shared memory",
    "cast": "cast(x, dtype): the value as another type; T.float32(x) is the same",
    "reinterpret": "reinterpret(dtype, x): the bits of a value as another type of the same size",
    "ceildiv": "ceildiv(a, b): a / b, rounded up",
    "truncdiv": "truncdiv(a, b): a / b rounded towards 0, as C's /",
    "truncmod": "truncmod(a, b): the remainder of truncdiv, as C's %",
    "max": "max(a, b, ...): the largest; in @T.function NaN if one of them is NaN",
    "min": "min(a, b, ...): the smallest; in @T.function NaN if one of them is NaN",
    "if_then_else": "if_then_else(condition, a, b): 'a if condition else b'",
    "Select": "Select(condition, a, b): 'a if condition else b' of one type",
    "infinity": "infinity(dtype): the infinity of a float type",
    "max_value": "max_value(dtype): the largest value of a type",
    "min_value": "min_value(dtype): the smallest value of a type",
    "likely": "likely(condition): the condition",
    "address_of": "address_of(A[i]): the address of an element; A.ptr_to([i]) is the same",
    "function": "function(f): a decorator; f is a kernel function",
    "prim_func": "prim_func(f): a decorator; f is a kernel function of the native dialect",
    "inline": "inline(f): a decorator; f is expanded where kernels call it",
    "dynamic": "dynamic(name, dtype='int32'): a size that the arguments determine; 'int64' for "
    "2147418112 elements and more",
    "device_entry": "device_entry(launch=T.cuda.LaunchConfig(grid=..., block=...)): the kernel "
    "starts here",
    "gpu_thread_return": "gpu_thread_return(): ends this thread",
    "grid": "grid(n, m, ...): 'for i, j in T.grid(n, m)' is one loop inside the other",
    "serial": "serial(start, stop, step, unroll=...): a loop, as range",
    "range": "range(start, stop, step): a loop, as Python's",
    "unroll": "unroll(n): a loop whose body is copied out for each turn",
    "vectorized": "vectorized(n): a loop that may become wide loads and stores",
    "parallel": "parallel(n): a loop that may run on several threads of the CPU",
    "thread_binding": "thread_binding(n, thread='threadIdx.x'): a loop whose turns are threads",
    "match_buffer": "match_buffer(handle, shape, dtype): the tensor that a T.handle points to",
    "cta_id": "cta_id([n]): the number of the block, of n blocks",
    "thread_id": "thread_id([n]): the number of the thread in its block, of n threads",
    "warp_id": "warp_id([n]): the number of the warp in its block, of n warps",
    "lane_id": "lane_id([32]): the number of the thread in its warp",
    "launch_thread": "launch_thread('threadIdx.x', n): the number of the thread, of n threads",
    "static_assert": "static_assert(condition, text): fails the compilation",
    "let": "let: 'x: T.let = e' is a name that cannot be assigned again",
    "handle": "handle: the type of a pointer parameter",
    "cuda": "cuda: places of threads, barriers, atomics, warp functions; docs/intrinsics.md",
    "cuda.thread_idx": "thread_idx(axis): the number of the thread in its block, along 'x', 'y' or "
    "'z'",
    "cuda.block_idx": "block_idx(axis): the number of the block along 'x', 'y' or 'z'",
    "cuda.block_dim": "block_dim(axis): the threads of a block along 'x', 'y' or 'z'",
    "cuda.grid_dim": "grid_dim(axis): the blocks of the grid along 'x', 'y' or 'z'",
    "cuda.lane_id": "lane_id(): the number of the thread in its warp",
    "cuda.warp_id": "warp_id(): the number of the warp in its block",
    "cuda.LaunchConfig": "LaunchConfig(grid=, block=, ...): the launch of T.device_entry",
    "cuda.KernelAttributes": "KernelAttributes(...): limits of T.device_entry's kernel_attrs=",
}


def _doc_of(path: str, doc: str, is_type: bool) -> str:
    if doc or path in _DOCS:
        return doc or _DOCS[path]
    if is_type:
        return f"{path}: a type; T.{path}(x) is the value x as that type"
    return f"{path}: a name of the kernel language; 'tirxcc help' prints what works today"


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
    for path, doc, is_type in _core.language_names():
        if path.startswith(("py.", "math.")) or path in ("math", "py"):
            continue
        parent: Name | None = None
        whole = ""
        for part in path.split("."):
            whole = f"{whole}.{part}" if whole else part
            name = _names.get(whole)
            if name is None:
                name = _names[whole] = Name(
                    whole,
                    _doc_of(whole, doc, is_type) if whole == path else _doc_of(whole, "", False),
                )
                if parent is None:
                    top[part] = name
                else:
                    setattr(parent, part, name)
            parent = name
    return top


TOP = _build()
