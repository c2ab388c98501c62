# SPDX-License-Identifier: Apache-2.0
"""Random kernels on the CPU target, at both optimisation levels, against CPython.

TIRXCC_ORACLE_PROGRAMS says how many of threads that work alone, TIRXCC_ORACLE_BLOCK_PROGRAMS how
many of threads that work together; continuous integration sets them to 5000 and 1200.
"""

from __future__ import annotations

import ast
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import block_kernel
import block_run
import compare
import faults
import kernel
import meaning
import numpy as np
import oracle
import sharing
import shrink
import workers

COUNTS = {
    "threads": int(os.environ.get("TIRXCC_ORACLE_PROGRAMS", "1000")),
    "blocks": int(os.environ.get("TIRXCC_ORACLE_BLOCK_PROGRAMS", "300")),
}
# Enough for shares to be what they are: of 1,200 block programs, what stands in 2.5 % of many may
# well be in 1.7 %. test_no_construct_is_rare looks at 2,000 of each family in any case.
COUNTS_WITH_SHARES = {"threads": 5000, "blocks": 2000}


@pytest.mark.slow
@pytest.mark.parametrize("family", compare.FAMILIES)
def test_programs_mean_what_python_means(family: str) -> None:
    count = COUNTS[family]
    outcome = workers.run(count, family=family)
    assert outcome.programs == count
    findings = sorted(outcome.findings.items())[:3]
    found = [oracle.describe(seed, text, family=family) for seed, text in findings]
    assert not found, "\n\n".join(found)
    print(oracle.shares_table(outcome))
    if count >= COUNTS_WITH_SHARES[family]:
        assert not oracle.too_rare(outcome)


def test_much_on_stderr_does_not_stop_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    # More than a pipe holds, and it must not need a reader.
    monkeypatch.setenv("PYTHONVERBOSE", "1")
    outcomes: list[workers.Outcome] = []
    thread = threading.Thread(target=lambda: outcomes.append(workers.run(2, jobs=1)), daemon=True)
    thread.start()
    thread.join(60)
    assert [outcome.programs for outcome in outcomes] == [2]


