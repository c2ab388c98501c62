# SPDX-License-Identifier: Apache-2.0
"""Names in a lambda are those of where it is made, as they are when it is called."""

from tirxcc.script import tirx as T

k = 100


@T.inline
def apply(function, x):
    k = 7
    return function(x) + k


@T.function
def lambda_names(A: T.Tensor((64,), T.int32), B: T.Tensor((64, 12), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    late = [lambda x: x * k for k in range(3)]
    B[t, 0] = late[0](t) + late[1](t)
    early = [lambda x, k=k: x * k for k in range(3)]
    B[t, 1] = early[1](t)
    B[t, 2] = sum([(lambda y: y * k)(t) for k in range(3)])
    pairs = [(lambda x: x * a + b) for a, b in [(2, 3), (4, 5)] for _ in range(2)]
    B[t, 3] = pairs[0](t)
    q = 3
    ours = lambda x: x * q  # noqa: E731
    B[t, 4] = sum([ours(t) for q in range(3)])
    B[t, 5] = apply(lambda x: x * q, t)
    B[t, 6] = (lambda x: lambda y: x * 10 + y)(t)(2)
    B[t, 7] = sum(map(lambda v: v * q, [t, 1]))
    total = A[t]
    then = lambda x, total=total: x + total  # noqa: E731
    now = lambda x: x + total  # noqa: E731
    total += 1000
    B[t, 8] = then(t)
    B[t, 9] = now(t)
    B[t, 10] = sum([f(1) for f in [lambda x: x + n for n in (10, 20)]])
    B[t, 11] = [lambda x, k=k: x + k for k in range(3) if k > 0][0](t)
