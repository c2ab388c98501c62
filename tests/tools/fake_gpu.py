# SPDX-License-Identifier: Apache-2.0
"""A GPU that is none: the environment in which the fakes of tests/fake_cuda are used."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from command import BUILD, COMMAND, ROOT, Outcome

FAKES = BUILD / "tests/fake_cuda"


def fake_environment(folder: Path, **settings: object) -> dict[str, str]:
    """The process's environment with both fakes, a cache of its own in `folder`, and settings such
    as FAKE_CUDA_FAIL="cuLaunchKernel=700"."""
    return {
        **os.environ,
        "TIRXCC_LIBCUDA": str(FAKES / "libfake_cuda.so"),
        "TIRXCC_NVRTC": str(FAKES / "libfake_nvrtc.so"),
        "TIRXCC_CACHE_DIR": str(folder / "cache"),
        **{name: str(value) for name, value in settings.items()},
    }


def start(*arguments: str | Path, environment: dict[str, str]) -> subprocess.Popen:
    """Starts `tirxcc ARGUMENTS` and does not wait."""
    return subprocess.Popen(
        [COMMAND, *map(str, arguments)],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def run_on_fake(*arguments: str | Path, environment: dict[str, str]) -> Outcome:
    process = start(*arguments, environment=environment)
    out, err = process.communicate(timeout=60)
    return Outcome(process.returncode, out.decode("latin-1"), err.decode())
