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
import ctypes
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / "build" / "peers"
CODE = ROOT / "bench" / "cpu_peers"


HEADINGS = [
    *["kernel", "tirxcc ms", "numpy", "numba", "c++", "np.copyto", "of copy"],
    *["x numba", "x c++", "O2 ms", "O0 ms"],
]


@dataclass
class Case:
    """One line of the table."""

    kernel: object
    arrays: tuple
    result: object  # the array to look at
    expected: Callable[[], object]
    peers: dict[str, Callable[[], object]]
    copies: bool = False  # compare with np.copyto
    tolerance: float = 0.0
    before: Callable[[], object] = lambda: None  # before a run whose result is looked at
    times: dict[str, float] = field(default_factory=dict)


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


def build_cpp() -> ctypes.CDLL:
    folder = tempfile.mkdtemp()
    library = f"{folder}/peers.so"
    options = ["-O3", "-march=native", "-fopenmp", "-shared", "-fPIC"]
    subprocess.run(["g++", *options, CODE / "kernels.cc", "-o", library], check=True)
    return ctypes.CDLL(library)


def cpp_call(function, *args) -> Callable[[], object]:
    words = [
        ctypes.c_long(a) if isinstance(a, int) else ctypes.c_void_p(a.ctypes.data) for a in args
    ]
    return lambda: function(*words)


def make_cases(cpp: ctypes.CDLL) -> dict[str, Callable[[], Case]]:
    """How to make each line, by its kernel's name; its arrays are made only when it is asked."""
    import kernels
    import numba_kernels
    import numpy as np

    rng = np.random.default_rng(0)

    def floats(*shape):
        return rng.standard_normal(shape, dtype=np.float32)

    def simple(name, arrays, sizes, expected, numpy=None, **options):
        peers = {"c++": cpp_call(getattr(cpp, options.pop("cpp", name)), *arrays, *sizes)}
        numba = getattr(numba_kernels, options.pop("numba", name))
        peers["numba"] = lambda: numba(*arrays)
        if numpy is not None:
            peers["numpy"] = numpy
        return Case(getattr(kernels, name), arrays, arrays[-1], expected, peers, **options)

    def relu():
        a = floats(1 << 26)
        b = np.empty_like(a)
        return simple(
            "relu",
            (a, b),
            (a.size,),
            lambda: np.maximum(a, 0),
            lambda: np.maximum(a, 0, out=b),
            copies=True,
        )

    def row_sum():
        a = floats(1 << 20, 64)
        b = np.empty(len(a), np.float32)
        return simple(
            "row_sum",
            (a, b),
            (len(a),),
            lambda: a.sum(1),
            lambda: np.sum(a, axis=1, out=b),
            copies=True,
            tolerance=1e-3,
        )

    def transpose(name="transpose"):
        a = floats(kernels.SIDE, kernels.SIDE)
        b = np.empty_like(a)
        return simple(
            name,
            (a, b),
            (kernels.SIDE,),
            lambda: a.T,
            lambda: np.copyto(b, a.T),
            copies=True,
            cpp="transpose",
            numba="transpose",
        )

    def binary_search():
        a, q = np.sort(floats(64)), floats(1 << 22)
        p = np.empty(q.size, np.int32)
        return simple(
            "binary_search",
            (a, q, p),
            (q.size,),
            lambda: np.searchsorted(a, q),
            lambda: np.searchsorted(a, q),
        )

    def block_sum(name="block_sum"):
        a = floats(4096 * 256)
        b = np.empty(4096, np.float32)
        return simple(
            name,
            (a, b),
            (b.size,),
            lambda: a.reshape(-1, 256).sum(1),
            lambda: np.sum(a.reshape(-1, 256), axis=1, out=b),
            tolerance=1e-3,
            cpp="block_sum",
            numba="block_sum",
        )

    def matmul():
        a, b, c = floats(512, 512), floats(512, 512), floats(512, 512)
        return simple(
            "matmul",
            (a, b, c),
            (512,),
            lambda: a @ b,
            lambda: np.matmul(a, b, out=c),
            tolerance=1e-2,
        )

    def stencil():
        a = floats(kernels.SIDE, kernels.SIDE)
        b = np.zeros_like(a)

        def expected():
            around = a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]
            return np.pad(np.float32(0.5) * a[1:-1, 1:-1] + np.float32(0.125) * around, 1)

        return simple(
            "stencil", (a, b), (kernels.SIDE,), expected, expected, copies=True, tolerance=1e-5
        )

    def histogram():
        a = rng.integers(0, 256, 1 << 22, dtype=np.int32)
        h = np.zeros(256, np.int32)
        return simple(
            "histogram",
            (a, h),
            (a.size,),
            lambda: np.bincount(a, minlength=256),
            lambda: np.bincount(a, minlength=256),
            before=lambda: h.fill(0),
        )

    def mandelbrot():
        out = np.empty((512, 1024), np.int32)
        numba = np.empty_like(out)
        case = simple("mandelbrot", (out,), out.shape, lambda: numba)
        case.peers["numba"] = lambda: numba_kernels.mandelbrot(numba)
        case.peers["numba"]()
        return case

    def bitonic_sort():
        a = rng.integers(-(1 << 30), 1 << 30, (2048, kernels.KEYS), dtype=np.int32)
        b = np.empty_like(a)

        def numpy():
            np.copyto(b, a)
            b.sort(axis=1)

        case = simple(
            "bitonic_sort",
            (a, b),
            (len(a),),
            lambda: np.sort(a, axis=1),
            numpy,
            cpp="sort_rows",
        )
        case.peers["numba sort"] = lambda: numba_kernels.sort_rows(a, b)
        return case

    def softmax():
        a = floats(2048, kernels.COLUMNS)
        b = np.empty_like(a)

        def numpy():
            np.subtract(a, a.max(1, keepdims=True), out=b)
            np.exp(b, out=b)
            np.divide(b, b.sum(1, keepdims=True), out=b)
            return b

        return simple("softmax", (a, b), a.shape, lambda: numpy().copy(), numpy, tolerance=1e-5)

    cases = [relu, row_sum, transpose, binary_search, block_sum, matmul, stencil, histogram]
    made = {case.__name__: case for case in [*cases, mandelbrot, bitonic_sort, softmax]}
    made["transpose_4x4"] = lambda: transpose("transpose_4x4")
    made["warp_sum"] = lambda: block_sum("warp_sum")
    return made


def compile_ms(case: Case, level: int) -> float:
    """Text to machine code that is ready to run; no cache may answer."""
    import inspect

    import kernels
    import tirxcc

    source = (CODE / "kernels.py").read_text()
    start = source.index(f"def {case.kernel.__name__}(")
    text = source[start:].split("\n\n\n")[0]
    best = float("inf")
    for turn in range(4):
        fresh = text.replace(f"def {case.kernel.__name__}(", f"def {case.kernel.__name__}{turn}(")
        head = "from tirxcc.script import tirx as T\n\nn = T.dynamic('n')\n"
        names = "".join(
            f"{k} = {v}\n" for k, v in inspect.getmembers(kernels) if isinstance(v, int)
        )
        begun = time.process_time()
        function = tirxcc.function_from_source(f"{head}{names}\n\n@T.function\n{fresh}\n")
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
    cases = make_cases(build_cpp())
    row(HEADINGS)
    row(["---"] * len(HEADINGS))
    for name in arguments.names or cases:
        row(measure(cases[name](), arguments.seconds))


if __name__ == "__main__":
    main()
