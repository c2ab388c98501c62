# SPDX-License-Identifier: Apache-2.0
"""The stubs of T stand in the package, and every name in them exists."""

from __future__ import annotations

import ast
from pathlib import Path

import make_stubs
from tirxcc import _core
from tirxcc.script import tirx as T


def test_stubs_are_those_of_the_tables() -> None:
    stubs = Path(T.__file__).with_suffix(".pyi")
    assert stubs.read_text(encoding="utf-8") == make_stubs.text(_core)


def names_of(body: list[ast.stmt], prefix: str = "") -> list[str]:
    names = []
    for node in body:
        if isinstance(node, ast.ClassDef):
            names += names_of(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            names.append(prefix + node.name)
        elif isinstance(node, ast.AnnAssign):
            names.append(prefix + node.target.id)
    return names


def test_every_name_exists() -> None:
    names = names_of(ast.parse(make_stubs.text(_core)).body)
    assert len(names) > 100
    for name in names:
        value = T
        for part in name.split("."):
            value = getattr(value, part)
