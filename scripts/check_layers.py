# SPDX-License-Identifier: Apache-2.0
"""Holds every `#include` line against the table of modules in docs/architecture.md.

Two rules. Includes between our modules point one way: a module sees itself, what its row of
LAYERS names, and what those see in turn. And some of the world outside has walls around it: LLVM
is known to codegen/llvm alone, Python to the bindings, the CUDA driver to runtime/cuda.
"""

from __future__ import annotations

import re
from pathlib import Path

import repository

# What each folder below src may include directly; "public" is include/tirxcc.
LAYERS = {
    "base": [],
    "source": ["base"],
    "abi": ["base"],
    "intrinsics": ["abi", "base"],
    "syntax": ["source"],
    "ir": ["source", "abi", "intrinsics"],
    "sema": ["syntax", "ir"],
    "passes": ["ir"],
    "codegen/cuda": ["ir"],
    "codegen/llvm": ["ir"],
    "runtime/cuda": ["abi", "base"],
    "runtime/cpu": ["abi", "base"],
    "runtime/dlpack": ["abi", "base"],
    "checker": ["runtime/cpu", "source"],
    "driver": [
        "syntax", "sema", "passes", "codegen/cuda", "codegen/llvm",
        "runtime/cuda", "runtime/cpu", "runtime/dlpack", "checker", "public",
    ],
    "public": ["public"],
}  # fmt: skip

# sema implements the public interface of captured values, which is why it may see that header.
ALLOWED_FILES = {("sema", "tirxcc/scope.h"), ("sema", "tirxcc/diagnostic.h")}

WALLS = [
    (re.compile(r"llvm(-c)?/"), "LLVM", ["src/codegen/llvm"]),
    (re.compile(r"nanobind/|Python\.h|pybind11/"), "Python", ["python/bindings"]),
    (
        re.compile(r"cuda\.h|nvrtc\.h|cuda_runtime(_api)?\.h"),
        "the CUDA driver",
        ["src/runtime/cuda"],
    ),
    (re.compile(r"boost/context/"), "boost.context", ["src/runtime/cpu"]),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
DRIVER_NAME = re.compile(
    r"\b(?:CUresult|CUdevice|CUcontext|CUfunction|CUlibrary|cuLaunchKernel\w*)\b"
)


def reachable(module: str) -> set[str]:
    """The module, what its row names and what those may see."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            waiting += LAYERS.get(current, [])
    return seen


def module_of(path: str) -> str | None:
    """The module of a path as it stands in an include line or below src; None for the world's."""
    if path.startswith("tirxcc/"):
        return "public"
    names = sorted(LAYERS, key=len, reverse=True)
    return next((name for name in names if path.startswith(name + "/")), None)


def owner_of(path: Path) -> str | None:
    """The module that a file of ours belongs to."""
    name = repository.shown(path)
    if name.startswith("src/"):
        return module_of(name.removeprefix("src/"))
    return "public" if name.startswith("include/") else "outside"


def check_include(owner: str, path: Path, target: str) -> str | None:
    module = module_of(target)
    if module is None:
        return None
    if owner == "outside":
        if module == "public" or "tests" in path.parts or "bench" in path.parts:
            return None
        return f"'{target}' is not public; only include/tirxcc may be included from here"
    if module in reachable(owner) or (owner, target) in ALLOWED_FILES:
        return None
    # A test may use what the program links anyway, to make its inputs from text.
    if path.stem.endswith("_test"):
        return None
    return f"{owner} may not include '{target}' of {module}"


def check_file(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    name, owner = repository.shown(path), owner_of(path)
    if owner is None:
        return [f"{name}:1: this folder is no module of scripts/check_layers.py"]
    found = []
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start(1)) + 1
        target = match[2]
        problem = check_include(owner, path, target)
        if problem:
            found.append(f"{name}:{line}: {problem}")
        for pattern, what, folders in WALLS:
            if pattern.match(target) and not any(name.startswith(f + "/") for f in folders):
                found.append(f"{name}:{line}: {what} may be included only below {folders[0]}")
    if name.startswith("src/") and owner != "runtime/cuda":
        code = re.sub(r"//.*", "", text)
        driver = DRIVER_NAME.search(code)
        if driver:
            line = code.count("\n", 0, driver.start()) + 1
            found.append(f"{name}:{line}: '{driver[0]}' belongs into src/runtime/cuda")
    return found


def main() -> None:
    sources = repository.files(".h", ".cc", ".cpp")
    ours = [f for f in sources if repository.shown(f).split("/")[0] not in ("tests",)]
    repository.finish("layers", [finding for f in ours for finding in check_file(f)])


if __name__ == "__main__":
    main()
