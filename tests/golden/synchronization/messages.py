# SPDX-License-Identifier: Apache-2.0
"""printf reads each value as its format says; a failed assertion stops the kernel."""

from tirxcc.script import tirx as T


@T.function
def messages(
    A: T.Tensor((32,), T.float32), H: T.Tensor((32,), T.float16), I: T.Tensor((32,), T.int8)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    T.cuda.printf("start, 100%%\n")
    T.cuda.printf("lane %d of %u: %f %.3g %5d %lld %s\n", t, 32, A[t], H[t], I[t], t, "ok")
    T.cuda.printf("%*d at %p\n", 8, t, A.ptr_to([t]))
    T.cuda.trap_when_assert_failed(A[t] >= 0.0)
    T.cuda.nano_sleep(100)
    assert A[t] < 100.0, "A is too large"
