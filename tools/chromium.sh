#!/usr/bin/env bash
# Prints the path of a Chromium for the browser tests. Installs Debian's when there is none and we
# may; exits 1 when there is none in the end.
set -euo pipefail

find_chromium() {
  local name
  for name in "${DIY_CHROMIUM:-}" chromium chromium-browser google-chrome-stable google-chrome; do
    if [ -n "$name" ] && command -v "$name"; then
      return 0
    fi
  done
  return 1
}

install_chromium() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  echo 'No Chromium here: installing it with apt-get.' >&2
  {
    apt-get update -qq &&
      DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium
  } >&2 </dev/null
}

find_chromium || { install_chromium && find_chromium; }
