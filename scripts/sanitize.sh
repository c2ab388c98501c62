#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The tests under sanitizers: our code and the kernels for the CPU are both instrumented.
#
#   scripts/sanitize.sh address            AddressSanitizer and UndefinedBehaviorSanitizer
#   scripts/sanitize.sh thread             ThreadSanitizer
#   scripts/sanitize.sh thread tests/run   only these tests, by pytest's own arguments
#   scripts/sanitize.sh --jobs 2 address   with two compilers at once (default: all processors)
#
# The first build takes as long as a release build three times over; tests run some five times
# slower than in release. It ends with exit status 1 when a test fails or a sanitizer reports.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  sed -n '/^# The tests/,/^set/{/^set/d;s/^# \{0,1\}//;p}' scripts/sanitize.sh
  exit "$1"
}

jobs=$(nproc)
# NVRTC's part of the goldens is none of our code, and crashes under a sanitizer.
left_out="not test_compiles"
[ "${1:-}" != --jobs ] || { jobs=$2; shift 2; }
case "${1:-}" in
  address) preset=dev libraries=(libasan.so libubsan.so) ;;
  # ThreadSanitizer does not go through fork() with threads.
  thread) preset=tsan libraries=(libtsan.so) left_out+=" and not fork" ;;
  -h | --help) usage 0 ;;
  *) usage 2 ;;
esac
shift

# g++ 12's ThreadSanitizer knows no addresses as random as newer kernels make them.
[ "$preset" != tsan ] || [ -n "${TIRXCC_FIXED_ADDRESSES:-}" ] ||
  TIRXCC_FIXED_ADDRESSES=1 exec setarch -R scripts/sanitize.sh --jobs "$jobs" thread "$@"

build=$PWD/build/$preset python=${TIRXCC_PYTHON:-$PWD/.venv/bin/python}
[ -x "$python" ] || scripts/setup.sh --no-build
mkdir -p build
cmake --preset "$preset" -DTIRXCC_PYTHON=ON -DPython_EXECUTABLE="$python" >"$build.log" ||
  { cat "$build.log"; exit 1; }
cmake --build --preset "$preset" --parallel "$jobs"

# Where the tests find what this build made instead of the release build.
export TIRXCC=$build/tools/tirxcc/tirxcc TIRXCC_BUILD=$build PYTHONPATH=$build/python

# Python itself is not instrumented, so the run-time library has to be there before it starts; its
# own allocations at exit are no leaks of ours. A report ends the process, and thereby the test.
preload=
for library in "${libraries[@]}"; do preload+=${preload:+:}$(c++ -print-file-name="$library"); done
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
export OPENBLAS_NUM_THREADS=1  # its threads spin for minutes under ThreadSanitizer

# Instrumented frames are several times as large: deep input would fill the usual 8 MiB.
ulimit -s 1000000

status=0
if [ $# -eq 0 ]; then
  ASAN_OPTIONS=detect_leaks=1 "$build/tirxcc_unit_tests" --gtest_brief=1 || status=1
  set -- -k "$left_out" tests/{golden,cli,cuda,codegen,run,python,export,cases}
fi
ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD=$preload \
  "$python" -m pytest -q "$@" || status=1
exit "$status"
