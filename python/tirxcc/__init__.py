# SPDX-License-Identifier: Apache-2.0
"""tirxcc: compiles GPU kernels written in Python syntax to CUDA C++, and runs them on the CPU.

import numpy as np, tirxcc
from tirxcc.script import tirx as T

n = T.dynamic("n")

@T.function
def relu(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = T.max(A[i], 0.0)

exe = tirxcc.compile(relu, target="cpu")
exe(a, b)                    # NumPy arrays, or anything with DLPack or the buffer protocol
print(exe.cuda_source)
"""

import atexit as _atexit
import os as _os
import warnings as _warnings

from tirxcc import _core, target
from tirxcc._compile import IRModule, Library, compile, function_from_source
from tirxcc._core import Executable, version
from tirxcc._errors import Diagnostic, Error, Note, Warning

# Under the names that messages print. Not in __all__, where they would hide Python's.
from tirxcc._errors import KernelMemoryError as MemoryError  # noqa: F401
from tirxcc._errors import KernelNameError as NameError  # noqa: F401
from tirxcc._errors import KernelRuntimeError as RuntimeError  # noqa: F401
from tirxcc._errors import KernelSyntaxError as SyntaxError  # noqa: F401
from tirxcc._errors import KernelTypeError as TypeError  # noqa: F401
from tirxcc._errors import KernelValueError as ValueError  # noqa: F401
from tirxcc._function import Function
from tirxcc._kernel_info import KernelInfo
from tirxcc._timing import Timing

__version__ = version()
del version

# Threads that still compile or run a kernel then leave Python's objects alone.
_atexit.register(_core.note_interpreter_exit)

# Where there is a GPU, its driver and NVRTC are loaded while the program goes on importing.
_wish = _os.environ.get("TIRXCC_PRELOAD") or "1"
if _wish not in ("0", "1"):
    _text = f"the environment variable TIRXCC_PRELOAD is {_wish!r}; it takes 0 or 1"
    _warnings.warn(_text, Warning, stacklevel=2)
if _wish != "0":
    _atexit.register(_core.finish_preload)
    _core.preload()

__all__ = [
    "Diagnostic",
    "Error",
    "Executable",
    "Function",
    "IRModule",
    "KernelInfo",
    "Library",
    "Note",
    "Timing",
    "Warning",
    "compile",
    "function_from_source",
    "target",
]


_COMPILE = "tirxcc.compile(f) compiles a kernel function and gives what you call"
_INSTEAD = {
    "build": _COMPILE,
    "check": "checked runs are not supported yet",
    "jit": _COMPILE,
    "launch": _COMPILE,
    "lower": _COMPILE,
    "run": _COMPILE,
}


def __getattr__(name: str):
    """Only of names that are not here: says where they are, or what is used instead."""
    from tirxcc.script import tirx

    hint = _INSTEAD.get(name)
    if name in ("T", "tir", "tl", "language", "lang", "script"):
        hint = "the language is imported by 'from tirxcc.script import tirx as T'"
    elif hint is None and not name.startswith("_") and name in vars(tirx):
        hint = f"it is 'T.{name}', from 'from tirxcc.script import tirx as T'"
    if hint is None:
        raise AttributeError(f"module 'tirxcc' has no attribute '{name}'")
    text = f"module 'tirxcc' has no attribute '{name}'; {hint}"
    raise AttributeError(text, name=name, obj=None)
