# SPDX-License-Identifier: Apache-2.0
"""The kernel language, by convention imported as T.

All its names are here as objects that do nothing by themselves (tirxcc/_language.py); the compiler
reads them from the text of the functions that `function` and `prim_func` decorate.
"""

from __future__ import annotations

from tirxcc._errors import make as _make
from tirxcc._function import decorator as _decorator
from tirxcc._language import TOP as _TOP
from tirxcc._language import Symbol as _Symbol
from tirxcc._language import unknown as _unknown

globals().update(_TOP)

dynamic = _Symbol
function = _decorator("function")
prim_func = _decorator("prim_func")
inline = _decorator("inline")
macro = _decorator("macro")


def jit(*_: object, **__: object):
    raise _make(4, "@T.jit is not supported yet; write a function that makes the @T.function")


def __getattr__(name: str):
    raise _unknown("", name)
