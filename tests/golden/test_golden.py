# SPDX-License-Identifier: Apache-2.0
"""Every kernel file of tests/golden and examples becomes exactly what stands beside it.

How a case looks is told in tests/tools/golden.py. Each `.cu` is also given to NVRTC, a compiler
that is not ours, so that an expectation cannot be nonsense.
"""

from __future__ import annotations

import pytest
from batch import Batch
from command import require_command
from golden import FOLDERS, KINDS, Golden, all_goldens

nvrtc_compile = pytest.importorskip("nvrtc_compile", reason="the NVRTC helper is not there yet")
from cubin_cache import cubin, uses_half  # noqa: E402

GOLDENS = all_goldens()
CUDA_GOLDENS = [golden for golden in GOLDENS if golden.kind == "cu"]


def compile_expected(golden: Golden) -> int:
    """Bytes of machine code that the independent compiler makes of the expected file."""
    text = golden.expected_path.read_text(encoding="utf-8")
    name = golden.expected_path.name
    if uses_half(text):
        cubin(text, name, golden.arch, real_headers=True)
    return len(cubin(text, name, golden.arch))


WORKS = {"test_text": Golden.actual, "test_compiles": compile_expected}


@pytest.fixture(scope="module")
def batch(request: pytest.FixtureRequest) -> Batch:
    return Batch(request.session.items, __file__, WORKS)


@pytest.mark.parametrize("case", GOLDENS, ids=lambda golden: golden.id)
def test_text(case: Golden, batch: Batch, request: pytest.FixtureRequest) -> None:
    require_command()
    actual = batch.result("test_text", case)
    path = case.expected_path
    if request.config.getoption("--update"):
        if not path.exists() or path.read_text(encoding="utf-8") != actual:
            path.write_text(actual, encoding="utf-8")
        return
    assert path.exists(), f"{path.name} is not there yet; scripts/test.sh --update writes it"
    assert actual == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CUDA_GOLDENS, ids=lambda golden: golden.id)
def test_compiles(case: Golden, batch: Batch, request: pytest.FixtureRequest) -> None:
    if nvrtc_compile.find_nvrtc() is None:
        pytest.skip("NVRTC is not installed")
    if request.config.getoption("--update"):
        # test_text has just written the files; the batch may have read them before that.
        assert compile_expected(case) > 0
    else:
        assert batch.result("test_compiles", case) > 0


def test_no_orphans() -> None:
    """An expected file whose kernel was renamed or removed would never be looked at again."""
    found = [p for folder in FOLDERS for kind in KINDS for p in folder.rglob(f"*.{kind}")]
    orphans = [str(path) for path in found if not path.with_suffix(".py").exists()]
    assert orphans == []
