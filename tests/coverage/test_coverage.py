# SPDX-License-Identifier: Apache-2.0
"""Nothing in the compiler's tables goes untested.

Every diagnostic has a golden that shows it, every intrinsic a golden and a run test, every pass a
golden. The tables are read from the sources by regular expression. What is not covered yet stands
in tests/pending.toml with its reason; an entry there that is no longer needed fails too, so the
list can only shrink.
"""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from command import ROOT
from golden import FOLDERS, golden_sources, read_header
from pending import pending_ids

SOURCES = ROOT / "src"

# constexpr Diagnostic kName{"the-id", ...
DIAGNOSTIC = re.compile(r"\bDiagnostic\s+k\w+\s*(?:=\s*)?\{\s*\"([a-z0-9-]+)\"")
COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
# {.name = "T.cuda.thread_idx", ...
INTRINSIC = re.compile(r"\.name\s*=\s*\"([\w.]+)\"")
# {"simplify", passes::simplify, ... and, outside the table, kFission{"fission_at_barriers", ...
PASS = re.compile(r"^(?:\s*|.*Row k\w+)\{\s*(?:\.name\s*=\s*)?\"([a-z0-9_]+)\",", re.MULTILINE)
# [the-id] at the end of the first line of a message
SHOWN = re.compile(r"\[([a-z0-9-]+)\]$", re.MULTILINE)


def texts(folder: Path, *suffixes: str) -> list[str]:
    paths = [p for p in sorted(folder.rglob("*")) if p.suffix in suffixes]
    return [p.read_text(encoding="utf-8") for p in paths if not p.stem.endswith("_test")]


def found_in(pattern: re.Pattern, source_texts: list[str]) -> set[str]:
    return {name for text in source_texts for name in pattern.findall(text)}


def run_sources() -> set[Path]:
    """The kernel files that some run test runs."""
    cases = (ROOT / "tests/run").glob("*/cases.py")
    return {ROOT / run.file for path in cases for run in runpy.run_path(str(path))["RUNS"]}


def used_names(sources) -> set[str]:
    """`cuda.thread_idx` for each `T.cuda.thread_idx` in the kernel files."""
    return found_in(re.compile(r"\bT\.([\w.]+)"), [p.read_text("utf-8") for p in sources])


def check(section: str, what: str, known: set[str], covered: set[str]) -> None:
    excused = pending_ids(section)
    # While whole parts are missing, a lone * excuses everything.
    if "*" in excused:
        missing = sorted(known - covered)
        if missing:
            pytest.xfail(f"{excused['*']}: {len(missing)} of {len(known)} without {what}")
        return
    missing = sorted(known - covered - set(excused))
    needless = sorted(name for name in excused if name not in known or name in covered)
    assert not missing, f"without {what}: {missing}"
    assert not needless, f"tests/pending.toml [{section}] need not name: {needless}"


def test_every_diagnostic_has_a_golden() -> None:
    known = found_in(DIAGNOSTIC, texts(SOURCES, ".cc", ".h") + texts(ROOT / "tools", ".cc"))
    shown = found_in(SHOWN, [t for folder in FOLDERS for t in texts(folder, ".diag")])
    for folder in ("tests/cli", "tests/cuda", "tests/python"):
        shown |= found_in(re.compile(r"\[([a-z0-9-]+)\]\""), texts(ROOT / folder, ".py"))
    check("diagnostics", "a .diag that shows it", known, shown)


def test_diagnostics_are_declared_once() -> None:
    codes = [COMMENT.sub("", text) for text in texts(SOURCES, ".cc", ".h")]
    ids = [i for code in codes for i in DIAGNOSTIC.findall(code)]
    assert sorted({i for i in ids if ids.count(i) > 1}) == []


def intrinsics() -> set[str]:
    rows = found_in(INTRINSIC, texts(SOURCES / "intrinsics", ".cc", ".h", ".inc"))
    return {name.removeprefix("T.") for name in rows}


def test_every_intrinsic_has_a_golden() -> None:
    check("intrinsics", "a golden", intrinsics(), used_names(golden_sources()))


def test_every_intrinsic_has_a_run_test() -> None:
    check("intrinsic-runs", "a run test", intrinsics(), used_names(run_sources()))


def test_every_pass_has_a_golden() -> None:
    pipeline = SOURCES / "driver/pipeline.cc"
    known = found_in(PASS, [pipeline.read_text("utf-8")] if pipeline.exists() else [])
    shown = {read_header(path).get("pass", "") for path in golden_sources()}
    check("passes", "a golden with '# pass:'", known, shown)
