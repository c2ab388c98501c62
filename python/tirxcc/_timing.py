# SPDX-License-Identifier: Apache-2.0
"""What Executable.time gives."""

from __future__ import annotations

from statistics import median, quantiles
from typing import NamedTuple


class Timing(NamedTuple):
    """Runs of a kernel on the GPU's clock, each with a cold L2 cache."""

    median_ms: float
    best_ms: float
    spread: float
    """Half the distance between the quartiles, over the median."""
    gb_per_s: float
    """Bytes of the tensors, read and written once each, over the median time."""
    milliseconds: tuple[float, ...]

    def __str__(self) -> str:
        return (
            f"{self.median_ms:.4f} ms (best {self.best_ms:.4f}, ± {self.spread:.1%}, "
            f"{len(self.milliseconds)} runs), {self.gb_per_s:.0f} GB/s"
        )


def make(milliseconds: list[float], size: float) -> Timing:
    middle = median(milliseconds)
    low, _, high = quantiles(milliseconds, n=4) if len(milliseconds) > 1 else [middle] * 3
    spread = (high - low) / 2 / middle if middle else 0.0
    speed = size / middle / 1e6 if middle else 0.0
    return Timing(middle, min(milliseconds), spread, speed, tuple(milliseconds))
