# SPDX-License-Identifier: Apache-2.0
"""What the compiler says of missing barriers is true: nothing of random programs that are free of
races, and something of many of them once a barrier is taken away."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from compare import FAMILIES

tirxcc = pytest.importorskip("tirxcc")

MESSAGES = {"missing-barrier", "racing-blocks", "lost-update", "lost-updates"}
PROGRAMS = 120
BARRIER = "T.cuda.cta_sync()"


def said_of(text: str) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tirxcc.function_from_source(text, "kernel")
    found = [getattr(one.message, "diagnostic", None) for one in caught]
    return [one.rendered for one in found if one is not None and one.id in MESSAGES]


@pytest.mark.parametrize("family", FAMILIES)
def test_silent_without_races(family: str) -> None:
    for seed in range(PROGRAMS):
        text = FAMILIES[family](seed).source()
        said = said_of(text)
        assert not said, f"{family} {seed}:\n{text}\n{said[0]}"


def test_speaks_without_barriers() -> None:
    programs = [FAMILIES["blocks"](seed).source() for seed in range(PROGRAMS)]
    programs = [text for text in programs if BARRIER in text]
    spoken = sum(bool(said_of(text.replace(BARRIER, "pass"))) for text in programs)
    # Most have atomic functions or loops of the block in between, behind which nothing is certain.
    assert spoken >= len(programs) // 40, f"{spoken} of {len(programs)}"
