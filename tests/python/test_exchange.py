# SPDX-License-Identifier: Apache-2.0
"""DLPack's C exchange API: tensors of a made-up library, and torch's where it is installed."""

from __future__ import annotations

import gc
import sys

import numpy as np
import pytest
import tirxcc
from fake_tensors import Exchanged
from tirxcc.script import tirx as T

n = T.dynamic("n")
s = T.dynamic("s", "int64")


@T.function
def add_one(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = A[i] + 1.0


@T.prim_func
def copy(A: T.Buffer((n,), "float32", strides=(s,)), B: T.Buffer((n,), "float32")):
    for i in range(n):
        B[i] = A[i]


def test_no_copy_and_no_python_call() -> None:
    exe = tirxcc.compile(add_one, target="cpu")
    a, b = np.arange(100, dtype=np.float32), np.zeros(100, np.float32)
    before = Exchanged.conversions
    exe(Exchanged(a), Exchanged(b))
    np.testing.assert_array_equal(b, a + 1)
    # Once a tensor; the first call of an executable binds twice.
    assert Exchanged.conversions - before in (2, 4)


def test_strides() -> None:
    a, b = np.arange(100, dtype=np.float32), np.zeros(50, np.float32)
    tirxcc.compile(copy, target="cpu")(Exchanged(a[::-2]), B=Exchanged(b))
    np.testing.assert_array_equal(b, a[::-2])


def test_references_are_given_back() -> None:
    exe = tirxcc.compile(add_one, target="cpu")
    a = Exchanged(np.zeros(10, np.float32))
    exe(a, a)
    before = sys.getrefcount(a)
    for _ in range(10):
        exe(a, a)
    assert sys.getrefcount(a) == before


def test_what_the_library_refuses_names_the_parameter() -> None:
    a = np.zeros(10, np.float32)
    with pytest.raises(ValueError, match=r"'B'.*Exchanged"):
        tirxcc.compile(add_one, target="cpu")(a, Exchanged(a, refuses=True))


@pytest.mark.parametrize(("dtype", "error"), [(np.float64, "float64"), (np.int32, "int32")])
def test_other_types(dtype: type, error: str) -> None:
    a = np.zeros(10, np.float32)
    with pytest.raises(TypeError, match=rf"A: .*float32.*{error}"):
        tirxcc.compile(add_one, target="cpu")(Exchanged(a.astype(dtype)), Exchanged(a))


def test_many_types_of_arrays() -> None:
    exe = tirxcc.compile(add_one, target="cpu")
    for _ in range(40):

        class Mine(Exchanged):
            pass

        class MyArray(np.ndarray):
            pass

        a, b = np.zeros(10, np.float32), np.zeros(10, np.float32).view(MyArray)
        exe(Mine(a), b)
        assert (b == 1).all()
        del Mine, MyArray
        gc.collect()


class TestTorch:
    torch = None

    @pytest.fixture(autouse=True)
    def import_torch(self) -> None:
        TestTorch.torch = pytest.importorskip("torch")

    def test_cpu_tensors(self) -> None:
        torch = self.torch
        a, b = torch.arange(100, dtype=torch.float32), torch.zeros(100)
        tirxcc.compile(add_one, target="cpu")(a, b)
        assert torch.equal(b, a + 1)

    def test_strides_and_offsets(self) -> None:
        torch = self.torch
        a, b = torch.arange(100, dtype=torch.float32), torch.zeros(33)
        tirxcc.compile(copy, target="cpu")(a[1::3], b)
        assert torch.equal(b, a[1::3])

    @pytest.mark.parametrize(
        "name", ["bool", "int8", "int32", "int64", "uint8", "float16", "bfloat16", "float64"]
    )
    def test_types(self, name: str) -> None:
        torch = self.torch
        text = f'''
from tirxcc.script import tirx as T
n = T.dynamic("n")
@T.function
def copy(A: T.Tensor((n,), "{name}"), B: T.Tensor((n,), "{name}")):
    for i in range(n):
        B[i] = A[i]
'''
        dtype = getattr(torch, name)
        a = torch.tensor([0, 1, 1, 0, 1]).to(dtype)
        b = torch.zeros(5, dtype=dtype)
        exe = tirxcc.compile(tirxcc.function_from_source(text), target="cpu", opt_level=0)
        exe(a, b)
        assert torch.equal(a, b)
        with pytest.raises(TypeError, match="'B'"):
            exe(a, torch.zeros(5, dtype=torch.complex64))

    def test_tensors_that_are_refused(self) -> None:
        torch = self.torch
        exe = tirxcc.compile(add_one, target="cpu")
        a = torch.zeros(10)
        with pytest.raises(tirxcc.Error, match="'B'"):
            exe(a, torch.zeros(10, requires_grad=True))
        with pytest.raises(tirxcc.Error, match="'A': it requires a gradient"):
            exe(torch.ones(10, requires_grad=True), a)
        with torch.no_grad():
            exe(torch.ones(10, requires_grad=True), a)
        assert a.tolist() == [2.0] * 10
        a.zero_()
        with pytest.raises(tirxcc.Error, match="'A'"):
            exe(torch.zeros(10, dtype=torch.complex64).conj(), a)
        with pytest.raises(tirxcc.Error, match="'A'"):
            exe(torch.zeros(10, dtype=torch.complex64).conj().imag, a)
        with pytest.raises(tirxcc.Error, match="'A'"):
            exe(torch.zeros(10, device="meta"), a)
        with pytest.raises(tirxcc.Error, match="'A'"):
            exe(torch.zeros(10).to_sparse(), a)
