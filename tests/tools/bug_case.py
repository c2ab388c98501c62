# SPDX-License-Identifier: Apache-2.0
"""Runs one case of tests/cases/bugs through the Python package; tests/cases/README.md says how.

A case passes if any one of its outcomes holds: arrays with the expected values, or an error at
compiling or at launching whose message mentions what it must.
"""

from __future__ import annotations

import concurrent.futures
import importlib.util
import re
import time
from pathlib import Path

import numpy as np
import pytest


class Mismatch(AssertionError):
    """What happened was none of the acceptable outcomes."""


def mentions(message: str, item: str) -> bool:
    if not (item[0].isalnum() or item[0] == "_"):
        return item in message
    if len(item) <= 2:
        return re.search(rf"(?<!\w){item}(?!\w)", message) is not None
    return re.search(rf"(?<!\w){item}", message, re.IGNORECASE) is not None


def line_of_tag(source: Path, tag: str) -> str:
    lines = source.read_text(encoding="utf-8").splitlines()
    found = [n for n, line in enumerate(lines, 1) if line.rstrip().endswith(f"# {tag}")]
    assert len(found) == 1, f"{source.name}: the tag {tag} stands on {len(found)} lines"
    return str(found[0])


def error_matches(outcome: str, message: str, source: Path) -> bool:
    for item in outcome.split(":", 1)[1].split(","):
        choices = [choice.strip() for choice in item.split("|")]
        resolved = [
            line_of_tag(source, c.removeprefix("line:")) if c.startswith("line:") else c
            for c in choices
        ]
        if not any(mentions(message, choice) for choice in resolved):
            return False
    return True


def check_error(case: dict, stage: str, error: Exception, source: Path) -> None:
    wanted = [o for o in case["outcomes"] if isinstance(o, str) and o.startswith(stage + ":")]
    if not any(error_matches(outcome, str(error), source) for outcome in wanted):
        text = f"{type(error).__name__}: {error}"
        raise Mismatch(f"{stage.replace('-', ' ')} with\n{text}\nbut expected {wanted}") from error


def equal(compare: str | float, wanted: np.ndarray, actual: np.ndarray) -> bool:
    if wanted.dtype != actual.dtype or wanted.shape != actual.shape:
        return False
    if compare == "bits":
        return wanted.tobytes() == actual.tobytes()
    is_float = wanted.dtype.kind == "f"
    if compare == "exact":
        return np.array_equal(wanted, actual, equal_nan=is_float)
    return np.allclose(actual, wanted, rtol=compare, atol=compare, equal_nan=is_float)


def unmet_need(needs: list[str], target: str) -> str | None:
    """The first thing that the case needs and this machine lacks."""
    for need in needs:
        kind, _, amount = need.partition(":")
        if kind in ("gpu", "gpus") and target != "cuda":
            return need
        if kind == "memory" and free_memory() < float(amount.removesuffix("GiB")) * 2**30:
            return need
    return None


def free_memory() -> int:
    text = Path("/proc/meminfo").read_text()
    return int(re.search(r"MemAvailable:\s+(\d+)", text)[1]) * 1024


def as_passed(case: dict, args: dict) -> list:
    """The values for the call: raw bits become arrays of the type that they stand for."""
    import ml_dtypes

    types = case["options"].get("dtypes", {})
    return [
        value.view(getattr(ml_dtypes, types[name])) if name in types else value
        for name, value in args.items()
    ]


def run_once(case: dict, source: Path, target: str) -> None:
    import tirxcc

    args = case["args"](np.random.default_rng(0))
    before = {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in args.items()}
    start = time.monotonic()
    try:
        kernel = tirxcc.compile(case["kernel"](), target=target)
    except Exception as error:
        check_error(case, "compile-error", error, source)
        return
    taken = time.monotonic() - start
    if taken > case["options"].get("time_limit_s", float("inf")):
        raise Mismatch(f"compiling took {taken:.1f} s")
    try:
        kernel(*as_passed(case, args))
    except Exception as error:
        check_error(case, "launch-error", error, source)
        return
    check_values(case, before, args)


def check_values(case: dict, before: dict, after: dict) -> None:
    differences = []
    with np.errstate(all="ignore"):
        for outcome in case["outcomes"]:
            if not callable(outcome):
                continue
            wrong = [
                f"{name}: expected\n{wanted}\ngot\n{after[name]}"
                for name, wanted in outcome(before).items()
                if not equal(case["compare"], wanted, after[name])
            ]
            if not wrong:
                return
            differences += wrong
    raise Mismatch("\n".join(differences) or f"it ran, but must fail: {case['outcomes']}")


def check_case(case: dict, source: Path, target: str = "cpu") -> None:
    """Raises Mismatch unless the case passes; skips the test if the machine lacks something."""
    need = unmet_need(case["needs"], target)
    if need:
        pytest.skip(f"needs {need}")
    threads = case["options"].get("threads", 1)
    if threads == 1:
        run_once(case, source, target)
        return
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        for future in [pool.submit(run_once, case, source, target) for _ in range(threads)]:
            future.result()


def package_is_there() -> bool:
    return importlib.util.find_spec("tirxcc") is not None
