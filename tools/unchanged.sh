#!/usr/bin/env bash
# Fails, and shows the difference, when the given paths are not as committed.
set -euo pipefail
cd "$(dirname "$0")/.."

changes=$(git status --porcelain --untracked-files=all -- "$@")
if [ -z "$changes" ]; then
  echo 'verify: everything generated is as committed.'
  exit 0
fi
git --no-pager diff -- "$@"
echo "verify: these generated files are not as committed; run make generate and commit them:"
echo "$changes"
exit 1
