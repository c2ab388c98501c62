# SPDX-License-Identifier: Apache-2.0
"""Every kernel file of tests/golden and examples becomes exactly what stands beside it.

How a case looks is told in tests/tools/golden.py. All cases of a run are computed once, by as many
threads as there are cores, and then reported one by one.
"""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor


import pytest
from command import require_command

from golden import Golden, all_goldens

nvrtc_compile = pytest.importorskip("nvrtc_compile", reason="the NVRTC helper is not there yet")
from cubin_cache import cubin, uses_half  # noqa: E402

GOLDENS = all_goldens()
CUDA_GOLDENS = [golden for golden in GOLDENS if golden.kind == "cu"]


class Batch:
    """Starts the work for every selected test at the first question, then hands out results."""

    def __init__(self, items: list[pytest.Item]) -> None:
        self._items = items
        self._results: dict[tuple[str, str], Future] = {}

    def result(self, work, golden: Golden):
        if not self._results:
            self._start()
        return self._results[work.__name__, golden.id].result()

    def _start(self) -> None:
        pool = ThreadPoolExecutor(os.cpu_count())
        for item in self._items:
            params = getattr(item, "callspec", None) and item.callspec.params
            if item.path.name == "test_golden.py" and params:
                work, golden = WORK[item.originalname], params["golden"]
                self._results[work.__name__, golden.id] = pool.submit(work, golden)
        pool.shutdown(wait=False)


def build_text(golden: Golden) -> str:
    return golden.actual()


def compile_expected(golden: Golden) -> int:
    """Bytes of machine code that the independent compiler makes of the expected file."""
    text = golden.expected_path.read_text(encoding="utf-8")
    name = golden.expected_path.name
    if uses_half(text):
        cubin(text, name, golden.arch, real_headers=True)
    return len(cubin(text, name, golden.arch))


WORK = {"test_text": build_text, "test_compiles": compile_expected}


@pytest.fixture(scope="session")
def batch(request: pytest.FixtureRequest) -> Batch:
    require_command()
    return Batch(request.session.items)


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.id)
def test_text(golden: Golden, batch: Batch, request: pytest.FixtureRequest) -> None:
    actual = batch.result(build_text, golden)
    path = golden.expected_path
    if request.config.getoption("--update"):
        if not path.exists() or path.read_text(encoding="utf-8") != actual:
            path.write_text(actual, encoding="utf-8")
        return
    assert path.exists(), f"{path.name} is not there yet; scripts/test.sh --update writes it"
    assert actual == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("golden", CUDA_GOLDENS, ids=lambda golden: golden.id)
def test_compiles(golden: Golden, batch: Batch, request: pytest.FixtureRequest) -> None:
    if nvrtc_compile.find_nvrtc() is None:
        pytest.skip("NVRTC is not installed")
    if not golden.expected_path.exists():
        pytest.fail(f"{golden.expected_path.name} is not there yet")
    if request.config.getoption("--update"):
        assert compile_expected(golden) > 0
    else:
        assert batch.result(compile_expected, golden) > 0


def test_no_orphans() -> None:
    """An expected file whose kernel was renamed or removed would never be looked at again."""
    from golden import FOLDERS, KINDS

    found = [p for folder in FOLDERS for kind in KINDS for p in folder.rglob(f"*.{kind}")]
    orphans = [str(path) for path in found if not path.with_suffix(".py").exists()]
    assert orphans == []
