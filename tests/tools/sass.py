# SPDX-License-Identifier: Apache-2.0
"""Normalised SASS of a cubin, and the comparison of two.

Two kernels are the same machine code for our purposes when their instructions agree one by one up
to the names of registers. So, per kernel: padding NOPs and the endless branch behind the last EXIT
go, addresses go, a branch names its target by instruction number instead of by label, and each
register (R, UR, P, UP, B files) is renamed in the order of first use.

    IMAD R7, R7, 0x100, R0 ;        imad r0, r0, 0x100, r1
    @!P0 BRA `(.L_x_1) ;       ->   @!p0 bra #9

A register pair keeps being a pair: when an operand is 64 bits wide (`[R2.64]`, the result of
`LDC.64`), both halves get their new names at once, so that a kernel which reads the wrong upper
half is not equal.
"""

from __future__ import annotations

import argparse
import bisect
import difflib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from nvrtc_compile import toolkit_folders, wheel_files

_FUNCTION = re.compile(r"^\s*\.type\s+([\w$]+),@function")
_LABEL = re.compile(r"^(\.[\w.$]+):\s*$")
_INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+(.*?)\s*;")
_TARGET = re.compile(r"`\(([^)]+)\)")
_REGISTER = re.compile(r"\b(UR|UP|R|P|B)(\d+)\b(\.64\b)?")
_WIDE_RESULT = re.compile(r"^(?:@!?U?P\w+ )?U?(?:LD|IMAD\.WIDE)\S*")


def find_nvdisasm() -> Path | None:
    """NVIDIA's disassembler from its wheel or a toolkit, or None."""
    found = wheel_files("*/bin/nvdisasm")
    found += [d / "bin/nvdisasm" for d in toolkit_folders() if (d / "bin/nvdisasm").exists()]
    return found[0] if found else None


def disassemble(cubin: bytes) -> str:
    """The text of nvdisasm, code sections only."""
    tool = find_nvdisasm()
    if tool is None:
        raise FileNotFoundError("nvdisasm not found; pip install nvidia-cuda-nvdisasm")
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        done = subprocess.run(
            [str(tool), "-c", "-ndf", file.name],
            capture_output=True,
            text=True,
            check=True,
        )
    return done.stdout


def split_functions(text: str) -> dict[str, list[str]]:
    """Lines of each function, labels included, by name."""
    functions: dict[str, list[str]] = {}
    name = None
    for line in text.splitlines():
        if line.lstrip().startswith(".section"):
            name = None
        if match := _FUNCTION.match(line):
            name = match[1]
            functions[name] = []
        elif name is not None and (_LABEL.match(line) or _INSTRUCTION.match(line)):
            functions[name].append(line)
    return functions


def _result_width(instruction: str) -> int:
    """How many 32-bit registers the first operand of a load or wide multiply covers."""
    opcode = _WIDE_RESULT.match(instruction)
    if not opcode:
        return 1
    if ".128" in opcode[0]:
        return 4
    return 2 if ".64" in opcode[0] or ".WIDE" in opcode[0] else 1


class _Renamer:
    """Gives each physical register a name by order of first use, per register file."""

    def __init__(self) -> None:
        self.names: dict[tuple[str, int], str] = {}
        self.counts: dict[str, int] = {}

    def name(self, file: str, number: int, width: int) -> str:
        for part in range(width):
            if (file, number + part) not in self.names:
                self.names[file, number + part] = f"{file.lower()}{self.counts.get(file, 0)}"
                self.counts[file] = self.counts.get(file, 0) + 1
        return self.names[file, number]

    def instruction(self, text: str) -> str:
        widths = [_result_width(text)]

        def rename(match: re.Match[str]) -> str:
            file, number, pair = match[1], int(match[2]), match[3] or ""
            width = 2 if pair else 1
            if file in ("R", "UR") and widths:
                width = max(width, widths.pop())
            return self.name(file, number, width) + pair

        return _REGISTER.sub(rename, text)


def _is_padding(instruction: str, index: int, targets: dict[str, int]) -> bool:
    match = _TARGET.search(instruction)
    to_itself = match is not None and targets.get(match[1]) == index
    return instruction.startswith("NOP") or (instruction.startswith("BRA") and to_itself)


def normalise_function(lines: list[str]) -> list[str]:
    """One function's instructions with everything that is not meaning taken out."""
    instructions: list[str] = []
    targets: dict[str, int] = {}
    for line in lines:
        if label := _LABEL.match(line):
            targets[label[1]] = len(instructions)
        elif instruction := _INSTRUCTION.match(line):
            instructions.append(" ".join(instruction[1].split()))
    kept = [i for i, text in enumerate(instructions) if not _is_padding(text, i, targets)]
    # Where an old instruction number is found among the kept ones (the next kept one if it went).
    moved = {old: bisect.bisect_left(kept, old) for old in targets.values()}
    renamer = _Renamer()

    def point(match: re.Match[str]) -> str:
        return f"#{moved[targets[match[1]]]}" if match[1] in targets else match[0]

    return [renamer.instruction(_TARGET.sub(point, instructions[i])) for i in kept]


def normalised_sass(cubin: bytes) -> dict[str, list[str]]:
    """Normalised instructions per kernel (and device function) of a cubin."""
    functions = split_functions(disassemble(cubin))
    return {name: normalise_function(lines) for name, lines in functions.items()}


def difference(ours: list[str], theirs: list[str]) -> str:
    """Empty when equal, else a unified diff of the two listings."""
    lines = difflib.unified_diff(theirs, ours, "expected", "actual", lineterm="", n=3)
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="print or compare the normalised SASS of cubins")
    parser.add_argument("cubin", type=Path)
    parser.add_argument("other", type=Path, nargs="?")
    args = parser.parse_args()
    first = normalised_sass(args.cubin.read_bytes())
    if args.other is None:
        for name, lines in first.items():
            print(f"{name}:", *lines, sep="\n  ")
        return 0
    second = normalised_sass(args.other.read_bytes())
    texts = [difference(first.get(n, []), second.get(n, [])) for n in {**first, **second}]
    print("\n".join(t for t in texts if t) or "equal")
    return 1 if any(texts) else 0


if __name__ == "__main__":
    sys.exit(main())
