# SPDX-License-Identifier: Apache-2.0
"""Kernels whose threads wait for each other: what they say when nobody can go on, and schemes."""

from __future__ import annotations

import re
import textwrap

import numpy as np
import pytest
import tirxcc

HEAD = """\
from tirxcc.script import tirx as T


@T.function
def k(A: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid={grid}, block=64))
    b = T.cuda.block_idx("x")
    t = T.cuda.thread_idx("x")
"""


def compiled(body: str, grid: int = 1, **options) -> tirxcc.Executable:
    text = HEAD.format(grid=grid) + textwrap.indent(textwrap.dedent(body), "    ")
    function = tirxcc.function_from_source(text, path="k.py")
    return tirxcc.compile(function, target="cpu", **options)


def failure(body: str, grid: int = 1, **options) -> str:
    with pytest.raises(tirxcc.Error) as caught:
        compiled(body, grid, **options)(np.zeros(64, np.int32))
    return str(caught.value)


def test_a_deadlock_says_who_waits_where() -> None:
    text = failure(
        """\
        if t < 32:
            T.ptx.bar.sync(1, 64)
        else:
            T.cuda.cta_sync()
        """
    )
    assert text.splitlines()[0] == (
        "k.py:10:9: error: kernel k: deadlock: no thread of block 0 can go on: thread 0 and 31 "
        "more wait at barrier 1 (k.py:10), which 32 of 64 have reached; thread 32 and 31 more "
        "wait at the barrier of the block (k.py:12) [failed-at-run-time]"
    )


def test_an_mbarrier_that_nobody_made() -> None:
    text = failure(
        """\
        S = T.alloc_shared((1,), "uint64")
        S[0] = T.uint64(0)
        T.cuda.mbarrier_wait(S.ptr_to([0]), 0)
        """
    )
    assert text.startswith("k.py:11:5: error: kernel k: an mbarrier that was not initialized")


BARRIER = """\
if t < A[0]:
    T.cuda.cta_sync()
T.cuda.cta_sync()
A[t] = t
"""


@pytest.mark.parametrize("scheme", ["fission", "lanes", "fibers"])
def test_a_divergent_barrier_is_found_by_all_schemes(scheme: str) -> None:
    run = compiled(BARRIER, scheme=scheme)
    a = np.full(64, 7, np.int32)
    with pytest.raises(tirxcc.Error, match=r"k.py:1\d:\d: error: kernel k: divergent barrier"):
        run(a)
    run(a := np.full(64, 64, np.int32))  # and the pool lives on
    assert a.tolist() == list(range(64))


def test_an_assert_ends_fibers_too() -> None:
    body = "T.ptx.bar.sync(1, 64)\nT.cuda.trap_when_assert_failed(t + b != 70)\n"
    text = failure(body, grid=20)
    assert text.startswith("k.py:10:5: error: kernel k: the condition does not hold")
    run = compiled("T.ptx.bar.sync(1, 64)\nif b == 19:\n    A[t] = t\n", grid=20)
    run(a := np.zeros(64, np.int32))
    assert a.tolist() == list(range(64))


def test_explain_tells_why() -> None:
    waits = compiled("while T.cuda.atomic_add(A.ptr_to([0]), 0) == 0:\n    pass\n")
    assert "line 9: the loop waits for memory that others write" in waits.explain()
    barrier = compiled("T.ptx.bar.sync(1, 64)\n")
    assert "line 9: T.ptx.bar.sync waits for some of the threads" in barrier.explain()


@pytest.mark.parametrize(
    "body",
    [
        # A search, a count of one's own, an attempt that others can only delay, a queue.
        "lo: T.int32 = 0\nwhile A[lo] < t:\n    lo += 1\nA[t] = lo\n",
        "i: T.int32 = 0\nwhile i < A[0]:\n    i += 1\nA[t] = i\n",
        """\
        seen: T.int32 = A[0]
        done: T.bool = False
        while not done:
            old: T.int32 = seen
            seen = T.cuda.atomic_cas(A.ptr_to([0]), old, old + 1)
            done = seen == old
        """,
        "while T.cuda.atomic_add(A.ptr_to([0]), 1) < 200:\n    A[t] = 1\n",
        "while A[t] > 0:\n    A[t] -= 1\n",
    ],
)
def test_loops_that_do_not_wait(body: str) -> None:
    assert "fiber" not in compiled(body).explain()


def test_a_scheme_that_cannot_run_the_kernel() -> None:
    with pytest.raises(tirxcc.Error, match=r"'T.ptx.bar.sync' needs the scheme 'fibers'"):
        compiled("T.ptx.bar.sync(1, 64)\n", scheme="fission")(np.zeros(64, np.int32))
    with pytest.raises(ValueError, match=re.escape("option 'scheme' is one of")):
        compiled("A[t] = t\n", scheme="threads")
