# SPDX-License-Identifier: Apache-2.0
"""Compile CUDA text with NVRTC, from Python and without our own C++.

The tests use this to hold our output against an independent compiler run: a golden `.cu` is only
right if NVRTC takes it. `--minimal` is tried first, as the product does, because text that needs
more than the minimal mode offers would cost every user the slow path.

    python3 tests/tools/nvrtc_compile.py relu.cu -o relu.cubin --arch sm_90a
"""

from __future__ import annotations

import argparse
import ctypes
import functools
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUR_HEADERS = ROOT / "src" / "runtime" / "cuda" / "headers"


class CompileError(Exception):
    """NVRTC refused the text; the message is its log."""


def site_packages() -> list[Path]:
    """Site-packages folders that may hold the nvidia wheels, nearest first."""
    prefixes = [Path(sys.prefix), ROOT / ".venv"]
    if "VIRTUAL_ENV" in os.environ:
        prefixes.insert(0, Path(os.environ["VIRTUAL_ENV"]))
    found = [p for prefix in prefixes for p in sorted(prefix.glob("lib/python3*/site-packages"))]
    found += [Path(p) for p in sys.path if p.endswith("site-packages")]
    return list(dict.fromkeys(found))


def wheel_files(pattern: str) -> list[Path]:
    """Files of the nvidia wheels by glob, e.g. `*/lib/libnvrtc.so.*`; newest layout first."""
    return [
        f
        for site in site_packages()
        for f in sorted((site / "nvidia").glob(pattern), reverse=True)
        if ".alt." not in f.name
    ]


def toolkit_folders() -> list[Path]:
    names = [
        os.environ.get("CUDA_HOME"),
        os.environ.get("CUDA_PATH"),
        "/usr/local/cuda",
    ]
    return [Path(n) for n in names if n]


def find_nvrtc() -> Path | None:
    """The NVRTC library, or None where there is none."""
    if "TIRXCC_NVRTC" in os.environ:
        return Path(os.environ["TIRXCC_NVRTC"])
    candidates = wheel_files("*/lib/libnvrtc.so.*")
    for folder in toolkit_folders():
        candidates += sorted((folder / "lib64").glob("libnvrtc.so.[0-9]*"))
    return candidates[0] if candidates else None


def find_real_headers() -> list[Path]:
    """Include folders with NVIDIA's own cuda_fp16.h, one of which is enough."""
    found = [f.parent for f in wheel_files("*/include/cuda_fp16.h")]
    found += [d / "include" for d in toolkit_folders() if (d / "include/cuda_fp16.h").exists()]
    return found


@functools.cache
def load_nvrtc() -> ctypes.CDLL:
    path = find_nvrtc()
    if path is None:
        raise FileNotFoundError("NVRTC not found; pip install nvidia-cuda-nvrtc")
    return ctypes.CDLL(str(path))


def nvrtc_version() -> tuple[int, int]:
    major, minor = ctypes.c_int(), ctypes.c_int()
    load_nvrtc().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return major.value, minor.value


def our_headers() -> dict[str, str]:
    return {f.name: f.read_text() for f in sorted(OUR_HEADERS.glob("*.h"))}


@dataclass
class Request:
    """What to compile and how."""

    text: str
    name: str = "kernel.cu"
    arch: str = "sm_90a"
    output: str = "cubin"
    options: list[str] = field(default_factory=list)
    minimal: bool = True
    headers: dict[str, str] | None = None  # None: ours


def _get(lib: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> bytes:
    size = ctypes.c_size_t()
    getattr(lib, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    getattr(lib, f"nvrtcGet{what}")(program, buffer)
    return buffer.raw


def compile_request(request: Request) -> bytes:
    """The PTX or cubin of one request; CompileError with NVRTC's log otherwise."""
    lib = load_nvrtc()
    headers = our_headers() if request.headers is None else request.headers
    names = (ctypes.c_char_p * len(headers))(*[n.encode() for n in headers])
    texts = (ctypes.c_char_p * len(headers))(*[t.encode() for t in headers.values()])
    program = ctypes.c_void_p()
    lib.nvrtcCreateProgram(
        ctypes.byref(program),
        request.text.encode(),
        request.name.encode(),
        len(headers),
        texts,
        names,
    )
    arch = request.arch if request.output == "cubin" else request.arch.replace("sm_", "compute_")
    options = [f"--gpu-architecture={arch}", "-std=c++17", *request.options]
    if request.minimal:
        options.append("--minimal")
    array = (ctypes.c_char_p * len(options))(*[o.encode() for o in options])
    status = lib.nvrtcCompileProgram(program, len(options), array)
    try:
        if status != 0:
            log = _get(lib, program, "ProgramLog").rstrip(b"\0").decode(errors="replace")
            raise CompileError(f"NVRTC status {status}\n{log}")
        return _get(lib, program, "CUBIN" if request.output == "cubin" else "PTX")
    finally:
        lib.nvrtcDestroyProgram(ctypes.byref(program))


def needs_full_mode(text: str) -> bool:
    """True when the text includes a header that only NVRTC's full mode can take."""
    headers = re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', text, re.MULTILINE)
    return any(h not in our_headers() for h in headers)


def compile_cuda(text: str, name: str = "kernel.cu", arch: str = "sm_90a", **more) -> bytes:
    """A cubin of `text` as the product makes it: minimal mode unless a header forbids it."""
    if needs_full_mode(text):
        options = [f"-I{folder}" for folder in find_real_headers()[:1]]
        return compile_request(Request(text, name, arch, options=options, minimal=False, **more))
    return compile_request(Request(text, name, arch, **more))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--arch", default="sm_90a")
    args = parser.parse_args()
    try:
        cubin = compile_cuda(args.source.read_text(), args.source.name, args.arch)
    except (CompileError, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 1
    args.output.write_bytes(cubin)
    return 0


if __name__ == "__main__":
    sys.exit(main())
