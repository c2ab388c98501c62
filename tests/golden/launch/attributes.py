# SPDX-License-Identifier: Apache-2.0
# pass: flatten
# target: cuda
"""Every launch attribute is in the printed IR as it was written; words stay words."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def attributes(A: T.Tensor((n, 4), T.float32), ratio: T.float32, event: T.handle, first: T.int32):
    with T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=T.ceildiv(n, 64) * 4,
            block=64,
            cluster=2,
            preferred_cluster=(4, 1),
            stream=event,
            cluster_scheduling_policy="load_balancing",
            mem_sync_domain="remote",
            mem_sync_domain_map=T.cuda.MemSyncDomainMap(remote=7),
            access_policy_window=T.cuda.AccessPolicyWindow(
                base_ptr=A.ptr_to([first, 0]), num_bytes=n * 16, hit_ratio=ratio
            ),
            preferred_shared_memory_carveout=50,
            nvlink_util_centric_scheduling=True,
            portable_cluster_size_mode="require_portable",
            shared_memory_mode="prefer_oversized",
            programmatic_event=T.cuda.ProgrammaticEvent(event=event, trigger_at_block_start=True),
            launch_completion_event=T.cuda.LaunchCompletionEvent(event=12345),
        )
    ):
        A[T.cuda.thread_idx("x"), 0] = 1.0
    with T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=1,
            block=64,
            access_policy_window=T.cuda.AccessPolicyWindow(
                base_ptr=A.data,
                num_bytes=128,
                hit_ratio=0.5,
                hit_prop="streaming",
                miss_prop="streaming",
            ),
        )
    ):
        A[T.cuda.thread_idx("x"), 1] = 1.0
