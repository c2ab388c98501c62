#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Puts what a bare GPU machine needs to run scripts/gpu_check.sh into one folder: the command and
# the C++ benchmarks with the shared libraries that such a machine may lack, the wheel if
# scripts/build_wheel.sh has made one, and the tests, scripts and benchmarks themselves. Run it after
# scripts/setup.sh.
#
#   scripts/gpu_bundle.sh [FOLDER]      build/gpu unless given; run FOLDER/scripts/gpu_check.sh there
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=${1:-build/gpu}
rm -rf "$folder"
mkdir -p "$folder/bin"
for program in tools/tirxcc/tirxcc tests/gpu/tirxcc_run_list bench/tirxcc_bench_{launch,compile}; do
  name=$(basename "$program")
  strip -o "$folder/bin/$name.bin" "build/release/$program"
  ldd "build/release/$program" | awk '/libfmt|libutf8proc|libbenchmark/ {print $3}' | while read -r library; do
    cp -L "$library" "$folder/bin/"
  done
  cat > "$folder/bin/$name" <<'SH'
#!/bin/sh
folder=$(dirname "$(readlink -f "$0")")
LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec $TIRXCC_WRAPPER "$0.bin" "$@"
SH
  chmod +x "$folder/bin/$name"
done
strip -o "$folder/bin/libtirxcc_cpu.so" build/release/src/codegen/llvm/libtirxcc_cpu.so
cp -r scripts bench tests examples pytest.ini "$folder/"
find "$folder" -name __pycache__ -prune -exec rm -rf {} +
if [ -d dist ]; then
  find dist -name "*abi3*.whl" -exec cp {} "$folder/" \;
fi
du -sh "$folder"
