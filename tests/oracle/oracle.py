# SPDX-License-Identifier: Apache-2.0
"""An oracle for the CPU target: random kernels, and what CPython says they mean.

There are two families. In "threads" each thread works for itself: `programs` makes a kernel from a
seed, `interpret` has CPython run its body by the rules in `meaning` and `names_of_t`. In "blocks"
threads work together, with shared memory, barriers, warp operations and atomics: `block_programs`
makes a kernel, `sharing` keeps it free of races, and `block_run` has CPython run it in lockstep and
watches that it is. `compare` has the compiler run both at opt_level 0 and optimised; the first
also coarsened, of the second each fourth without lanes, each fourth as fibers at either level, or
each in every scheme. `workers` runs many; a crash or an endless loop is a finding like any other. A
finding is told at once, and shrunk at the end.

    python tests/oracle/oracle.py 5000              programs 0 to 4999 of each family, on all cores
    python tests/oracle/oracle.py 5000 --from 7     programs 7 to 5006
    python tests/oracle/oracle.py 500 --family blocks
    python tests/oracle/oracle.py 500 --family blocks --schemes      each in every scheme
    python tests/oracle/oracle.py 100000 --jobs 16 --summary FILE    adds a line of JSON to FILE
    python tests/oracle/oracle.py --seed 123 --family threads
                                                    one program: its text, and what is wrong with it

Ctrl-C, SIGTERM and --seconds end a run early: it tells what it has, and how to go on.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from compare import ALL_SCHEMES, FAMILIES, NO_MEANING
from shrink import SECONDS, kind_of, probe, shrunk
from workers import STOP, Outcome, run, work

SMALLEST_SHARE = 0.02
MOST_SHRUNK = 10


# What is said of a run


def too_rare(outcome: Outcome) -> list[str]:
    """Constructs that stand in less than a fiftieth of the programs."""
    limit = outcome.programs * SMALLEST_SHARE
    return [name for name, count in sorted(outcome.shares.items()) if count < limit]


def in_columns(cells: list[str]) -> str:
    return "\n".join("".join(cells[i : i + 3]).rstrip() for i in range(0, len(cells), 3))


def shares_table(outcome: Outcome) -> str:
    rows = sorted(outcome.shares.items(), key=lambda row: (-row[1], row[0]))
    return in_columns([f"{count / outcome.programs:6.1%}  {name:<42}" for name, count in rows])


def times_table(outcome: Outcome) -> str:
    """Where a program's time goes, in milliseconds of one core."""
    rows = sorted(outcome.seconds.items(), key=lambda row: -row[1])
    each = 1e3 / max(outcome.programs, 1)
    return in_columns([f"{taken * each:6.1f} ms  {name:<39}" for name, taken in rows])


def news(family: str, count: int, outcome: Outcome) -> str:
    rate = outcome.programs / max(outcome.took, 1e-3)
    left = (count - outcome.programs) / max(rate, 1e-3)
    return (
        f"{family}: {outcome.programs} of {count} programs, {len(outcome.findings)} differences, "
        f"{rate:.1f} a second, some {left:.0f} s to go, all before {outcome.next} done"
    )


def again(family: str, seed: int) -> str:
    return f"python tests/oracle/oracle.py --family {family} --seed {seed}"


def describe(
    seed: int, found: str, shrinks: bool = True, family: str = "threads", seconds: float = SECONDS
) -> str:
    program = FAMILIES[family](seed)
    text = [f"program {seed}: {found}", f"again: {again(family, seed)}"]
    if shrinks and not found.startswith(NO_MEANING):
        if kind_of(probe(program)) == kind_of(found):
            program, found = shrunk(program, found, seconds)
            text.append(f"shrunk: {found}")
        else:
            text.append("not found when it ran again alone")
    return "\n".join([*text, "", program.source()])


