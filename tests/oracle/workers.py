# SPDX-License-Identifier: Apache-2.0
"""Runs many programs in processes of their own, so that a crash or an endless loop is a finding.

A worker process is given one seed after another, in order, whichever worker is free; after some
hundred programs, or a crash, another takes its place. So programs up to any seed are done at any
time but for the few that are being run, and a run can be ended and gone on with.
"""

from __future__ import annotations

import collections
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import meaning
from compare import FAMILIES, Stopwatch, difference

# Of processor time; a program takes some hundredths of one.
SECONDS_A_PROGRAM = 30
PROGRAMS_A_PROCESS = 500
SECONDS_BETWEEN_NEWS = 5
# Set by a signal: all work ends.
STOP = threading.Event()


def operation_name(operation: str, dtype: str) -> str:
    """What is counted: operators by type, functions but min and max only by name."""
    by_type = not operation.isalpha() or operation in ("min", "max", "negate")
    return f"{operation} on {dtype}" if by_type else operation


def work(family: str) -> None:
    """What a worker does: reads seeds, and says what came of each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it decides
    print("ready", flush=True)
    for line in sys.stdin:
        # Nobody handles its signal, so the process ends.
        signal.setitimer(signal.ITIMER_PROF, SECONDS_A_PROGRAM)
        watch = Stopwatch()
        meaning.SEEN.clear()
        program = FAMILIES[family](int(line))
        watch.lap("generator")
        found = difference(program, watch=watch)
        shares = set(program.constructs)
        if family == "threads":
            shares.update(operation_name(*operation) for operation in meaning.SEEN)
        message = {"found": found, "shares": list(shares), "seconds": watch.seconds}
        print(json.dumps(message), flush=True)


@dataclass
class Outcome:
    programs: int = 0
    findings: dict[int, str] = field(default_factory=dict)
    shares: collections.Counter = field(default_factory=collections.Counter)
    seconds: collections.Counter = field(default_factory=collections.Counter)  # by what was done
    first: int = 0
    next: int = 0  # all programs before this one have run
    took: float = 0.0


class Worker:
    """One process; made again when it has ended."""

    def __init__(self, family: str) -> None:
        self.family, self.process, self.programs = family, None, 0

    def start(self) -> None:
        oracle = str(Path(__file__).with_name("oracle.py"))
        # Blocks of a grid run at once, but most of the cores have another worker.
        environment = {"TIRXCC_NUM_THREADS": "2"} | os.environ
        # A file, not a pipe: nobody reads the warnings of thousands of programs until the end.
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            [sys.executable, oracle, "--work", self.family],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=environment,
        )
        self.programs = 0
        if self.process.stdout.readline() != b"ready\n":
            raise RuntimeError(f"the oracle itself failed: {self.end()}")

    def end(self) -> str:
        """What it has written about errors."""
        process, self.process = self.process, None
        if process is None:
            return ""
        process.stdin.close()
        process.wait()
        process.stdout.close()
        self.errors.seek(0)
        with self.errors:
            return self.errors.read().decode(errors="replace").strip()[-2000:]

    def run(self, seed: int) -> dict:
        if self.programs == PROGRAMS_A_PROCESS:
            self.end()
        if self.process is None:
            self.start()
        self.programs += 1
        process = self.process
        try:
            process.stdin.write(b"%d\n" % seed)
            process.stdin.flush()
        except BrokenPipeError:
            pass  # it has been killed
        if line := process.stdout.readline():
            return json.loads(line)
        error = self.end()
        return {"found": f"ends with status {process.returncode}: {error[-1000:]}"}

    def kill(self) -> None:
        if process := self.process:
            process.kill()


class Run:
    """Programs first, first + 1, ...: who runs which, and what came of them."""

    def __init__(self, family: str, first: int, count: int, stops: bool) -> None:
        self.family, self.stops = family, stops
        self.seed, self.end = first, first + count
        self.running: set[int] = set()
        self.outcome = Outcome(first=first)
        self.lock = threading.Lock()
        self.is_over = threading.Event()
        self.error: BaseException | None = None
        self.on_finding: Callable[[int, str], None] = lambda seed, found: None

    def take(self) -> int | None:
        with self.lock:
            if self.seed == self.end or self.is_over.is_set():
                return None
            self.running.add(self.seed)
            self.seed += 1
            return self.seed - 1

    def note(self, seed: int, message: dict) -> None:
        with self.lock:
            if self.is_over.is_set():  # a worker that was killed says nothing about its program
                return
            outcome = self.outcome
            self.running.remove(seed)
            outcome.programs += 1
            outcome.shares.update(message.get("shares", ()))
            outcome.seconds.update(message.get("seconds", {}))
            if message["found"]:
                outcome.findings[seed] = message["found"]
                self.on_finding(seed, message["found"])
                if self.stops:
                    self.is_over.set()

    def serve(self, worker: Worker) -> None:
        try:
            while (seed := self.take()) is not None:
                self.note(seed, worker.run(seed))
        except BaseException as error:
            if not self.is_over.is_set():  # else it has been killed while it began
                self.error = error
            self.is_over.set()
        finally:
            if self.is_over.is_set():
                worker.kill()
            worker.end()

    def state(self) -> Outcome:
        with self.lock:
            self.outcome.next = min(self.running, default=self.seed)
            return self.outcome


def run(
    count: int,
    first: int = 0,
    jobs: int = 0,
    stops: bool = False,
    family: str = "threads",
    seconds: float = float("inf"),
    news: Callable[[Outcome], None] | None = None,
    on_finding: Callable[[int, str], None] | None = None,
) -> Outcome:
    """Runs programs until all are done, or STOP is set, or `seconds` are over; with `stops`, until
    one differs. `news` is told every few seconds how far it is."""
    whole = Run(family, first, count, stops)
    if on_finding:
        whole.on_finding = on_finding
    workers = [Worker(family) for _ in range(min(jobs or os.cpu_count() or 1, count))]
    threads = [threading.Thread(target=whole.serve, args=(worker,)) for worker in workers]
    begun = told = time.monotonic()
    for thread in threads:
        thread.start()
    while alive := [thread for thread in threads if thread.is_alive()]:
        alive[0].join(0.1)
        now = time.monotonic()
        whole.outcome.took = now - begun
        if STOP.is_set() or now - begun > seconds:
            whole.is_over.set()
        if whole.is_over.is_set():
            for worker in workers:
                worker.kill()
        elif news and now - told >= SECONDS_BETWEEN_NEWS:
            told = now
            news(whole.state())
    if whole.error:
        raise whole.error
    whole.outcome.took = time.monotonic() - begun
    return whole.state()
