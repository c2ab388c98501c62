# SPDX-License-Identifier: Apache-2.0
"""CPython runs the body of a program, thread by thread.

Where Python's own meaning is not the language's, the body is rewritten first: an assignment of a
name converts to the name's type, choices and `and`, `or`, `not` give values of the language, a
local array is made, `T.grid` is nested loops (so that `break` leaves the innermost one).
"""

from __future__ import annotations

import ast
import contextlib

import numpy as np
from kernel import ARRAYS, Program
from meaning import Val, numpy_type
from names_of_t import Array, ThreadReturn, language, loop


def call(name: str, *arguments: ast.expr) -> ast.Call:
    function = ast.Attribute(ast.Name("T", ast.Load()), name, ast.Load())
    return ast.Call(function, list(arguments), [])


def later(value: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), value)


class Rewrite(ast.NodeTransformer):
    def __init__(self, types: dict[str, str]) -> None:
        self.types = types

    def stored(self, target: ast.expr, value: ast.expr) -> ast.expr:
        """`value` as the name `target` keeps it; elements convert by themselves."""
        if not isinstance(target, ast.Name) or target.id not in self.types:
            return value
        return call("_stored", ast.Constant(self.types[target.id]), value)

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        self.generic_visit(node)
        [target] = node.targets
        if isinstance(node.value, ast.Call) and is_t(node.value, "alloc_local"):
            shape, dtype = node.value.args
            node.value = call("_array", dtype, shape)
        elif isinstance(target, ast.Tuple):
            pairs = zip(target.elts, node.value.elts, strict=True)
            node.value = ast.Tuple([self.stored(t, v) for t, v in pairs], ast.Load())
        else:
            node.value = self.stored(target, node.value)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.Assign:
        self.generic_visit(node)
        if node.value is None:
            dtype, extent = ast.Constant(node.annotation.value.attr), node.annotation.slice
            value = call("_array", dtype, ast.Tuple([extent], ast.Load()))
        else:
            value = self.stored(node.target, node.value)
        return ast.Assign([node.target], value)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        read = ast.Name(node.target.id, ast.Load())
        sum_ = ast.BinOp(read, node.op, node.value)
        return ast.Assign([node.target], self.stored(node.target, sum_))

    def visit_IfExp(self, node: ast.IfExp) -> ast.Call:
        self.generic_visit(node)
        return call("_choose", later(node.test), later(node.body), later(node.orelse))

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if is_t(node, "if_then_else") or is_t(node, "Select"):
            return call("_choose", *map(later, node.args))
        if is_t(node, "cast"):
            value, dtype = node.args
            return call("_stored", dtype, value)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.Call:
        self.generic_visit(node)
        return call("_truth", node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return call("_truth", node) if isinstance(node.op, ast.Not) else node

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        if not is_t(node.iter, "grid"):
            return node
        outer, inner = node.target.elts
        extents = [call("serial", extent) for extent in node.iter.args]
        return ast.For(outer, extents[0], [ast.For(inner, extents[1], node.body, [])], [])


def is_t(node: ast.expr, name: str) -> bool:
    """Is it a call of T.<name>?"""
    function = getattr(node, "func", None)
    return isinstance(function, ast.Attribute) and function.attr == name


def as_array(dtype: str, data: np.ndarray) -> Array:
    wide = data.astype(np.float32) if dtype == "bfloat16" else data
    return Array(dtype, data.shape, wide.ravel().tolist())


def as_numpy(array: Array) -> np.ndarray:
    if array.dtype == "bfloat16":
        return np.array(array.items, np.float32).astype(numpy_type("bfloat16")).reshape(array.shape)
    return np.array(array.items, numpy_type(array.dtype)).reshape(array.shape)


def interpret_threads(program: Program, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What the arrays hold after the program; `inputs` stay as they are."""
    tree = ast.fix_missing_locations(Rewrite(program.types).visit(ast.parse(program.body)))
    code = compile(tree, "<body>", "exec")
    tensors = {name: as_array(ARRAYS[name], data) for name, data in inputs.items()}
    t = language(program.frame.dialect)
    names = {"T": t, "range": loop, "min": t.min, "max": t.max, "abs": t.abs}
    for thread in range(program.frame.limit):
        with contextlib.suppress(ThreadReturn):
            exec(code, {**names, "t": Val("int32", thread), **tensors})
    return {name: as_numpy(tensor) for name, tensor in tensors.items()}
