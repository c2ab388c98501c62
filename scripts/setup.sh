#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Brings a fresh Debian 12 to a built tirxcc: Debian packages, the Python environment .venv, the
# build of preset "release", the command .venv/bin/tirxcc, and the package tirxcc in .venv. Every
# step first looks whether its work is done already, so a second run does next to nothing and asks no
# registry.
#
#   scripts/setup.sh              everything
#   scripts/setup.sh --no-build   packages and .venv only
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

# Debian's names. What must be there to build, and clang-format for the gate.
packages=(
  git g++ cmake ninja-build
  llvm-19-dev zlib1g-dev libzstd-dev
  libfmt-dev libcli11-dev libexpected-dev libxxhash-dev nlohmann-json3-dev
  libboost-context-dev libutf8proc-dev
  libgtest-dev libbenchmark-dev
  clang-format gdb
  python3 python3-venv python3-dev
)

built_command=build/release/tools/tirxcc/tirxcc
log=$root/.cache/setup.log
mkdir -p "$root/.cache"
: >"$log"

say() { printf '[setup] %s\n' "$*"; }

fail() {
  printf '[setup] error: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '[setup]   %s\n' "$line" >&2; done
  exit 1
}

# Says where the running command stands, by the last line that it put into the log, until it is
# ended: on a terminal in one line that is written over four times a second, elsewhere in a new line
# each 15 seconds (or TIRXCC_SETUP_SECONDS). Its own sleep holds none of our streams open.
report_progress() {
  local from=$1 what=$2 began=$SECONDS said=$SECONDS pause=1 width=80 line
  local every=${TIRXCC_SETUP_SECONDS:-15}
  if [ -t 1 ]; then
    pause=0.25
    width=$(stty -F /dev/tty size 2>/dev/null | cut -d ' ' -f 2) || width=80
  fi
  while sleep "$pause" </dev/null >/dev/null 2>&1; do
    line=$(tail -c "+$((from + 1))" "$log" | tail -n 1 | tr -d '\r\033' | sed 's/^ *//')
    if [ -t 1 ]; then
      line="[setup]   $((SECONDS - began)) s  ${line:-$what}"
      printf '\r\033[K%s' "${line:0:${width:-80} - 1}"
    elif [ $((SECONDS - said)) -ge "$every" ]; then
      said=$SECONDS
      printf '[setup]   %s s  %.100s\n' "$((SECONDS - began))" "${line:-$what}"
    fi
  done
}

# Runs a command with its output in the log and tells how far it is; on failure shows the end of
# the log. The command is in the foreground, so Ctrl-C ends it.
logged() {
  local what=$1 status=0 from
  shift
  from=$(wc -c <"$log")
  report_progress "$from" "$what" &
  progress=$!
  "$@" >>"$log" 2>&1 || status=$?
  end_progress
  [ "$status" -eq 0 ] && return
  tail -n 25 "$log" >&2
  fail "$what failed" "the last lines are above; all of them are in $log"
}

end_progress() {
  [ -n "$progress" ] || return 0
  kill "$progress" 2>/dev/null || true
  wait "$progress" 2>/dev/null || true
  progress=
  [ ! -t 1 ] || printf '\r\033[K'
}
progress=
trap end_progress EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

install_packages() {
  local missing=() name sudo=()
  command -v dpkg-query >/dev/null ||
    fail "this is not Debian" "Install what corresponds to: ${packages[*]}"
  for name in "${packages[@]}"; do
    case "$(dpkg-query -W -f='${Status}' "$name" 2>/dev/null)" in
      *"ok installed") ;;
      *) missing+=("$name") ;;
    esac
  done
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "Debian packages are missing, and this is neither root nor is there sudo" \
        "As root: apt-get install ${missing[*]}"
    sudo=(sudo)
  fi
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=3)
  logged "apt-get update (is there a network?)" "${apt[@]}" update
  logged "apt-get install" "${apt[@]}" install --no-install-recommends "${missing[@]}"
}

# The Python that .venv is made from: Debian's own, or whatever python3 is new enough.
find_python() {
  local candidate
  for candidate in /usr/bin/python3.11 /usr/bin/python3 python3.11 python3; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
      2>/dev/null; then
      printf '%s' "$candidate"
      return
    fi
  done
  fail "no Python of at least 3.11 with the module venv was found"
}

make_venv() {
  local wanted stamp=.venv/.requirements
  wanted=$(sha256sum scripts/requirements.txt | cut -d ' ' -f 1)
  # A clone that was moved or copied has a .venv whose scripts point elsewhere: make it again.
  wanted="$wanted $root"
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && .venv/bin/python -c '' 2>/dev/null; then
    return
  fi
  local python
  python=$(find_python)
  say "making .venv with $("$python" --version)"
  logged "making .venv" "$python" -m venv --clear .venv
  say "installing the packages of scripts/requirements.txt into .venv (from the network)"
  logged "pip install (is there a network?)" .venv/bin/python -m pip --disable-pip-version-check \
    install --no-input --progress-bar off -r scripts/requirements.txt
  printf '%s\n' "$wanted" >"$stamp"
}

build() {
  # One cache for all clones, where there is ccache (cmake finds it by itself).
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=1
  # A build folder remembers the path it was made for; a moved clone needs a new one.
  if [ -f build/release/CMakeCache.txt ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" build/release/CMakeCache.txt; then
    rm -rf build/release
  fi
  if [ ! -f build/release/build.ninja ] ||
    ! grep -qxF "TIRXCC_PYTHON:BOOL=ON" build/release/CMakeCache.txt; then
    say "configuring the build (preset release)"
    logged "cmake" cmake --preset release -DTIRXCC_PYTHON=ON \
      -DPython_EXECUTABLE="$root/.venv/bin/python"
  fi
  if [ -x "$built_command" ]; then
    say "bringing the build up to date"
  else
    say "building with $(nproc) jobs; the first time takes minutes"
  fi
  logged "the build" cmake --build --preset release --parallel "$(nproc)"
}

link_command() {
  [ -x "$built_command" ] || return 0
  ln -sfn "../../$built_command" .venv/bin/tirxcc
}

# Makes `import tirxcc` in .venv find the package in the build folder.
link_package() {
  local folder
  for folder in .venv/lib/python3*/site-packages; do
    printf '%s\n' "$root/build/release/python" >"$folder/tirxcc.pth"
  done
}

install_packages
make_venv
if [ "${1:-}" != --no-build ]; then
  build
  link_command
  link_package
fi
say "ready"
