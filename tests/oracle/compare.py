# SPDX-License-Identifier: Apache-2.0
"""One program: what the CPU target does with it in each of its forms, and what CPython says.

A form is a choice of compiler options. Results are compared bit for bit, but any NaN equals any
NaN. A program that CPython finds to mean nothing (a race, a barrier that not all reach, an access
out of bounds) is never compared: the generator made a mistake.
"""

from __future__ import annotations

import collections
import os
import re
import time

import numpy as np
import tirxcc
from block_kernel import BlockProgram
from block_programs import make_block
from block_run import Undefined, interpret_blocks
from interpret import interpret_threads
from kernel import Program
from meaning import FLOATS
from programs import make

FAMILIES = {"threads": make, "blocks": make_block}
LEVELS = ({"opt_level": 0}, {"opt_level": 2})
# Not of kernels whose threads work together: these are not coarsened.
COARSENED = {"opt_level": 0, "coarsen": 4}
# How threads that work together run; a program has one of these forms, or none.
FISSION = {"opt_level": 2, "scheme": "fission"}
SCHEMES = (
    {"opt_level": 2, "scheme": "fibers"},
    FISSION,
    {"opt_level": 0, "scheme": "fibers"},
)
# In the environment: each program in every scheme. Levels take turns, for most of the time goes
# into compiling: opt_level 0 is fission already, 2 is lanes where there are any.
ALL_SCHEMES = "TIRXCC_ORACLE_SCHEMES"
TURNS = (SCHEMES[:2], SCHEMES[2:])
NO_MEANING = "has no meaning"


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
    turn = program.seed % 4
    schemes = TURNS[turn % 2] if ALL_SCHEMES in os.environ else SCHEMES[turn : turn + 1]
    # Only as fibers can threads wait for some of each other, or blocks.
    return LEVELS + tuple(s for s in schemes if s["scheme"] == "fibers" or not program.frame.waits)


def has_no_lanes(executable) -> bool:
    """Whether its code is that of `FISSION` already: each loop stayed one thread after another."""
    return re.search(r"^  lanes: no\b", executable.explain(), re.MULTILINE) is not None


def name_of(form: dict) -> str:
    return ", ".join(f"{key} {value}" for key, value in form.items())


def form_in(found: str) -> tuple[dict, ...]:
    """The form that a difference was found in; nothing for other findings."""
    known = (*LEVELS, COARSENED, *SCHEMES)
    return tuple(form for form in known if found.startswith(f"{name_of(form)}: "))


class Stopwatch:
    """Where the time goes."""

    def __init__(self) -> None:
        self.seconds: collections.Counter = collections.Counter()
        self.last = time.process_time()

    def lap(self, name: str) -> None:
        now = time.process_time()
        self.seconds[name] += now - self.last
        self.last = now


def difference(
    program: Program, forms: tuple[dict, ...] = (), watch: Stopwatch | None = None
) -> str:
    """What the CPU target does otherwise than CPython in one of the forms, or nothing."""
    watch = watch or Stopwatch()
    inputs = program.inputs()
    watch.lap("inputs")
    try:
        expected = interpret(program, inputs)
    except (Undefined, LookupError) as error:
        return f"{NO_MEANING}: {error}"
    watch.lap("CPython")
    try:
        function = tirxcc.function_from_source(program.source(), "kernel")
        watch.lap("front end")
        known_as_fission = False
        for form in forms or forms_of(program):
            if form == FISSION and known_as_fission:
                continue
            executable = tirxcc.compile(function, target="cpu", warnings=False, **form)
            actual = {name: data.copy() for name, data in inputs.items()}
            executable(**actual, **program.scalars)
            watch.lap(name_of(form))
            if found := first_difference(program.arrays, actual, expected):
                return f"{name_of(form)}: {found}"
            if form == LEVELS[1]:
                known_as_fission = has_no_lanes(executable)
            watch.lap("comparison")
    except tirxcc.Error as error:
        return f"does not compile: {error}"
    return ""


def first_difference(arrays: dict[str, str], actual: dict, expected: dict) -> str:
    for name, dtype in arrays.items():
        if actual[name].tobytes() == expected[name].tobytes():
            continue
        wrong = differing(actual[name], expected[name], dtype)
        if wrong.any():
            place = tuple(map(int, np.argwhere(wrong)[0]))
            return (
                f"{name}{list(place)} is {actual[name][place]}, Python says {expected[name][place]}"
            )
    return ""
