#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Puts what a bare GPU machine needs to run scripts/gpu_check.sh into build/gpu: the command and the
# shared libraries that such a machine may lack. Run it after scripts/setup.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command=${1:-build/release/tools/tirxcc/tirxcc}
mkdir -p build/gpu
cp "$command" build/gpu/tirxcc.bin
strip build/gpu/tirxcc.bin
ldd "$command" | awk '/libfmt|libutf8proc/ {print $3}' | while read -r library; do
  cp -L "$library" build/gpu/
done
cat > build/gpu/tirxcc <<'SH'
#!/bin/sh
folder=$(dirname "$(readlink -f "$0")")
LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$folder/tirxcc.bin" "$@"
SH
chmod +x build/gpu/tirxcc
du -sh build/gpu
