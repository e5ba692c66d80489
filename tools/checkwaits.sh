#!/usr/bin/env bash
# Fails when a test waits for something to happen with a limit below a minute, because such tests fail on a loaded machine.
# Tests in which the timeout itself is the behaviour set it in the code under test, or use a fake clock.
set -euo pipefail
cd "$(dirname "$0")/.."

duration='([1-5]?[0-9] ?\* ?)?time\.(Second|Millisecond)'
short_waits=$(
  # The last line of require.Eventually and require.EventuallyWithT, and constants of conformance suites.
  git grep -nE "^\s*\}, $duration, |(event|report)Timeout += +$duration\$" -- '*_test.go' 'ports/*test/*.go' || true
  git grep -nE "[tT]imeout: [1-5]?[0-9]_000" -- 'webapp/*.ts' 'webapp/*.tsx' || true
)
[ -z "$short_waits" ] || {
  echo "checkwaits: these tests wait for less than a minute:" >&2
  echo "$short_waits" >&2
  exit 1
}
