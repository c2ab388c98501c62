# SPDX-License-Identifier: Apache-2.0
"""Programs written for the packages that the language comes from, with only the imports changed."""

from __future__ import annotations

import builtins
import linecache
import re
from pathlib import Path

import numpy as np
import pytest
import tirxcc
import tirxcc as tvm
from tirxcc.script import tirx as T
from tirxcc.tirx import compile


@T.prim_func
def add_one(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    T.device_entry()
    bx = T.cta_id([T.ceildiv(n, 64)])
    tx = T.thread_id([64])
    if bx * 64 + tx < n:
        B[bx * 64 + tx] = A[bx * 64 + tx] + T.float32(1)


def test_module_of_functions() -> None:
    target = tvm.target.Target("llvm")
    exe = tvm.compile(tvm.IRModule({"main": add_one}), target=target, tir_pipeline="tirx")
    a = np.arange(100, dtype=np.float32)
    b = np.zeros_like(a)
    exe(a, b)
    np.testing.assert_array_equal(b, a + 1)
    exe["main"](b, a)
    np.testing.assert_array_equal(a, b + 1)
    assert [kernel.name for kernel in exe.kernels] == ["add_one_kernel"]
    with pytest.raises(NameError, match="it has main"):
        exe["other"]


def test_compile_of_the_other_package() -> None:
    exe = compile(add_one, target=tvm.target.Target({"kind": "cuda", "arch": "sm_90a"}))
    assert exe.source == tirxcc.compile(add_one).cuda_source


PROGRAMS = {"for_tvm_tirx.py": "tvm_tirx", "for_tvm.py": "tvm"}
FOLDER = Path(__file__).parent / "other_packages"


def run_program(text: str, path: str) -> None:
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    names: dict = {"__name__": "program"}
    exec(builtins.compile(text, path, "exec"), names)
    names["main"]()


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_runs_with_its_imports_changed(name: str) -> None:
    lines = (FOLDER / name).read_text().splitlines(keepends=True)
    old = PROGRAMS[name]
    changed = 0
    for i, line in enumerate(lines):
        if line == f"import {old}\n":
            lines[i] = f"import tirxcc as {old}\n"
        elif line.startswith(f"from {old}."):
            lines[i] = line.replace(old, "tirxcc", 1)
        changed += lines[i] != line
    assert changed >= 2
    run_program("".join(lines), name)


@pytest.mark.parametrize("name", PROGRAMS)
def test_its_kernels_are_read_as_they_are(name: str) -> None:
    """Without running the file, the imports need no change."""
    text = (FOLDER / name).read_text()
    kernels = re.findall(r"^def (?!main)(\w+)", text, re.MULTILINE)
    assert len(kernels) >= 2
    for kernel in kernels:
        function = tirxcc.function_from_source(text, kernel)
        assert f"{kernel}_kernel" in tirxcc.compile(function, target="sm_90a").source
