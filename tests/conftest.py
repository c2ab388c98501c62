# SPDX-License-Identifier: Apache-2.0
"""Options that all tests share."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected files of goldens")
    parser.addoption("--fast", action="store_true", help="leave out the tests marked slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--fast"):
        return
    skip = pytest.mark.skip(reason="slow, and --fast was given")
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(skip)
