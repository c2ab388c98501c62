# SPDX-License-Identifier: Apache-2.0
"""An oracle for the CPU target: random kernels, and what CPython says they mean.

There are two families. In "threads" each thread works for itself: `programs` makes a kernel from a
seed, `interpret` has CPython run its body by the rules in `meaning`. In "blocks" threads work
together, with shared memory, barriers, warp operations and atomics: `block_programs` makes a
kernel, `sharing` keeps it free of races, and `block_run` has CPython run it in lockstep and watches
that it is. Here the compiler runs both at opt_level 0 and optimised (and the first coarsened, of
the second each fourth without lanes, each fourth as fibers at either level, or all in all these
forms), and results are compared bit for bit (but any NaN equals any NaN). Programs run in processes
of their own, so a crash or an endless loop is a finding like any other. A failing program is shrunk
and printed.

    python tests/oracle/oracle.py 5000              programs 0 to 4999 of each family, on all cores
    python tests/oracle/oracle.py 5000 --first 7    programs 7 to 5006
    python tests/oracle/oracle.py 500 --family blocks
    python tests/oracle/oracle.py 500 --family blocks --schemes      each in all forms
    python tests/oracle/oracle.py --seed 123 --family threads
                                                    one program: its text, and what is wrong with it
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import meaning
import numpy as np
import tirxcc
from block_kernel import BlockProgram
from block_programs import make_block
from block_run import interpret_blocks
from interpret import interpret_threads
from kernel import Program
from meaning import FLOATS
from programs import make

FAMILIES = {"threads": make, "blocks": make_block}
LEVELS = ({"opt_level": 0}, {"opt_level": 2})
# Not of kernels whose threads work together: these are not coarsened.
COARSENED = {"opt_level": 0, "coarsen": 4}
# How threads that work together run; a program has one of these forms, or none.
SCHEMES = (
    {"opt_level": 2, "scheme": "fibers"},
    {"opt_level": 2, "scheme": "fission"},
    {"opt_level": 0, "scheme": "fibers"},
)
ALL_SCHEMES = "TIRXCC_ORACLE_SCHEMES"  # in the environment: all of them for each program
# Of processor time; a program takes some hundredths of one.
SECONDS_A_PROGRAM = 30
SMALLEST_SHARE = 0.02


def interpret(program: Program, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What the arrays hold after the program."""
    if isinstance(program, BlockProgram):
        return interpret_blocks(program, inputs)
    return interpret_threads(program, inputs)


def differing(actual: np.ndarray, expected: np.ndarray, dtype: str) -> np.ndarray:
    bits = f"u{actual.dtype.itemsize}"
    wrong = actual.view(bits) != expected.view(bits)
    if dtype in FLOATS:
        wrong &= ~((actual != actual) & (expected != expected))
    return wrong


def forms_of(program: Program) -> tuple[dict, ...]:
    if type(program) is Program:
        return (*LEVELS, COARSENED)
    if ALL_SCHEMES in os.environ:
        return LEVELS + SCHEMES
    turn = program.seed % 4
    return LEVELS + SCHEMES[turn : turn + 1]


def difference(program: Program) -> str:
    """What the CPU target does otherwise than CPython in one of its forms, or nothing."""
    inputs = program.inputs()
    expected = interpret(program, inputs)
    try:
        function = tirxcc.function_from_source(program.source(), "kernel")
        for options in forms_of(program):
            executable = tirxcc.compile(function, target="cpu", warnings=False, **options)
            actual = {name: data.copy() for name, data in inputs.items()}
            executable(**actual, **program.scalars)
            for name, dtype in program.arrays.items():
                wrong = differing(actual[name], expected[name], dtype)
                if wrong.any():
                    place = tuple(map(int, np.argwhere(wrong)[0]))
                    form = ", ".join(f"{key} {value}" for key, value in options.items())
                    return (
                        f"{form}: {name}{list(place)} is {actual[name][place]}, "
                        f"Python says {expected[name][place]}"
                    )
    except tirxcc.Error as error:
        return f"does not compile: {error}"
    return ""


# One process runs many programs


def operation_name(operation: str, dtype: str) -> str:
    """What is counted: operators by type, functions but min and max only by name."""
    by_type = not operation.isalpha() or operation in ("min", "max", "negate")
    return f"{operation} on {dtype}" if by_type else operation


def work(family: str, first: int, count: int, stride: int) -> None:
    """Runs programs and says so line by line."""
    shares: collections.Counter = collections.Counter()
    for seed in range(first, first + count * stride, stride):
        print(json.dumps({"begun": seed}), flush=True)
        # Nobody handles its signal, so the process ends.
        signal.setitimer(signal.ITIMER_PROF, SECONDS_A_PROGRAM)
        program = FAMILIES[family](seed)
        meaning.SEEN.clear()
        found = difference(program)
        shares.update(program.constructs)
        if family == "threads":
            shares.update({operation_name(*operation) for operation in meaning.SEEN})
        print(json.dumps({"ended": seed, "found": found}), flush=True)
    print(json.dumps({"shares": shares}), flush=True)


