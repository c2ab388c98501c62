# SPDX-License-Identifier: Apache-2.0
"""These tests need a GPU, torch and CuPy; scripts/gpu_check.sh runs them where those are."""

from __future__ import annotations

from pathlib import Path

import pytest


def gpu_count() -> int:
    try:
        import torch
    except ImportError:
        return 0
    return torch.cuda.device_count()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mine = [item for item in items if Path(__file__).parent in item.path.parents]
    count = gpu_count() if mine else 0
    for item in mine:
        if count == 0:
            item.add_marker(pytest.mark.skip(reason="no GPU"))
        elif count < 2 and item.get_closest_marker("two_gpus"):
            item.add_marker(pytest.mark.skip(reason="one GPU"))
