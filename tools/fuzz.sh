#!/usr/bin/env bash
# Runs every fuzz target for FUZZTIME (such as 10s or 2000x, default 60s) and prints a summary. Go stores a failing input
# in the testdata of its package. A target also fails if its seeds leave no time for a generated input. Go counts the
# seeds as part of a limit such as 2000x.
#
# FUZZBUILD contains the build flags of the test binaries. The default, -fuzz=., instruments them for coverage guidance,
# and the first build takes minutes. make test uses the flags of the Go tests and fuzzes without coverage guidance.
set -uo pipefail
cd "$(dirname "$0")/.."

fuzz_time=${FUZZTIME:-60s}
build_flags=${FUZZBUILD--fuzz=.}
work_dir=$(mktemp -d)
trap 'rm -rf "$work_dir"' EXIT
summary=()
failed=0

# build_binaries PACKAGE…: builds the test binaries of the packages. Exits if that fails.
build_binaries() {
  # shellcheck disable=SC2086 # zero or more flags
  go test -c $build_flags -o "$work_dir/" "$@" || exit 1
}

# run_target PACKAGE TARGET: fuzzes one target and adds a line to the summary.
run_target() {
  local output inputs start=$SECONDS
  if output=$(cd "$1" && "$work_dir/${1##*/}.test" -test.run '^$' -test.fuzz "^$2\$" -test.fuzztime "$fuzz_time" \
    -test.fuzzminimizetime 2s -test.fuzzcachedir "$(corpus_dir "$1")" 2>&1) && inputs=$(generated_inputs "$output"); then
    summary+=("$(printf 'ok    %9d inputs %4ds  %s %s' "$inputs" $((SECONDS - start)) "$1" "$2")")
  else
    failed=1
    summary+=("FAIL  $1 $2")
    printf '%s\n' "$output" >&2
  fi
}

# generated_inputs OUTPUT: prints how many inputs were executed besides the seeds. Fails if there were none.
generated_inputs() {
  local execs seeds
  execs=$(grep -o 'execs: [0-9]*' <<<"$1" | tail -n 1 | cut -d ' ' -f 2)
  seeds=$(grep -o '[0-9]* completed, now fuzzing' <<<"$1" | cut -d ' ' -f 1)
  if [ -z "$seeds" ] || [ "${execs:-0}" -le "$seeds" ]; then
    echo 'fuzz.sh: no generated input was executed' >&2
    return 1
  fi
  echo $((execs - seeds))
}

# corpus_dir PACKAGE: prints the directory of the generated corpus, which coverage-guided runs reuse.
corpus_dir() {
  case $build_flags in
  *-fuzz*) echo "$(go env GOCACHE)/fuzz/diy/$1" ;;
  *) echo "$work_dir/corpus" ;;
  esac
}

# Find all packages with fuzz targets and build each once.
mapfile -t packages < <(grep -rlE --include='*_test.go' '^func Fuzz' adapters app cmd domain ports |
  xargs -n 1 dirname | sort -u)
case $build_flags in
*-fuzz*) for package in "${packages[@]}"; do build_binaries "./$package"; done ;; # go test -c -fuzz accepts one package only
*) build_binaries "${packages[@]/#/./}" ;;
esac

for package in "${packages[@]}"; do
  for target in $(grep -hoE '^func Fuzz\w+' "$package"/*_test.go | cut -d ' ' -f 2); do
    run_target "$package" "$target"
  done
done

printf '\n=== Fuzzing, %s each\n' "$fuzz_time"
printf '%s\n' "${summary[@]}"
exit "$failed"
