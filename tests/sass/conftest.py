# SPDX-License-Identifier: Apache-2.0
"""Puts tests/tools on the path and skips what this machine cannot do."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

import nvrtc_compile
import sass


@pytest.fixture(scope="session")
def nvrtc():
    """The compile module, where there is an NVRTC."""
    if nvrtc_compile.find_nvrtc() is None:
        pytest.skip("no NVRTC: pip install nvidia-cuda-nvrtc")
    return nvrtc_compile


@pytest.fixture(scope="session")
def disassembler(nvrtc):
    """The SASS module, where there are NVRTC and nvdisasm."""
    if sass.find_nvdisasm() is None:
        pytest.skip("no nvdisasm: pip install nvidia-cuda-nvdisasm")
    return sass
