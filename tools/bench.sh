#!/usr/bin/env bash
# Measures what there is to measure, prints the figures and fails when one is clearly missed.
#
# usage: bench.sh [PART…]      budget and lighthouse of the web app, provider for the fake provider (which
#                              takes minutes), or a pattern of the figures' names in cmd/diy/bench, such
#                              as SignUps or Growth/SQLite; all but provider unless said otherwise
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0

# part TITLE COMMAND...: goes on with the next one when it fails.
part() {
  printf '\n=== %s\n' "$1"
  shift
  "$@" || failed=1
}

figures() {
  part 'Figures' measure "$1"
}

# measure PATTERN: the lines of the benchmarks are left out, the table says it all.
measure() {
  go test ./cmd/diy/bench -count=1 -timeout 30m -run '^$' -bench "$1" -benchtime 1x -diy "$PWD/bin/diy" |
    grep -v '^\(Benchmark\|goos\|goarch\|pkg\|cpu\)'
}

provider() {
  part "The fake provider's own benchmarks" go test -run '^$' -bench . -benchmem ./adapters/fakepayment
}

budget() {
  part 'Script of the first page' npm run --prefix webapp --silent budget
}

lighthouse() {
  part 'Lighthouse' judge
}

judge() {
  local chromium
  if chromium=$(tools/chromium.sh); then
    DIY_CHROMIUM="$chromium" node tools/lighthouse.mjs
  else
    echo '*** NOT RUN: no Chromium (install one, or name it in DIY_CHROMIUM)'
  fi
}

[ $# -gt 0 ] || set -- . budget lighthouse
patterns=()
parts=()
for name in "$@"; do
  case $name in
    provider | budget | lighthouse) parts+=("$name") ;;
    *) patterns+=("$name") ;;
  esac
done
if [ ${#patterns[@]} -gt 0 ]; then # all in one table
  figures "$(IFS='|' && echo "${patterns[*]}")"
fi
for name in "${parts[@]}"; do
  "$name"
done
exit $failed
