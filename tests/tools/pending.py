# SPDX-License-Identifier: Apache-2.0
"""tests/pending.toml: what does not work yet, each entry with its reason.

    [tests]            ids of tests that are expected to fail; a trailing * stands for the rest
    [diagnostics]      diagnostics without a golden
    [intrinsics]       intrinsics without a golden
    [intrinsic-runs]   intrinsics without a run test
    [passes]           passes without a golden

A test named in full must fail (else the entry goes); tests under a * may.
"""

from __future__ import annotations

import functools
import tomllib

from command import ROOT

FILE = ROOT / "tests/pending.toml"


@functools.cache
def _read() -> dict[str, dict[str, str]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def pending_ids(section: str) -> dict[str, str]:
    """Names and reasons of one section."""
    return _read().get(section, {})


def pending_test(test_id: str) -> tuple[str, bool] | None:
    """The reason why a test is expected to fail and whether it must, or None."""
    for pattern, reason in pending_ids("tests").items():
        if pattern == test_id:
            return reason, True
        if pattern.endswith("*") and test_id.startswith(pattern[:-1]):
            return reason, False
    return None
