#!/usr/bin/env bash
# Fails and prints the difference if files under the given paths differ from the last commit.
set -euo pipefail
cd "$(dirname "$0")/.."

changes=$(git status --porcelain --untracked-files=all -- "$@")
if [ -z "$changes" ]; then
  echo 'verify: generated files are up to date.'
  exit 0
fi
git --no-pager diff -- "$@"
echo "verify: generated files are out of date; run make generate and commit them:"
echo "$changes"
exit 1
