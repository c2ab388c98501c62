# SPDX-License-Identifier: Apache-2.0
"""Makes a failing program smaller while it fails in the same way.

Statements are removed, branches and loops replaced by their bodies, expressions by their operands.
What is assigned to a name stays wrapped in a cast to the name's type, so that no type changes.
Candidates run in a process of their own, in the form that failed only, and not for long; so does
the whole: the smallest program that was reached is what is told.
"""

from __future__ import annotations

import ast
import dataclasses
import os
import re
import select
import signal
import time
from collections.abc import Iterator

import compare
from kernel import Program
from workers import STOP

SECONDS = 60
# Of processor time, for one candidate: it may loop without end.
SECONDS_A_CANDIDATE = 3


def kind_of(found: str) -> str:
    """What makes two failures the same one."""
    if found.startswith("does not compile"):
        names = re.findall(r"\[([a-z-]+)\]", found)
        return f"does not compile {names[0] if names else found[:80]}"
    if found.startswith("ends with"):
        return found.partition(":")[0]
    return found.partition(" ")[0]


def probe(program: Program, forms: tuple[dict, ...] = (), seconds: float = SECONDS) -> str:
    """What is wrong with the program, found out by a child process."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, SECONDS_A_CANDIDATE)
        try:
            found = compare.difference(program, forms)
        except Exception:
            found = "invalid"
        os.write(write_end, found.encode()[:4000])
        os._exit(0)
    os.close(write_end)
    # One that waits for ever takes no processor time.
    if not select.select([read_end], [], [], max(seconds, 0.1))[0]:
        os.kill(child, signal.SIGKILL)
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


def candidates(tree: ast.Module) -> Iterator[str]:
    for changes in (smaller_statements(tree), smaller_expressions(tree)):
        for _ in changes:
            yield ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def shrunk(program: Program, found: str, seconds: float = SECONDS) -> tuple[Program, str]:
    """The smallest program reached in so many seconds, and what is wrong with it."""
    ends = time.monotonic() + seconds
    wanted, forms = kind_of(found), compare.form_in(found)

    def outcome_of(candidate: Program) -> str:
        return probe(candidate, forms, ends - time.monotonic())

    with_casts = ast.unparse(Casts(program.types).visit(ast.parse(program.body)))
    candidate = dataclasses.replace(program, body=with_casts + "\n")
    if kind_of(outcome_of(candidate)) == wanted:
        program = candidate
    tried: set[str] = set()
    changed = True
    while changed:
        changed = False
        for body in candidates(ast.parse(program.body)):
            if time.monotonic() > ends or STOP.is_set():
                return program, found
            if body in tried:
                continue
            tried.add(body)
            candidate = dataclasses.replace(program, body=body)
            outcome = outcome_of(candidate)
            if kind_of(outcome) == wanted:
                program, found, changed = candidate, outcome, True
                break
    return program, found
