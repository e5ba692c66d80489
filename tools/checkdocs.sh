#!/usr/bin/env bash
# Fails when the documentation names a Go test or links to a file that does not exist, when Go code in the README or the
# guide to payment providers is not in testdata/consumers, whose modules the tests build, or when the operations guide
# does not explain a message that the server logs as an error.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
report_problem() {
  echo "checkdocs: $1" >&2
  failed=1
}

declared_tests=$(git grep -hoE '^func (Test|Fuzz|Benchmark|Example)\w+' -- '*_test.go' '*test/*.go' | cut -d ' ' -f 2)

for page in $(git ls-files '*.md'); do
  # Test names are in backquotes.
  for name in $(grep -oE '`(Test|Fuzz)[A-Z]\w+`' "$page" | tr -d '`' | sort -u); do
    grep -qx "$name" <<<"$declared_tests" || report_problem "$page names $name, which does not exist"
  done
  # Relative links, without their anchors.
  for link in $(grep -oE '\]\([^)# ]+' "$page" | cut -c 3- | grep -v '://' | sort -u); do
    [ -e "$(dirname "$page")/$link" ] || report_problem "$page links to $link, which does not exist"
  done
done

for page in README.md docs/payment-providers.md; do
  while IFS= read -r line; do
    [ -z "$line" ] || grep -rqxF -e "$line" testdata/consumers || report_problem "$page has code that no test builds: $line"
  done < <(sed -n '/^```go$/,/^```$/p' "$page" | grep -v '^```')
done

# The fake provider is for development only, so its messages need no explanation.
while IFS= read -r message; do
  grep -qF -e "\`$message" docs/operations.md || report_problem "docs/operations.md does not explain the log message: $message"
done < <(git grep -hoE '[lL]og\.Error(Context)?\((ctx, |r\.Context\(\), )?"[^":]+' -- \
  'adapters/*.go' 'app/*.go' 'cmd/*.go' 'ports/*.go' ':!*_test.go' ':!adapters/fakepayment' | sed 's/.*"//')
exit $failed