@dataclass
class Outcome:
    programs: int = 0
    findings: dict[int, str] = field(default_factory=dict)
    shares: collections.Counter = field(default_factory=collections.Counter)

    def add(self, other: Outcome) -> None:
        self.programs += other.programs
        self.findings |= other.findings
        self.shares += other.shares


def supervise(
    family: str, first: int, count: int, stride: int, stop: threading.Event | None
) -> Outcome:
    """Programs first, first + stride, ...; after a crash, a new process goes on behind it.
    With `stop`, the first finding sets it and ends all work."""
    outcome = Outcome()
    while count > 0 and not (stop and stop.is_set()):
        command = [sys.executable, __file__, "--work", family]
        command += map(str, (first, count, stride))
        begun = first
        open_program = False
        # A file, not a pipe: nobody reads the warnings of thousands of programs until the end.
        with (
            tempfile.TemporaryFile() as errors,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors) as process,
        ):
            for message in map(json.loads, process.stdout):
                if "begun" in message:
                    begun, open_program = message["begun"], True
                elif "ended" in message:
                    outcome.programs += 1
                    open_program = False
                    if message["found"]:
                        outcome.findings[message["ended"]] = message["found"]
                else:
                    outcome.shares.update(message["shares"])
                if stop and (outcome.findings or stop.is_set()):
                    stop.set()
                    process.kill()
                    return outcome
            process.wait()
            errors.seek(0)
            error = errors.read().decode(errors="replace").strip()
        if process.returncode == 0:
            break
        if not open_program:
            raise RuntimeError(f"the oracle itself failed: {error[-2000:]}")
        outcome.programs += 1
        outcome.findings[begun] = f"ends with status {process.returncode}: {error[-1000:]}"
        if stop:
            stop.set()
        count -= (begun - first) // stride + 1
        first = begun + stride
    return outcome


def run(
    count: int, first: int = 0, jobs: int = 0, stops: bool = False, family: str = "threads"
) -> Outcome:
    jobs = jobs or os.cpu_count() or 1
    total = Outcome()
    stop = threading.Event() if stops else None
    with ThreadPoolExecutor(jobs) as pool:
        parts = [
            pool.submit(supervise, family, first + j, len(range(j, count, jobs)), jobs, stop)
            for j in range(jobs)
        ]
        for part in parts:
            total.add(part.result())
    return total


# What is said of it


def too_rare(outcome: Outcome) -> list[str]:
    """Constructs that stand in less than a fiftieth of the programs."""
    limit = outcome.programs * SMALLEST_SHARE
    return [name for name, count in sorted(outcome.shares.items()) if count < limit]


def shares_table(outcome: Outcome) -> str:
    rows = sorted(outcome.shares.items(), key=lambda row: (-row[1], row[0]))
    cells = [f"{count / outcome.programs:6.1%}  {name:<34}" for name, count in rows]
    return "\n".join("".join(cells[i : i + 3]).rstrip() for i in range(0, len(cells), 3))


def describe(seed: int, found: str, shrinks: bool = True, family: str = "threads") -> str:
    from shrink import shrunk

    program = FAMILIES[family](seed)
    again = f"python tests/oracle/oracle.py --family {family} --seed {seed}"
    text = [f"program {seed}: {found}", f"again: {again}"]
    if shrinks:
        program, found = shrunk(program, found)
        text.append(f"shrunk: {found}")
    return "\n".join([*text, "", program.source()])


def report(family: str, options: argparse.Namespace) -> Outcome:
    """Runs programs of a family and prints what came out."""
    if options.seed is not None:
        print(FAMILIES[family](options.seed).source())
    begun = time.perf_counter()
    outcome = run(options.count, options.first, options.jobs, options.stop, family)
    seconds = time.perf_counter() - begun
    if options.seed is None and not options.stop:
        print(shares_table(outcome))
    for seed, found in sorted(outcome.findings.items())[:10]:
        print(describe(seed, found, not options.no_shrink, family), flush=True)
    print(
        f"{family}: {outcome.programs} programs, {len(outcome.findings)} differences, "
        f"{seconds:.0f} seconds",
        flush=True,
    )
    return outcome


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--work"]:
        work(arguments[1], *map(int, arguments[2:]))
        return 0
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("count", type=int, nargs="?", default=1000, help="number of programs")
    parser.add_argument("--family", choices=[*FAMILIES, "both"], default="both")
    parser.add_argument("--first", type=int, default=0, help="the first program's seed")
    parser.add_argument("--jobs", type=int, default=0, help="processes; all cores by default")
    parser.add_argument("--seed", type=int, help="only this program, with its text")
    parser.add_argument("--no-shrink", action="store_true", help="print failing programs whole")
    parser.add_argument("--schemes", action="store_true", help="each program in all forms")
    parser.add_argument("--stop", action="store_true", help="stop at the first failing program")
    options = parser.parse_args(arguments)
    if options.seed is not None:
        options.count, options.first = 1, options.seed
    if options.schemes:
        os.environ[ALL_SCHEMES] = "1"
    families = list(FAMILIES) if options.family == "both" else [options.family]
    outcomes = [report(family, options) for family in families]
    return 1 if any(outcome.findings for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
