# SPDX-License-Identifier: Apache-2.0
"""What a new user does first: decorate, compile, call, look at the texts."""

from __future__ import annotations

import numpy as np
import pytest
import tirxcc
from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def relu(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        if A[i] > 0.0:
            B[i] = A[i]
        else:
            B[i] = 0.0


@T.function
def scaled_sum(A: T.Tensor((8,), T.float32), s: T.float32, k: T.int32 = 3) -> T.float32:
    total = 0.0
    for i in range(k):
        total += A[i] * s
    return total


@pytest.mark.parametrize("size", [0, 1, 255, 256, 1000])
def test_call_with_numpy_arrays(size: int) -> None:
    exe = tirxcc.compile(relu, target="cpu")
    a = np.random.default_rng(size).standard_normal(size, dtype=np.float32)
    b = np.full_like(a, np.nan)
    assert exe(a, b) is None
    np.testing.assert_array_equal(b, np.maximum(a, 0))


def test_keywords_in_any_order() -> None:
    exe = tirxcc.compile(relu)
    a = np.array([-1, 2], np.float32)
    b = np.empty_like(a)
    exe(B=b, A=a)
    assert b.tolist() == [0, 2]


def test_scalars_defaults_and_results() -> None:
    exe = tirxcc.compile(scaled_sum)
    a = np.arange(8, dtype=np.float32)
    assert exe(a, 2.0) == 6
    assert exe(a, 2, k=4) == 12
    assert exe(a, k=np.int64(4), s=np.float32(0.5)) == 3


def test_texts() -> None:
    exe = tirxcc.compile(relu, target={"kind": "cuda", "arch": "sm_90a"})
    assert exe.target == "cuda"
    assert exe.source == exe.cuda_source
    assert [str(kernel) for kernel in exe.kernels] == [
        "relu_kernel: grid=((n + 255) // 256), block=(256)"
    ]
    assert exe.parameters == relu.params == ("A", "B")
    on_cpu = tirxcc.compile(relu, target="cpu")
    assert on_cpu.cuda_source == exe.cuda_source
    assert on_cpu.source == on_cpu.llvm_ir != on_cpu.cuda_source


def test_coarsened() -> None:
    target = {"kind": "cuda", "arch": "sm_90a"}
    exe = tirxcc.compile(relu, target=target, coarsen=4)
    assert "float4" in exe.cuda_source
    assert exe.kernels[0].grid == ("(n + 1023) // 1024",)
    on_cpu = tirxcc.compile(relu, target="cpu", coarsen=2)
    for size in (1, 255, 512, 1023):
        a = np.random.default_rng(0).standard_normal(size).astype(np.float32)
        b = np.full(size + 8, 7, np.float32)
        on_cpu(a, b[:size])
        np.testing.assert_array_equal(b, np.append(np.maximum(a, 0), np.full(8, 7)))
    with pytest.raises(ValueError, match="'coarsen' is 1, 2 or 4, not 3"):
        tirxcc.compile(relu, target=target, coarsen=3)


def test_kernels_of_a_launch() -> None:
    @T.function
    def both(A: T.Tensor((n, 64), T.float32), rows: T.int32):
        with T.device_entry(launch=T.cuda.LaunchConfig(grid=(4, rows), block=(32, 2))):
            a = T.alloc_shared((8, 8), "float32")
            b = T.alloc_shared((3,), "float64")
            a[0, 0] = 1.0
            b[0] = 1.0
            A[0, 0] = a[0, 0] + T.cast(b[0], "float32")
        with T.device_entry(
            launch=T.cuda.LaunchConfig(grid=n, block=64, cluster=2, dynamic_smem_bytes=rows * 4)
        ):
            A[T.cuda.block_idx("x"), T.cuda.thread_idx("x")] = 0.0

    first, second = tirxcc.compile(both, target={"kind": "cuda", "arch": "sm_90a"}).kernels
    assert first == ("both_kernel", ("4", "rows"), ("32", "2"), (), 280, "")
    assert second == ("both_kernel_1", ("n",), ("64",), ("2",), 0, "rows * 4")
    assert "cluster=(2), dynamic_shared_bytes=rows * 4" in str(second)


def test_script_parses_back() -> None:
    text = relu.script()
    again = tirxcc.function_from_source(text)
    assert again.script() == text
    assert tirxcc.compile(again).cuda_source == tirxcc.compile(relu).cuda_source


def test_compiling_twice_gives_the_same_executable() -> None:
    assert tirxcc.compile(relu) is tirxcc.compile(relu, target="cpu")
    assert tirxcc.compile(relu, opt_level=0) is not tirxcc.compile(relu)


@pytest.mark.parametrize(
    ("target", "options", "kind", "words"),
    [
        ("bogus", {}, ValueError, "'bogus' is no target"),
        ({"kind": "bogus"}, {}, ValueError, '"bogus" is not defined'),
        ({"kind": "cuda", "march": 1}, {}, ValueError, "'march'"),
        (7, {}, TypeError, "string or a dict"),
        ("cpu", {"opt_levle": 1}, TypeError, "no option 'opt_levle'"),
        ("cpu", {"opt_level": "2"}, TypeError, "opt_level"),
    ],
)
def test_bad_targets_and_options(target: object, options: dict, kind: type, words: str) -> None:
    with pytest.raises(kind, match=words) as caught:
        tirxcc.compile(relu, target=target, **options)
    assert isinstance(caught.value, tirxcc.Error)


def test_a_kernel_is_not_called_directly() -> None:
    with pytest.raises(TypeError, match=r"tirxcc.compile\(relu\)"):
        relu(1, 2)


def test_plain_function_is_refused() -> None:
    with pytest.raises(TypeError, match=r"decorate it with @T.function"):
        tirxcc.compile(lambda a: a)
