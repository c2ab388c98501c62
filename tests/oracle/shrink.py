# SPDX-License-Identifier: Apache-2.0
"""Makes a failing program smaller while it fails in the same way.

Statements are removed, branches and loops replaced by their bodies, expressions by their operands.
What is assigned to a name stays wrapped in a cast to the name's type, so that no type changes.
Candidates run in a process of their own.
"""

from __future__ import annotations

import ast
import dataclasses
import os
import re
import time
from collections.abc import Iterator

from kernel import Program

SECONDS = 120


def kind_of(found: str) -> str:
    """What makes two failures the same one."""
    if found.startswith("does not compile"):
        names = re.findall(r"\[([a-z-]+)\]", found)
        return f"does not compile {names[0] if names else found[:80]}"
    if found.startswith("ends with"):
        return found.partition(":")[0]
    return found.partition(" ")[0]


def probe(program: Program) -> str:
    """What is wrong with the program, found out by a child process."""
    from oracle import difference

    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            found = difference(program)
        except Exception:
            found = "invalid"
        os.write(write_end, found.encode()[:4000])
        os._exit(0)
    os.close(write_end)
    with open(read_end, "rb") as pipe:
        found = pipe.read().decode(errors="replace")
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return found if status == 0 else f"ends with status {status}"


def statement_lists(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse"):
            value = getattr(node, name, None)
            if isinstance(value, list) and value:
                yield value


def smaller_statements(tree: ast.Module) -> Iterator[None]:
    """Changes the tree in place, one change at a time; the caller looks, then it is undone."""
    for block in list(statement_lists(tree)):
        for size in (8, 4, 2, 1):
            for i in range(0, len(block), size):
                saved = list(block)
                block[i : i + size] = []
                if not block and not isinstance(saved[0], ast.Module) and block is not tree.body:
                    block.append(ast.Pass())
                yield
                block[:] = saved
        for i, stmt in enumerate(list(block)):
            for inner in (getattr(stmt, "body", None), getattr(stmt, "orelse", None)):
                if isinstance(inner, list) and inner:
                    saved = list(block)
                    block[i : i + 1] = inner
                    yield
                    block[:] = saved


def operands(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.Compare):
        return [ast.Constant(True), ast.Constant(False)]
    if isinstance(node, ast.Call):
        return list(node.args)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        return [ast.Constant(1)]
    return []


def smaller_expressions(tree: ast.Module) -> Iterator[None]:
    """As above, inside expressions. What is assigned to a name keeps its outermost cast."""
    casts = {id(n) for n in ast.walk(tree) if isinstance(n, (ast.Assign, ast.AugAssign))}
    for parent in list(ast.walk(tree)):
        for name, value in ast.iter_fields(parent):
            slots = value if isinstance(value, list) else [value]
            for i, node in enumerate(slots):
                if not isinstance(node, ast.expr):
                    continue
                for smaller in operands(node):
                    if id(parent) in casts:
                        continue
                    if isinstance(value, list):
                        value[i] = smaller
                        yield
                        value[i] = node
                    else:
                        setattr(parent, name, smaller)
                        yield
                        setattr(parent, name, node)


class Casts(ast.NodeTransformer):
    """Wraps what names are assigned in casts to their types."""

    def __init__(self, types: dict[str, str]) -> None:
        self.types = types

    def wrapped(self, target: ast.expr, value: ast.expr) -> ast.expr:
        if not isinstance(target, ast.Name) or target.id not in self.types:
            return value
        cast = ast.parse(f"T.{self.types[target.id]}(0)", mode="eval").body
        is_array = isinstance(value, ast.Call) and ast.unparse(value.func).startswith("T.alloc_")
        if is_array or ast.unparse(value).startswith(ast.unparse(cast.func) + "("):
            return value
        cast.args = [value]
        return cast

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        [target] = node.targets
        if isinstance(target, ast.Tuple):
            pairs = zip(target.elts, node.value.elts, strict=True)
            node.value.elts = [self.wrapped(t, v) for t, v in pairs]
        else:
            node.value = self.wrapped(target, node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AugAssign:
        node.value = self.wrapped(node.target, node.value)
        return node


def shrunk(program: Program, found: str) -> tuple[Program, str]:
    """The smallest program reached in two minutes, and what is wrong with it."""
    wanted = kind_of(found)
    with_casts = ast.unparse(Casts(program.types).visit(ast.parse(program.body)))
    candidate = dataclasses.replace(program, body=with_casts + "\n")
    if kind_of(probe(candidate)) == wanted:
        program = candidate
    ends = time.monotonic() + SECONDS
    tried: set[str] = set()
    changed = True
    while changed and time.monotonic() < ends:
        changed = False
        tree = ast.parse(program.body)
        for changes in (smaller_statements(tree), smaller_expressions(tree)):
            for _ in changes:
                body = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
                if body in tried or time.monotonic() > ends:
                    continue
                tried.add(body)
                candidate = dataclasses.replace(program, body=body)
                outcome = probe(candidate)
                if kind_of(outcome) == wanted:
                    program, found, changed = candidate, outcome, True
                    break
            if changed:
                break
    return program, found
