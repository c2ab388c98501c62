# SPDX-License-Identifier: Apache-2.0
"""The cases of tests/cases/bugs, run by the Python package on the CPU target."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from bug_case import check_case, package_is_there

BUGS = Path(__file__).parent / "bugs"
KEYS = {"name", "kernel", "args", "outcomes", "compare", "needs", "options"}


def all_cases() -> list:
    """(file, case) for each entry of each CASES table; the files import the package."""
    found = []
    for source in sorted(BUGS.glob("*.py")):
        for case in runpy.run_path(str(source))["CASES"]:
            found.append(pytest.param(source, case, id=f"{source.stem}/{case['name']}"))
    return found


if package_is_there():

    @pytest.mark.parametrize(("source", "case"), all_cases())
    def test_case(source: Path, case: dict) -> None:
        assert set(case) == KEYS
        check_case(case, source)

else:

    @pytest.mark.parametrize("source", [pytest.param(p, id=p.stem) for p in BUGS.glob("*.py")])
    def test_case(source: Path) -> None:
        pytest.skip("the package tirxcc is not installed")
