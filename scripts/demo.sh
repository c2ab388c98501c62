#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sets up what is missing and gives the tour: the example kernels as CUDA text, the same kernels
# run on this machine's CPU beside NumPy, and a photograph with its edges found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh
exec .venv/bin/python scripts/demo.py
