#!/usr/bin/env bash
# Runs the given suites (go, fuzz, web, browser, screens) and prints a summary. A failure does not stop the
# other suites. Missing prerequisites are reported; with CI=true they are failures.
set -uo pipefail
cd "$(dirname "$0")/.."

summary=()
failed=0

# add_success NAME SECONDS, add_failure NAME SECONDS: add a line to the summary.
add_success() { summary+=("ok    $1 (${2}s)"); }
add_failure() {
  summary+=("FAIL  $1 (${2}s)")
  failed=1
}

# report_missing TEXT: reports tests that could not run.
report_missing() {
  printf '\n*** NOT RUN: %s\n\n' "$1" >&2
  if [ "${CI:-}" = true ]; then
    summary+=("FAIL  $1 (and CI=true)")
    failed=1
  else
    summary+=("-     $1")
  fi
}

# run_suite NAME COMMAND…: runs the command and adds its result to the summary.
run_suite() {
  local name=$1 start=$SECONDS
  shift
  printf '\n=== %s\n' "$name"
  if "$@" </dev/null; then
    add_success "$name" $((SECONDS - start))
  else
    add_failure "$name" $((SECONDS - start))
  fi
}

# The race detector needs a C compiler. SQLite, which is C code translated to Go, is excluded, because it has its own
# locks and would take half of the time. Do not exclude packages that share generic functions with others, because
# that causes false reports.
race_flags=(-race '-gcflags=modernc.org/...=-race=false')
# golangci-lint runs vet, and the test binaries need no debug information.
build_flags=(-vet=off -ldflags=-w)
# Without this, each process with the race detector sleeps for a second before it exits.
export GORACE="atexit_sleep_ms=10 ${GORACE:-}"

# go_test FLAG…: runs the Go tests. The tests of cmd start first, because they take longest. They often wait for other
# processes, so one package more than the number of processors runs at a time.
go_test() {
  local packages=(./cmd/... ./...)
  [ -z "${PKG:-}" ] || packages=("$PKG")
  # The seed of the tests with random input. make model uses random seeds.
  RAPID_SEED=${RAPID_SEED:-1} go test -p "$(($(getconf _NPROCESSORS_ONLN) + 1))" "${build_flags[@]}" "$@" "${packages[@]}"
}

suite_go() {
  tools/postgres.sh || report_missing 'the tests on PostgreSQL: its binaries are not installed'
  if command -v "$(go env CC)" >/dev/null; then
    CGO_ENABLED=1 run_suite 'Go tests, race detector on' go_test "${race_flags[@]}"
    # Builds with the race detector exclude the tests of this package that it slows down most.
    case ${PKG:-} in
      '' | */enginepayment) PKG=./adapters/enginepayment run_suite 'Go tests of payment gateways, race detector off' go_test ;;
    esac
  else
    report_missing "the race detector: no C compiler ($(go env CC)); the Go tests run without it"
    run_suite 'Go tests, race detector off' go_test
  fi
}

# A short fuzz run with the build of the Go tests; make fuzz runs longer.
suite_fuzz() {
  command -v "$(go env CC)" >/dev/null && build_flags+=("${race_flags[@]}")
  run_suite 'Fuzzing' env FUZZTIME=1000x FUZZBUILD="${build_flags[*]}" tools/fuzz.sh
}

suite_web() {
  run_suite 'Web app tests' npm run --prefix webapp --silent test
  run_suite 'Lighthouse script tests' node --test tools/lighthouse/*.test.mjs
}

# run_playwright NAME PROJECT…: runs Playwright projects in the installed Chromium.
run_playwright() {
  local chromium args name=$1
  shift
  if ! chromium=$(tools/chromium.sh); then
    report_missing "$name: no Chromium (install it, or set DIY_CHROMIUM)"
    return
  fi
  eval "args=(${ARGS:-})"
  run_suite "$name" env DIY_CHROMIUM="$chromium" npm exec --prefix webapp --offline -- \
    playwright test --config webapp/playwright.config.ts "${@/#/--project=}" "${args[@]}"
}

suite_browser() { run_playwright 'Browser tests' chromium stripe; }
suite_screens() { run_playwright 'Pictures of the screens' screens; }

for name in "$@"; do
  "suite_$name"
done

printf '\n=== Summary\n'
printf '%s\n' "${summary[@]}"
exit $failed
