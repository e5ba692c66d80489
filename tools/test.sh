#!/usr/bin/env bash
# Runs the named suites (go, fuzz, web, browser), all of them even when one fails, and ends with a
# summary. What is missing on this machine is said loudly; with CI=true it is a failure.
set -uo pipefail
cd "$(dirname "$0")/.."

summary=()
failed=0

# passed NAME SECONDS · broke NAME SECONDS
passed() { summary+=("ok    $1 (${2}s)"); }
broke() {
  summary+=("FAIL  $1 (${2}s)")
  failed=1
}

# missing WHAT: something could not be run here.
missing() {
  printf '\n*** NOT RUN: %s\n\n' "$1" >&2
  if [ "${CI:-}" = true ]; then
    summary+=("FAIL  $1 (and CI=true)")
    failed=1
  else
    summary+=("-     $1")
  fi
}

# suite NAME COMMAND...: runs the command and notes how it went.
suite() {
  local name=$1 began=$SECONDS
  shift
  printf '\n=== %s\n' "$name"
  if "$@" </dev/null; then
    passed "$name" $((SECONDS - began))
  else
    broke "$name" $((SECONDS - began))
  fi
}

# The race detector needs a C compiler, and the tests on PostgreSQL its binaries.
suite_go() {
  tools/postgres.sh || missing 'the tests on PostgreSQL: its binaries are not installed'
  if command -v "$(go env CC)" >/dev/null; then
    suite 'Go tests, race detector on' env CGO_ENABLED=1 go test -race "${PKG:-./...}"
  else
    missing "the race detector: no C compiler ($(go env CC)); the Go tests run without it"
    suite 'Go tests, race detector off' go test "${PKG:-./...}"
  fi
}

# A little of what make fuzz does at length, with what the Go tests have built.
suite_fuzz() {
  local race=
  command -v "$(go env CC)" >/dev/null && race=-race
  suite 'Fuzzing' env FUZZTIME=1000x FUZZBUILD="$race" tools/fuzz.sh
}

suite_web() {
  suite 'Web app tests' npm run --prefix webapp --silent test
  suite 'Tests of the measurements' node --test tools/lighthouse/*.test.mjs
}

# with_chromium NAME PROJECT...: runs Playwright projects in the Chromium of this machine.
with_chromium() {
  local chromium args name=$1
  shift
  if ! chromium=$(tools/chromium.sh); then
    missing "$name: no Chromium (install one, or name it in DIY_CHROMIUM)"
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
