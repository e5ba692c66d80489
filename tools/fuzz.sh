#!/usr/bin/env bash
# Gives every fuzz target made-up input, each for the given time (FUZZTIME, such as 10s or 2000x),
# and ends with a table. What breaks one is kept as a case in its package's testdata.
#
# FUZZBUILD is how test binaries are built. Unless it says otherwise they count which code an input
# reaches, so that one leads to the next; that takes a build of everything of its own, minutes the
# first time. A short run does without: make test builds them as the Go tests are built already.
set -uo pipefail
cd "$(dirname "$0")/.."

time=${FUZZTIME:-60s}
build=${FUZZBUILD--fuzz=.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
table=()
failed=0

# compile PACKAGE...: builds the packages' tests. There is nothing to fuzz where they don't build.
compile() {
  # shellcheck disable=SC2086 # no flags, or several
  go test -c $build -o "$work/" "$@" || exit 1
}

# fuzz PACKAGE TARGET: fuzzes one target and notes how much of it was tried.
fuzz() {
  local said tried began=$SECONDS
  if said=$(cd "$1" && "$work/${1##*/}.test" -test.run '^$' -test.fuzz "^$2\$" -test.fuzztime "$time" \
    -test.fuzzminimizetime 2s -test.fuzzcachedir "$(inputs "$1")" 2>&1); then
    tried=$(grep -o 'execs: [0-9]*' <<<"$said" | tail -n 1 | cut -d ' ' -f 2)
    table+=("$(printf 'ok    %9d inputs %4ds  %s %s' "${tried:-0}" $((SECONDS - began)) "$1" "$2")")
  else
    failed=1
    table+=("FAIL  $1 $2")
    printf '%s\n' "$said" >&2
  fi
}

# inputs PACKAGE: the folder of what reached new code. The next run that counts goes on from there.
inputs() {
  case $build in
  *-fuzz*) echo "$(go env GOCACHE)/fuzz/diy/$1" ;;
  *) echo "$work/inputs" ;;
  esac
}

# The targets are found by their names, so that none can be forgotten here. Each package is built once
# for all of its targets.
mapfile -t packages < <(grep -rlE --include='*_test.go' '^func Fuzz' adapters app cmd domain ports | xargs -n 1 dirname | sort -u)
case $build in
*-fuzz*) for package in "${packages[@]}"; do compile "./$package"; done ;; # Go takes no more than one
*) compile "${packages[@]/#/./}" ;;
esac

for package in "${packages[@]}"; do
  for target in $(grep -hoE '^func Fuzz\w+' "$package"/*_test.go | cut -d ' ' -f 2); do
    fuzz "$package" "$target"
  done
done

printf '\n=== Fuzzing, %s each\n' "$time"
printf '%s\n' "${table[@]}"
exit "$failed"
