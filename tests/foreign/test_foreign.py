# SPDX-License-Identifier: Apache-2.0
"""A project that is not ours builds with tirxcc inside it, and with an installed tirxcc."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest
from command import ROOT

PROJECT = ROOT / "tests/foreign/project"
BUILD = ROOT / "build/release"


def command(*words: object, **options: object) -> str:
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, f"{shlex.join(map(str, words))}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.slow
def test_add_subdirectory(tmp_path: Path) -> None:
    """Configures the whole, and compiles only what is the user's."""
    command(
        "cmake",
        *("-S", PROJECT, "-B", tmp_path, "-G", "Ninja", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"),
        f"-DTIRXCC_SOURCE={ROOT}",
    )
    entries = json.loads((tmp_path / "compile_commands.json").read_text())
    [own] = [entry for entry in entries if entry["file"] == str(PROJECT / "main.cc")]
    command(*shlex.split(own["command"]), cwd=own["directory"])
    words = shlex.split(own["command"])
    assert not [word for word in words if word.startswith("-W")]
    assert str(ROOT / "src") not in own["command"]
    # Nothing is built for the user that the user did not ask for.
    files = {Path(entry["file"]) for entry in entries}
    own_files = {file.relative_to(ROOT) for file in files if file.is_relative_to(ROOT)}
    assert {file.parts[0] for file in own_files} == {"src", "tests"}
    assert not [file for file in files if file.name.endswith("_test.cc")]


@pytest.mark.slow
def test_find_package(tmp_path: Path) -> None:
    """Installs the build that is there, links against it, and runs."""
    prefix, build = tmp_path / "prefix", tmp_path / "build"
    command("cmake", "--install", BUILD, "--prefix", prefix)
    command("cmake", "-S", PROJECT, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    command("cmake", "--build", build)
    assert command(build / "foreign") == "own 42\n"
    [tool] = prefix.glob("bin/tirxcc")
    kernel = ROOT / "examples/control_flow/relu.py"
    assert "relu_kernel" in command(tool, "build", kernel)
    # The command finds the plugin that was installed with it.
    arguments = ("--arg", "A=ones:float32[8]", "--arg", "B=zeros:float32[8]")
    command(tool, "run", kernel, *arguments)
    assert str(prefix) not in command("readelf", "-d", tool)
