# SPDX-License-Identifier: Apache-2.0
"""Options that all tests share, and the tests that are expected to fail for now."""

from __future__ import annotations

import pytest
from pending import pending_test


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected files of goldens")
    parser.addoption("--fast", action="store_true", help="leave out the tests marked slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if config.getoption("--fast") and item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="slow, and --fast was given"))
        pending = pending_test(item.nodeid)
        if pending and not config.getoption("--update"):
            reason, must_fail = pending
            item.add_marker(pytest.mark.xfail(reason=reason, strict=must_fail))
