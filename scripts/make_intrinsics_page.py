# SPDX-License-Identifier: Apache-2.0
"""Writes docs/intrinsics.md: every device function, from the compiler's own table.

    .venv/bin/python scripts/make_intrinsics_page.py

The table is asked through the package tirxcc. A function that no part below takes is an error, so
a new one gets its place here.
"""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "intrinsics.md"
HEAD = """\
# The device functions

Made by `scripts/make_intrinsics_page.py` from the compiler's table; `tirxcc help intrinsics` prints
it, and `help(T.cuda.atomic_add)` in Python one line of it. All of them run on both targets, the CPU
and GPUs. Arguments go by position. A `pointer` is the address of an element of a tensor or of
shared memory, `A.ptr_to([i])`; a `mask` says which lanes of the warp take part, one bit each,
`0xFFFFFFFF` for all 32. `warp_size` is 32.
"""
# Title and names, of which the first part that matches takes a function.
PARTS = [
    ("Barriers and fences", r"cuda\.(cta_sync|warp_sync|syncthreads_\w+|thread_fence\w*)"),
    (
        "Named barriers, mbarriers, grid",
        r"cuda\.(grid_sync|warpgroup_sync|mbarrier_wait)|ptx\.(bar|mbarrier|fence)\..+",
    ),
    ("Atomics", r"cuda\.atomic_\w+"),
    ("Lanes of a warp", r"cuda\.(__\w+|[a-z]\w*_sync\w*)"),
    ("Text, checks and time", r"cuda\.(printf|trap_when_assert_failed|clock64|nano_sleep)"),
    ("Other spellings", r"(cuda\._|ptx\.|gpu_warp_|tvm_warp_)\w+"),
    ("Mathematics", r"[a-z]\w*"),
]


def part_of(path: str) -> str:
    for title, names in PARTS:
        if re.fullmatch(names, path):
            return title
    raise SystemExit(f"{path}: no part of the page takes it; see PARTS")


def text(names: list[tuple[str, str, bool]]) -> str:
    """The page for the compiler's language_names()."""
    rows: dict[str, list[str]] = {title: [] for title, _ in PARTS}
    for path, doc, _ in names:
        found = re.fullmatch(r"\w+(\(.*?\)): (.*)", doc)
        if found:
            rows[part_of(path)].append(f"| `T.{path}{found[1]}` | {found[2]} |")
    parts = [
        f"\n## {title}\n\n| call | what it does |\n| --- | --- |\n" + "\n".join(lines) + "\n"
        for title, lines in rows.items()
    ]
    return HEAD + "".join(parts)


if __name__ == "__main__":
    from tirxcc import _core

    PAGE.write_text(text(_core.language_names()), encoding="utf-8")
