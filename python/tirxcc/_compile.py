# SPDX-License-Identifier: Apache-2.0
"""tirxcc.compile and tirxcc.function_from_source."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextvars import ContextVar

from tirxcc import _core
from tirxcc._errors import name_error, type_error, value_error
from tirxcc._function import Function, TextFunction, check_text
from tirxcc._kernel_info import KernelInfo

_OPTIONS = {
    "opt_level": int,
    "coarsen": int,
    "fma": bool,
    "debug": bool,
    "fast_math": bool,
    "plain_scalars": bool,
    "line_directives": bool,
    "warnings": bool,
    "verify_each": bool,
    "time_passes": bool,
    "print_after": (list, tuple),
    "scheme": str,
}
_SCHEMES = ("fission", "lanes", "fibers")
_CPU_KINDS = ("cpu", "llvm", "c")


class Target:
    """What to compile for, as an object: Target("cuda"), Target({"kind": "cuda"}).

    A string or dict does the same. In a with block it is what compile() takes when no target is
    given.
    """

    _current: ContextVar[tuple[Target, ...]] = ContextVar("tirxcc.Target", default=())

    def __init__(self, target: str | Mapping[str, object]) -> None:
        self._text = _target_text(target)

    def __repr__(self) -> str:
        return f"Target({self._text!r})"

    def __enter__(self) -> Target:
        Target._current.set((*Target._current.get(), self))
        return self

    def __exit__(self, *_: object) -> None:
        Target._current.set(Target._current.get()[:-1])


class IRModule:
    """Functions by name, to be compiled together: IRModule({"main": relu})."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        for name, function in functions.items():
            if not isinstance(function, Function):
                raise type_error(f"'{name}' is no kernel function but {function!r}")
        self.functions = dict(functions)

    def __getitem__(self, name: str) -> Function:
        return _find(self.functions, name)

    def script(self) -> str:
        return "\n".join(function.script() for function in self.functions.values())

    def show(self) -> None:
        print(self.script())


class Library:
    """A compiled IRModule: its executables by name. Calling it calls the only one, or "main"."""

    def __init__(self, executables: Mapping[str, _core.Executable]) -> None:
        self._executables = dict(executables)

    def __getitem__(self, name: str) -> _core.Executable:
        return _find(self._executables, name)

    def __call__(self, *args: object, **keywords: object) -> object:
        return self._entry()(*args, **keywords)

    def _entry(self) -> _core.Executable:
        if len(self._executables) == 1:
            return next(iter(self._executables.values()))
        return self["main"]

    @property
    def mod(self) -> RuntimeModule:
        return RuntimeModule(self._entry())

    def jit(self) -> Library:
        return self

    def prepare(self, *args: object, **keywords: object) -> None:
        self._entry().prepare(*args, **keywords)

    @property
    def kernels(self) -> tuple[KernelInfo, ...]:
        return tuple(info for exe in self._executables.values() for info in exe.kernels)

    @property
    def source(self) -> str:
        return "\n".join(exe.source for exe in self._executables.values())

    @property
    def cuda_source(self) -> str:
        return "\n".join(exe.cuda_source for exe in self._executables.values())


class RuntimeModule:
    """exe.mod as other packages have it."""

    def __init__(self, executable: _core.Executable) -> None:
        self._executable = executable

    @property
    def imports(self) -> tuple[RuntimeModule]:
        return (self,)

    def inspect_source(self, _format: str = "") -> str:
        return self._executable.cuda_source


def _find(table: dict, name: str):
    if name not in table:
        known = ", ".join(table)
        raise name_error(f"the module has no function '{name}'; it has {known}")
    return table[name]


def _target_text(target: object) -> str:
    """A target as the core names it: "cpu", or an architecture such as "sm_90a"."""
    if target is None and Target._current.get():
        return Target._current.get()[-1]._text
    if target is None:
        return "cuda" if _core.has_gpu() else "cpu"
    if isinstance(target, Target):
        return target._text
    if isinstance(target, str):
        return target
    if isinstance(target, Mapping):
        kind = target.get("kind")
        unknown = set(target) - {"kind", "arch"}
        if unknown:
            raise value_error(f"a target has no '{min(unknown)}'; it has a kind and an arch")
        if kind in _CPU_KINDS:
            return "cpu"
        if kind == "cuda":
            return f"cuda:{target['arch']}" if "arch" in target else "cuda"
        raise value_error(f'target kind "{kind}" is not defined; use "cpu" or "cuda"')
    raise type_error(f"a target is a string or a dict, not {type(target).__name__}")


