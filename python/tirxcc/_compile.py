# SPDX-License-Identifier: Apache-2.0
"""tirxcc.compile and tirxcc.function_from_source."""

from __future__ import annotations

from collections.abc import Mapping

from tirxcc import _core
from tirxcc._errors import type_error, value_error
from tirxcc._function import Function, TextFunction

_OPTIONS = {
    "opt_level": int,
    "fast_math": bool,
    "plain_scalars": bool,
    "line_directives": bool,
    "warnings": bool,
    "verify_each": bool,
    "time_passes": bool,
    "print_after": (list, tuple),
}
_CPU_KINDS = ("cpu", "llvm", "c")


def _target_text(target: object) -> str:
    """A target as the core names it: "cpu", or an architecture such as "sm_90a"."""
    if target is None:
        return "cpu"
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


def compile(f: Function, target: object = None, **options: object) -> _core.Executable:
    """Compiles a decorated function.

    target: "cpu" (the default), "cuda", an architecture such as "sm_90a", or a dict such as
    {"kind": "cuda", "arch": "sm_90a"}.

    Options: opt_level (CPU: 0 compiles fastest, 2 runs fastest), fast_math, plain_scalars,
    line_directives, warnings, verify_each, time_passes, print_after.
    """
    if not isinstance(f, Function):
        hint = "decorate it with @T.function" if callable(f) else "that is no function"
        raise type_error(f"compile() takes a kernel function, not {f!r}; {hint}")
    _check_options(options)
    return f._compile(_target_text(target), options)


def function_from_source(text: str, name: str | None = None, *, path: str = "<text>") -> Function:
    """A kernel function of a text, which is only read, never executed.

    The text is that of a file: the import line of T, constants, symbols, decorated functions.
    `name` chooses one when there are several; `path` is what messages call the text.
    """
    if not isinstance(text, str):
        raise type_error(f"function_from_source() takes a text, not {type(text).__name__}")
    return TextFunction(text, path, name)
