# SPDX-License-Identifier: Apache-2.0
"""The CPU target beside NumPy, Numba (prange) and C++ (g++ -O3 -march=native -fopenmp): one table.

    .venv/bin/python bench/cpu.py                    all kernels, all processors
    .venv/bin/python bench/cpu.py --threads 1 relu   one thread for everybody, one kernel

Each time is the best of many runs, taken in turns. `of copy` is the rate by bytes moved over that
of np.copyto (one thread, as NumPy does it) of the same arrays in the same turns. The peers' code
is in bench/cpu_peers. Numba lives in a virtual environment of its own, build/peers, which this
script makes and runs itself in. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / "build" / "peers"
CODE = ROOT / "bench" / "cpu_peers"

if TYPE_CHECKING:
    from cases import Case


HEADINGS = [
    *["kernel", "tirxcc ms", "numpy", "numba", "c++", "np.copyto", "of copy"],
    *["x numba", "x c++", "O2 ms", "O0 ms"],
]


def best_in_turns(calls: dict[str, Callable[[], object]], seconds: float) -> dict[str, float]:
    """The shortest time of each, all run in turns for about so long.

    With one thread for everybody it is processor time, which others on the machine disturb less.
    """
    now = time.process_time if os.environ.get("NUMBA_NUM_THREADS") == "1" else time.perf_counter
    times = dict.fromkeys(calls, float("inf"))
    end = time.perf_counter() + seconds
    turn = 0
    while turn < 5 or time.perf_counter() < end:
        turn += 1
        for name, call in calls.items():
            start = now()
            call()
            times[name] = min(times[name], now() - start)
    return times


def compile_ms(case: Case, level: int) -> float:
    """Text to machine code that is ready to run; no cache may answer."""
    import tirxcc

    name = case.kernel.__name__
    best = float("inf")
    for turn in range(4):
        text = case.kernel.script().replace(f"def {name}(", f"def {name}{turn}(")
        begun = time.process_time()
        function = tirxcc.function_from_source(text)
        tirxcc.compile(function, target="cpu", opt_level=level).prepare(*case.arrays)
        best = min(best, time.process_time() - begun)
    return best * 1e3


def measure(case: Case, seconds: float) -> list[str]:
    import numpy as np
    import tirxcc

    executable = tirxcc.compile(case.kernel, target="cpu")
    calls = {"tirxcc": lambda: executable(*case.arrays), **case.peers}
    if case.copies:
        source = case.arrays[0]
        target = np.empty_like(source)
        calls["copy"] = lambda: np.copyto(target, source)
    for call in calls.values():
        call()  # Numba compiles now
    times = best_in_turns(calls, seconds)
    case.before()
    calls["tirxcc"]()
    if not np.allclose(case.result, case.expected(), rtol=0, atol=case.tolerance):
        print(f"{case.kernel.__name__} is wrong", file=sys.stderr)
    ours = times["tirxcc"]
    numba = min(t for name, t in times.items() if name.startswith("numba"))

    def peer(name):
        return f"{times[name] * 1e3:.3f}" if name in times else ""

    share = ""
    if case.copies:
        moved = sum(array.nbytes for array in case.arrays)
        share = f"{moved / ours / (2 * source.nbytes / times['copy']):.2f}"
    return [
        case.kernel.__name__,
        f"{ours * 1e3:.3f}", peer("numpy"), f"{numba * 1e3:.3f}", peer("c++"), peer("copy"), share,
        f"{ours / numba:.2f}", f"{ours / times['c++']:.2f}",
        f"{compile_ms(case, 2):.1f}", f"{compile_ms(case, 0):.1f}",
    ]  # fmt: skip


def row(cells: list[str]) -> None:
    widths = [14, *[9] * 10]
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
    print(f"| {' | '.join(padded)} |", flush=True)


def ensure_peers(arguments: argparse.Namespace) -> None:
    """Runs this script again in the environment that has Numba, with the threads asked for."""
    if os.environ.get("TIRXCC_BENCH_INNER"):
        return
    python = PEERS / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
    if subprocess.run([python, "-c", "import numba"], capture_output=True).returncode:
        subprocess.run([python, "-m", "pip", "install", "-q", "numba"], check=True)
    environment = dict(os.environ, TIRXCC_BENCH_INNER="1")
    environment["PYTHONPATH"] = f"{ROOT / 'build' / 'release' / 'python'}:{CODE}"
    if arguments.threads:
        for name in ("TIRXCC", "NUMBA", "OMP", "OPENBLAS"):
            environment[f"{name}_NUM_THREADS"] = str(arguments.threads)
    os.execve(python, [python, __file__, *sys.argv[1:]], environment)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", help="kernels; all if none is named")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each line")
    arguments = parser.parse_args()
    ensure_peers(arguments)
    from cases import CASES, build_cpp

    cpp = build_cpp()
    row(HEADINGS)
    row(["---"] * len(HEADINGS))
    for name in arguments.names or CASES:
        row(measure(CASES[name](cpp), arguments.seconds))


if __name__ == "__main__":
    main()
