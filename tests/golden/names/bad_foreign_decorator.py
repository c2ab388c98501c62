# SPDX-License-Identifier: Apache-2.0
"""Decorators of Numba, of Triton and of the package itself, where @T.function belongs."""

import tirxcc as tx
import triton
from numba import cuda


@cuda.jit
def of_numba(A):
    A[0] = 1.0


@triton.jit
def of_triton(A):
    A[0] = 1.0


@tx.function
def of_the_package(A):
    A[0] = 1.0
