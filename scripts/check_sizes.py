# SPDX-License-Identifier: Apache-2.0
"""Files stay below 800 lines and functions below 80.

Tables are exempt: the rows of src/intrinsics, the golden files, the copied cases. Functions of C++
are found by the format that clang-format enforces, in which the line that opens a function and the
line that closes it have the same indentation and only namespaces are not indented.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import repository

FILE_LINES = 800
FUNCTION_LINES = 80

TABLES = ("tests/golden/", "tests/cases/", "tests/twins/", "src/intrinsics/rows")

NOT_A_FUNCTION = re.compile(
    r"\s*(namespace|struct|class|enum|union|extern|constexpr|static const)\b"
)
# `name(...) {`, with qualifiers, a trailing return type or an initializer list before the brace.
OPENS = re.compile(r"[\w>)\]]\s*\(.*\)[^;=]*\{$|^\s*[^=;]*\)\s*(const|noexcept|override|\s)*\{$")


def cpp_functions(lines: list[str]):
    """Yields (first line, number of lines) for each function, members of classes included."""
    index = 0
    while index < len(lines):
        line = lines[index]
        indent = len(line) - len(line.lstrip())
        opens = line.endswith("{") and indent in (0, 2, 4) and OPENS.search(line)
        if opens and not NOT_A_FUNCTION.match(line):
            # An initializer list on a line of its own is indented four more than its function.
            outer = indent - 4 if line.lstrip().startswith(":") else indent
            closing = " " * outer + "}"
            end = index + 1
            while end < len(lines) and not lines[end].startswith(closing):
                end += 1
            yield index + 1, end - index + 1
            index = end
        index += 1


def python_functions(text: str):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1


def check(path: Path) -> list[str]:
    name = repository.shown(path)
    if name.startswith(TABLES):
        return []
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    found = []
    if len(lines) > FILE_LINES:
        found.append(f"{name}:1: {len(lines)} lines; a file has at most {FILE_LINES}")
    functions = python_functions(text) if path.suffix == ".py" else cpp_functions(lines)
    for line, length in functions:
        if length > FUNCTION_LINES:
            found.append(f"{name}:{line}: a function of {length} lines; at most {FUNCTION_LINES}")
    return found


def main() -> None:
    sources = repository.files(".h", ".cc", ".cpp", ".py")
    repository.finish("sizes", [finding for f in sources for finding in check(f)])


if __name__ == "__main__":
    main()
