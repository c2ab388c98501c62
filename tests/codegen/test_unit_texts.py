# SPDX-License-Identifier: Apache-2.0
"""Every CUDA text that the back end's unit tests expect is accepted by NVRTC.

The unit tests compare texts; they cannot tell whether CUDA takes them. With TIRXCC_CUDA_TEXTS set
they write each text into a folder, which is compiled here with our half headers.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from command import BUILD

nvrtc_compile = pytest.importorskip("nvrtc_compile", reason="the NVRTC helper is not there yet")

PROGRAM = BUILD / "tirxcc_unit_tests"


@pytest.mark.slow
def test_texts_compile(tmp_path: Path) -> None:
    if nvrtc_compile.find_nvrtc() is None:
        pytest.skip("NVRTC is not installed")
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not built")
    subprocess.run(
        [PROGRAM, "--gtest_filter=Cuda*:-*LongSums*"],
        env={**os.environ, "TIRXCC_CUDA_TEXTS": str(tmp_path)},
        check=True,
        capture_output=True,
    )
    texts = sorted(tmp_path.glob("*.cu"))
    assert texts
    failures = []
    for path in texts:
        text = path.read_text()
        try:
            nvrtc_compile.compile_cuda(text, path.name, output="ptx")
        except nvrtc_compile.CompileError as error:
            failures.append(f"{text}\n{error}")
    assert failures == []
