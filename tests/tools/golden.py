# SPDX-License-Identifier: Apache-2.0
"""Golden cases: a kernel file and, beside it, what it must become.

    relu.py         the kernel
    relu.cu         its CUDA text              tirxcc build relu.py --emit=cuda
    relu.ir         its IR                     tirxcc build relu.py --emit=ir
    relu.explain    its schemes on the CPU     tirxcc build relu.py --explain
    relu.header     its C header               tirxcc build relu.py --emit=header
    bad_name.py     a kernel with a mistake
    bad_name.diag   what is said about it      standard error; the exit status must be 1
    warn_name.py    a kernel that compiles, with a remark
    warn_name.diag  the remark                 standard error; the exit status must be 0

The first lines of a kernel file may say more, one `# key: value` each:

    # kernel: relu            the one kernel that is meant, when the file has several
    # pass: merge_branch_stores   the .ir is the IR after this pass
    # target: cpu             what it is compiled for; `cuda` otherwise
    # arch: sm_80             instead of sm_90a
    # options: --plain-scalars    more arguments, split at blanks
    # args: A=normal:float32[64] B=zeros:float32[64]   what `tirxcc run` would need

A case runs with its own folder as the working directory, so that messages name the file alone.
"""

from __future__ import annotations

import re
import shlex
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from command import ROOT, Outcome, run_command

# Examples are goldens too: the CUDA that a reader finds beside them is tested.
FOLDERS = (ROOT / "tests/golden", ROOT / "examples")
KINDS = ("cu", "ir", "explain", "header", "diag")
HEADER = re.compile(r"#\s*(kernel|pass|target|arch|options|args):\s*(.*?)\s*$")
HEADER_LINES = 12
DEFAULT_ARCH = "sm_90a"


@dataclass(frozen=True)
class Golden:
    """One expected file of one kernel file."""

    source: Path
    kind: str

    @property
    def expected_path(self) -> Path:
        return self.source.with_suffix("." + self.kind)

    @property
    def id(self) -> str:
        top = next(folder for folder in FOLDERS if self.source.is_relative_to(folder))
        return self.expected_path.relative_to(top).as_posix()

    @cached_property
    def header(self) -> dict[str, str]:
        return read_header(self.source)

    @property
    def arch(self) -> str:
        return self.header.get("arch", DEFAULT_ARCH)

    def arguments(self) -> list[str]:
        """The command line without the name of the output."""
        header = self.header
        if self.kind in ("explain", "header"):
            form = "--explain" if self.kind == "explain" else "--emit=header"
            return ["build", self.source.name, form, *shlex.split(header.get("options", ""))]
        emit = "llvm" if header.get("target") == "cpu" else "cuda"
        if self.kind == "ir" and "pass" not in header:
            emit = "ir"
        arguments = ["build", self.source.name, f"--emit={emit}", "--verify-each"]
        arguments += ["--target", header.get("target", "cuda")]
        if header.get("target", "cuda") == "cuda":
            arguments += ["--arch", self.arch]
        if "kernel" in header:
            arguments += ["--kernel", header["kernel"]]
        if self.kind == "ir" and "pass" in header:
            arguments.append(f"--print-after={header['pass']}")
        return arguments + shlex.split(header.get("options", ""))

    def run(self) -> Outcome:
        return run_command(*self.arguments(), cwd=self.source.parent)

    def actual(self) -> str:
        """The text that the expected file must hold; AssertionError if the tool behaved badly."""
        if self.kind == "ir" and "pass" in self.header:
            return self._ir_after_pass()
        outcome = self.run()
        if self.kind == "diag" and self.source.stem.startswith("warn_"):
            assert outcome.status == 0, f"a remark must not fail\n{outcome.describe()}"
            assert outcome.err, f"nothing was remarked\n{outcome.describe()}"
            return outcome.err
        if self.kind == "diag":
            assert outcome.status == 1, f"a mistake must give status 1\n{outcome.describe()}"
            assert not outcome.out, f"a failing build printed a result\n{outcome.describe()}"
            return outcome.err
        assert outcome.status == 0, outcome.describe()
        # Warnings are part of what the user sees, but not of the generated text.
        return outcome.out

    def _ir_after_pass(self) -> str:
        # The pass prints to standard error; the final code goes to a file that nobody reads.
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "final"
            outcome = run_command(*self.arguments(), "-o", output, cwd=self.source.parent)
        assert outcome.status == 0, outcome.describe()
        assert outcome.err, f"the pass {self.header['pass']} printed nothing"
        return outcome.err


def read_header(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()[:HEADER_LINES]
    except OSError:
        return {}
    return {m[1]: m[2] for m in map(HEADER.match, lines) if m}


def kinds_of(source: Path) -> list[str]:
    """The expected files that a kernel file has or, if it has none yet, the one it should have."""
    if source.stem.startswith(("bad_", "warn_")):
        return ["diag"]
    present = [kind for kind in KINDS if source.with_suffix("." + kind).exists()]
    header = read_header(source)
    return present or (["ir"] if "pass" in header or header.get("target") == "cpu" else ["cu"])


def golden_sources() -> list[Path]:
    """All kernel files; the tests that stand among them are none."""
    found = [path for folder in FOLDERS for path in sorted(folder.rglob("*.py"))]
    return [path for path in found if not path.name.startswith("test_")]


def all_goldens() -> list[Golden]:
    return [Golden(source, kind) for source in golden_sources() for kind in kinds_of(source)]
