# SPDX-License-Identifier: Apache-2.0
"""Exported objects: linked by C and C++ compilers that know nothing of tirxcc, and run."""

from __future__ import annotations

import ctypes
import platform
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from command import run_command

HERE = Path(__file__).resolve().parent
KERNELS = HERE / "kernels.py"
RELU = HERE.parents[1] / "examples/control_flow/relu.py"

# All that an object may ask for, however its kernels are compiled: the C library's own.
# Each of these comes in two forms, for float and double.
MATHS = """acos acosh asin asinh atan atanh atan2 cbrt ceil cos cosh erf exp exp10 exp2 floor fma
fmax fmin fmod hypot ldexp log log10 log1p log2 nearbyint nextafter pow rint round roundeven
sin sincos sinh sqrt tan tanh trunc"""
ALLOWED = {name + suffix for name in MATHS.split() for suffix in ("", "f")} | {
    "memcpy",
    "memmove",
    "memset",
    "printf",
    "aligned_alloc",
    "free",
}
# What these kernels ask for.
OF_KERNELS = {"aligned_alloc", "free", "sin", "floorf", "printf"}

needs_compilers = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in ("gcc", "g++", "nm")),
    reason="gcc, g++ or nm is missing",
)


def build(source: Path, folder: Path, *options: str) -> Path:
    """kernels.o and kernels.h of a kernel file."""
    for form, name in (("obj", "kernels.o"), ("header", "kernels.h")):
        more = options if form == "obj" else ()
        outcome = run_command("build", source, f"--emit={form}", "-o", folder / name, *more)
        assert outcome.status == 0, outcome.describe()
        assert outcome.err == "", outcome.describe()
    return folder / "kernels.o"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    build(KERNELS, folder)
    halves = np.arange(65536, dtype=np.uint16).view(np.float16)
    with np.errstate(all="ignore"):
        products = (halves.astype(np.float32) * np.float32(1.0009765625)).astype(np.float16)
    products.tofile(folder / "expected_halves.bin")
    return folder


def call(*command: object, cwd: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def undefined(obj: Path) -> set[str]:
    lines = call("nm", "-u", "--format=posix", obj, cwd=obj.parent).splitlines()
    return {line.split()[0] for line in lines}


@needs_compilers
@pytest.mark.parametrize("cpu", [None, "native"])
@pytest.mark.parametrize(
    "compiler", ["gcc -x c -std=c99 -pedantic", "g++ -x c++ -std=c++11"], ids=["c", "c++"]
)
def test_programs(compiler: str, cpu: str | None, exported: Path, tmp_path: Path) -> None:
    folder = exported
    if cpu is not None:
        build(KERNELS, tmp_path, f"--cpu={cpu}")
        shutil.copy(exported / "expected_halves.bin", tmp_path)
        folder = tmp_path
    warnings = ["-Wall", "-Wextra", "-Werror"]
    program = folder / f"program_{compiler[:3]}"
    source = HERE / "program.c"
    call(*compiler.split(), "-O1", *warnings, f"-I{folder}", source, "-x", "none",
         folder / "kernels.o", "-lm", "-o", program, cwd=folder)  # fmt: skip
    assert call(program, cwd=folder) == "block 0 of 2\nblock 1 of 2\nfailures: 0\n"


@needs_compilers
def test_blocks_over_threads(exported: Path) -> None:
    program = exported / "threads"
    call("g++", "-O1", "-Wall", "-Werror", f"-I{exported}", HERE / "threads.cc",
         exported / "kernels.o", "-lm", "-pthread", "-o", program, cwd=exported)  # fmt: skip
    call(program, cwd=exported)


@needs_compilers
def test_needs_the_c_library_only(exported: Path, tmp_path: Path) -> None:
    assert undefined(exported / "kernels.o") - {"memset", "memcpy"} == OF_KERNELS
    assert undefined(build(RELU, tmp_path)) == set()
    native = undefined(build(KERNELS, tmp_path, "--cpu=native"))
    assert native <= ALLOWED and OF_KERNELS <= ALLOWED


@needs_compilers
def test_position_independent(tmp_path: Path) -> None:
    library = tmp_path / "relu.so"
    call("gcc", "-shared", "-Wl,-z,text", build(RELU, tmp_path), "-o", library, cwd=tmp_path)
    a, b = np.float32([-1, 2, -3]), np.zeros(3, np.float32)
    relu = ctypes.CDLL(str(library)).relu
    pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (a, b)]
    assert relu(*pointers, ctypes.c_int64(3)) == 0
    assert b.tolist() == [0, 2, 0]


@needs_compilers
@pytest.mark.skipif(platform.machine() != "x86_64", reason="levels of x86-64")
@pytest.mark.skipif(shutil.which("objdump") is None, reason="objdump is missing")
def test_processor(tmp_path: Path) -> None:
    """The default runs on every processor: no register that only newer ones have."""
    registers = {}
    for level in ("x86-64", "x86-64-v3", "x86-64-v4"):
        obj = build(RELU, tmp_path, f"--cpu={level}")
        text = call("objdump", "-d", "--no-show-raw-insn", obj, cwd=tmp_path)
        registers[level] = {name for name in ("xmm", "ymm") if f"%{name}" in text}
    assert registers["x86-64"] == {"xmm"}
    assert "ymm" in registers["x86-64-v3"] and "ymm" in registers["x86-64-v4"]


def test_same_bytes_every_time(exported: Path, tmp_path: Path) -> None:
    again = build(KERNELS, tmp_path)
    assert again.read_bytes() == (exported / "kernels.o").read_bytes()


def refused(outcome, status: int, *words: str) -> None:
    assert outcome.status == status, outcome.describe()
    assert outcome.out == "", outcome.describe()
    for word in words:
        assert word in outcome.err, outcome.describe()


@pytest.mark.parametrize("form", ["obj", "header"])
@pytest.mark.parametrize("name", ["expf", "main", "double", "malloc"])
def test_names_of_c(name: str, form: str, tmp_path: Path) -> None:
    file = tmp_path / "taken.py"
    file.write_text(RELU.read_text().replace("def relu(", f"def {name}("))
    refused(run_command("build", file, f"--emit={form}"), 1, f"'{name}' cannot be exported",
            "rename the function")  # fmt: skip


def test_other_names(tmp_path: Path) -> None:
    file = tmp_path / "letters.py"
    file.write_text(RELU.read_text().replace("def relu(", "def größe("))
    refused(run_command("build", file, "--emit=obj"), 1, "ASCII letters")


def test_what_the_cpu_does_not_run(tmp_path: Path) -> None:
    file = tmp_path / "workspace.py"
    workspace = '    W = T.alloc_buffer((4,), "float32", scope="global")\n'
    text = RELU.read_text().replace("    i = ", workspace + "    i = ")
    file.write_text(text.replace("B[i] = A[i]", "W[0] = A[i]\n            B[i] = W[0]"))
    refused(run_command("build", file, "--emit=obj"), 1, "workspace.py:", "error:")


@pytest.mark.parametrize(
    "options",
    [
        ["--emit=obj", "--target", "cuda"],
        ["--emit=header", "--target", "cuda"],
        ["--emit=cuda", "--cpu=native"],
        ["--emit=object"],
    ],
    ids=" ".join,
)
def test_wrong_usage(options: list[str]) -> None:
    refused(run_command("build", RELU, *options), 2)


def test_unknown_processor() -> None:
    refused(run_command("build", RELU, "--emit=obj", "--cpu=z80"), 1, "'z80'", "x86-64-v3")
