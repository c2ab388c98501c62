#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Everything that needs a GPU, on a machine with one and with Python 3.12, NumPy, torch and pytest
# but no network and no LLVM: the run tests on the GPU, compute-sanitizer over all of them, the tests
# of tests/gpu, and the benchmarks. It runs in a folder that scripts/gpu_bundle.sh made.
#
#   scripts/gpu_check.sh FOLDER [PART...]    results go to FOLDER; parts: run sanitizer gpu launch bench
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=$(mkdir -p "${1:?a folder for the results}" && cd "$1" && pwd)
shift
parts=" ${*:-run sanitizer gpu launch bench} "
export TIRXCC=$PWD/bin/tirxcc TIRXCC_TEST_TARGET=cuda
status=0

wants() { [[ $parts == *" $1 "* ]]; }

# tests NAME PATH...: the tests there, with the output in a file and the failures shown. They end
# after $limit, where that is set.
tests() {
  local name=$1
  shift
  timeout "${limit:-0}" python3 -m pytest "$@" --no-header -p no:cacheprovider > "$out/$name.txt" 2>&1 || status=1
  echo "== $name: $(tail -n 1 "$out/$name.txt" | grep . || echo "no end within $limit s")"
  grep -E "^(FAILED|ERROR)" "$out/$name.txt" | head -n 20
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | tee "$out/machine.txt"
for wheel in tirxcc-*.whl; do
  [ -e "$wheel" ] || continue
  python3 -m pip install -q --no-index --no-deps --target site "$wheel" || status=1
done
export PYTHONPATH=$PWD/site LD_LIBRARY_PATH=$PWD/bin${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

if wants run; then tests run_tests tests/run; fi

if wants sanitizer; then
  for tool in ${TIRXCC_SANITIZERS:-memcheck racecheck initcheck synccheck}; do
    # The same kernels with wide accesses go through memcheck only: it is the tool that could object.
    [ "$tool" = memcheck ] && which=test || which="not coarsened"
    # Getting a process ready for the tool takes seconds, so each core runs its share of the kernels
    # in one; a share in which anything is wrong is run again, kernel by kernel.
    limit=${TIRXCC_SANITIZER_LIMIT:-180} TIRXCC_RUN_LIST=$PWD/bin/tirxcc_run_list \
      TIRXCC_WRAPPER="compute-sanitizer --tool $tool --error-exitcode 9" \
      tests "sanitizer_$tool" tests/run -k "$which"
  done
fi

if wants gpu; then tests gpu_tests tests/gpu; fi
if wants launch; then bin/tirxcc_bench_launch bench/launch_kernels.py | tee "$out/launch.json"; fi
if wants launch; then
  TIRXCC_TWINS=$PWD/tests/twins/kernels.py TIRXCC_CPU_PLUGIN=$PWD/bin/libtirxcc_cpu.so \
    bin/tirxcc_bench_compile --benchmark_filter=Seed --benchmark_repetitions=5 \
    --benchmark_report_aggregates_only 2>/dev/null | tee "$out/compile_time.txt"
fi
if wants bench; then python3 bench/gpu.py --output "$out/gpu_bench.md" || status=1; fi
exit $status
