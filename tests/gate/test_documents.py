# SPDX-License-Identifier: Apache-2.0
"""What the pages show is what the files are."""

from __future__ import annotations

import re
from pathlib import Path

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
