#!/usr/bin/env bash
# Runs the measurements and prints the results. Fails if a result misses its target by more than the tolerance.
#
# usage: bench.sh [PART…]
#   budget       the script size of the plans page
#   lighthouse   Lighthouse on the first screens
#   PATTERN      benchmarks of cmd/diy/bench, such as SignUps or Growth/SQLite. Operators stands for the console, the cost
#                of the audit log, and sessions with memberships.
#
# DIY_BENCH_ORGANISATIONS is the size of the larger databases, 1000000 by default, and 100000 for the console.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0

# run_part TITLE COMMAND…: prints the title and runs the command. A failure does not stop the other parts.
run_part() {
  printf '\n=== %s\n' "$1"
  shift
  "$@" || failed=1
}

# run_benchmarks PATTERN: prints the table of the benchmarks, without the output of go test.
run_benchmarks() {
  local sizes=()
  [ -z "${DIY_BENCH_ORGANISATIONS:-}" ] ||
    sizes=(-organisations "$DIY_BENCH_ORGANISATIONS" -console-organisations "$DIY_BENCH_ORGANISATIONS")
  go test ./cmd/diy/bench -count=1 -timeout 60m -run '^$' -bench "$1" -benchtime 1x -diy "$PWD/bin/diy" "${sizes[@]}" |
    grep -v '^\(Benchmark\|goos\|goarch\|pkg\|cpu\)'
}

budget() {
  run_part 'Script of the first page' npm run --prefix webapp --silent budget
}

lighthouse() {
  run_part 'Lighthouse' run_lighthouse
}

run_lighthouse() {
  local chromium
  if chromium=$(tools/chromium.sh); then
    DIY_CHROMIUM="$chromium" node tools/lighthouse/main.mjs
  else
    echo '*** NOT RUN: no Chromium (install it, or set DIY_CHROMIUM)'
  fi
}

[ $# -gt 0 ] || set -- . budget lighthouse
patterns=()
parts=()
for name in "$@"; do
  case $name in
    budget | lighthouse) parts+=("$name") ;;
    *) patterns+=("$name") ;;
  esac
done
if [ ${#patterns[@]} -gt 0 ]; then # one table for all patterns
  run_part 'Figures' run_benchmarks "$(IFS='|' && echo "${patterns[*]}")"
fi
for name in "${parts[@]}"; do
  "$name"
done
exit $failed