def test_a_run_that_is_interrupted_tells_what_it_has(tmp_path: Path) -> None:
    """Its programs before some seed are all done, and a command goes on from there."""
    command = [sys.executable, Path(oracle.__file__), "1000000", "--family", "threads"]
    command += ["--from", "7", "--jobs", "2", "--summary", tmp_path / "summary"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        first = process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate()
    assert process.returncode == 1
    assert "of 1000000 programs, 0 differences" in first
    told = json.loads((tmp_path / "summary").read_text())
    assert told["from"] == 7
    assert 7 <= told["all_before"] <= 7 + told["programs"]
    left = 1000007 - told["all_before"]
    assert f"oracle.py {left} --from {told['all_before']} --family threads\n" in rest


def test_a_worker_that_ends_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PROGRAMS_A_PROCESS", 2)
    starts = []
    start = workers.Worker.start
    monkeypatch.setattr(workers.Worker, "start", lambda self: (starts.append(0), start(self)))
    assert workers.run(5, jobs=1).programs == 5
    assert len(starts) == 3


@pytest.mark.parametrize("family", compare.FAMILIES)
def test_each_program_has_a_meaning(family: str) -> None:
    # In a block of 33 threads, a vote of a warp once decided about a barrier of the block.
    for seed in (*range(60), 301902):
        program = compare.FAMILIES[family](seed)
        compare.interpret(program, program.inputs())


def after(state: sharing.State, access: str) -> sharing.State | None:
    """The state after an access, or None where it is not allowed; of states other than CLEAN."""
    read, warp = sharing.READ, sharing.WARP
    slot = OWN_SLOTS.get(access)
    if access == "warp barrier":
        return sharing.after_warp_barrier(state)
    if access == "read":
        return read if state == read else None
    if access == "read in the warp":
        if state in (warp, sharing.WARP_READ):
            return sharing.WARP_READ
        return read if state == read else None
    if access == "atomic":
        return ATOMIC if state == ATOMIC else None
    if state == warp and slot.is_local:
        return sharing.Own(slot)
    return state if state == sharing.Own(slot) else None


OWN_SLOTS = {"own": sharing.Slot("r", True), "own elsewhere": sharing.Slot("9 - r", False)}
ATOMIC = sharing.Atomic("sum")
STATES = (sharing.READ, sharing.WARP, sharing.WARP_READ, sharing.CLOSED, ATOMIC)
STATES += tuple(map(sharing.Own, OWN_SLOTS.values()))


def test_where_ways_meet_only_what_both_allow_is_allowed() -> None:
    """Once, a read of any slot was forgotten where it met reads of lanes' own warp."""

    def allows(state: sharing.State | None, accesses: tuple[str, ...]) -> bool:
        for access in accesses:
            state = state and after(state, access)
        return state is not None

    assert all(sharing.join(sharing.CLEAN, state) == state for state in STATES)
    kinds = ("warp barrier", "read", "read in the warp", "atomic", *OWN_SLOTS)
    for a, b in itertools.product(STATES, STATES):
        for accesses in itertools.product(kinds, repeat=3):
            if allows(sharing.join(a, b), accesses):
                assert allows(a, accesses) and allows(b, accesses), (a, b, accesses)


@pytest.mark.parametrize("family", compare.FAMILIES)
def test_a_program_is_the_same_for_the_same_seed(family: str) -> None:
    make = compare.FAMILIES[family]
    assert make(7) == make(7)
    assert make(7).source() != make(8).source()


@pytest.mark.parametrize("family", compare.FAMILIES)
def test_no_construct_is_rare(family: str) -> None:
    """Of what the generator makes; operations are known only once they have run."""
    outcome = workers.Outcome(programs=2000)
    for seed in range(outcome.programs):
        outcome.shares.update(compare.FAMILIES[family](seed).constructs)
    assert not oracle.too_rare(outcome)


def small_program(body: str, **types: str) -> kernel.Program:
    frame = kernel.Frame("function", 1, (4,), "", 4, 4, False)
    return kernel.Program(0, frame, body, types)


def test_a_difference_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a wrong rule of floor division, a program with one does not mean the same."""
    wrong = lambda a, b, dtype: int(a / b) if b else 0  # noqa: E731
    compute = meaning.compute

    def compute_wrongly(symbol, function, operands):
        return compute(symbol, wrong if symbol == "//" else function, operands)

    monkeypatch.setattr(meaning, "compute", compute_wrongly)
    body = "x = I32[t, 0] | 1\nif t < 9:\n    U8[t, 1] = 3\n    I32[t, 2] = (x - 100) // 7 + 1\n"
    program = small_program(body, x="int32")
    found = compare.difference(program)
    assert found.startswith("opt_level 0: I32[")
    smaller, found = shrink.shrunk(program, found)
    assert found.startswith("opt_level 0: I32[")
    assert len(ast.parse(smaller.body).body) <= 2
    assert "//" in smaller.body


@pytest.mark.parametrize(("threads", "has_lanes"), [(64, True), (3, False)])
def test_no_code_is_made_twice(
    monkeypatch: pytest.MonkeyPatch, threads: int, has_lanes: bool
) -> None:
    """Without lanes, the optimised form is that of fission already."""
    schemes = []
    compile_ = compare.tirxcc.compile

    def compile_and_note(*arguments, **options):
        schemes.append(options.get("scheme", "automatic"))
        return compile_(*arguments, **options)

    monkeypatch.setattr(compare.tirxcc, "compile", compile_and_note)
    monkeypatch.setenv(compare.ALL_SCHEMES, "1")
    program = block_program("S[r] = r * 3\nT.cuda.cta_sync()\nI32[t, 0] = S[r] + 1\n", threads)
    assert compare.difference(program) == ""
    assert schemes == ["automatic", "automatic", "fibers"] + ["fission"] * has_lanes


def test_a_crash_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        compare, "interpret", lambda program, inputs: os.kill(os.getpid(), signal.SIGKILL)
    )
    assert shrink.probe(small_program("I8[t, 0] = 1\n")) == "ends with status -9"


def test_bits_are_compared() -> None:
    zeros = np.array([0.0, -0.0, 0.0], np.float32)
    assert compare.differing(zeros, abs(zeros), "float32").tolist() == [False, True, False]
    nan = zeros + np.float32(np.nan)
    assert not compare.differing(nan, -nan, "float32").any()


# Threads that work together


def block_program(
    body: str, threads: int = 64, blocks: int = 1, **types: str
) -> block_kernel.BlockProgram:
    """With a shared array S of int32, one element a thread, counters Z, and an mbarrier M."""
    frame = block_kernel.BlockFrame("function", (blocks,), (threads,), False, "shift", 3, False)
    boards = (
        block_kernel.Board("S", "int32", "shared", "p", threads),
        block_kernel.Board("Z", "int32", "counter", "slots", 8, operation="sum"),
        block_kernel.Board("M", "uint64", "mbarrier", "", 1),
    )
    body = f"{boards[0].allocation()}\n{body}"
    return block_kernel.BlockProgram(0, frame, body, types, boards=boards)


def column(body: str, threads: int = 64, blocks: int = 1) -> np.ndarray:
    """What the oracle says that `body` leaves in the first column of I32."""
    program = block_program(body, threads, blocks)
    return block_run.interpret_blocks(program, program.inputs())["I32"][:, 0]


WRITE = "S[r] = r\n"
READ = "I32[t, 0] = S[r ^ 1]\n"
BARRIER, WARP_BARRIER = "T.cuda.cta_sync()\n", "T.cuda.warp_sync()\n"
HANDED = "if w == 0:\n    T.ptx.bar.arrive(8, 64)\nelse:\n    T.ptx.bar.sync(8, 64)\n"
INIT = (
    'M = T.alloc_shared((1,), "uint64")\nif r == 0:\n    T.ptx.mbarrier.init(M.ptr_to([0]), 64)\n'
)
ARRIVE = "T.ptx.mbarrier.arrive(M.ptr_to([0]))\n"
WAIT = "T.cuda.mbarrier_wait(M.ptr_to([0]), 0)\n"
COUNT = "T.cuda.atomic_add(Z.ptr_to([0]), 1)\n"


@pytest.mark.parametrize(
    "body",
    [
        WRITE + BARRIER + WRITE + READ,
        WRITE + BARRIER + READ + WRITE,
        WRITE + BARRIER + WRITE + WARP_BARRIER + "I32[t, 0] = S[r ^ 32]",
        WRITE + WARP_BARRIER + "S[r ^ 32] = 1",
        WRITE + BARRIER + "S[r ^ 1] = S[r]",
        "S[r & 31] = r",
        "S[0] = 1",
        WRITE + BARRIER + "T.cuda.atomic_add(S.ptr_to([0]), 1)\n" + READ,
        WRITE
        + BARRIER
        + "T.cuda.atomic_add(S.ptr_to([0]), 1)\nT.cuda.atomic_max(S.ptr_to([0]), 9)",
        "if r < 9:\n    T.cuda.cta_sync()\n" + BARRIER,
        "if r < 9:\n    T.cuda.warp_sync()\n" + WARP_BARRIER,
        "if r < 9:\n    T.cuda.cta_sync()\nelse:\n    T.cuda.cta_sync()",
        "if w == 0:\n    T.ptx.bar.sync(8, 64)",
        WRITE + HANDED + "if w == 0:\n    I32[t, 0] = S[r + 32]",
        WRITE + HANDED + "S[r ^ 32] = 1",
        INIT + ARRIVE + WAIT,
        INIT + BARRIER + "if r:\n    T.ptx.mbarrier.arrive(M.ptr_to([0]))\n" + WAIT,
        INIT + BARRIER + ARRIVE + WAIT + WAIT.replace("0)", "1)"),
        COUNT + "I32[t, 0] = Z[0]",
        "if r < 9:\n    T.cuda.grid_sync()",
        "I32[t, 0] = T.cuda.__shfl_xor_sync(0xFFFFFFFF, r, 1, 32) if r < 9 else 0",
        "I32[t, 0] = T.if_then_else(r < 9, T.cuda.__shfl_xor_sync(0xFFFFFFFF, r, 1, 32), 0)",
        "if r == 3:\n    T.gpu_thread_return()\n"
        "I32[t, 0] = T.cuda.__shfl_down_sync(0xFFFFFFFF, r, 1, 32)",
    ],
)
def test_a_program_without_a_meaning_is_noticed(body: str) -> None:
    program = block_program(body)
    with pytest.raises(block_run.Undefined):
        block_run.interpret_blocks(program, program.inputs())


def test_a_read_before_any_write_is_noticed() -> None:
    program = block_program(READ)
    with pytest.raises(LookupError):
        block_run.interpret_blocks(program, program.inputs())


@pytest.mark.parametrize(
    "body",
    [
        WRITE + BARRIER + READ + BARRIER + WRITE,
        WRITE + WARP_BARRIER + READ + WARP_BARRIER + "S[r ^ 1] = 1",
        "T.cuda.atomic_add(Z.ptr_to([0]), 1)\nT.cuda.atomic_sub(Z.ptr_to([0]), r)",
        WRITE + BARRIER + "if S[3] == 3:\n    T.cuda.cta_sync()",
        "if r >= 32:\n    T.gpu_thread_return()\n" + BARRIER,
        WRITE + "T.ptx.bar.sync(3, 64)\n" + READ + "T.ptx.bar.sync(4, 0)\n" + WRITE,
        WRITE + INIT + BARRIER + READ + ARRIVE + WAIT + WRITE + ARRIVE + WAIT.replace("0)", "1)"),
    ],
)
def test_a_program_with_a_meaning_is_let_through(body: str) -> None:
    program = block_program(body)
    block_run.interpret_blocks(program, program.inputs())


LANE = np.arange(64)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("__shfl_sync(0xFFFFFFFF, r, 3, 32)", LANE // 32 * 32 + 3),
        ("__shfl_sync(0xFFFFFFFF, r, r + 1, 8)", LANE // 8 * 8 + (LANE + 1) % 8),
        ("__shfl_up_sync(0xFFFFFFFF, r, 3, 16)", np.where(LANE % 16 >= 3, LANE - 3, LANE)),
        ("__shfl_down_sync(0xFFFFFFFF, r, 3, 4)", np.where(LANE % 4 < 1, LANE + 3, LANE)),
        ("__shfl_xor_sync(0xFFFFFFFF, r, 5, 32)", LANE ^ 5),
        ("__shfl_xor_sync(0xFFFFFFFF, r, 12, 8)", np.where(LANE % 16 < 8, LANE, LANE ^ 12)),
        ("any_sync(0xFFFFFFFF, r == 40)", LANE // 32),
        ("all_sync(0xFFFFFFFF, r < 40)", 1 - LANE // 32),
        ("syncthreads_or(r == 40)", LANE * 0 + 1),
        ("syncthreads_and(r < 40)", LANE * 0),
        ("reduce_add_sync_u32(0xFFFFFFFF, T.uint32(r))", 496 + LANE // 32 * 1024),
        ("reduce_min_sync_u32(0xFFFFFFFF, T.uint32(r))", LANE // 32 * 32),
        ("ballot_sync(0xFFFFFFFF, l == 4)", LANE * 0 + 16),
        ("elect_sync()", LANE % 32 == 0),
    ],
)
def test_what_threads_get_from_each_other(call: str, expected: np.ndarray) -> None:
    assert (column(f"I32[t, 0] = T.int32(T.cuda.{call})") == expected).all()


def test_warps_hand_over_and_blocks_wait_for_each_other() -> None:
    assert (column(WRITE + HANDED + "    I32[t, 0] = S[r - 32]")[32:] == LANE[:32]).all()
    counted = column(
        "if t == 0:\n    Z[0] = 0\nT.cuda.grid_sync()\n"
        + COUNT
        + "T.cuda.grid_sync()\nI32[t, 0] = Z[0]",
        64,
        3,
    )
    assert counted.tolist() == [3 * 64] * (3 * 64)


def test_threads_of_a_block_that_does_not_fill_its_warps() -> None:
    body = "I32[t, 0] = T.int32(T.cuda.ballot_sync(0xFFFFFFFF, r != 33)) & 0xFF"
    assert column(body, 40).tolist() == [255] * 32 + [253] * 8


def test_a_difference_between_lanes_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    shuffle = block_run.shuffle

    def shuffle_wrongly(way: str, lanes: dict) -> dict:
        return shuffle("shfl_down" if way == "shfl_up" else way, lanes)

    monkeypatch.setattr(block_run, "shuffle", shuffle_wrongly)
    body = (
        "S[r] = I32[t, 1]\n"
        "T.cuda.cta_sync()\n"
        "x = S[63 - r]\n"
        "if m > 1:\n"
        "    T.cuda.cta_sync()\n"
        "    x += T.cuda.__shfl_up_sync(0xFFFFFFFF, x, 1, 32)\n"
        "I32[t, 0] = x + 1\n"
    )
    program = block_program(body, x="int32")
    found = compare.difference(program)
    assert found.startswith("opt_level 0: I32[")
    smaller, found = shrink.shrunk(program, found)
    assert found.startswith("opt_level 0: I32[")
    assert "shfl_up" in smaller.body
    assert len(smaller.body.splitlines()) <= 5


def test_places_of_planted_faults_exist() -> None:
    texts = {fault.file: (faults.ROOT / fault.file).read_text() for fault in faults.FAULTS}
    for number, fault in enumerate(faults.FAULTS, 1):
        texts[fault.file] = faults.patched(texts[fault.file], number, fault)
        assert f"is_planted({number})" in texts[fault.file]
