# SPDX-License-Identifier: Apache-2.0
"""Kernels of the tests on a GPU."""

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
def add_one(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        A[i] = A[i] + 1.0


@T.function
def wide_add_one(A: T.Tensor((n, 4), T.float32), B: T.Tensor((n, 4), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        for k in T.vectorized(4):
            B[i, k] = A[i, k] + 1.0


@T.function
def two_regions(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    with T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256)):
        i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
        if i < n:
            B[i] = A[i] + 1.0
    with T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128)):
        k = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
        if k < n:
            A[k] = B[k] * 2.0


@T.function
def clustered(A: T.Tensor((1024,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=8, block=128, cluster=4))
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def cooperative(A: T.Tensor((1024,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=8, block=128, cooperative=True))
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def serialized(A: T.Tensor((1024,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=8, block=128, programmatic_stream_serialization=True, priority=-1
        )
    )
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def much_shared(A: T.Tensor((1024,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=8, block=128, dynamic_smem_bytes=150_000))
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def too_much_shared(A: T.Tensor((1024,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=8, block=128, dynamic_smem_bytes=300_000))
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def domains(A: T.Tensor((1024,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=8,
            block=128,
            mem_sync_domain="remote",
            mem_sync_domain_map=T.cuda.MemSyncDomainMap(default=1, remote=0),
        )
    )
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def spread(A: T.Tensor((1024,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=8,
            block=128,
            cluster=2,
            cluster_scheduling_policy="spread",
            preferred_shared_memory_carveout=50,
        )
    )
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def windowed(A: T.Tensor((1024,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=8,
            block=128,
            access_policy_window=T.cuda.AccessPolicyWindow(
                base_ptr=A.data, num_bytes=4096, hit_ratio=0.5
            ),
        )
    )
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def preferring_clusters(A: T.Tensor((1024,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=8, block=128, cluster=2, preferred_cluster=4))
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def for_nvlink(A: T.Tensor((1024,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=8, block=128, nvlink_util_centric_scheduling=True)
    )
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def with_modes(A: T.Tensor((1024,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=8,
            block=128,
            portable_cluster_size_mode="require_portable",
            shared_memory_mode="require_portable",
        )
    )
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def on_stream(A: T.Tensor((1024,), T.float32), s: T.uint64, e: T.uint64):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=8,
            block=128,
            stream=s,
            launch_completion_event=T.cuda.LaunchCompletionEvent(event=e),
        )
    )
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def far_outside(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x") + 1_000_000_000] = 1.0
