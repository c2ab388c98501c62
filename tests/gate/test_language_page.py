# SPDX-License-Identifier: Apache-2.0
"""docs/language.md tells the truth: its code stands in goldens, its names in the compiler."""

from __future__ import annotations

import re
from pathlib import Path

import make_intrinsics_page
import pytest
from command import ROOT, require_command, run_command
from golden import golden_sources

PAGE = ROOT / "docs/language.md"
PAIR = re.compile(r"```python\n(.*?)```\n```cuda\n(.*?)```\n", re.DOTALL)
PAIRS = PAIR.findall(PAGE.read_text())


def shows(snippet: str) -> list[Path]:
    return [path for path in golden_sources() if snippet in path.read_text()]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0].split("\n")[0].strip())
def test_snippets_are_tested(pair: tuple[str, str]) -> None:
    """The kernel text is part of a golden's kernel, the CUDA part of what that must become."""
    kernel, cuda = pair
    sources = shows(kernel)
    assert sources, "no golden holds this kernel text"
    assert any(cuda in s.with_suffix(".cu").read_text() for s in sources if "bad_" not in s.name)


def test_every_block_is_looked_at() -> None:
    assert len(PAIRS) >= 8
    assert PAGE.read_text().count("```") == 4 * len(PAIRS)


def test_every_name_exists(tmp_path: Path) -> None:
    """Each `T.name` of the page is known to the compiler, and each function of the list."""
    require_command()
    text = PAGE.read_text()
    names = set(re.findall(r"\bT\.((?:cuda\.)?[A-Za-z_]\w*)", text)) - {"cuda", "ptx", "name"}
    listed = re.search(r"Functions: `T\.(.*?)`", text, re.DOTALL)[1].split()
    assert len(listed) > 40
    for name in sorted(names | set(listed)):
        file = tmp_path / "name.py"
        file.write_text(
            "from tirxcc.script import tirx as T\n\n\n@T.function\n"
            f"def f(x: T.float32):\n    y = T.{name}\n"
        )
        outcome = run_command("build", file, "--emit=ir")
        assert "has no" not in outcome.err, f"T.{name}\n{outcome.describe()}"


def test_help_prints_it() -> None:
    require_command()
    outcome = run_command("help")
    assert outcome.status == 0, outcome.describe()
    assert outcome.out == PAGE.read_text()
    for title in re.findall(r"^## (\w+)", PAGE.read_text(), re.MULTILINE):
        part = run_command("help", title.lower())
        assert part.status == 0, part.describe()
        assert part.out.startswith(f"## {title}"), part.describe()
        assert part.out.count("\n## ") == 0
    # A word that is no heading: the parts in which it occurs, and rows of the other page.
    found = run_command("help", "Shared")
    assert found.status == 0, found.describe()
    assert "## Memory" in found.out
    found = run_command("help", "printf")
    assert "## Together" in found.out
    assert "| `T.cuda.printf(format, *values)` |" in found.out
    found = run_command("help", "warp")
    assert found.out.startswith("## Lanes of a warp"), found.describe()
    assert found.out.count("\n## ") == 0
    assert "tirxcc help" in run_command("--help").out
    assert run_command("help", "intrinsics").out == make_intrinsics_page.PAGE.read_text()


def test_page_of_intrinsics_is_up_to_date() -> None:
    """Else run scripts/make_intrinsics_page.py."""
    core = pytest.importorskip("tirxcc._core")
    text = make_intrinsics_page.PAGE.read_text()
    assert text == make_intrinsics_page.text(core.language_names())
    assert text.count("| `T.") > 80
