#!/usr/bin/env bash
# Runs the given suites (go, fuzz, web, browser, screens) and prints a summary. A failure does not stop the
# other suites. Missing prerequisites are reported; with CI=true they are failures.
set -uo pipefail
cd "$(dirname "$0")/.."

summary=()
failed=0

# passed NAME SECONDS, fail NAME SECONDS: add a line to the summary.
passed() { summary+=("ok    $1 (${2}s)"); }
fail() {
  summary+=("FAIL  $1 (${2}s)")
  failed=1
}

# missing WHAT: reports tests that could not run.
missing() {
  printf '\n*** NOT RUN: %s\n\n' "$1" >&2
  if [ "${CI:-}" = true ]; then
    summary+=("FAIL  $1 (and CI=true)")
    failed=1
  else
    summary+=("-     $1")
  fi
}

# suite NAME COMMAND...: runs the command and adds its result to the summary.
suite() {
  local name=$1 start=$SECONDS
  shift
  printf '\n=== %s\n' "$name"
  if "$@" </dev/null; then
    passed "$name" $((SECONDS - start))
  else
    fail "$name" $((SECONDS - start))
  fi
}

# The race detector needs a C compiler. SQLite, which is C code translated to Go, is excluded: it guards its
# own data and would take half of the time. Packages that share generic functions with others must not be
# excluded, because that causes false reports.
race=(-race '-gcflags=modernc.org/...=-race=false')
# golangci-lint runs vet, and the test binaries need no debug information.
build=(-vet=off -ldflags=-w)
# By default every process that the race detector watches sleeps for a second before it exits.
export GORACE="atexit_sleep_ms=10 ${GORACE:-}"

# go_test FLAG...: runs the Go tests. Those of cmd start first, because they take longest. They often wait for
# other processes, so one more package than there are processors runs at a time.
go_test() {
  local packages=(./cmd/... ./...)
  [ -z "${PKG:-}" ] || packages=("$PKG")
  # The seed of the tests with random input; make model tries others.
  RAPID_SEED=${RAPID_SEED:-1} go test -p "$(($(getconf _NPROCESSORS_ONLN) + 1))" "${build[@]}" "$@" "${packages[@]}"
}

# Tests of adapters/enginepayment that take twelve times as long under the race detector. They run without it; the
# package's tests of concurrent requests run with it.
long='TestProvider_Conforms|TestCollect_DebitsEachInvoiceOnce'

suite_go() {
  tools/postgres.sh || missing 'the tests on PostgreSQL: its binaries are not installed'
  if command -v "$(go env CC)" >/dev/null; then
    if [ -n "${PKG:-}" ]; then
      CGO_ENABLED=1 suite 'Go tests, race detector on' go_test "${race[@]}"
      return
    fi
    CGO_ENABLED=1 suite 'Go tests, race detector on' go_test "${race[@]}" -skip "$long"
    PKG=./adapters/enginepayment suite 'Go tests of payment gateways, race detector off' go_test -run "$long"
  else
    missing "the race detector: no C compiler ($(go env CC)); the Go tests run without it"
    suite 'Go tests, race detector off' go_test
  fi
}

# A short fuzz run with the build of the Go tests; make fuzz runs longer.
suite_fuzz() {
  command -v "$(go env CC)" >/dev/null && build+=("${race[@]}")
  suite 'Fuzzing' env FUZZTIME=1000x FUZZBUILD="${build[*]}" tools/fuzz.sh
}

suite_web() {
  suite 'Web app tests' npm run --prefix webapp --silent test
  suite 'Lighthouse script tests' node --test tools/lighthouse/*.test.mjs
}

# with_chromium NAME PROJECT...: runs Playwright projects in the installed Chromium.
with_chromium() {
  local chromium args name=$1
  shift
  if ! chromium=$(tools/chromium.sh); then
    missing "$name: no Chromium (install it, or set DIY_CHROMIUM)"
    return
  fi
  eval "args=(${ARGS:-})"
  suite "$name" env DIY_CHROMIUM="$chromium" npm exec --prefix webapp --offline -- \
    playwright test --config webapp/playwright.config.ts "${@/#/--project=}" "${args[@]}"
}

suite_browser() { with_chromium 'Browser tests' chromium stripe; }
suite_screens() { with_chromium 'Pictures of the screens' screens; }

for name in "$@"; do
  "suite_$name"
done

printf '\n=== Summary\n'
printf '%s\n' "${summary[@]}"
exit $failed
