# SPDX-License-Identifier: Apache-2.0
"""The stubs of T are those of the compiler's tables, and every name in them exists."""

from __future__ import annotations

import ast

import make_stubs
from tirxcc.script import tirx as T


def test_stubs_are_up_to_date() -> None:
    assert make_stubs.FILE.read_text(encoding="utf-8") == make_stubs.text(), (
        "run scripts/make_stubs.py"
    )


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
    names = names_of(ast.parse(make_stubs.text()).body)
    assert len(names) > 100
    for name in names:
        value = T
        for part in name.split("."):
            value = getattr(value, part)
