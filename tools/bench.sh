#!/usr/bin/env bash
# Measures what there is to measure and prints the figures; judging them is the reader's business.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '=== Go benchmarks\n'
packages=$(grep -rl --include='*_test.go' --exclude-dir=node_modules '^func Benchmark' . | xargs -rn1 dirname | sort -u)
if [ -n "$packages" ]; then
  # shellcheck disable=SC2086 # one word for each package
  go test -run '^$' -bench . -benchmem $packages
else
  echo 'There are none yet.'
fi

printf '\n=== Script of the first page\n'
npm run --prefix webapp --silent budget

printf '\n=== From starting the binary to the first page served (10 starts, new database each)\n'
node tools/start-time.mjs

printf '\n=== Lighthouse (held to 100 on plans and registration, 95 elsewhere)\n'
if chromium=$(tools/chromium.sh); then
  DIY_CHROMIUM="$chromium" node tools/lighthouse.mjs
else
  echo '*** NOT RUN: no Chromium (install one, or name it in DIY_CHROMIUM)'
fi
