# SPDX-License-Identifier: Apache-2.0
"""`tirxcc run`: arguments made, read and saved, and what is said about wrong ones."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from command import ROOT, Outcome, require_command, run_command

RELU = ROOT / "examples/control_flow/relu.py"
SCALARS = ROOT / "tests/golden/launch/scalar_parameters.py"

COPY = """# SPDX-License-Identifier: Apache-2.0
from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def copy(A: T.Tensor((n,), T.{dtype}), B: T.Tensor((n,), T.{dtype})):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = A[i]
"""


@pytest.fixture(autouse=True)
def _command() -> None:
    require_command()


def run(file: Path, kernel: str, *arguments: str | Path) -> Outcome:
    return run_command("run", file, "--kernel", kernel, "--target", "cpu", *arguments)


MESSAGES = ROOT / "tests/golden/synchronization/messages.py"


def messages(fill: str) -> Outcome:
    arguments = (f"A={fill}:float32[32]", "H=ones:float16[32]", "I=arange:int8[32]")
    return run(MESSAGES, "messages", *(f"--arg={argument}" for argument in arguments))


def test_kernels_print() -> None:
    lines = messages("full=2.5").out.splitlines()
    assert lines.count("start, 100%") == 32
    for lane in range(32):
        assert f"lane {lane} of 32: 2.500000 1 {lane:5d} {lane} ok" in lines
        assert any(line.startswith(f"{lane:8d} at 0x") for line in lines)


@pytest.mark.parametrize(
    ("fill", "line", "text"),
    [("full=200", 18, "A is too large"), ("full=-1", 16, "the condition does not hold")],
)
def test_a_failed_assertion_has_its_line(fill: str, line: int, text: str) -> None:
    done = messages(fill)
    assert done.status == 1
    first, code, marks = done.err.splitlines()
    assert f"messages.py:{line}:5: error: kernel messages: {text} [" in first
    assert code.startswith(f"   {line} | ")
    assert marks.strip(" |").startswith("^~~")


def relu(*arguments: str | Path) -> Outcome:
    return run(RELU, "relu", *arguments)


def made(spec: str, tmp_path: Path, *more: str) -> np.ndarray:
    """The array that a spec gives, brought back through a kernel that copies it."""
    dtype = spec.split(":")[1].split("[")[0]
    file = tmp_path / "copy.py"
    file.write_text(COPY.replace("{dtype}", dtype))
    size = spec.split("[")[1].rstrip("]").split(" ")[0].rstrip("]")
    zeros = f"B=zeros:{dtype}[{size}]"
    saved = f"B={tmp_path / 'b.npy'}"
    outcome = run(file, "copy", "--arg", f"A={spec}", "--arg", zeros, "--save", saved, *more)
    assert outcome.status == 0, outcome.describe()
    return np.load(tmp_path / "b.npy")


def test_made_arrays(tmp_path: Path) -> None:
    np.testing.assert_array_equal(made("zeros:float32[5]", tmp_path), np.zeros(5, np.float32))
    np.testing.assert_array_equal(made("ones:int16[5]", tmp_path), np.ones(5, np.int16))
    np.testing.assert_array_equal(made("arange:int64[5]", tmp_path), np.arange(5))
    np.testing.assert_array_equal(made("full=2.5:float64[3]", tmp_path), np.full(3, 2.5))
    assert made("uniform:float32[1000]", tmp_path).std() > 0.2
    normal = made("normal:float32[10000]", tmp_path)
    assert abs(normal.mean()) < 0.05 and abs(normal.std() - 1) < 0.05
    integers = made("integers:int32[1000]", tmp_path)
    assert integers.dtype == np.int32 and len(np.unique(integers)) > 10
    bools = made("integers:bool[1000]", tmp_path)
    assert bools.dtype == np.bool_ and 300 < bools.sum() < 700


def test_seed(tmp_path: Path) -> None:
    first = made("normal:float32[100]", tmp_path, "--seed", "7")
    again = made("normal:float32[100]", tmp_path, "--seed", "7")
    other = made("normal:float32[100]", tmp_path, "--seed", "8")
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_files_in_and_out(tmp_path: Path) -> None:
    a = np.linspace(-1, 1, 1001, dtype=np.float32)
    np.save(tmp_path / "a file.npy", a)
    saved = tmp_path / "out.npy"
    outcome = relu(
        *("--arg", f"A={tmp_path / 'a file.npy'}", "--arg", "B=zeros:float32[1001]"),
        *("--save", f"B={saved}"),
    )
    assert outcome.status == 0, outcome.describe()
    np.testing.assert_array_equal(np.load(saved), np.maximum(a, 0))
    np.testing.assert_array_equal(np.load(tmp_path / "a file.npy"), a)


def test_raw_files(tmp_path: Path) -> None:
    a = np.linspace(-1, 1, 100, dtype=np.float32)
    a.tofile(tmp_path / "a.bin")
    outcome = relu(
        *("--arg", f"A=raw:{tmp_path / 'a.bin'}:float32[100]", "--arg", "B=zeros:float32[100]"),
        *("--save", f"B={tmp_path / 'out.npy'}"),
    )
    assert outcome.status == 0, outcome.describe()
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), np.maximum(a, 0))


@pytest.mark.parametrize("name", ["out.bin", "out.raw", "out.dat", "out", "raw:out.txt"])
def test_raw_bytes_are_saved(tmp_path: Path, name: str) -> None:
    prefix = "raw:" if name.startswith("raw:") else ""
    file = tmp_path / name.removeprefix("raw:")
    outcome = relu(
        *("--arg", "A=ones:float32[10]", "--arg", "B=zeros:float32[10]"),
        *("--save", f"B={prefix}{file}"),
    )
    assert outcome.status == 0, outcome.describe()
    np.testing.assert_array_equal(np.fromfile(file, np.float32), np.ones(10, np.float32))


@pytest.mark.parametrize("name", ["out.txt", "out.csv", "out.npz", "out.npy.gz", "raw:"])
def test_other_files_are_not_saved(tmp_path: Path, name: str) -> None:
    path = name if name == "raw:" else tmp_path / name
    outcome = relu(
        *("--arg", "A=ones:float32[10]", "--arg", "B=zeros:float32[10]", "--save", f"B={path}")
    )
    assert outcome.status == 2, outcome.describe()
    assert "--save B" in outcome.err and ".npy" in outcome.err
    assert not any(tmp_path.iterdir())


def test_time_as_json() -> None:
    outcome = relu(
        *("--arg", "A=normal:float32[1000]", "--arg", "B=zeros:float32[1000]"),
        *("--time", "--json"),
    )
    assert outcome.status == 0, outcome.describe()
    report = json.loads(outcome.out)
    assert report["compile_ms"] > 0
    assert report["run_ms"] > 0


def test_empty_arrays() -> None:
    outcome = relu("--arg", "A=zeros:float32[0]", "--arg", "B=zeros:float32[0]")
    assert outcome.status == 0, outcome.describe()


def fails(outcome: Outcome, *words: str, status: int = 1) -> None:
    """It failed, and every word is in the message; `a|b` means either."""
    assert outcome.status == status, outcome.describe()
    assert len(outcome.err.splitlines()) <= 4, outcome.describe()
    for word in words:
        assert any(choice in outcome.err for choice in word.split("|")), outcome.describe()


GOOD = ["--arg", "A=ones:float32[10]"]


def test_wrong_arrays(tmp_path: Path) -> None:
    fails(relu(*GOOD), "B", status=2)
    fails(relu(*GOOD, "--arg", "B=zeros:float32[11]"), "B", "11", "10")
    fails(relu(*GOOD, "--arg", "B=zeros:float64[10]"), "B", "float64", "float32")
    fails(relu(*GOOD, "--arg", "B=zeros:float32[10,1]"), "B", "2|rank|dimension")
    fails(relu(*GOOD, "--arg", "B=2.5"), "B")
    fails(relu(*GOOD, "--arg", "B=zeros:float32[10]", "--arg", "C=1"), "C", status=2)
    fails(relu(*GOOD, *GOOD, "--arg", "B=zeros:float32[10]"), "A", status=2)
    fails(run(RELU, "rleu", *GOOD), "rleu", "relu", status=2)


def test_wrong_files(tmp_path: Path) -> None:
    fails(relu(*GOOD, "--arg", f"B={tmp_path / 'none.npy'}"), "none.npy")
    (tmp_path / "text.npy").write_text("not an array")
    fails(relu(*GOOD, "--arg", f"B={tmp_path / 'text.npy'}"), "text.npy")
    records = np.zeros(10, [("x", np.float32), ("y", np.float32)])
    np.save(tmp_path / "records.npy", records)
    fails(relu(*GOOD, "--arg", f"B={tmp_path / 'records.npy'}"), "structured dtype", "a['x']")
    (tmp_path / "empty.npy").write_bytes(b"")
    fails(relu(*GOOD, "--arg", f"B={tmp_path / 'empty.npy'}"), "empty.npy")
    np.save(tmp_path / "cut.npy", np.zeros(10, np.float32))
    whole = (tmp_path / "cut.npy").read_bytes()
    (tmp_path / "cut.npy").write_bytes(whole[:-4])
    fails(relu(*GOOD, "--arg", f"B={tmp_path / 'cut.npy'}"), "cut.npy")
    np.save(tmp_path / "objects.npy", np.array([None, 1]), allow_pickle=True)
    fails(relu(*GOOD, "--arg", f"B={tmp_path / 'objects.npy'}"), "objects.npy")
    (tmp_path / "short.bin").write_bytes(b"\0" * 10)
    fails(relu(*GOOD, "--arg", f"B=raw:{tmp_path / 'short.bin'}:float32[10]"), "short.bin")


@pytest.mark.parametrize(
    "spec",
    [
        "B",
        "B=",
        "=zeros:float32[10]",
        "B=zeros",
        "B=zeros:float32",
        "B=zeros:float33[10]",
        "B=zeros:float32[",
        "B=zeros:float32[ten]",
        "B=zeros:float32[-1]",
        "B=zeros:float32[99999999999999999999]",
        "B=zeros:float32[1000000000,1000000000,1000000000]",
        "B=nonsense:float32[10]",
        "B=full=x:float32[10]",
    ],
)
def test_wrong_specs(spec: str) -> None:
    outcome = relu(*GOOD, "--arg", spec)
    assert outcome.status in (1, 2), outcome.describe()
    assert 0 < len(outcome.err.splitlines()) <= 4, outcome.describe()
    assert spec in outcome.err or "B" in outcome.err, outcome.describe()


def scalars(**values: str) -> Outcome:
    given = {"scale": "2.5", "A": "ones:float32[10]", "shift": "1", "on": "1", "small": "2"}
    arguments = [x for k, v in (given | values).items() for x in ("--arg", f"{k}={v}")]
    return run(SCALARS, "scalar_parameters", *arguments)


def test_scalars() -> None:
    assert scalars().status == 0
    assert scalars(on="true").status == 0
    assert scalars(shift="-9000000000").status == 0
    fails(scalars(small="300"), "small", "300")
    fails(scalars(small="-1"), "small")
    fails(scalars(shift="1.5"), "shift")
    fails(scalars(on="2"), "on")
    fails(scalars(scale="ones:float32[1]"), "scale")
    fails(scalars(scale="fast"), "scale", status=2)


def test_nothing_is_saved_after_an_error(tmp_path: Path) -> None:
    saved = tmp_path / "b.npy"
    fails(relu(*GOOD, "--arg", "B=zeros:float32[11]", "--save", f"B={saved}"), "B")
    assert list(tmp_path.iterdir()) == []
    fails(relu(*GOOD, "--arg", "B=zeros:float32[10]", "--save", f"C={saved}"), "C", status=2)
    assert list(tmp_path.iterdir()) == []


FORMULA = """from tirxcc.script import tirx as T

n = T.dynamic("n")
tiles = 8


@T.function
def sums(A: T.Tensor((n,), T.float32), B: T.Tensor((T.ceildiv(n, 256), tiles), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    if T.cuda.thread_idx("x") == 0:
        B[T.cuda.block_idx("x"), 0] = A[0]
"""


def test_a_shape_is_shown_as_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "sums.py"
    file.write_text(FORMULA)
    outcome = run(file, "sums", "--arg", "A=ones:[1000]", "--arg", "B=zeros:[1000,8]")
    assert outcome.status == 1, outcome.describe()
    signature = "sums(A: Tensor([n], float32), B: Tensor([T.ceildiv(n, 256), 8], float32))"
    assert outcome.err == (
        "tirxcc: error: B.shape[0]: expected 4 (T.ceildiv(n, 256)), got 1000; "
        f"when calling {signature}\n"
    )
