# SPDX-License-Identifier: Apache-2.0
"""NumPy: np.maximum into an array that is there."""

from __future__ import annotations

import measure
import numpy as np

zero = np.float32(0)
a, b = measure.inputs(measure.TINY)
measure.report(
    name=f"NumPy {np.__version__}",
    call_us=measure.microseconds_a_call(lambda: np.maximum(a, zero, out=b)),
    relu=measure.large_relu(lambda a, b: np.maximum(a, zero, out=b)),
)
