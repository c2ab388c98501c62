# SPDX-License-Identifier: Apache-2.0
"""A kernel in a Python program: define, compile, call."""

import numpy as np
import tirxcc
from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def relu(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = T.max(A[i], 0.0)


exe = tirxcc.compile(relu, target="cpu")
a = np.linspace(-1, 1, 1000, dtype=np.float32)
b = np.empty_like(a)
exe(a, b)  # by position or keyword; no copy is made
print(exe.cuda_source)  # the CUDA C++
print(relu.script())  # the compiler's IR, in the kernel language
