# SPDX-License-Identifier: Apache-2.0
"""Our declarations of the CUDA driver agree with NVIDIA's cuda.h."""

import shutil
import subprocess

import pytest
from nvrtc_compile import ROOT, find_real_headers


@pytest.mark.parametrize("folder", find_real_headers() or [None], ids=str)
def test_driver_declarations_agree_with_cuda_h(folder):
    if folder is None or not (folder / "cuda.h").exists():
        pytest.skip("no cuda.h: pip install nvidia-cuda-runtime")
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{ROOT / 'src'}", f"-isystem{folder}"]
    source = ROOT / "tests" / "fake_cuda" / "driver_abi.cc"
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
