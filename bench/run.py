# SPDX-License-Identifier: Apache-2.0
"""One table: tirxcc from Python beside NumPy, numba and apache-tvm-tirx, on this machine.

    .venv/bin/python bench/run.py             a Markdown table into bench/results/
    .venv/bin/python bench/run.py --print     only to the screen

Each contestant (bench/contestants) runs in processes of its own, one at a time. The peers live in a
virtual environment of their own, build/peers, which this script makes; a peer that cannot be
installed is left out. Run it on a quiet machine; it takes a few minutes.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONTESTANTS = ROOT / "bench" / "contestants"
PEERS = ROOT / "build" / "peers"
# What pip calls it, and the contestant that needs it.
PACKAGES = {"numba": "numba_peer.py", "apache-tvm-tirx": "tvm_tirx_peer.py"}
IMPORTS = 7


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def peers_python(package: str) -> str:
    """The Python of the peers' environment with the package in it, or nothing."""
    python = PEERS / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    if subprocess.run([*pip, "show", "-q", package], capture_output=True).returncode == 0:
        return str(python)
    say(f"installing {package} into {PEERS.relative_to(ROOT)}")
    done = subprocess.run([*pip, "install", "-q", package], capture_output=True, text=True)
    if done.returncode:
        say(f"{package} cannot be installed: {done.stderr.strip().splitlines()[-1:]}")
        return ""
    return str(python)


def measured(python: str, contestant: str) -> dict:
    """What the contestant reports; nothing if it fails."""
    say(f"running {contestant}")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS_")}
    done = subprocess.run(
        [python, CONTESTANTS / contestant], env=environment, capture_output=True, text=True
    )
    if done.returncode:
        say(f"{contestant} fails:\n{done.stderr[-2000:]}")
        return {}
    return json.loads(done.stdout.splitlines()[-1])


def best_import(python: str, module: str) -> float:
    """Milliseconds to import a module over NumPy, best of several processes."""
    code = f"import measure; print(measure.milliseconds_to_import({module!r}))"
    return min(
        float(
            subprocess.run(
                [python, "-c", code], cwd=CONTESTANTS, capture_output=True, text=True, check=True
            ).stdout
        )
        for _ in range(IMPORTS)
    )


def results() -> list[dict]:
    ours = measured(sys.executable, "ours.py")
    if not ours:
        sys.exit(1)
    ours["import_ms"] = best_import(sys.executable, "tirxcc")
    found = [ours, measured(sys.executable, "numpy_peer.py")]
    for package, contestant in PACKAGES.items():
        python = peers_python(package)
        figures = measured(python, contestant) if python else {}
        if figures:
            module = contestant.removesuffix("_peer.py")
            figures["import_ms"] = best_import(python, module)
            found.append(figures)
    return found


def cell(value: float | None, digits: int = 1) -> str:
    if value is None:
        return ""
    return f"{value:,.{digits}f}" if value < 1000 else f"{value:,.0f}"


def table(found: list[dict]) -> str:
    ours = found[0]
    rows: list[tuple[str, list[str]]] = []

    def row(label: str, pick, digits: int = 1) -> None:
        rows.append((label, [cell(pick(figures), digits) for figures in found]))

    row("import, over NumPy, ms", lambda f: f.get("import_ms"))
    for kernel in ours["cuda_us"]:
        row(f"text to CUDA text, {kernel}, µs", lambda f, k=kernel: f.get("cuda_us", {}).get(k))
    row("first text to machine code in a process, ms", lambda f: f.get("first_compile_ms"))
    for what in ours["compile_ms"]:
        row(f"text to machine code, {what}, ms", lambda f, w=what: f.get("compile_ms", {}).get(w))
    row("call of a tiny kernel with two arrays, µs", lambda f: f.get("call_us"), 2)
    row("ReLU of 64 M float32, ms", lambda f: f["relu"]["ms"])
    row("the same, GB/s", lambda f: 2 * 4 * (1 << 26) / f["relu"]["ms"] / 1e6)
    row("the same, share of np.copyto", lambda f: f["relu"]["copy_ms"] / f["relu"]["ms"], 2)
    lines = ["| | " + " | ".join(figures["name"] for figures in found) + " |"]
    lines.append("| --- |" + " ---: |" * len(found))
    lines += [f"| {label} | " + " | ".join(cells) + " |" for label, cells in rows]
    return "\n".join(lines)


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":")[1].strip() for line in lines if "model name" in line), "unknown")


def page(found: list[dict], load: float, minutes: float) -> str:
    date = datetime.date.today().isoformat()
    return (
        f"# tirxcc beside its peers, {date}\n\n"
        f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}, load average "
        f"{load:.1f} when it began;\n`bench/run.py`, {minutes:.1f} minutes, preset release. Each "
        "figure is the best of many. The ReLU and\n`np.copyto` take turns on the same arrays. "
        "What a peer has not is left empty.\n\n"
        f"{table(found)}\n"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--print", action="store_true", help="do not write to bench/results")
    options = parser.parse_args()
    load, begun = os.getloadavg()[0], time.monotonic()
    text = page(results(), load, (time.monotonic() - begun) / 60)
    print(text)
    if load > 0.5:
        say(f"the load average was {load:.1f}: these times say little")
    if not options.print:
        name = f"{datetime.date.today().isoformat()}_python_and_peers.md"
        (ROOT / "bench" / "results" / name).write_text(text)
        say(f"written to bench/results/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