def described(family: str, outcome: Outcome, options: argparse.Namespace) -> None:
    """Prints the first findings, shrunk by processes of their own; a signal makes these give what
    they have."""
    findings = sorted(outcome.findings.items())[:MOST_SHRUNK]
    if options.no_shrink or STOP.is_set():
        for seed, found in findings:
            print(describe(seed, found, False, family), flush=True)
        return
    jobs = options.jobs or os.cpu_count() or 1
    command = [sys.executable, __file__, "--describe", family]
    for i in range(0, len(findings), jobs):
        children = []
        for seed, found in findings[i : i + jobs]:
            arguments = [str(seed), str(options.shrink_seconds), found]
            children.append(subprocess.Popen([*command, *arguments], stderr=subprocess.DEVNULL))
        while any(child.poll() is None for child in children):
            time.sleep(0.05)
            if STOP.is_set():
                for child in children:
                    child.terminate()
                    child.wait()
        for child, (seed, found) in zip(children, findings[i : i + jobs], strict=True):
            if child.returncode:
                print(describe(seed, found, False, family), flush=True)


def summary(family: str, outcome: Outcome, options: argparse.Namespace) -> dict:
    return {
        "family": family,
        "schemes": "all" if ALL_SCHEMES in os.environ else "some",
        "from": outcome.first,
        "to": outcome.first + options.count - 1,
        "programs": outcome.programs,
        "all_before": outcome.next,
        "differences": {str(seed): found for seed, found in sorted(outcome.findings.items())},
        "seconds": round(outcome.took, 1),
        "ended": time.strftime("%Y-%m-%d %H:%M:%S"),
    }


def report(family: str, options: argparse.Namespace) -> Outcome:
    """Runs programs of a family and prints what came out."""
    if options.seed is not None:
        print(FAMILIES[family](options.seed).source())
    outcome = run(
        options.count,
        options.first,
        options.jobs,
        options.stop,
        family,
        options.seconds,
        lambda state: print(news(family, options.count, state), flush=True),
        lambda seed, found: print(f"{family}: program {seed}: {found}", flush=True),
    )
    if options.summary:
        with open(options.summary, "a") as file:
            file.write(json.dumps(summary(family, outcome, options)) + "\n")
    if options.seed is None and not options.stop and outcome.programs:
        print(shares_table(outcome))
        print(times_table(outcome))
        if outcome.programs >= 2000 and (rare := too_rare(outcome)):
            print(f"in less than {SMALLEST_SHARE:.0%} of the programs: {', '.join(rare)}")
    described(family, outcome, options)
    print(
        f"{family}: {outcome.programs} programs, {len(outcome.findings)} differences, "
        f"{outcome.took:.0f} seconds",
        flush=True,
    )
    left = options.first + options.count - outcome.next
    if left and not options.stop:
        command = f"python tests/oracle/oracle.py {left} --from {outcome.next} --family {family}"
        print(f"to go on: {command}{' --schemes' if options.schemes else ''}", flush=True)
    return outcome


def catch_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: STOP.set())


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--work"]:
        work(arguments[1])
        return 0
    catch_signals()
    if arguments[:1] == ["--describe"]:
        _, family, seed, seconds, found = arguments
        print(describe(int(seed), found, True, family, float(seconds)), flush=True)
        return 0
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add("count", type=int, nargs="?", default=1000, help="number of programs")
    add("--family", choices=[*FAMILIES, "both"], default="both")
    add("--from", "--first", type=int, default=0, dest="first", help="the first program's seed")
    add("--jobs", type=int, default=0, help="processes; all cores by default")
    add("--seed", type=int, help="only this program, with its text")
    add("--schemes", action="store_true", help="each program in every scheme")
    add("--stop", action="store_true", help="stop at the first failing program")
    add("--seconds", type=float, default=float("inf"), help="end the run after so long")
    add("--no-shrink", action="store_true", help="print failing programs whole")
    add("--shrink-seconds", type=float, default=SECONDS, help="for each failing program")
    add("--summary", type=Path, help="add a line of JSON about each family to this file")
    options = parser.parse_args(arguments)
    if options.seed is not None:
        options.count, options.first = 1, options.seed
    if options.schemes:
        os.environ[ALL_SCHEMES] = "1"
    families = list(FAMILIES) if options.family == "both" else [options.family]
    outcomes = [report(family, options) for family in families if not STOP.is_set()]
    return 1 if STOP.is_set() or any(outcome.findings for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
