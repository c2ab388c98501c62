# SPDX-License-Identifier: Apache-2.0
"""Compares the syntax tree with CPython's own, on CPython's own standard library.

Every .py file of the running interpreter's library (its test folder too) is parsed by both. Node
classes, fields, values and positions must be equal; what CPython refuses must be refused, and
nothing may crash. F-string insides are compared from Python 3.12 on, which knows their positions.

    python3 tests/syntax/compare_with_cpython.py TOOL [--every N] [FILE...]

TOOL is the built tirxcc_syntax_tool. Exits with status 1 if the share of equal expression nodes is
below 95 %, or if any file is accepted by one side only for no reason listed in KNOWN_DIFFERENCES.
"""

import argparse
import ast
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import warnings

WANTED_SHARE = 0.95
SHOW_FSTRING_PARTS = sys.version_info >= (3, 12)
MAX_INDENTATION = 50

# Files that one side accepts and the other refuses, with the reason.
KNOWN_DIFFERENCES = {
    "not UTF-8": re.compile(rb"coding[:=]\s*(?!utf-?8)[-\w.]+"),
    # CPython wants the byte order mark's cookie to be spelled utf-8 exactly.
    "byte order mark and cookie": re.compile(rb"^\xef\xbb\xbf#coding: utf8\s"),
}


def quoted(text):
    codes = text if isinstance(text, bytes) else map(ord, text)
    plain = (chr(c) if 32 <= c <= 126 and c not in (34, 92) else f"\\u{{{c:x}}}" for c in codes)
    return '"' + "".join(plain) + '"'


class Dumper:
    """Prints a tree exactly as src/syntax/printer.cc does."""

    def __init__(self, source):
        self.source = source
        self.source_lines = None
        self.lines = []
        self.depth = 0

    def segment(self, node):
        if self.source_lines is None:
            text = self.source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            if text.startswith(b"\xef\xbb\xbf"):
                text = text[3:]
            self.source_lines = text.split(b"\n")
        lines = self.source_lines[node.lineno - 1 : node.end_lineno]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b"\n".join(lines)

    def line(self, text):
        shown = min(self.depth, MAX_INDENTATION)
        prefix = "" if shown == self.depth else f"({self.depth}) "
        self.lines.append("  " * shown + prefix + text)

    def constant(self, node):
        value = node.value
        if value is None or value is True or value is False:
            self.line(f"value: {value}")
        elif value is ...:
            self.line("value: Ellipsis")
        elif isinstance(value, int):
            digits = str(value)
            if value >= 1 << 64:
                digits = self.segment(node).decode().replace("_", "").lower()
            self.line(f"value: int {digits}")
        elif isinstance(value, float):
            self.line(f"value: float {value:.17g}")
        elif isinstance(value, complex):
            self.line(f"value: complex {value.imag:.17g}")
        elif isinstance(value, bytes):
            self.line(f"value: bytes {quoted(value)}")
        elif b"\\N{" in self.segment(node) and "\\N{" not in value:
            self.line("value: str <named escape>")
        else:
            self.line(f"value: str {quoted(value)}")
        if node.kind is not None:
            self.line('kind: "u"')

    def field(self, label, value):
        if isinstance(value, ast.AST):
            self.node(label, value)
        elif isinstance(value, str):
            self.line(f"{label}: {quoted(value)}")
        else:
            self.line(f"{label}: {value}")

    def node(self, label, node):
        name = type(node).__name__
        if not isinstance(
            node, (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
        ):
            if hasattr(node, "lineno"):
                start = f"{node.lineno}:{node.col_offset}"
                self.line(f"{label}: {name} {start}-{node.end_lineno}:{node.end_col_offset}")
            else:
                self.line(f"{label}: {name}")
            self.depth += 1
            self.fields(node)
            self.depth -= 1
        else:
            self.line(f"{label}: {name}")

    def fields(self, node):
        if isinstance(node, ast.Constant):
            return self.constant(node)
        if isinstance(node, ast.MatchSingleton):
            return self.line(f"value: {node.value}")
        if isinstance(node, ast.JoinedStr) and not SHOW_FSTRING_PARTS:
            return None
        for name, value in ast.iter_fields(node):
            if value is None or name in ("type_comment", "type_ignores"):
                continue
            if isinstance(value, list):
                for index, item in enumerate(value):
                    self.field(f"{name}[{index}]", item)
            else:
                self.field(name, value)
        return None

    def module(self, tree):
        self.line("Module")
        self.depth = 1
        self.fields(tree)
        return self.lines


def read_blocks(tool, paths):
    """The tool's answers: (path, verdict, lines)."""
    command = [tool, "dump"] + ([] if SHOW_FSTRING_PARTS else ["--no-fstring-parts"])
    result = subprocess.run(
        command,
        input="\n".join(paths) + "\n",
        stdout=subprocess.PIPE,
        check=True,
        encoding="utf-8",
        errors="surrogateescape",
    )
    # Not splitlines(): a message may show a line of source with other line ends in it.
    lines = result.stdout.split("\n")
    at = 0
    while at < len(lines) and lines[at]:
        head = re.fullmatch(r"== (ok|error) (.*) (\d+)", lines[at])
        count = int(head[3])
        yield head[2], head[1], lines[at + 1 : at + 1 + count]
        at += 1 + count


def parse_with_cpython(path):
    source = pathlib.Path(path).read_bytes()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, path)
        return source, tree
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        return source, error


