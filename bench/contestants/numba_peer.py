# SPDX-License-Identifier: Apache-2.0
"""numba: prange over all cores for the large ReLU, a plain loop for the tiny call."""

from __future__ import annotations

import measure
import numba


def relu(a, b):
    for i in range(a.size):
        b[i] = a[i] if a[i] > 0.0 else 0.0


def parallel_relu(a, b):
    for i in numba.prange(a.size):
        b[i] = a[i] if a[i] > 0.0 else 0.0


SIGNATURE = "void(float32[::1], float32[::1])"


def compile_serial():
    return numba.njit(SIGNATURE)(relu)


def compile_parallel():
    return numba.njit(SIGNATURE, parallel=True)(parallel_relu)


first = measure.seconds(compile_parallel) * 1e3
serial, parallel = compile_serial(), compile_parallel()
a, b = measure.inputs(measure.TINY)
measure.report(
    name=f"numba {numba.__version__}",
    first_compile_ms=first,
    compile_ms={"relu, opt_level=2": measure.best(compile_parallel, 3) * 1e3},
    call_us=measure.microseconds_a_call(lambda: serial(a, b)),
    relu=measure.large_relu(parallel),
)
