"""The seed kernels that the twins in this folder are written for."""

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
def row_sum(A: T.Tensor((n, 64), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        total: T.float32 = 0.0
        for j in range(16):
            for k in T.unroll(4):
                total += A[i, j * 4 + k]
        B[i] = total


@T.function
def transpose(A: T.Tensor((64, 64), T.float32), B: T.Tensor((64, 64), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    row = t // 16 * 4
    col = t % 16 * 4
    for r, c in T.grid(4, 4):
        B[col + c, row + r] = A[row + r, col + c]


@T.function
def binary_search(
    A: T.Tensor((64,), T.float32),
    Q: T.Tensor((n,), T.float32),
    P: T.Tensor((n,), T.int32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        lo: T.int32 = 0
        hi: T.int32 = 64
        while lo < hi:
            mid = (lo + hi) // 2
            if A[mid] < Q[i]:
                lo = mid + 1
            else:
                hi = mid
        P[i] = lo


@T.function
def early_exit(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i >= n:
        T.gpu_thread_return()
    B[i] = A[i] * 2.0
