# SPDX-License-Identifier: Apache-2.0
"""The examples of both documents, by the same NumPy lines that the tour uses."""

from demo_kernels import EDGE_FILTER, KERNELS
from run_case import Run

# Once with blocks that are all full, once with a last block that is not, once with less than one.
SIZES = {"full": 64 * 256, "ragged": 64 * 257 + 64 * 31, "small": 64}

RUNS = [
    Run(
        f"examples/control_flow/{kernel.name}.py",
        args=lambda rng, kernel=kernel, size=size: kernel.inputs(rng, size),
        expected=kernel.reference,
        name=name,
    )
    for kernel in [*KERNELS, EDGE_FILTER]
    for name, size in SIZES.items()
    if kernel.free_size or name == "full"
]
