# SPDX-License-Identifier: Apache-2.0
"""The checks of scripts/check_*.py find what they are there to find."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import check_layers  # noqa: E402
import check_sizes  # noqa: E402
import check_text  # noqa: E402
import repository  # noqa: E402


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository root for the checks to look at."""
    monkeypatch.setattr(repository, "ROOT", tmp_path)
    return tmp_path


def write(tree: Path, name: str, text: str) -> Path:
    path = tree / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("file", "include", "finding"),
    [
        ("src/syntax/a.h", '"source/source.h"', None),
        ("src/syntax/a.h", '"base/arena.h"', None),
        ("src/syntax/a.h", '"ir/expr.h"', "syntax may not include 'ir/expr.h' of ir"),
        ("src/passes/a.cc", '"sema/sema.h"', "passes may not include"),
        ("src/codegen/cuda/a.cc", '"codegen/llvm/jit.h"', "may not include"),
        ("src/codegen/llvm/a.cc", "<llvm/IR/Module.h>", None),
        ("src/driver/a.cc", "<llvm/IR/Module.h>", "LLVM may be included only below"),
        ("src/sema/a.cc", "<Python.h>", "Python may be included only below"),
        ("tools/tirxcc/main.cc", '"driver/driver.h"', "is not public"),
        ("tools/tirxcc/main.cc", "<tirxcc/compiler.h>", None),
        ("src/nonsense/a.cc", "<vector>", "is no module"),
    ],
)
def test_layers(tree: Path, file: str, include: str, finding: str | None) -> None:
    found = check_layers.check_file(write(tree, file, f"#include {include}\n"))
    assert (found == []) if finding is None else (len(found) == 1 and finding in found[0])


def test_driver_names_outside_their_module(tree: Path) -> None:
    text = "// CUresult in a comment is fine\nint f(CUresult r);\n"
    assert check_layers.check_file(write(tree, "src/driver/a.cc", text)) == [
        "src/driver/a.cc:2: 'CUresult' belongs into src/runtime/cuda"
    ]
    assert check_layers.check_file(write(tree, "src/runtime/cuda/a.cc", text)) == []


def cpp_function(lines: int, head: str = "int f(int a) {", indent: str = "") -> str:
    return f"{indent}{head}\n" + f"{indent}  g();\n" * (lines - 2) + f"{indent}}}\n"


@pytest.mark.parametrize(
    "head",
    ["int f(int a) {", "Foo::Foo(int a) : a_(a) {", "auto f(int a) -> int {", "int C::f() const {"],
)
def test_long_functions(tree: Path, head: str) -> None:
    assert check_sizes.check(write(tree, "src/a.cc", cpp_function(80, head))) == []
    found = check_sizes.check(write(tree, "src/a.cc", "\n" + cpp_function(81, head)))
    assert found == ["src/a.cc:2: a function of 81 lines; at most 80"]


def test_long_functions_elsewhere(tree: Path) -> None:
    member = "class C {\n" + cpp_function(81, indent="  ") + "};\n"
    assert len(check_sizes.check(write(tree, "src/a.h", member))) == 1
    many = "namespace a {\n" + cpp_function(60) * 3 + "}\n"
    assert check_sizes.check(write(tree, "src/a.h", many)) == []
    python = "def f():\n" + "    pass\n" * 80
    assert len(check_sizes.check(write(tree, "a.py", python))) == 1


def test_long_files(tree: Path) -> None:
    assert check_sizes.check(write(tree, "src/a.cc", "\n" * 800)) == []
    assert len(check_sizes.check(write(tree, "src/a.cc", "\n" * 801))) == 1
    assert check_sizes.check(write(tree, "tests/golden/a.py", "\n" * 801)) == []


def test_licence_lines(tree: Path) -> None:
    path = write(tree, "src/a.cc", "int a;\n")
    assert len(check_text.check_licence(path, path.read_text())) == 1
    path = write(tree, "src/b.cc", f"// {check_text.LICENCE}\nint a;\n")
    assert check_text.check_licence(path, path.read_text()) == []


def test_traces(tree: Path) -> None:
    path = write(tree, "a.md", "")
    for text in ("see /wo" + "rk/main", "at py" + "pi.org", "/ho" + "me/jo/x"):
        assert len(check_text.check_traces(path, text)) == 1, text
    assert check_text.check_traces(path, "the network, a /usr/bin/env, homework/") == []


def test_links(tree: Path) -> None:
    write(tree, "b.md", "# One Heading\n")
    text = "[a](b.md) [b](b.md#one-heading) [c](https://x.y) [d](none.md) [e](b.md#two)\n"
    path = write(tree, "a.md", text + "```\n[f](inside_code.md)\n```\n")
    found = check_text.check_links(path, path.read_text())
    assert found == ["a.md: no such file: 'none.md'", "a.md: no such heading: 'b.md#two'"]
