# SPDX-License-Identifier: Apache-2.0
"""What a user reads when the GPU, its driver or NVRTC refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import Outcome, require_command
from fake_gpu import fake_environment, run_on_fake

KERNELS = Path("tests/twins/kernels.py")
RUN = ("run", KERNELS, "--kernel", "relu", "--target", "cuda")
ARGUMENTS = ("--arg", "A=normal:[1000]", "--arg", "B=zeros:[1000]")


@pytest.fixture(autouse=True)
def _command() -> None:
    require_command()


def run_relu(folder: Path, *options: str, **settings: object) -> Outcome:
    environment = fake_environment(folder, **settings)
    return run_on_fake(*RUN, *ARGUMENTS, *options, environment=environment)


def test_runs(tmp_path: Path) -> None:
    outcome = run_relu(tmp_path)
    assert outcome.status == 0, outcome.describe()


def test_a_refused_text_is_shown_at_the_kernels_line(tmp_path: Path) -> None:
    outcome = run_relu(tmp_path, FAKE_NVRTC_ERROR='5: identifier "x" is undefined')
    assert outcome.status == 1
    assert outcome.err.splitlines()[:3] == [
        f"{KERNELS}:13:9: error: NVRTC refused the CUDA text of this statement: "
        'identifier "x" is undefined'
        " [cuda-text]",
        "   13 |         if A[i] > 0.0:",
        "      |         ^~~~~~~~~~~~~~",
    ], outcome.describe()
    assert "note: the CUDA text is: x = 1;" in outcome.err


def test_the_same_with_line_directives(tmp_path: Path) -> None:
    outcome = run_relu(
        tmp_path, "--line-directives", FAKE_NVRTC_ERROR=f"{KERNELS}:14: no such thing"
    )
    assert outcome.err.startswith(f"{KERNELS}:14:13: error: NVRTC refused"), outcome.describe()


def test_a_refusal_without_a_line_is_shown_whole(tmp_path: Path) -> None:
    outcome = run_relu(tmp_path, FAKE_NVRTC_ERROR="0: the compiler is tired")
    assert outcome.status == 1
    assert "NVRTC 13.0 refused the CUDA text of relu.cu for sm_90a" in outcome.err
    assert "the compiler is tired" in outcome.err


def test_no_driver(tmp_path: Path) -> None:
    outcome = run_relu(tmp_path, TIRXCC_LIBCUDA=tmp_path / "libcuda.so.1")
    assert outcome.status == 1
    assert outcome.err == (
        f"tirxcc: error: no CUDA driver: {tmp_path}/libcuda.so.1 not found; use --target=cpu\n"
    )


def test_no_nvrtc_still_gives_the_text(tmp_path: Path) -> None:
    environment = fake_environment(tmp_path, TIRXCC_NVRTC=tmp_path / "libnvrtc.so")
    outcome = run_on_fake("build", KERNELS, "--emit=cuda", environment=environment)
    assert outcome.status == 0, outcome.describe()
    outcome = run_on_fake(*RUN, *ARGUMENTS, environment=environment)
    assert outcome.status == 1
    assert "TIRXCC_NVRTC names a library that does not work" in outcome.err


def test_a_launch_that_is_refused(tmp_path: Path) -> None:
    outcome = run_relu(tmp_path, FAKE_CUDA_FAIL="cuLaunchKernel=701")
    assert outcome.status == 1
    assert outcome.err == (
        "tirxcc: error: relu_kernel with grid (4, 1, 1), block (256, 1, 1) on CUDA device 0 was "
        "not launched: words for 701 (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)\n"
    )


def test_an_illegal_address(tmp_path: Path) -> None:
    outcome = run_relu(tmp_path, FAKE_CUDA_FAIL="cuStreamSynchronize=700")
    assert outcome.status == 1
    assert outcome.err.startswith(
        "tirxcc: error: relu: words for 700 (CUDA_ERROR_ILLEGAL_ADDRESS)\n"
        "note: kernels run asynchronously, so an earlier launch may be the cause; the CUDA context "
        "is lost and nothing on this GPU works any more until the process is started again"
    ), outcome.describe()


@pytest.mark.parametrize(
    ("status", "name"),
    [(716, "CUDA_ERROR_MISALIGNED_ADDRESS"), (719, "CUDA_ERROR_LAUNCH_FAILED")],
)
def test_a_kernel_that_fails(status: int, name: str, tmp_path: Path) -> None:
    outcome = run_relu(tmp_path, FAKE_CUDA_FAIL=f"cuStreamSynchronize={status}")
    assert outcome.status == 1
    first, note, *_ = outcome.err.splitlines()
    assert first == f"tirxcc: error: relu: words for {status} ({name})", outcome.describe()
    assert "the CUDA context is lost" in note


def test_out_of_memory(tmp_path: Path) -> None:
    outcome = run_relu(tmp_path, FAKE_CUDA_MEMORY=6000)
    assert outcome.status == 1
    assert outcome.err == (
        "tirxcc: error: allocating 4000 bytes on CUDA device 0, which has 0 of 0 MiB left: words "
        "for 2 (CUDA_ERROR_OUT_OF_MEMORY)\n"
    )


def test_no_gpu(tmp_path: Path) -> None:
    outcome = run_relu(tmp_path, FAKE_CUDA_DEVICES=0)
    assert outcome.status == 1
    assert "no GPU is visible; see CUDA_VISIBLE_DEVICES, or use --target=cpu" in outcome.err


def test_code_for_another_gpu(tmp_path: Path) -> None:
    outcome = run_relu(tmp_path, FAKE_CUDA_FAIL="cuLibraryLoadData=209")
    assert "loading the machine code of relu" in outcome.err
    assert "compiled for another GPU; set the target's arch" in outcome.err
