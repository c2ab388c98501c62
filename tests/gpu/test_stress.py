# SPDX-License-Identifier: Apache-2.0
"""Many threads, long graphs, and nothing that grows."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import gpu_kernels
import pytest
import tirxcc

torch = pytest.importorskip("torch")
psutil = pytest.importorskip("psutil")


def footprint() -> tuple[int, int]:
    """Bytes of this process in RAM, and bytes taken on the GPU."""
    torch.cuda.synchronize()
    free, total = torch.cuda.mem_get_info()
    return psutil.Process().memory_info().rss, total - free


def test_sixty_four_threads_on_four_streams() -> None:
    add_one = tirxcc.compile(gpu_kernels.add_one, target="cuda")
    streams = [torch.cuda.Stream() for _ in range(4)]
    arrays = [torch.zeros(1000, device="cuda") for _ in range(64)]
    torch.cuda.synchronize()

    def work(index: int) -> None:
        with torch.cuda.stream(streams[index % 4]):
            for _ in range(1000):
                add_one(arrays[index])

    def all_work() -> None:
        with ThreadPoolExecutor(64) as pool:
            for done in [pool.submit(work, index) for index in range(64)]:
                done.result()
        torch.cuda.synchronize()

    all_work()
    before = footprint()
    all_work()
    after = footprint()
    for array in arrays:
        assert bool((array == 2000).all())
    assert after[1] == before[1], "device memory grew"
    assert after[0] - before[0] < 4 << 20, "the process grew"


def test_a_graph_replayed_ten_thousand_times() -> None:
    add_one = tirxcc.compile(gpu_kernels.add_one, target="cuda")
    a = torch.zeros(1000, device="cuda")
    add_one(a)
    a.zero_()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(5):
            add_one(a)
    before = footprint()
    for _ in range(10_000):
        graph.replay()
    assert bool((a == 50_000).all())
    # The kernels of a graph outlive what made them.
    del add_one
    graph.replay()
    assert bool((a == 50_005).all())
    after = footprint()
    assert after[1] == before[1], "device memory grew"
    assert after[0] - before[0] < 4 << 20, "the process grew"


def test_capture_of_a_kernel_that_was_never_run() -> None:
    exe = tirxcc.compile(gpu_kernels.relu, target="cuda")
    exe.prepare()
    a = torch.randn(1000, device="cuda")
    b = torch.zeros_like(a)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        exe(a, b)
    graph.replay()
    assert torch.equal(b, a.clamp_min(0))


def test_compiling_the_same_kernel_again_takes_no_memory() -> None:
    def make(count: int) -> None:
        a = torch.zeros(1000, device="cuda")
        for _ in range(count):
            tirxcc.compile(gpu_kernels.add_one, target="cuda")(a)
        assert bool((a == count).all())

    make(300)
    before = footprint()
    make(300)
    after = footprint()
    assert after[1] == before[1], "device memory grew"
    assert after[0] - before[0] < 4 << 20, "the process grew"
