#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the wheel of the Python package into dist. With a Python from 3.12 on it serves all
# versions from there on; with 3.11 it serves 3.11.
#
#   scripts/build_wheel.sh [PYTHON]    PYTHON: the interpreter to build with; the newest one found
#
# Needs the Debian packages of scripts/setup.sh. The wheel itself needs only NumPy, and for GPUs the
# driver and NVRTC (`pip install nvidia-cuda-nvrtc`).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# A Python that can build: with its headers and pip.
can_build() {
  "$1" -c '
import os, sys, sysconfig
import pip
header = os.path.join(sysconfig.get_path("include"), "Python.h")
sys.exit(sys.version_info < (3, 11) or not os.path.exists(header))' 2>/dev/null
}

find_python() {
  local candidate
  for candidate in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[2-9]*/bin/python \
    python3.1{9,8,7,6,5,4,3,2} .venv/bin/python python3; do
    if can_build "$candidate"; then
      printf '%s' "$candidate"
      return
    fi
  done
  echo "error: no Python of at least 3.11 with pip and its C headers was found" >&2
  exit 1
}

python=${1:-$(find_python)}
can_build "$python" || {
  echo "error: $python is not a Python of at least 3.11 with pip and its C headers" >&2
  exit 1
}
mkdir -p dist
rm -f dist/tirxcc-*.whl
"$python" -m pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir dist .
ls -lh dist/tirxcc-*.whl
