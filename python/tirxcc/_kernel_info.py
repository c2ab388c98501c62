# SPDX-License-Identifier: Apache-2.0
"""What Executable.kernels gives."""

from __future__ import annotations

from typing import NamedTuple


class KernelInfo(NamedTuple):
    """A kernel that a call launches. Sizes are formulas of the parameters and symbols, in the
    kernel language: "(n + 255) // 256"."""

    name: str
    """As in the CUDA text: "relu_kernel"."""
    grid: tuple[str, ...]
    """x, y, z; trailing ones are left out."""
    block: tuple[str, ...]
    cluster: tuple[str, ...] = ()
    """Empty: not a cluster launch."""
    shared_bytes: int = 0
    """Of the static shared arrays."""
    dynamic_shared_bytes: str = ""
    """A formula; empty: none."""

    def __str__(self) -> str:
        parts = [f"grid=({', '.join(self.grid)})", f"block=({', '.join(self.block)})"]
        if self.cluster:
            parts.append(f"cluster=({', '.join(self.cluster)})")
        if self.shared_bytes:
            parts.append(f"shared_bytes={self.shared_bytes}")
        if self.dynamic_shared_bytes:
            parts.append(f"dynamic_shared_bytes={self.dynamic_shared_bytes}")
        return f"{self.name}: {', '.join(parts)}"


def make(rows: list[tuple]) -> tuple[KernelInfo, ...]:
    return tuple(KernelInfo(*row) for row in rows)