def compare_chunk(job):
    """Counts of one list of files, and what differs in words."""
    tool, paths = job
    sys.setrecursionlimit(20000)
    counts = {"files": 0, "refused": 0, "expressions": 0, "equal": 0, "nodes": 0, "skipped": 0}
    differences = []
    for path, verdict, ours in read_blocks(tool, paths):
        source, tree = parse_with_cpython(path)
        counts["files"] += 1
        if verdict == "error" or isinstance(tree, Exception):
            if verdict == "error" and isinstance(tree, Exception):
                counts["refused"] += 1
            elif any(reason.search(source[:200]) for reason in KNOWN_DIFFERENCES.values()):
                counts["skipped"] += 1
            else:
                what = "\n    ".join(ours[:6]) if verdict == "error" else repr(tree)
                side = "refused by us" if verdict == "error" else "refused by CPython only"
                differences.append(f"{path}: {side}: {what}")
            continue
        theirs = Dumper(source).module(tree)
        expressions = sum(isinstance(node, ast.expr) for node in ast.walk(tree))
        counts["expressions"] += expressions
        counts["nodes"] += sum(1 for node in ast.walk(tree))
        if ours == theirs:
            counts["equal"] += expressions
            continue
        for number, (mine, wanted) in enumerate(zip([*ours, ""], [*theirs, ""], strict=False)):
            if mine != wanted:
                differences.append(
                    f"{path}: line {number} of the dump\n  ours:    {mine}\n  CPython: {wanted}"
                )
                break
    return counts, differences


def library_files():
    root = pathlib.Path(sysconfig.get_path("stdlib"))
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in ("site-packages", "__pycache__"))
        for name in sorted(names):
            if name.endswith(".py"):
                yield os.path.join(folder, name)


def compare(tool, paths, processes=None):
    chunks = [paths[i : i + 20] for i in range(0, len(paths), 20)]
    totals, differences = {}, []
    with multiprocessing.Pool(processes) as pool:
        for counts, found in pool.imap(compare_chunk, [(tool, chunk) for chunk in chunks]):
            for name, count in counts.items():
                totals[name] = totals.get(name, 0) + count
            differences += found
    return totals, differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--every", type=int, default=1, help="only each N-th file of the library")
    options = parser.parse_args()
    paths = options.files or list(library_files())[:: options.every]
    totals, differences = compare(options.tool, paths)
    for difference in differences[:40]:
        print(difference)
    share = totals["equal"] / max(totals["expressions"], 1)
    version = ".".join(map(str, sys.version_info[:3]))
    print(
        f"CPython {version}: {totals['files']} files, {totals['nodes']} nodes, "
        f"{totals['expressions']} expression nodes; {100 * share:.2f} % of them in files that are "
        f"equal in every node and position; {totals['refused']} files refused by both, "
        f"{totals['skipped']} with other encodings, {len(differences)} differences"
    )
    one_sided = any(": refused by" in difference for difference in differences)
    return 1 if share < WANTED_SHARE or one_sided else 0


if __name__ == "__main__":
    sys.exit(main())
