#!/usr/bin/env bash
# Gives every fuzz target made-up input, each for the given time (FUZZTIME, such as 10s or 2000x),
# and ends with a table. What breaks one is kept as a case in its package's testdata.
set -uo pipefail
cd "$(dirname "$0")/.."

time=${FUZZTIME:-60s}
table=()
failed=0

# fuzz PACKAGE TARGET: fuzzes one target and notes how much of it was tried.
fuzz() {
  local said
  if said=$(go test -run '^$' -fuzz "^$2\$" -fuzztime "$time" -fuzzminimizetime 2s "$1" 2>&1); then
    table+=("ok    $(tail -n 400 <<<"$said" | grep -o 'execs: [0-9]*' | tail -n 1)  $1 $2")
  else
    failed=1
    table+=("FAIL  $1 $2")
    printf '%s\n' "$said" >&2
  fi
}

# The targets are found by their names, so that none can be forgotten here.
for package in $(grep -rlE --include='*_test.go' '^func Fuzz' . | xargs -n 1 dirname | sort -u); do
  for target in $(grep -hoE '^func Fuzz\w+' "$package"/*_test.go | cut -d ' ' -f 2); do
    fuzz "$package" "$target"
  done
done

printf '\n=== Fuzzing, %s each\n' "$time"
printf '%s\n' "${table[@]}"
exit "$failed"
