# SPDX-License-Identifier: Apache-2.0
"""What the pages show is what the files are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_readme_shows_real_kernels() -> None:
    """Each Python block of the README is a file of examples, from its imports on."""
    files = [path.read_text(encoding="utf-8") for path in EXAMPLES.rglob("*.py")]
    shown = blocks("README.md", "python")
    assert shown
    for block in shown:
        assert any(text.endswith("\n" + block) for text in files), block


def test_readme_shows_real_cuda() -> None:
    """Each CUDA block of the README is an expected text of examples."""
    texts = [path.read_text(encoding="utf-8") for path in EXAMPLES.rglob("*.cu")]
    shown = blocks("README.md", "cuda")
    assert shown
    for block in shown:
        assert block in texts, block


# A block of the pages under docs/ that names a file: ```python examples/control_flow/relu.py
NAMED_BLOCK = re.compile(r"^```(python|cuda) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DOCUMENTS = sorted((ROOT / "docs").glob("*.md"))


def shown_part(path: str) -> str:
    """What a page shows of a file: of a kernel file, its functions."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return text[text.index("@T.") :] if path.endswith(".py") else text


def filled(page: str) -> str:
    return NAMED_BLOCK.sub(lambda m: f"```{m[1]} {m[2]}\n{shown_part(m[2])}```", page)


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.stem)
def test_blocks_are_their_files(page: Path, request: pytest.FixtureRequest) -> None:
    text = page.read_text(encoding="utf-8")
    if request.config.getoption("--update"):
        page.write_text(filled(text), encoding="utf-8")
        text = filled(text)
    assert text == filled(text)


def test_control_flow_shows_every_example() -> None:
    text = (ROOT / "docs" / "control_flow.md").read_text(encoding="utf-8")
    shown = {Path(match[2]).stem for match in NAMED_BLOCK.finditer(text)}
    examples = {path.stem for path in (EXAMPLES / "control_flow").glob("*.py")}
    assert examples - shown == {"edge_filter"}
