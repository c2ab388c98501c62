# SPDX-License-Identifier: Apache-2.0
"""Our CUDA text gives the machine code of what an expert types.

`tests/twins/kernels.py` holds five kernels in the kernel language, the `.cu` beside it what an
expert writes for each. The SASS of both for sm_90a must be equal, instruction for instruction, up
to names of registers. There is no exception list.
"""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TWINS = ROOT / "tests" / "twins"
KERNELS = sorted(f.stem for f in TWINS.glob("*.cu"))


def test_there_are_five_twins():
    assert len(KERNELS) == 5


@pytest.mark.parametrize("kernel", KERNELS)
def test_twin_compiles(kernel, nvrtc, disassembler):
    text = (TWINS / f"{kernel}.cu").read_text()
    functions = disassembler.normalised_sass(nvrtc.compile_cuda(text, f"{kernel}.cu"))
    assert list(functions) == [f"{kernel}_kernel"]
    assert functions[f"{kernel}_kernel"][-1] == "EXIT"


@pytest.fixture(scope="session")
def tirxcc():
    """The command-line tool: the environment's choice, else the one that set-up installed."""
    tool = Path(os.environ.get("TIRXCC", ROOT / ".venv" / "bin" / "tirxcc"))
    if not tool.exists():
        pytest.skip(f"no tool at {tool}: run scripts/setup.sh or set TIRXCC")
    return tool


@pytest.mark.parametrize("kernel", KERNELS)
def test_our_text_has_the_twins_sass(kernel, nvrtc, disassembler, tirxcc, tmp_path):
    ours = tmp_path / f"{kernel}.cu"
    command = [
        tirxcc,
        "build",
        TWINS / "kernels.py",
        "--kernel",
        kernel,
        "--emit=cuda",
        "-o",
        ours,
    ]
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    name = f"{kernel}_kernel"
    actual = disassembler.normalised_sass(nvrtc.compile_cuda(ours.read_text(), ours.name))[name]
    twin = (TWINS / f"{kernel}.cu").read_text()
    expected = disassembler.normalised_sass(nvrtc.compile_cuda(twin, f"{kernel}.cu"))[name]
    assert disassembler.difference(actual, expected) == "", ours.read_text()
