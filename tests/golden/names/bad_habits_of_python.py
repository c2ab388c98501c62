# SPDX-License-Identifier: Apache-2.0
"""Names of Python and its packages."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def habits_of_python(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = sqrt(A[i])
    A[i] = math.sqrt(A[i])
    A[i] = np.float32(2.0)
    A[i] = np.sqrt(A[i])
    A[i] = np.linspace(A[i])
    A[i] = torch.relu(A[i])
    A[i] = float32(i)
    print(A[i])
    rows = [1, 2]
    rows.append(3)
    rows[0] = 2
