# SPDX-License-Identifier: Apache-2.0
"""Calls with arrays of torch and CuPy on a GPU: results, streams, devices, refusals."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import gpu_kernels
import pytest
import tirxcc

torch = pytest.importorskip("torch")
cupy = pytest.importorskip("cupy")


def compiled(name: str) -> tirxcc.Executable:
    return tirxcc.compile(getattr(gpu_kernels, name), target="cuda")


@pytest.mark.parametrize("size", [0, 1, 255, 256, 1_000_003])
def test_torch_tensors(size: int) -> None:
    a = torch.randn(size, device="cuda")
    b = torch.full_like(a, float("nan"))
    compiled("relu")(a, b)
    assert torch.equal(b, a.clamp_min(0))


def test_cupy_arrays() -> None:
    a = cupy.random.standard_normal(1000, dtype=cupy.float32)
    b = cupy.full_like(a, cupy.nan)
    compiled("relu")(a, b)
    assert (b == cupy.maximum(a, 0)).all()


def test_torch_and_cupy_on_one_stream() -> None:
    a = torch.randn(1000, device="cuda")
    b = cupy.empty(1000, dtype=cupy.float32)
    stream = torch.cuda.current_stream()
    with cupy.cuda.ExternalStream(stream.cuda_stream):
        compiled("relu")(a, b)
    stream.synchronize()
    assert torch.equal(torch.from_dlpack(b), a.clamp_min(0))


# A kernel that keeps a stream busy for some 50 ms, so that work on the wrong stream is seen.
def occupy(stream: torch.cuda.Stream) -> None:
    with torch.cuda.stream(stream):
        torch.cuda._sleep(100_000_000)


def test_the_current_stream_of_torch() -> None:
    relu = compiled("relu")
    stream = torch.cuda.Stream()
    a = torch.zeros(1000, device="cuda")
    b = torch.zeros(1000, device="cuda")
    torch.cuda.synchronize()
    occupy(stream)
    with torch.cuda.stream(stream):
        a.fill_(3.0)
        relu(a, b)
    assert not stream.query()
    torch.cuda.synchronize()
    assert bool((b == 3).all())


def test_a_stream_that_is_given() -> None:
    relu = compiled("relu")
    stream = torch.cuda.Stream()
    a = torch.zeros(1000, device="cuda")
    for given in (stream, stream.cuda_stream, cupy.cuda.ExternalStream(stream.cuda_stream)):
        b = torch.zeros(1000, device="cuda")
        a.zero_()
        torch.cuda.synchronize()
        occupy(stream)
        with torch.cuda.stream(stream):
            a.fill_(3.0)
        relu(a, b, stream=given)
        torch.cuda.synchronize()
        assert bool((b == 3).all())


def test_the_current_stream_of_cupy() -> None:
    relu = compiled("relu")
    stream = cupy.cuda.Stream(non_blocking=True)
    a = cupy.zeros(1000, dtype=cupy.float32)
    b = cupy.zeros(1000, dtype=cupy.float32)
    cupy.cuda.Device().synchronize()
    occupy(torch.cuda.ExternalStream(stream.ptr))
    with stream:
        a.fill(3)
        relu(a, b)
    cupy.cuda.Device().synchronize()
    assert (b == 3).all()


def test_a_cpu_tensor_is_refused() -> None:
    a = torch.zeros(8, device="cuda")
    with pytest.raises(ValueError, match="expected a tensor on cuda:0, got one on"):
        compiled("relu")(a, torch.zeros(8))


def test_a_strided_tensor_is_refused() -> None:
    a = torch.zeros(16, device="cuda")
    with pytest.raises(ValueError, match="stride"):
        compiled("relu")(a[::2], torch.zeros(8, device="cuda"))


def test_a_tensor_that_requires_grad_is_refused_where_torch_would_expect_a_gradient() -> None:
    a = torch.full((8,), 2.0, device="cuda", requires_grad=True)
    b = torch.zeros(8, device="cuda")
    with pytest.raises(ValueError, match="'A': it requires a gradient"):
        compiled("relu")(a, b)
    with torch.no_grad():
        compiled("relu")(a, b)
    assert torch.equal(a.detach(), b)


def test_a_base_that_is_not_aligned_runs_the_scalar_variant() -> None:
    exe = compiled("wide_add_one")
    memory = torch.arange(4001, dtype=torch.float32, device="cuda")
    a = memory[1:].reshape(1000, 4)
    b = torch.zeros(1000, 4, device="cuda")
    exe(a, b)
    assert torch.equal(b, a + 1)
    assert "scalar" in exe.variants_run
    exe(b.clone(), b)
    assert set(exe.variants_run) == {"default", "scalar"}


def test_overlapping_tensors_run_the_alias_variant() -> None:
    exe = compiled("relu")
    a = torch.randn(1000, device="cuda")
    expected = a.clamp_min(0)
    exe(a, a)
    assert torch.equal(a, expected)
    assert "alias" in exe.variants_run


def test_a_tensor_of_more_than_two_gibi_elements() -> None:
    exe = compiled("add_one")
    a = torch.zeros((1 << 31) + 5, device="cuda")
    with pytest.raises(ValueError, match="n"):
        exe(a)  # n is an int32
    del a


def test_two_regions() -> None:
    exe = compiled("two_regions")
    assert [kernel.name for kernel in exe.kernels] == [
        "two_regions_kernel",
        "two_regions_kernel_1",
    ]
    a = torch.arange(1000, dtype=torch.float32, device="cuda")
    expected = (a + 1) * 2
    exe(a, torch.empty_like(a))
    assert torch.equal(a, expected)


@pytest.mark.parametrize(
    "name",
    ["clustered", "cooperative", "serialized", "much_shared", "domains", "spread", "windowed"],
)
def test_launch_attributes(name: str) -> None:
    a = torch.zeros(1024, device="cuda")
    exe = compiled(name)
    for _ in range(3):
        exe(a)
    assert bool((a == 3).all())


@pytest.mark.parametrize("name", ["preferring_clusters", "for_nvlink", "with_modes"])
def test_launch_attributes_that_not_every_gpu_knows(name: str) -> None:
    """The kernel runs, or the message says that it was not launched, and the next call is fine."""
    a = torch.zeros(1024, device="cuda")
    exe = compiled(name)
    launched = 0
    for _ in range(3):
        try:
            exe(a)
            launched += 1
        except Exception as error:
            assert f"{name}_kernel with grid (8, 1, 1), block (128, 1, 1)" in str(error)
            assert "was not launched" in str(error)
    assert launched in (0, 3)
    compiled("add_one")(a)
    assert bool((a == launched + 1).all())


def test_stream_and_event_of_the_launch() -> None:
    side = torch.cuda.Stream()
    event = torch.cuda.Event(enable_timing=False)
    event.record(side)  # makes it
    a = torch.zeros(1024, device="cuda")
    torch.cuda.synchronize()
    exe = compiled("on_stream")
    for _ in range(3):
        exe(a, side.cuda_stream, event.cuda_event)
    event.synchronize()
    side.synchronize()
    assert bool((a == 3).all())


def test_more_shared_memory_than_there_is() -> None:
    with pytest.raises(ValueError, match="300000 bytes of shared memory; on sm_90"):
        compiled("too_much_shared")(torch.zeros(1024, device="cuda"))


def test_resources_and_time() -> None:
    exe = compiled("relu")
    (used,) = exe.resources
    assert used["kernel"] == "relu_kernel"
    assert 0 < used["registers"] < 64
    assert used["spilled_bytes"] == 0
    assert used["occupancy"] == 1.0
    a = torch.randn(1 << 24, device="cuda")
    timing = exe.time(a, torch.empty_like(a))
    assert 0 < timing.best_ms <= timing.median_ms
    assert timing.gb_per_s > 500


def test_an_illegal_address_loses_the_context(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import torch, tirxcc, gpu_kernels\n"
        "a = torch.zeros(8, device='cuda')\n"
        "exe = tirxcc.compile(gpu_kernels.far_outside, target='cuda')\n"
        "exe(a)\n"
        "try:\n"
        "    torch.cuda.synchronize()\n"
        "except RuntimeError:\n"
        "    pass\n"
        "try:\n"
        "    exe(a)\n"
        "except RuntimeError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
    )
    found = re.search("CUDA_ERROR_(ILLEGAL_ADDRESS|INVALID_ADDRESS_SPACE)", done.stdout)
    assert found, done.stdout + done.stderr
    assert "context is lost" in done.stdout, done.stdout


@pytest.mark.two_gpus
def test_the_tensors_choose_the_gpu() -> None:
    relu = compiled("relu")
    for device in (1, 0, 1):
        a = torch.randn(1000, device=f"cuda:{device}")
        b = torch.empty_like(a)
        relu(a, b)
        assert torch.equal(b, a.clamp_min(0))
    assert torch.cuda.current_device() == 0
    with cupy.cuda.Device(1):
        c = cupy.ones(8, dtype=cupy.float32)
        d = cupy.zeros(8, dtype=cupy.float32)
    relu(c, d)
    with cupy.cuda.Device(1):
        assert (d == 1).all()


@pytest.mark.two_gpus
def test_the_streams_of_the_other_gpu() -> None:
    relu = compiled("relu")
    stream = torch.cuda.Stream(device=1)
    a = torch.zeros(1000, device="cuda:1")
    b = torch.zeros(1000, device="cuda:1")
    torch.cuda.synchronize(1)
    with torch.cuda.stream(stream):
        torch.cuda._sleep(100_000_000)
        a.fill_(3.0)
        relu(a, b)
    torch.cuda.synchronize(1)
    assert bool((b == 3).all())
    relu(a, b, stream=stream)
    stream.synchronize()


@pytest.mark.two_gpus
def test_tensors_of_two_gpus_are_refused() -> None:
    a = torch.zeros(8, device="cuda:1")
    with pytest.raises(ValueError, match="tensor on cuda:1, got one on cuda:0"):
        compiled("relu")(a, torch.zeros(8, device="cuda:0"))
