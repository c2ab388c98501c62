# SPDX-License-Identifier: Apache-2.0
"""Cubins of CUDA texts, kept in `.cache/cubin` so that a second test run compiles nothing.

The key covers everything that decides the result: text, architecture, headers, NVRTC's version.
A text that NVRTC refuses is not kept.
"""

from __future__ import annotations

import hashlib
import os

import nvrtc_compile
from command import ROOT

FOLDER = ROOT / ".cache/cubin"


def uses_half(text: str) -> bool:
    return "cuda_fp16.h" in text or "cuda_bf16.h" in text


def cubin(text: str, name: str, arch: str, real_headers: bool = False) -> bytes:
    """The cubin of `text`; raises nvrtc_compile.CompileError with NVRTC's log."""
    version = nvrtc_compile.nvrtc_version()
    key = repr((text, arch, real_headers, version, sorted(nvrtc_compile.our_headers().items())))
    kept = FOLDER / (hashlib.sha256(key.encode()).hexdigest() + ".cubin")
    if kept.exists():
        return kept.read_bytes()
    data = _compile(text, name, arch, real_headers)
    FOLDER.mkdir(parents=True, exist_ok=True)
    part = kept.with_suffix(f".{os.getpid()}.{id(data)}")
    part.write_bytes(data)
    part.replace(kept)
    return data


def _compile(text: str, name: str, arch: str, real_headers: bool) -> bytes:
    if not real_headers:
        return nvrtc_compile.compile_cuda(text, name, arch)
    folders = nvrtc_compile.find_real_headers()
    if not folders:
        raise FileNotFoundError("no cuda_fp16.h; pip install nvidia-cuda-runtime")
    return nvrtc_compile.compile_request(
        nvrtc_compile.Request(
            text, name, arch, options=[f"-I{folders[0]}"], minimal=False, headers={}
        )
    )
