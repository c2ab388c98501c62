#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The gate: sets up, checks the form of the sources, runs every test, and says what came out.
#
#   scripts/test.sh                      everything; what continuous integration runs
#   scripts/test.sh --fast               without the tests marked slow
#   scripts/test.sh --update             rewrites the expected files of goldens, to be reviewed
#   scripts/test.sh --tidy               also clang-tidy on the C++ files changed since main
#   scripts/test.sh tests/cli -k run     only these tests, by pytest's own arguments
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tidy=no
arguments=()
selected=no
for argument in "$@"; do
  case "$argument" in
    --tidy) tidy=yes ;;
    --fast | --update) arguments+=("$argument") ;;
    -h | --help)
      sed -n '/^# The gate/,/^set/{/^set/d;s/^# \{0,1\}//;p}' scripts/test.sh
      exit 0
      ;;
    *)
      selected=yes
      arguments+=("$argument")
      ;;
  esac
done

scripts/setup.sh || exit 1
python=.venv/bin/python
passed=0
failed=0
skipped=0

# step NAME COMMAND...: one check that prints nothing when all is well.
step() {
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    printf '[test] %-12s ok\n' "$name"
    passed=$((passed + 1))
  else
    printf '%s\n' "$output" | tail -n 60
    printf '[test] %-12s FAILED\n' "$name"
    failed=$((failed + 1))
  fi
}

cpp_files() { git ls-files -z --cached --others --exclude-standard '*.cc' '*.h' '*.cpp'; }

check_cpp_format() { cpp_files | xargs -0 -r clang-format --dry-run --Werror; }

check_tidy() {
  command -v clang-tidy >/dev/null || { echo "clang-tidy is not installed"; return 1; }
  git diff --name-only --diff-filter=d "$(git merge-base main HEAD)" -- '*.cc' |
    xargs -r -P "$(nproc)" -n 1 clang-tidy --quiet -p build/release
}

# Adds the counts of a JUnit file to the totals.
count() {
  local counts
  counts=$("$python" - "$1" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree

suites = [s for s in tree.parse(sys.argv[1]).getroot().iter("testsuite")]
total, bad, left = (
    sum(sum(int(s.get(key) or 0) for key in keys) for s in suites)
    for keys in (["tests"], ["failures", "errors"], ["skipped", "disabled"])
)
print(total - bad - left, bad, left)
PYTHON
  ) || { failed=$((failed + 1)); return; }
  read -r ok bad left <<<"$counts"
  passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + left))
}

run_unit_tests() {
  local program=build/release/tirxcc_unit_tests report=.cache/unit.xml
  [ -x "$program" ] || return
  rm -f "$report"
  "$program" --gtest_brief=1 --gtest_output="xml:$report"
  count "$report"
}

run_pytest() {
  local report=.cache/pytest.xml status
  rm -f "$report"
  "$python" -m pytest --junitxml="$report" "${arguments[@]}"
  status=$?
  count "$report"
  # What pytest itself could not do (no such path, nothing selected) is a failure too.
  [ "$status" -le 1 ] || failed=$((failed + 1))
}

if [ "$selected" = no ]; then
  step "C++ format" check_cpp_format
  step "Python format" .venv/bin/ruff format --check --quiet .
  step "Python lint" .venv/bin/ruff check --quiet .
  step "layers" "$python" scripts/check_layers.py
  step "sizes" "$python" scripts/check_sizes.py
  step "text" "$python" scripts/check_text.py
  [ "$tidy" = no ] || step "clang-tidy" check_tidy
  run_unit_tests
fi
run_pytest
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]
