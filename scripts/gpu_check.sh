#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Everything that needs a GPU, for a machine with one and with Python, NumPy and pytest but without a
# network: the run tests on the GPU, compute-sanitizer over some of them, and bench/gpu.py.
# build/gpu (scripts/gpu_bundle.sh) must be there.
#
#   scripts/gpu_check.sh [FOLDER]      results go to FOLDER (build/gpu_results)
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=${1:-build/gpu_results}
mkdir -p "$out"
export TIRXCC=$PWD/build/gpu/tirxcc TIRXCC_TEST_TARGET=cuda
status=0

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | tee "$out/machine.txt"

echo "== run tests on the GPU"
python3 -m pytest tests/run -q --no-header -p no:cacheprovider > "$out/run_tests.txt" 2>&1 || status=1
grep -E "^FAILED" "$out/run_tests.txt"
grep -E "passed|failed" "$out/run_tests.txt" | tail -n 1

echo "== compute-sanitizer"
if command -v compute-sanitizer > /dev/null; then
  for tool in memcheck racecheck initcheck synccheck; do
    for kernel in relu row_sum transpose binary_search early_exit; do
      case $kernel in
        relu | early_exit) arguments=(--arg "A=normal:[1000]" --arg "B=zeros:[1000]") ;;
        row_sum) arguments=(--arg "A=normal:[1000,64]" --arg "B=zeros:[1000]") ;;
        transpose) arguments=(--arg "A=normal:[64,64]" --arg "B=zeros:[64,64]") ;;
        binary_search)
          arguments=(--arg "A=arange:[64]" --arg "Q=uniform=0..64:[1000]" --arg "P=zeros:[1000]")
          ;;
      esac
      LD_LIBRARY_PATH=$PWD/build/gpu:${LD_LIBRARY_PATH:-} compute-sanitizer --tool "$tool" \
        --error-exitcode 9 build/gpu/tirxcc.bin run tests/twins/kernels.py --kernel "$kernel" \
        --target cuda "${arguments[@]}" > "$out/sanitizer_${tool}_$kernel.txt" 2>&1
      result=$?
      echo "$tool $kernel: exit status $result"
      [ $result -eq 0 ] || status=1
    done
  done
else
  echo "not installed"
fi

echo "== bench/gpu.py"
python3 bench/gpu.py --output "$out/gpu_bench.md" || status=1
exit $status
