# SPDX-License-Identifier: Apache-2.0
"""The kernels of examples/fast have what makes them fast: wide loads, all under way, no spills.

The machine code of the CUDA beside each kernel (which test_golden.py holds against the compiler) is
compared with that of the same kernel written by hand: the same instructions that touch memory or
exchange between lanes, in number and width, and not one instruction more in all.
"""

from collections import Counter
from pathlib import Path

import pytest

FAST = Path(__file__).resolve().parents[2] / "examples" / "fast"
BY_HAND = FAST.parents[1] / "bench" / "fast"
KERNELS = sorted(path.stem for path in FAST.glob("*.py"))
# Loads that are issued before the first result is needed, and their width.
LOADS = {"fast_relu": (1, "LDG.E.128"), "fast_row_sum": (4, "LDG.E.128")}


def opcode(instruction: str) -> str:
    words = instruction.split()
    return words[1] if words[0].startswith("@") else words[0]


def machine_code(path: Path, nvrtc, disassembler) -> list[str]:
    (function,) = disassembler.normalised_sass(
        nvrtc.compile_cuda(path.read_text(), path.name)
    ).values()
    return [opcode(instruction) for instruction in function]


def test_every_kernel_is_known():
    assert list(LOADS) == KERNELS


@pytest.mark.parametrize("kernel", KERNELS)
def test_loads_are_wide_and_under_way(kernel, nvrtc, disassembler):
    code = machine_code(FAST / f"{kernel}.cu", nvrtc, disassembler)
    count, width = LOADS[kernel]
    before_use = [op for op in code[: code.index("FADD") if "FADD" in code else len(code)]]
    assert sum(op.startswith(width) for op in before_use) == count
    assert not [op for op in code if op.startswith(("LDL", "STL"))], "registers were spilled"


@pytest.mark.parametrize("kernel", KERNELS)
def test_as_good_as_by_hand(kernel, nvrtc, disassembler):
    ours = machine_code(FAST / f"{kernel}.cu", nvrtc, disassembler)
    by_hand = machine_code(BY_HAND / f"{kernel}.cu", nvrtc, disassembler)

    def memory(code: list[str]) -> Counter:
        return Counter(op for op in code if op.startswith(("LD", "ST", "SHFL")))

    assert memory(ours) == memory(by_hand)
    assert len(ours) <= len(by_hand)