def _check_options(options: dict[str, object]) -> None:
    for name, value in options.items():
        wanted = _OPTIONS.get(name)
        if wanted is None:
            known = ", ".join(_OPTIONS)
            raise type_error(f"compile() has no option '{name}'; it has {known}")
        if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
            raise type_error(f"option '{name}' cannot be {value!r}")
        if name == "opt_level" and not 0 <= value <= 3:
            raise value_error(f"option 'opt_level' is 0 to 3, not {value}")
    if options.get("coarsen", 1) not in (1, 2, 4):
        raise value_error(f"option 'coarsen' is 1, 2 or 4, not {options['coarsen']!r}")
    if options.get("scheme", _SCHEMES[0]) not in _SCHEMES:
        raise value_error(f"option 'scheme' is one of {_SCHEMES}, not {options['scheme']!r}")


def _no_function(f: object) -> Exception:
    what, hint = repr(f), "that is no function"
    if isinstance(f, str | os.PathLike):
        what = f"an object of type {type(f).__name__}"
        hint = (
            "tirxcc.function_from_source(text) makes one of a file's text, and on the command line "
            "there is 'tirxcc run FILE'"
        )
    elif isinstance(f, _core.Executable):
        hint = "that is compiled already; call it"
    elif callable(f):
        hint = "decorate it with @T.function"
    return type_error(f"compile() takes a kernel function, not {what}; {hint}")


@_core.Boundary
def compile(
    f: Function | IRModule, target: object = None, **options: object
) -> _core.Executable | Library:
    """Compiles a kernel function, which then is called: exe = compile(f); exe(a, b).

    f        a function under @T.function or @T.prim_func, or an IRModule of several
    target   "cpu", "cuda", an architecture such as "sm_90a", or {"kind": "cuda", "arch": "sm_90a"};
             nothing: what a `with tirxcc.target.Target(...)` around says, else "cuda" where there
             is a GPU, else "cpu"

    Options:
    opt_level=2             CPU: 0 compiles fastest, 2 runs fastest
    coarsen=1               CUDA: 2 or 4, each thread does the work of so many neighbours
    fma=True                CUDA: False makes a * b + c round twice
    fast_math=False         CUDA: fast, less exact functions; CPU: a * b + c may round once
    warnings=True           False is silent; @T.function(warnings=False) where it is defined, too
    debug=False             CPU: code for gdb, with the lines and names of the kernel's file
    plain_scalars=False     CUDA text: mutable scalars as `int i = 0;`
    line_directives=False   CUDA text: names lines of the kernel's file, for profilers
    scheme, verify_each, time_passes, print_after: for work on the compiler itself

    The executable has .cuda_source, .source, .kernels, .prepare(*args), .explain() and, on a GPU,
    .time(*args) and .resources. Mistakes in the kernel are tirxcc.Error and one of Python's own
    exceptions, with file, line and caret.
    """
    if options.get("tir_pipeline") == "tirx":
        del options["tir_pipeline"]  # what TVM calls the only pipeline that there is here
    if isinstance(f, IRModule):
        return Library({name: compile(one, target, **options) for name, one in f.functions.items()})
    if not isinstance(f, Function):
        raise _no_function(f)
    _check_options(options)
    target_text = _target_text(target)
    if options.get("debug") and target_text not in _CPU_KINDS:
        raise value_error("option 'debug' is for target 'cpu'; for cuda-gdb: line_directives=True")
    return f._compile(target_text, options)


@_core.Boundary
def function_from_source(text: str, name: str | None = None, *, path: str = "<text>") -> Function:
    """A kernel function of a text, which is only read, never executed.

    The text is that of a file: the import line of T, constants, symbols, decorated functions.
    `name` chooses one when there are several; `path` is what messages call the text.
    """
    if not isinstance(text, str):
        raise type_error(f"function_from_source() takes a text, not {type(text).__name__}")
    if text.endswith(".py") and "\n" not in text:
        raise value_error(
            f"function_from_source() takes the text of a file, not its name: "
            f"function_from_source(open({text!r}).read(), path={text!r})"
        )
    check_text(text, path)
    return TextFunction(text, path, name)
